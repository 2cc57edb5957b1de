/* Single entries by halves. For one length the vectors are those of a query for rows of A^a. The
 * remaining work is dot products, with one more step for odd lengths.
 *
 * Rows are certified after the products that use them were made, and every product is made twice,
 * so a fault of the rows is found as well as one of the products. Rows of a graph in parts stay
 * there, and so do the vectors of their certificate: each process multiplies its entries, and the
 * first one adds the products up.
 *
 * For several lengths the vectors are certified like those of a query for the rows of all half
 * lengths, each after its last product; every product is made twice. The vectors of pairs are sent
 * all at once, those of closed paths a batch at a time. */
#include <gmp.h>

#include "src/vectors/long_vector.h"
#include "src/certify/step_check.h"
#include "src/core/number.h"
#include "src/count/halves_plan.h"

#include <omp.h>
#include <string.h>

/* Makes room for the entries of each length that is answered. */
static pc_status create_entries(const pci_halves_plan *halves, pci_gathered *entries)
{
    return pci_gathered_create(halves->question, "a product of vectors of half the length",
                               halves->n_lengths, halves->n_entries, halves->entry_words, entries);
}

static pc_status deliver_entries(pci_gathered *entries, const pc_query *query, pci_sink *sink)
{
    return pci_gathered_deliver(entries, query->each ? 1 : query->length, true, sink);
}

/* ---- Several lengths ------------------------------------------------------------------------- */

typedef struct lengths {
    const pci_halves_plan *halves;
    const pc_query *query;
    pc_context *context;
    uint64_t n;
    pci_vectors_plan plan;        /* of the rows of every half length */
    pci_certificate *certificate; /* NULL: unchecked */
    double certify_seconds;
    pci_sweep *sweep;
    uint64_t *now, *before;   /* [n_batch][n] rows after so many steps, and after one fewer */
    uint32_t n_now, n_before; /* words of an entry of theirs */
    pci_gathered entries;
    uint64_t *scratch; /* two of them a thread */
} lengths;

/* Part of the vectors, sent together. */
typedef struct batch {
    uint64_t first, n;
} batch;

/* Adds <row u of from, row v of now> to the copies of the entries of a length. */
static void multiply_batch(const lengths *all, batch b, const uint64_t *from, uint32_t n_from,
                           uint64_t length)
{
    const pci_halves_plan *halves = all->halves;
    const pc_query *query = all->query;
    bool of_diagonal = halves->of_diagonal;
    uint64_t n_entries = of_diagonal ? b.n : halves->n_entries;
    uint64_t at = query->each ? (length - 1) * halves->n_entries : 0;
    size_t n_words = halves->entry_words;
    double n_products = (double)n_entries * (double)all->n * n_from * all->n_now;
    int n_threads = pci_threads_for(all->context, n_products);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) if (n_threads > 1)
    for (uint64_t i = 0; i < n_entries; i++) {
        uint64_t u = of_diagonal ? i : halves->vector_of[query->from[i]];
        uint64_t v = of_diagonal ? i : halves->vector_of[query->to[i]];
        pci_word_row x = {n_from, from + u * all->n * n_from};
        pci_word_row y = {all->n_now, all->now + v * all->n * all->n_now};
        uint64_t *room = all->scratch + 2 * n_words * (size_t)omp_get_thread_num();
        uint64_t *product = room + n_words;
        for (int c = 0; c < all->entries.n_copies; c++) {
            uint64_t *entry = pci_gathered_at(&all->entries, c, at + b.first + i);
            pci_row_dot(all->n, x, y, room, product);
            mpn_add(entry, entry, (mp_size_t)n_words, product,
                    (mp_size_t)pci_row_dot_words(n_from, all->n_now));
        }
    }
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Certifies the vectors after l steps, when all products with them are made. */
static pc_status check(lengths *all, batch b, uint64_t l, const uint64_t *words, uint32_t n_words)
{
    pc_rows rows = {.first_row = (l - 1) * all->plan.n_vectors + b.first,
                    .n_rows = b.n,
                    .n_columns = all->n,
                    .n_limbs = n_words,
                    .limbs = words};
    double start = pci_now_seconds();
    pc_status status =
        l > 0 && all->certificate ? pci_certificate_check(all->certificate, &rows) : PC_OK;
    all->certify_seconds += pci_now_seconds() - start;
    return status;
}

/* Before the first step each vector of a batch is 1 at its vertex. */
static pc_status send(lengths *all, batch b)
{
    const pci_sweep_ops *sweeps = all->plan.sweeps;
    const uint64_t *vertices = all->halves->vertices + b.first;
    uint64_t last = all->halves->half.query.length;
    pc_status status =
        pci_progress(all->context, "vectors", (double)b.first / (double)all->halves->n_vectors);
    sweeps->clear(all->sweep);
    memset(all->now, 0, b.n * all->n * sizeof *all->now);
    all->n_now = 1;
    for (uint64_t i = 0; i < b.n; i++) {
        sweeps->add(all->sweep, (uint32_t)i, vertices[i], 1);
        all->now[i * all->n + vertices[i]] = 1;
    }
    for (uint64_t l = 1; l <= last && status == PC_OK; l++) {
        uint64_t *swap = all->before;
        all->before = all->now;
        all->n_before = all->n_now;
        all->now = swap;
        all->n_now = (uint32_t)(all->plan.bits[l] / 64) + 1;
        status = sweeps->step(all->sweep);
        if (status == PC_OK)
            status = sweeps->rows(all->sweep, 0, (uint32_t)b.n, all->n_now, false, all->now);
        if (status != PC_OK)
            break;
        multiply_batch(all, b, all->before, all->n_before, 2 * l - 1);
        status = check(all, b, l - 1, all->before, all->n_before);
        if (status == PC_OK && 2 * l <= all->query->length)
            multiply_batch(all, b, all->now, all->n_now, 2 * l);
    }
    return status == PC_OK ? check(all, b, last, all->now, all->n_now) : status;
}

/* Allocates, and makes the certificate of the vectors. */
static pc_status prepare(lengths *all)
{
    pc_context *context = all->context;
    const pci_halves_plan *halves = all->halves;
    pci_sweep_options sweep = pci_halves_sweep_options(halves);
    size_t row_bytes = all->n * all->plan.n_limbs * 8, entry_bytes = halves->entry_words * 8;
    int n_rounds = halves->question->options.n_certify_rounds;
    all->now = pci_alloc_zero(context, halves->n_batch, row_bytes);
    all->before = pci_alloc_zero(context, halves->n_batch, row_bytes);
    all->scratch = pci_alloc(context, 2 * entry_bytes * (size_t)pci_n_threads(context));
    if (!all->now || !all->before || !all->scratch)
        return pci_fail_memory(context, "vectors of half the length", (size_t)halves->bytes);
    pc_status status = create_entries(halves, &all->entries);
    if (status == PC_OK)
        status = all->plan.sweeps->create(context, all->plan.along, &sweep, &all->sweep);
    pci_operator map = pci_vectors_map(&all->plan);
    double start = pci_now_seconds();
    if (status == PC_OK && n_rounds > 0)
        status = pci_certificate_create(context, &map, 0, n_rounds, &all->certificate);
    all->certify_seconds += pci_now_seconds() - start;
    return status;
}

static pc_status run_lengths(const pci_execution *run)
{
    const pci_halves_plan *halves = run->plan->choice;
    lengths all = {.halves = halves,
                   .query = &run->question->query,
                   .context = run->question->context,
                   .n = run->question->graph->n};
    pc_status status = pci_vectors_plan_begin(&halves->vectors, &all.plan);
    if (status == PC_OK)
        status = prepare(&all);
    for (batch b = {0}; b.first < halves->n_vectors && status == PC_OK; b.first += b.n) {
        uint64_t n_left = halves->n_vectors - b.first;
        b.n = n_left < halves->n_batch ? n_left : halves->n_batch;
        status = send(&all, b);
    }
    if (status == PC_OK)
        status = deliver_entries(&all.entries, all.query, run->sink);
    run->info->seconds.certify += all.certify_seconds;
    if (all.sweep)
        all.plan.sweeps->free(all.sweep);
    pci_certificate_free(all.certificate);
    pci_free(all.context, all.now);
    pci_free(all.context, all.before);
    pci_free(all.context, all.scratch);
    pci_gathered_free(&all.entries);
    pci_vectors_plan_end(&all.plan);
    return status;
}

/* ---- One length ------------------------------------------------------------------------------ */

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
    pci_gathered entries;
    uint64_t *scratch;     /* for two of them a thread */
    pci_long_vector next;  /* of odd lengths: A times a row */
    pci_step_check *check; /* ... of that step; NULL: unchecked */
    pc_status status;      /* of the products so far */
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
    h->scratch = pci_alloc(context, n_scratch * sizeof *h->scratch);
    h->row = pci_alloc_zero(context, n_rows, sizeof *h->row);
    if (!h->scratch || !h->row)
        return pci_fail_memory(context, "vectors of half the length", n_rows * sizeof *h->row);
    int n_rounds = h->plan->question->options.n_certify_rounds;
    pc_status status = create_entries(h->plan, &h->entries);
    if (n_rows && status == PC_OK)
        status =
            pci_long_vectors_create(context, h->parts, n, h->n_words, (uint32_t)n_rows, h->row);
    if (h->plan->is_odd && status == PC_OK)
        status = pci_long_vector_create(context, h->parts, n, h->n_words + 2, &h->next);
    if (h->plan->is_odd && n_rounds && status == PC_OK) /* the graph is undirected */
        status = pci_step_check_create(context, h->parts, h->graph, 1, n_rounds, &h->check);
    return status;
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Copies of entry i = <a, b> by one thread; room is scratch for three entries. */
static pc_status multiply(const halves *h, const pci_long_vector *a, const pci_long_vector *b,
                          uint64_t *room, uint64_t i)
{
    pc_status status = PC_OK;
    size_t n_words = (size_t)a->n_words + b->n_words + 1;
    uint64_t *product = room + 2 * n_words;
    for (int c = 0; c < h->entries.n_copies && status == PC_OK; c++) {
        uint64_t *entry = pci_gathered_at(&h->entries, c, i);
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

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    halves *h = (halves *)reduction;
    return h->entries.words ? PC_OK : allocate(h, rows->n_limbs);
}

/* Rows of pairs are kept. Each row of closed paths is multiplied by itself or, for an odd length,
 * by the vector one step after it. */
static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    halves *h = (halves *)reduction;
    size_t row_words = rows->n_columns * h->n_words, n_room = 3 * (size_t)(h->n_entry_words + 1);
    double n_operations = (double)rows->n_rows * (double)row_words * h->n_words;
    bool is_odd = h->plan->is_odd;
    int n_threads = is_odd ? 1 : pci_threads_for(h->context, n_operations);
    (void)part, (void)first, (void)n; /* all rows of the block, by one thread */
    if (!h->plan->of_diagonal) {
        memcpy(h->row[rows->first_row].words, rows->limbs,
               rows->n_rows * row_words * sizeof *rows->limbs);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        pci_long_vector row = {.context = h->context,
                               .n = h->graph->n,
                               .n_words = h->n_words,
                               .most_words = h->n_words,
                               .bits = (uint64_t)h->n_words * 64,
                               .words = (uint64_t *)rows->limbs + i * row_words};
        uint64_t *room = h->scratch + n_room * (size_t)omp_get_thread_num();
        if (!is_odd) {
            multiply(h, &row, &row, room, rows->first_row + i); /* rows are here: it cannot fail */
            continue;
        }
        if (h->status == PC_OK)
            h->status = step(h, &row);
        if (h->status == PC_OK)
            h->status = multiply(h, &row, &h->next, room, rows->first_row + i);
        if (h->status == PC_OK)
            h->status = check_step(h, &row);
    }
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
    pci_gathered_free(&h->entries);
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

/* ---- All of it ------------------------------------------------------------------------------- */

/* Makes rows of pairs of a graph in parts, where they stay. */
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

/* Certifies the rows of pairs, which all products have been made of. Where there are no pairs,
 * there are no rows. */
static pc_status check_rows(const halves *h, const pci_sink *sink, pc_plan_info *info)
{
    int n_rounds = h->plan->question->options.n_certify_rounds;
    double start = pci_now_seconds();
    pci_step_check *check = NULL;
    pc_status status = PC_OK;
    pc_rows rows = {.n_rows = h->plan->n_vectors,
                    .n_columns = h->graph->n,
                    .n_limbs = h->n_words,
                    .limbs = h->row ? h->row->words : NULL};
    if (!h->parts)
        return sink->certificate ? pci_certificate_check(sink->certificate, &rows) : PC_OK;
    if (n_rounds && h->plan->n_vectors)
        status = pci_step_check_create(h->context, h->parts, h->graph, h->plan->half.query.length,
                                       n_rounds, &check);
    if (check && status == PC_OK)
        status = pci_step_check_powers(check, h->plan->n_vectors, h->plan->vertices, h->row);
    pci_step_check_free(check);
    info->seconds.certify += pci_now_seconds() - start;
    return status;
}

static pc_status run_halves(const pci_execution *run)
{
    const pci_question *question = run->question;
    pc_context *context = question->context;
    if (pci_question_has_lengths(question))
        return run_lengths(run);
    halves h = {.base = {.ops = &HALVES, .context = context, .is_ordered = true},
                .plan = run->plan->choice,
                .query = &question->query,
                .graph = question->graph,
                .parts =
                    pci_halves_stay_in_parts(run->plan->choice) ? question->graph->parts : NULL,
                .context = context};
    bool of_pairs = !h.plan->of_diagonal;
    pc_reduction *reduction = &h.base;
    pci_sink rows = {
        .context = context, .reductions = &reduction, .n_reductions = 1, .defers_check = of_pairs};
    pci_vectors_plan vectors;
    h.next.context = context; /* to be freed */
    pc_status status = pci_vectors_plan_begin(&h.plan->vectors, &vectors);
    if (status == PC_OK)
        status = h.parts ? keep_rows(&h, &vectors) : pci_send_vectors(run, &vectors, &rows);
    pci_vectors_plan_end(&vectors);
    if (status == PC_OK && of_pairs)
        status = multiply_pairs(&h);
    if (status == PC_OK && of_pairs)
        status = check_rows(&h, &rows, run->info);
    if (status == PC_OK)
        status = deliver_entries(&h.entries, h.query, run->sink);
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

const pci_method pci_by_halves = {.name = "sweeps of half the length",
                                  .told = PC_METHOD_SWEEP,
                                  .is_silent = true,
                                  .only_sweeps = true,
                                  .rank = rank,
                                  .plan = pci_halves_plan_make,
                                  .run = run_halves,
                                  .release = pci_halves_plan_free};
