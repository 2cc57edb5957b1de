/* Single entries by halves, for one length. The vectors are those of a query for rows of A^a, which
 * also certifies them. The remaining work is dot products, with one more step for odd lengths. */
#include "src/vectors/long_vector.h"
#include "src/core/number.h"
#include "src/run/run.h"

#include <omp.h>
#include <string.h>

typedef struct halves {
    const pci_halves_plan *plan;
    const pc_query *query;
    const pc_graph *graph;
    pc_context *context;
    uint32_t n_words;       /* of an entry of a row */
    uint32_t n_entry_words; /* of one asked for */
    uint64_t *rows;         /* of pairs: [n_vectors][n][n_words] */
    uint64_t *entries;      /* [n_entries][n_entry_words] */
    uint64_t *scratch;      /* for two of them a thread */
    pci_long_vector next;   /* of odd lengths: A times a row */
} halves;

/* ---- Entries --------------------------------------------------------------------------------- */

/* Packs n integers to the width of the widest one, and returns that width in words. */
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

pc_status pci_deliver_entries(const pci_halves_plan *halves, uint64_t *words, pci_sink *sink)
{
    const pc_query *query = &halves->request->query;
    uint64_t n = halves->n_entries;
    size_t n_limbs = pack(n * halves->n_lengths, halves->entry_words, words);
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < halves->n_lengths && n > 0 && status == PC_OK; l++) {
        pc_rows rows = {.n_rows = n,
                        .n_columns = 1,
                        .n_limbs = (uint32_t)n_limbs,
                        .limbs = words + l * n * n_limbs};
        status = pci_sink_take(sink, query->each ? l + 1 : query->length, &rows);
    }
    return status;
}

/* ---- Prepared -------------------------------------------------------------------------------- */

/* Allocates memory, once the width of the rows is known. */
static pc_status allocate(halves *h, uint32_t n_words)
{
    pc_context *context = h->context;
    h->n_words = n_words;
    h->n_entry_words = h->plan->entry_words;
    uint64_t n = h->graph->n, row_words = n * h->n_words;
    size_t n_scratch = 3 * (size_t)(h->n_entry_words + 1) * (size_t)pci_n_threads(context);
    h->entries = pci_alloc_zero(context, h->plan->n_entries, h->n_entry_words * sizeof *h->entries);
    h->scratch = pci_alloc(context, n_scratch * sizeof *h->scratch);
    bool is_whole = h->entries && h->scratch;
    if (!h->plan->is_closed)
        is_whole &= (h->rows = pci_alloc_zero(context, h->plan->n_vectors, row_words * 8)) != NULL;
    if (!is_whole)
        return pci_fail_memory(context, "vectors of half the length",
                               h->plan->n_vectors * row_words * 8);
    return h->plan->is_odd ? pci_long_vector_create(context, n, h->n_words + 2, &h->next) : PC_OK;
}

/* ---- Products -------------------------------------------------------------------------------- */

static pci_long_vector vector_of_row(const halves *h, const uint64_t *row)
{
    return (pci_long_vector){.context = h->context,
                             .n = h->graph->n,
                             .n_words = h->n_words,
                             .most_words = h->n_words,
                             .bits = (uint64_t)h->n_words * 64,
                             .words = (uint64_t *)row};
}

/* entry = <a, b> by one thread; room is scratch for three entries. */
static void multiply(const halves *h, const pci_long_vector *a, const pci_long_vector *b,
                     uint64_t *room, uint64_t *entry)
{
    size_t n_words = (size_t)a->n_words + b->n_words + 1;
    uint64_t *product = room + 2 * n_words;
    pci_long_vector_dot(a, b, 1, room, product);
    n_words = pci_number_trim(product, n_words);
    memcpy(entry, product,
           (n_words < h->n_entry_words ? n_words : h->n_entry_words) * sizeof *entry);
}

/* next = A times a row. */
static pc_status step(halves *h, const uint64_t *row)
{
    pci_long_vector in = vector_of_row(h, row);
    return pci_long_vector_step(h->graph, 128, (pci_fractions){1, 1}, &in, &h->next);
}

/* Multiplies each row by the vector one step after it. */
static pc_status multiply_odd_rows(halves *h, const pc_rows *rows)
{
    size_t row_words = rows->n_columns * h->n_words;
    uint64_t *entries = h->entries + rows->first_row * h->n_entry_words;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        pci_long_vector row = vector_of_row(h, rows->limbs + i * row_words);
        pc_status status = step(h, row.words);
        if (status != PC_OK)
            return status;
        multiply(h, &row, &h->next, h->scratch, entries + i * h->n_entry_words);
    }
    return PC_OK;
}

/* Multiplies each row by itself. */
static void multiply_even_rows(halves *h, const pc_rows *rows)
{
    size_t row_words = rows->n_columns * h->n_words, n_room = 3 * (size_t)(h->n_entry_words + 1);
    uint64_t *entries = h->entries + rows->first_row * h->n_entry_words;
    double n_operations = (double)rows->n_rows * (double)row_words * h->n_words;
    int n_threads = pci_threads_for(h->context, n_operations);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        pci_long_vector row = vector_of_row(h, rows->limbs + i * row_words);
        multiply(h, &row, &row, h->scratch + n_room * (size_t)omp_get_thread_num(),
                 entries + i * h->n_entry_words);
    }
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    halves *h = user;
    pc_status status = h->entries ? PC_OK : allocate(h, rows->n_limbs);
    if (status != PC_OK)
        return status;
    if (h->plan->is_closed && h->plan->is_odd)
        return multiply_odd_rows(h, rows);
    if (h->plan->is_closed)
        return multiply_even_rows(h, rows), PC_OK;
    size_t row_words = rows->n_columns * h->n_words;
    memcpy(h->rows + rows->first_row * row_words, rows->limbs,
           rows->n_rows * row_words * sizeof *h->rows);
    return PC_OK;
}

static pc_status multiply_pairs(halves *h)
{
    const pc_query *query = h->query;
    size_t row_words = h->graph->n * h->n_words;
    uint64_t last_to = UINT64_MAX;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < query->n_asked && status == PC_OK; i++) {
        uint64_t from = h->plan->vector_of[query->from[i]], to = h->plan->vector_of[query->to[i]];
        pci_long_vector a = vector_of_row(h, h->rows + from * row_words);
        pci_long_vector b = vector_of_row(h, h->rows + to * row_words);
        if (h->plan->is_odd && to != last_to)
            status = step(h, b.words);
        last_to = to;
        if (status == PC_OK)
            multiply(h, &a, h->plan->is_odd ? &h->next : &b, h->scratch,
                     h->entries + i * h->n_entry_words);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status answer(halves *h, const pci_execution *run)
{
    pci_vectors_plan vectors;
    pci_sink rows = {.context = h->context, .deliver = take, .user = h};
    pc_status status = pci_vectors_plan_begin(&h->plan->vectors, &vectors);
    if (status == PC_OK)
        status = pci_send_vectors(run, &vectors, &rows);
    pci_vectors_plan_end(&vectors);
    if (status == PC_OK && !h->plan->is_closed)
        status = multiply_pairs(h);
    return status == PC_OK ? pci_deliver_entries(h->plan, h->entries, run->sink) : status;
}

pc_status pci_source_halves(const pci_execution *run)
{
    halves h = {.plan = &run->route->halves,
                .query = &run->request->query,
                .graph = run->request->graph,
                .context = run->request->context};
    h.next.context = h.context; /* to be freed */
    pc_status status = answer(&h, run);
    pci_free(h.context, h.rows);
    pci_free(h.context, h.entries);
    pci_free(h.context, h.scratch);
    pci_long_vector_free(&h.next);
    return status;
}
