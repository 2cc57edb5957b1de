/* All lines of a text: cutting it into chunks at line ends, and parsing them by several threads. */
#include "io/chunks.h"

#include <string.h>

enum { LEAST_CHUNK_BYTES = 16384, LIKELY_LINE_BYTES = 1024 };

static const double BYTE_SECONDS = 4e-9; /* to read and to build a graph, about */

/* ---- Cutting --------------------------------------------------------------------------------- */

/* The first line end of a part of the input; false when there is none. */
static bool find_line_end(pci_window *window, uint64_t from, uint64_t to, uint64_t *at)
{
    pci_window_move(window, from, to);
    while (pci_window_bytes(window)) {
        const char *begin = window->begin;
        const char *line_end = memchr(begin, '\n', (size_t)(window->end - begin));
        if (line_end) {
            *at = window->offset + (uint64_t)(line_end - begin);
            return true;
        }
    }
    return false;
}

/* The begin of the first line that begins at `at` or after it. */
static uint64_t find_line(pci_window *window, uint64_t at, uint64_t end)
{
    uint64_t line_end, likely = end - at < LIKELY_LINE_BYTES ? end : at + LIKELY_LINE_BYTES;
    bool found = find_line_end(window, at - 1, likely, &line_end) ||
                 (window->status == PC_OK && find_line_end(window, likely, end, &line_end));
    return found ? line_end + 1 : end;
}

/* Narrows a text, from *begin to *end, to the lines that this one of several readers has. */
static pc_status take_range(const pci_input *input, uint64_t *begin, uint64_t *end)
{
    const pci_text_share *share = input->share;
    uint64_t first = *begin, n_bytes = *end - first, bound[2];
    pci_window window = pci_window_on(input);
    for (int side = 0; side < 2 && window.status == PC_OK; side++) {
        uint64_t i = share->number + (uint64_t)side;
        uint64_t at = first + (uint64_t)((unsigned __int128)n_bytes * i / share->n);
        bound[side] = i == share->n ? *end : at > first ? find_line(&window, at, *end) : first;
    }
    if (window.status == PC_OK) {
        *begin = bound[0];
        *end = bound[1];
    }
    pci_window_close(&window);
    return window.status ? pci_input_fail_read(input, window.status, window.error) : PC_OK;
}

/* PC_OK, or the message about the first chunk that has failed. */
static pc_status check_chunks(const pci_chunks *chunks)
{
    for (size_t i = 0; i < chunks->n_chunks; i++)
        if (chunks->chunk[i].status)
            return pci_input_fail_read(chunks->input, chunks->chunk[i].status,
                                       chunks->chunk[i].error);
    return PC_OK;
}

pc_status pci_chunks_create(const pci_input *input, uint64_t begin, pci_chunking chunking,
                            pci_chunks *chunks)
{
    pc_context *context = input->context;
    uint64_t end = input->n_all;
    pc_status status = input->share ? take_range(input, &begin, &end) : PC_OK;
    if (status)
        return status;
    size_t n_worth = (end - begin) / LEAST_CHUNK_BYTES + 1;
    size_t n_threads = (size_t)pci_threads_worth(context, (double)(end - begin) * BYTE_SECONDS);
    size_t n_chunks = n_threads * chunking;
    n_threads = n_worth < n_threads ? n_worth : n_threads;
    n_chunks = n_worth < n_chunks ? n_worth : n_chunks;
    pci_chunk *chunk = pci_alloc_zero(context, n_chunks, sizeof *chunk);
    if (!chunk)
        return pci_fail_memory(context, "reading", n_chunks * sizeof *chunk);
    pci_chunks made = {.input = input,
                       .chunk = chunk,
                       .n_chunks = n_chunks,
                       .n_threads = (int)n_threads,
                       .last_fraction = 0.5}; /* building is the other half */
    pci_window cuts = pci_window_on(input);
    uint64_t last = begin;
    for (size_t i = 0; i < n_chunks && cuts.status == PC_OK; i++) {
        uint64_t at = begin + (end - begin) / n_chunks * i;
        last = at > last ? find_line(&cuts, at, end) : last;
        chunk[i].begin = last;
        chunk[i].end = end;
        if (i > 0)
            chunk[i - 1].end = last;
    }
    pci_window_close(&cuts);
    if (cuts.status != PC_OK) {
        status = pci_input_fail_read(input, cuts.status, cuts.error);
    } else {
#pragma omp parallel num_threads(made.n_threads)
        {
            pci_window window = pci_window_on(input);
#pragma omp for schedule(dynamic)
            for (size_t i = 0; i < n_chunks; i++) {
                char before = '\n';
                pci_window_move(&window, chunk[i].begin, chunk[i].end);
                while (pci_window_bytes(&window)) {
                    chunk[i].n_lines += pci_count_line_ends(window.begin, window.end);
                    before = window.end[-1];
                }
                chunk[i].n_lines += before != '\n'; /* a last line without an end */
                chunk[i].status = window.status;
                chunk[i].error = window.error;
            }
            pci_window_close(&window);
        }
        status = check_chunks(&made);
    }
    if (status)
        pci_chunks_free(&made);
    else
        *chunks = made;
    return status;
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
    for (size_t i = 0; i < chunks->n_chunks && status == PC_OK; i++)
        edges->parts[i].n_edges = 0;
    pci_free(context, n_lines);
    return status;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/* Parses block after block. The place and the column of a flaw are copied: the block they point into is
 * overwritten by the next one. */
static void parse_chunk(pci_chunks *chunks, size_t i, pci_window *window, pci_parse_fn parse,
                        void *user)
{
    pci_chunk *chunk = &chunks->chunk[i];
    pci_flaw *flaw = &chunk->flaw;
    bool more = true;
    *flaw = (pci_flaw){0};
    chunk->n_entries = 0;
    chunk->status = PC_OK;
    pci_window_move(window, chunk->begin, chunk->end);
    while (more) {
        double done = (double)__atomic_load_n(&chunks->n_done, __ATOMIC_RELAXED);
        double fraction =
            chunks->first_fraction +
            (chunks->last_fraction - chunks->first_fraction) * done / (double)chunks->n_chunks;
        if (!pci_goes_on(chunks->input->context, "read", fraction, &chunks->status) ||
            __atomic_load_n(&chunks->stop, __ATOMIC_RELAXED) || !pci_window_lines(window))
            break;
        chunk->block = window->begin;
        chunk->block_at = window->offset;
        more = parse(user, chunks, i, window->begin, window->end);
        if (!flaw->what)
            continue;
        chunk->flaw_at = pci_chunk_offset(chunk, flaw->at);
        flaw->at = NULL;
        flaw->length = flaw->length < PCI_QUOTED_BYTES ? flaw->length : PCI_QUOTED_BYTES;
        if (flaw->column)
            flaw->column = memcpy(chunk->quoted, flaw->column, flaw->length);
    }
    if (window->status) {
        chunk->status = window->status;
        chunk->error = window->error;
    }
    __atomic_fetch_add(&chunks->n_done, 1, __ATOMIC_RELAXED);
}

pc_status pci_chunks_parse(pci_chunks *chunks, pci_parse_fn parse, void *user)
{
    chunks->stop = false;
    chunks->status = PC_OK;
    chunks->n_done = 0;
#pragma omp parallel num_threads(chunks->n_threads)
    {
        pci_window window = pci_window_on(chunks->input);
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < chunks->n_chunks; i++)
            parse_chunk(chunks, i, &window, parse, user);
        pci_window_close(&window);
    }
    pc_status status = pci_gone_on(chunks->input->context, chunks->status);
    if (status == PC_OK)
        status = check_chunks(chunks);
    return status ? status : pci_input_check(chunks->input);
}

const pci_chunk *pci_chunks_first_flaw(const pci_chunks *chunks)
{
    for (size_t i = 0; i < chunks->n_chunks; i++)
        if (chunks->chunk[i].flaw.what)
            return &chunks->chunk[i];
    return NULL;
}

pc_status pci_chunks_report(const pci_chunks *chunks)
{
    const pci_chunk *chunk = pci_chunks_first_flaw(chunks);
    return chunk ? pci_flaw_report_at(chunks->input, chunk->flaw_at, &chunk->flaw) : PC_OK;
}
