/* All lines of a text: cutting it into chunks at line ends, and parsing them by several threads. */
#include "io/lines.h"

#include <omp.h>
#include <string.h>

enum { LEAST_CHUNK_BYTES = 16384, CHUNKS_A_THREAD = 8 };

/* The first position at or after which a chunk may begin: the start of a line. */
static const char *next_line(const char *at, const char *begin, const char *end)
{
    if (at <= begin)
        return begin;
    const char *line_end = memchr(at - 1, '\n', (size_t)(end - at) + 1);
    return line_end ? line_end + 1 : end;
}

/* Line ends among n_words (at most 255) words of eight bytes: each byte of counts is a counter. */
static uint64_t count_in_words(const char *at, size_t n_words)
{
    const uint64_t line_ends = UINT64_C(0x0a0a0a0a0a0a0a0a), low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    const uint64_t even_bytes = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t counts = 0;
    for (size_t w = 0; w < n_words; w++) {
        uint64_t word;
        memcpy(&word, at + 8 * w, sizeof word);
        word ^= line_ends; /* a byte is 0 where there is a line end */
        counts += ~(((word & low) + low) | word | low) >> 7;
    }
    counts = (counts & even_bytes) + (counts >> 8 & even_bytes);
    return counts * UINT64_C(0x0001000100010001) >> 48;
}

static uint64_t count_lines(const char *begin, const char *end)
{
    uint64_t n_lines = end > begin && end[-1] != '\n'; /* a last line without an end */
    while (end - begin >= 8) {
        size_t n_words = (size_t)(end - begin) / 8;
        n_words = n_words < UINT8_MAX ? n_words : UINT8_MAX;
        n_lines += count_in_words(begin, n_words);
        begin += 8 * n_words;
    }
    for (; begin < end; begin++)
        n_lines += *begin == '\n';
    return n_lines;
}

pc_status pci_chunks_create(const pci_input *input, const char *begin, pci_chunking chunking,
                            pci_chunks *chunks)
{
    pc_context *context = input->context;
    const char *end = input->text + input->n_bytes;
    size_t n_bytes = (size_t)(end - begin), n_worth = n_bytes / LEAST_CHUNK_BYTES + 1;
    size_t n_chunks = (size_t)pci_n_threads(context);
    int n_threads = n_worth < n_chunks ? (int)n_worth : (int)n_chunks;
    if (chunking == PCI_MANY_CHUNKS)
        n_chunks *= CHUNKS_A_THREAD;
    if (n_chunks > n_worth)
        n_chunks = n_worth;
    pci_chunk *chunk = pci_alloc_zero(context, n_chunks, sizeof *chunk);
    if (!chunk)
        return pci_fail_memory(context, "reading", n_chunks * sizeof *chunk);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t i = 0; i < n_chunks; i++) {
        const char *from = begin + n_bytes / n_chunks * i;
        const char *to = i + 1 < n_chunks ? begin + n_bytes / n_chunks * (i + 1) : end;
        chunk[i].begin = next_line(from, begin, end);
        chunk[i].end = next_line(to, begin, end);
        chunk[i].n_lines = count_lines(chunk[i].begin, chunk[i].end);
    }
    *chunks = (pci_chunks){.input = input,
                           .chunk = chunk,
                           .n_chunks = n_chunks,
                           .n_threads = n_threads,
                           .last_fraction = 0.5}; /* building is the other half */
    return PC_OK;
}

void pci_chunks_free(pci_chunks *chunks)
{
    if (chunks->input)
        pci_free(chunks->input->context, chunks->chunk);
    *chunks = (pci_chunks){0};
}

uint64_t pci_chunks_n_lines(const pci_chunks *chunks)
{
    uint64_t n_lines = 0;
    for (size_t i = 0; i < chunks->n_chunks; i++)
        n_lines += chunks->chunk[i].n_lines;
    return n_lines;
}

pc_status pci_chunks_make_edges(const pci_chunks *chunks, bool with_weights, pci_edges *edges)
{
    pc_context *context = chunks->input->context;
    uint64_t *n_lines = pci_alloc(context, chunks->n_chunks * sizeof *n_lines);
    if (!n_lines)
        return pci_fail_memory(context, "reading", chunks->n_chunks * sizeof *n_lines);
    for (size_t i = 0; i < chunks->n_chunks; i++)
        n_lines[i] = chunks->chunk[i].n_lines;
    pc_status status = pci_edges_create(context, chunks->n_chunks, n_lines, with_weights, edges);
    pci_free(context, n_lines);
    return status;
}

/* Threads read and set these flags at once; order does not matter. */
static bool is_set(const bool *flag)
{
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void set(bool *flag)
{
    __atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

bool pci_chunks_go_on(pci_chunks *chunks)
{
    double done = (double)__atomic_load_n(&chunks->n_done, __ATOMIC_RELAXED);
    double fraction = chunks->first_fraction + (chunks->last_fraction - chunks->first_fraction) *
                                                   done / (double)chunks->n_chunks;
    if (omp_get_thread_num() == 0 && !is_set(&chunks->cancelled) &&
        pci_progress(chunks->input->context, "read", fraction) != PC_OK) {
        set(&chunks->cancelled);
        set(&chunks->stop);
    }
    return !is_set(&chunks->stop);
}

pc_status pci_chunks_parse(pci_chunks *chunks, pci_parse_fn parse, void *user)
{
    pc_context *context = chunks->input->context;
    chunks->stop = chunks->cancelled = false;
    chunks->n_done = 0;
#pragma omp parallel for schedule(dynamic) num_threads(chunks->n_threads)
    for (size_t i = 0; i < chunks->n_chunks; i++) {
        chunks->chunk[i].flaw = (pci_flaw){0};
        chunks->chunk[i].n_entries = 0;
        chunks->chunk[i].status = PC_OK;
        if (pci_chunks_go_on(chunks))
            parse(user, chunks, i);
        __atomic_fetch_add(&chunks->n_done, 1, __ATOMIC_RELAXED);
    }
    if (chunks->cancelled)
        return PC_ERR_CANCELLED; /* pci_progress made the message */
    for (size_t i = 0; i < chunks->n_chunks; i++)
        if (chunks->chunk[i].status)
            return pci_fail(context, chunks->chunk[i].status,
                            "%s: no memory for its labels, or more than 2^32-1 of them",
                            chunks->input->name);
    return PC_OK;
}

pci_flaw pci_chunks_first_flaw(const pci_chunks *chunks)
{
    for (size_t i = 0; i < chunks->n_chunks; i++)
        if (chunks->chunk[i].flaw.what)
            return chunks->chunk[i].flaw;
    return (pci_flaw){0};
}
