/* Single entries by halves, of one length. The vectors come from a query of their own, for the rows
 * of A^a, which also checks them; what is left are dot products, with one more step in between
 * for odd lengths. */
#include "src/query_halves.h"

#include "src/long_vector.h"
#include "src/number.h"
#include "src/query_entries.h"
#include "src/query_halves_each.h"
#include "src/query_sums_plan.h"

#include <math.h>
#include <omp.h>
#include <string.h>

typedef struct halves {
    const pci_query_job *job;
    const pci_query_entries *asked;
    pc_context *context;
    pc_query half;          /* the rows of A^a of the vertices asked for */
    bool is_odd;            /* b = a + 1 */
    uint32_t n_words;       /* of an entry of a row */
    uint32_t n_entry_words; /* of one asked for */
    uint64_t *rows;         /* of pairs: [n_vectors][n][n_words] */
    uint64_t *entries;      /* [n_entries][n_entry_words] */
    uint64_t *scratch;      /* for two of them a thread */
    pci_long_vector next;   /* of odd lengths: A times a row */
} halves;

bool pci_query_has_halves(const pci_query_job *job)
{
    const pc_query *query = job->query;
    return (query->kind == PC_QUERY_PAIRS || query->kind == PC_QUERY_CLOSED) &&
           query->length >= 2 && query->paths == PC_PATHS_ALL &&
           job->options.arithmetic == PC_EXACT && job->graph->symmetric;
}

/* ---- Prepared -------------------------------------------------------------------------------- */

/* Once it is known how wide rows are. */
static pc_status allocate(halves *h, uint32_t n_words)
{
    pc_context *context = h->context;
    h->n_words = n_words;
    h->n_entry_words = 2 * n_words + 2; /* with a step between, whose rows sum up to 2^96 */
    uint64_t n = h->job->graph->n, row_words = n * h->n_words;
    size_t n_scratch = 3 * (size_t)(h->n_entry_words + 1) * (size_t)pci_n_threads(context);
    h->entries =
        pci_alloc_zero(context, h->asked->n_entries, h->n_entry_words * sizeof *h->entries);
    h->scratch = pci_alloc(context, n_scratch * sizeof *h->scratch);
    bool is_whole = h->entries && h->scratch;
    if (!h->asked->is_closed)
        is_whole &= (h->rows = pci_alloc_zero(context, h->asked->n_vectors, row_words * 8)) != NULL;
    if (!is_whole)
        return pci_fail_memory(context, "vectors of half the length",
                               h->asked->n_vectors * row_words * 8);
    return h->is_odd ? pci_long_vector_create(context, n, h->n_words + 2, &h->next) : PC_OK;
}

/* ---- Products -------------------------------------------------------------------------------- */

static pci_long_vector vector_of_row(const halves *h, const uint64_t *row)
{
    return (pci_long_vector){.context = h->context,
                             .n = h->job->graph->n,
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
    return pci_long_vector_step(h->job->graph, 128, (pci_fractions){1, 1}, &in, &h->next);
}

/* Each row with the vector after it. */
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

/* Each row with itself. */
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
    if (h->asked->is_closed && h->is_odd)
        return multiply_odd_rows(h, rows);
    if (h->asked->is_closed)
        return multiply_even_rows(h, rows), PC_OK;
    size_t row_words = rows->n_columns * h->n_words;
    memcpy(h->rows + rows->first_row * row_words, rows->limbs,
           rows->n_rows * row_words * sizeof *h->rows);
    return PC_OK;
}

static pc_status multiply_pairs(halves *h)
{
    const pc_query *query = h->job->query;
    size_t row_words = h->job->graph->n * h->n_words;
    uint64_t last_to = UINT64_MAX;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < query->n_asked && status == PC_OK; i++) {
        uint64_t from = h->asked->vector_of[query->from[i]], to = h->asked->vector_of[query->to[i]];
        pci_long_vector a = vector_of_row(h, h->rows + from * row_words);
        pci_long_vector b = vector_of_row(h, h->rows + to * row_words);
        if (h->is_odd && to != last_to)
            status = step(h, b.words);
        last_to = to;
        if (status == PC_OK)
            multiply(h, &a, h->is_odd ? &h->next : &b, h->scratch,
                     h->entries + i * h->n_entry_words);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status answer(halves *h, pc_plan *plan)
{
    pci_query_job job = *h->job;
    job.query = &h->half;
    job.deliver = take;
    job.user = h;
    pc_status status = pci_query_sweeps(&job, plan);
    if (status == PC_OK && !h->asked->is_closed)
        status = multiply_pairs(h);
    if (status != PC_OK)
        return status;
    return pci_query_entries_deliver(h->asked, h->n_entry_words, h->entries, &plan->n_limbs);
}

/* Of one length. */
static pc_status answer_length(const pci_query_entries *asked, pc_plan *plan)
{
    const pci_query_job *job = asked->job;
    pc_context *context = job->context;
    halves h = {.job = job,
                .asked = asked,
                .context = context,
                .half = {.kind = PC_QUERY_FROM,
                         .length = job->query->length / 2,
                         .n_asked = asked->n_vectors,
                         .from = asked->vertices},
                .is_odd = job->query->length % 2};
    h.next.context = context; /* to be freed */
    pc_status status = answer(&h, plan);
    plan->sweep_length = h.half.length + h.is_odd;
    pci_free(context, h.rows);
    pci_free(context, h.entries);
    pci_free(context, h.scratch);
    pci_long_vector_free(&h.next);
    return status;
}

/* ---- Whether it pays ------------------------------------------------------------------------- */

/* In passes over the arcs: up to eight vectors take little longer than one. */
static double n_passes(uint64_t n_vectors, uint64_t length)
{
    return fmax(1, (double)n_vectors / 8) * (double)length;
}

static bool pays(const pci_query_entries *asked)
{
    uint64_t length = asked->job->query->length;
    double product = length % 2 ? 1 : 0.1; /* with a step of its own */
    return n_passes(asked->n_vectors, length / 2) + (double)asked->n_entries * product <
           0.75 * n_passes(asked->n_whole, length);
}

/* Of more lengths: each vector is read and certified after each step, and that is most of it. Whole
 * * lengths are twice as wide; a product costs about as much as reading a vector of half the
 * length. */
static bool pays_of_lengths(const pci_query_entries *asked)
{
    double length = (double)asked->job->query->length, half = ceil(length / 2);
    return (double)asked->n_vectors * half + (double)asked->n_entries * length <=
           2.5 * (double)asked->n_whole * length;
}

/* Whether vectors for one length fit in memory, by a limit of their width that costs nothing. */
static bool fits(const pci_query_entries *asked)
{
    const pci_query_job *job = asked->job;
    double n = (double)job->graph->n;
    double n_rows = 4 + (asked->is_closed ? 0 : (double)asked->n_vectors);
    double bits = (double)(job->query->length / 2) * pci_sums_step_bits(job->graph);
    double row_bytes = n * (bits / 8 + 24), entry_bytes = bits / 4 + 32;
    return 2 * (n_rows * row_bytes + (double)asked->n_entries * entry_bytes) <
           (double)pci_memory_available(job->context);
}

pc_status pci_query_halves(const pci_query_job *job, pc_plan *plan)
{
    pci_query_entries asked;
    bool has_lengths = job->query->each || job->query->up_to;
    pc_status status = pci_query_entries_make(job, &asked);
    if (status == PC_OK && has_lengths && pays_of_lengths(&asked))
        status = pci_query_halves_each(&asked, plan);
    else if (status == PC_OK && !has_lengths && pays(&asked) && fits(&asked))
        status = answer_length(&asked, plan);
    else if (status == PC_OK)
        status = pci_query_sweeps(job, plan);
    pci_query_entries_free(&asked);
    return status;
}
