/* Single entries by halves, for one length. The vectors are those of a query for rows of A^a. The
 * remaining work is dot products, with one more step for odd lengths.
 *
 * Rows are certified after the products that use them were made, and every product is made twice,
 * so a fault of the rows is found as well as one of the products. Rows of a graph in parts stay
 * there, and so do the vectors of their certificate: each process multiplies its entries, and the
 * first one adds the products up. */
#include "src/vectors/long_vector.h"
#include "src/certify/step_check.h"
#include "src/core/number.h"
#include "src/count/halves_plan.h"

#include <omp.h>
#include <string.h>

typedef struct halves {
    pc_reduction base; /* of the rows as they come: of closed paths multiplied, of pairs kept */
    const pci_halves_plan *plan;
    const pc_query *query;
    const pc_graph *graph;
    pc_context *context;
    uint32_t n_words;       /* of an entry of a row */
    uint32_t n_entry_words; /* of one asked for */
    pci_parts *parts;       /* where the rows of pairs stay; NULL: here */
    pci_long_vector *row;   /* of pairs: [n_vectors] */
    uint64_t *entries;      /* [n_copies][n_entries][n_entry_words] */
    uint64_t *scratch;      /* for two of them a thread */
    pci_long_vector next;   /* of odd lengths: A times a row */
    pci_step_check *check;  /* ... of that step; NULL: unchecked */
    pc_status status;       /* of the products so far */
} halves;

/* ---- Prepared -------------------------------------------------------------------------------- */

/* Allocates memory, once the width of the rows is known. */
static pc_status allocate(halves *h, uint32_t n_words)
{
    pc_context *context = h->context;
    h->n_words = n_words;
    h->n_entry_words = h->plan->entry_words;
    uint64_t n = h->graph->n, n_rows = h->plan->of_diagonal ? 0 : h->plan->n_vectors;
    size_t n_scratch = 3 * (size_t)(h->n_entry_words + 1) * (size_t)pci_n_threads(context);
    h->entries = pci_alloc_zero(context, h->plan->n_entries * pci_halves_n_copies(h->plan),
                                h->n_entry_words * sizeof *h->entries);
    h->scratch = pci_alloc(context, n_scratch * sizeof *h->scratch);
    h->row = pci_alloc_zero(context, n_rows, sizeof *h->row);
    if (!h->entries || !h->scratch || !h->row)
        return pci_fail_memory(context, "vectors of half the length", n_rows * sizeof *h->row);
    int n_rounds = h->plan->question->options.n_certify_rounds;
    pc_status status = PC_OK;
    if (n_rows)
        status =
            pci_long_vectors_create(context, h->parts, n, h->n_words, (uint32_t)n_rows, h->row);
    if (h->plan->is_odd && status == PC_OK)
        status = pci_long_vector_create(context, h->parts, n, h->n_words + 2, &h->next);
    if (h->plan->is_odd && n_rounds && status == PC_OK) /* the graph is undirected */
        status = pci_step_check_create(context, h->parts, h->graph, n_rounds, &h->check);
    return status;
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Handles one row of a closed-walk query as a vector. */
static pci_long_vector vector_of_row(const halves *h, const uint64_t *row)
{
    return (pci_long_vector){.context = h->context,
                             .n = h->graph->n,
                             .n_words = h->n_words,
                             .most_words = h->n_words,
                             .bits = (uint64_t)h->n_words * 64,
                             .words = (uint64_t *)row};
}

/* Copies of entry i = <a, b> by one thread; room is scratch for three entries. */
static pc_status multiply(const halves *h, const pci_long_vector *a, const pci_long_vector *b,
                          uint64_t *room, uint64_t i)
{
    pc_status status = PC_OK;
    size_t n_words = (size_t)a->n_words + b->n_words + 1;
    uint64_t *product = room + 2 * n_words;
    for (uint64_t c = 0; c < pci_halves_n_copies(h->plan) && status == PC_OK; c++) {
        uint64_t *entry = h->entries + (c * h->plan->n_entries + i) * h->n_entry_words;
        status = pci_long_vector_dot(a, b, 1, room, product);
        size_t n_used = status == PC_OK ? pci_number_trim(product, n_words) : 0;
        memcpy(entry, product,
               (n_used < h->n_entry_words ? n_used : h->n_entry_words) * sizeof *entry);
    }
    return status;
}

/* next = A times a row. */
static pc_status step(halves *h, const pci_long_vector *row)
{
    return pci_long_vector_step(h->graph, NULL, 128, (pci_fractions){1, 1}, row, &h->next);
}

/* After the products: next is A times the row that it was made of. */
static pc_status check_step(const halves *h, const pci_long_vector *row)
{
    if (!h->check)
        return PC_OK;
    pci_step_check_start(h->check, row);
    return pci_step_check_step(h->check, &h->next);
}

/* Multiplies each row by the vector one step after it. */
static pc_status multiply_odd_rows(halves *h, const pc_rows *rows)
{
    size_t row_words = rows->n_columns * h->n_words;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++) {
        pci_long_vector row = vector_of_row(h, rows->limbs + i * row_words);
        status = step(h, &row);
        if (status == PC_OK)
            status = multiply(h, &row, &h->next, h->scratch, rows->first_row + i);
        if (status == PC_OK)
            status = check_step(h, &row);
    }
    return status;
}

/* Multiplies each row by itself. */
static void multiply_even_rows(halves *h, const pc_rows *rows)
{
    size_t row_words = rows->n_columns * h->n_words, n_room = 3 * (size_t)(h->n_entry_words + 1);
    double n_operations = (double)rows->n_rows * (double)row_words * h->n_words;
    int n_threads = pci_threads_for(h->context, n_operations);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        pci_long_vector row = vector_of_row(h, rows->limbs + i * row_words);
        multiply(h, &row, &row, h->scratch + n_room * (size_t)omp_get_thread_num(),
                 rows->first_row + i); /* rows are here: it cannot fail */
    }
}

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    halves *h = (halves *)reduction;
    return h->entries ? PC_OK : allocate(h, rows->n_limbs);
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    halves *h = (halves *)reduction;
    size_t row_words = rows->n_columns * h->n_words;
    (void)part, (void)first, (void)n; /* all rows of the block, by one thread */
    if (h->plan->of_diagonal && h->plan->is_odd)
        h->status = multiply_odd_rows(h, rows);
    else if (h->plan->of_diagonal)
        multiply_even_rows(h, rows);
    else
        memcpy(h->row[rows->first_row].words, rows->limbs,
               rows->n_rows * row_words * sizeof *rows->limbs);
}

static pc_status end(pc_reduction *reduction, const pc_rows *rows)
{
    (void)rows;
    return ((const halves *)reduction)->status;
}

static void free_halves(pc_reduction *reduction)
{
    halves *h = (halves *)reduction;
    if (h->row && !h->plan->of_diagonal)
        pci_long_vectors_free((uint32_t)h->plan->n_vectors, h->row);
    pci_free(h->context, h->row);
    pci_free(h->context, h->entries);
    pci_free(h->context, h->scratch);
    pci_step_check_free(h->check);
    pci_long_vector_free(&h->next);
}

static const pci_reduction_ops HALVES = {
    .begin = begin, .add = add, .end = end, .free = free_halves};

static pc_status multiply_pairs(halves *h)
{
    const pc_query *query = h->query;
    uint64_t last_to = UINT64_MAX;
    const pci_long_vector *b = NULL;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < query->n_asked && status == PC_OK; i++) {
        uint64_t from = h->plan->vector_of[query->from[i]], to = h->plan->vector_of[query->to[i]];
        bool is_stepped = h->plan->is_odd && to != last_to;
        if (is_stepped && i > 0)
            status = check_step(h, b);
        b = &h->row[to];
        if (is_stepped && status == PC_OK)
            status = step(h, b);
        last_to = to;
        if (status == PC_OK)
            status = multiply(h, &h->row[from], h->plan->is_odd ? &h->next : b, h->scratch, i);
    }
    return status == PC_OK && h->plan->is_odd && query->n_asked ? check_step(h, b) : status;
}

/* ---- Rows in parts --------------------------------------------------------------------------- */

static pc_status keep_rows(halves *h, const pci_vectors_plan *vectors)
{
    pci_swept_options options =
        pci_vectors_swept_options(vectors, vectors->along, vectors->n_block);
    options.stays = true;
    pci_swept *swept = NULL;
    pc_status status = allocate(h, vectors->n_limbs);
    if (status == PC_OK)
        status = pci_swept_create(h->context, &options, &swept);
    if (status == PC_OK)
        status = pci_swept_keep(swept, vectors->n_vectors, vectors->start, h->row->number);
    pci_swept_free(swept);
    return status;
}

/* When all products were made of them. */
static pc_status check_kept_rows(const halves *h, pc_plan_info *info)
{
    int n_rounds = h->plan->question->options.n_certify_rounds;
    double start = pci_now_seconds();
    pci_step_check *check = NULL;
    pc_status status = PC_OK;
    if (n_rounds && h->plan->n_vectors)
        status = pci_step_check_create_powers(h->context, h->graph, h->plan->half.query.length,
                                              n_rounds, &check);
    if (check && status == PC_OK)
        status = pci_step_check_powers(check, h->plan->n_vectors, h->plan->vertices, h->row);
    pci_step_check_free(check);
    info->seconds.certify += pci_now_seconds() - start;
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Certifies the rows of pairs, which all products have been made of. Where there are no pairs,
 * there are no rows. */
static pc_status check_rows(const halves *h, const pci_sink *sink)
{
    pc_rows rows = {.n_rows = h->plan->n_vectors,
                    .n_columns = h->graph->n,
                    .n_limbs = h->n_words,
                    .limbs = h->row ? h->row->words : NULL};
    return sink->certificate ? pci_certificate_check(sink->certificate, &rows) : PC_OK;
}

static pc_status answer(halves *h, const pci_execution *run, pci_sink *sink)
{
    pci_vectors_plan vectors;
    pc_status status = pci_vectors_plan_begin(&h->plan->vectors, &vectors);
    if (status == PC_OK && h->parts)
        status = keep_rows(h, &vectors);
    else if (status == PC_OK)
        status = pci_send_vectors(run, &vectors, sink);
    pci_vectors_plan_end(&vectors);
    if (status == PC_OK && !h->plan->of_diagonal)
        status = multiply_pairs(h);
    if (status == PC_OK && h->parts)
        status = check_kept_rows(h, run->info);
    else if (status == PC_OK && !h->plan->of_diagonal)
        status = check_rows(h, sink);
    return status == PC_OK ? pci_deliver_entries(h->plan, h->entries, run->sink) : status;
}

static pc_status run_one_length(const pci_execution *run)
{
    const pci_question *question = run->question;
    halves h = {.base = {.ops = &HALVES, .context = question->context, .is_ordered = true},
                .plan = run->plan->choice,
                .query = &question->query,
                .graph = question->graph,
                .parts =
                    pci_halves_stay_in_parts(run->plan->choice) ? question->graph->parts : NULL,
                .context = question->context};
    pc_reduction *reduction = &h.base;
    pci_sink rows = {.context = h.context,
                     .reductions = &reduction,
                     .n_reductions = 1,
                     .defers_check = !h.plan->of_diagonal};
    h.next.context = h.context; /* to be freed */
    pc_status status = answer(&h, run, &rows);
    pci_sink_add_seconds(&rows, run->info);
    pci_sink_end_certificate(&rows);
    pc_reduction_free(reduction);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

static int rank(const pci_question *question)
{
    return pci_question_has_halves(question) && !pci_question_is_saved(question) ? PCI_RANK_BEST
                                                                                 : PCI_CANNOT;
}

static pc_status run_halves(const pci_execution *run)
{
    return pci_question_has_lengths(run->question) ? pci_halves_run_lengths(run)
                                                   : run_one_length(run);
}

const pci_method pci_by_halves = {.name = "sweeps of half the length",
                                  .told = PC_METHOD_SWEEP,
                                  .is_silent = true,
                                  .only_sweeps = true,
                                  .rank = rank,
                                  .plan = pci_halves_plan_make,
                                  .run = run_halves,
                                  .release = pci_halves_plan_free};
