/* Single entries: vertices numbered, answers packed. */
#include "src/query_entries.h"

#include "src/number.h"

#include <string.h>

static const uint32_t NO_VECTOR = UINT32_MAX;

/* Numbers vertices in order of first appearance, those numbered before included. */
static void number(uint64_t n_asked, const uint64_t *asked, pci_query_entries *entries)
{
    for (uint64_t i = 0; i < n_asked; i++)
        if (entries->vector_of[asked[i]] == NO_VECTOR) {
            entries->vertices[entries->n_vectors] = asked[i];
            entries->vector_of[asked[i]] = (uint32_t)entries->n_vectors++;
        }
}

static void number_pairs(pci_query_entries *entries)
{
    const pci_query_job *job = entries->job;
    const pc_query *query = job->query;
    const uint64_t *ends[] = {query->from, query->to};
    uint64_t n_of[2];
    for (int i = 0; i < 2; i++) {
        memset(entries->vector_of, 0xff,
               job->graph->n * sizeof *entries->vector_of); /* NO_VECTOR */
        entries->n_vectors = 0;
        number(query->n_asked, ends[i], entries);
        n_of[i] = entries->n_vectors;
    }
    number(query->n_asked, query->from, entries);
    entries->n_whole = n_of[0] < n_of[1] ? n_of[0] : n_of[1];
}

pc_status pci_query_entries_make(const pci_query_job *job, pci_query_entries *entries)
{
    pc_context *context = job->context;
    const pc_query *query = job->query;
    uint64_t n = job->graph->n, n_lengths = query->each ? query->length : 1;
    *entries = (pci_query_entries){.job = job, .n_lengths = n_lengths};
    entries->is_closed = query->kind == PC_QUERY_CLOSED;
    entries->n_entries = entries->is_closed ? n : query->n_asked;
    uint64_t most = entries->is_closed || 2 * query->n_asked > n ? n : 2 * query->n_asked;
    entries->vertices = pci_alloc(context, most * sizeof *entries->vertices);
    if (!entries->is_closed)
        entries->vector_of = pci_alloc(context, n * sizeof *entries->vector_of);
    if (!entries->vertices || !(entries->is_closed || entries->vector_of))
        return pci_fail_memory(context, "the vertices of pairs", n * 12);
    if (!entries->is_closed) {
        number_pairs(entries);
        return PC_OK;
    }
    entries->n_vectors = entries->n_whole = n;
    for (uint64_t v = 0; v < n; v++)
        entries->vertices[v] = v;
    return PC_OK;
}

void pci_query_entries_free(pci_query_entries *entries)
{
    pci_free(entries->job->context, entries->vertices);
    pci_free(entries->job->context, entries->vector_of);
}

/* Words of the widest of n integers, which then lie so close together. */
static size_t pack(uint64_t n, size_t n_words, uint64_t *words)
{
    size_t n_new = 1;
    for (uint64_t i = 0; i < n; i++) {
        size_t n_used = pci_number_trim(words + i * n_words, n_words);
        n_new = n_used > n_new ? n_used : n_new;
    }
    for (uint64_t i = 0; i < n && n_new < n_words; i++)
        memmove(words + i * n_new, words + i * n_words, n_new * sizeof *words);
    return n_new;
}

pc_status pci_query_entries_deliver(const pci_query_entries *entries, size_t n_words,
                                    uint64_t *words, uint32_t *n_limbs)
{
    const pci_query_job *job = entries->job;
    uint64_t n = entries->n_entries;
    size_t n_new = pack(n * entries->n_lengths, n_words, words);
    *n_limbs = (uint32_t)n_new;
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < entries->n_lengths && n > 0 && status == PC_OK; l++) {
        pc_rows rows = {
            .n_rows = n, .n_columns = 1, .n_limbs = *n_limbs, .limbs = words + l * n * n_new};
        status = job->deliver(job->user, job->query->each ? l + 1 : job->query->length, &rows);
    }
    return status;
}
