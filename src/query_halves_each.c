/* Single entries of every length by halves. Vectors are certified as those of a query for the rows
 * of all half lengths are; of pairs they go all at once, of closed paths a batch at a time. */
#include <gmp.h>

#include "src/query_halves_each.h"

#include "src/plan.h"
#include "src/query_plan.h"
#include "src/row_dot.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CLOSED_BATCH = 128, LEAST_BATCH = 8 };

typedef struct lengths {
    const pci_query_entries *asked;
    const pc_query *query;
    pc_context *context;
    uint64_t n;
    pci_query_plan plan;          /* of the rows of every half length */
    pci_certificate *certificate; /* NULL: unchecked */
    pci_sweep *sweep;
    uint64_t n_batch;         /* vectors sent at a time */
    uint64_t *now, *before;   /* [n_batch][n] rows after so many steps, and after one fewer */
    uint32_t n_now, n_before; /* words of an entry of theirs */
    size_t entry_words;       /* of an entry asked for */
    uint64_t *entries;        /* [n_lengths][n_entries][entry_words] */
    uint64_t *scratch;        /* two of them a thread */
} lengths;

/* Part of the vectors, sent together. */
typedef struct batch {
    uint64_t first, n;
} batch;

/* ---- Memory ---------------------------------------------------------------------------------- */

static uint32_t words_after(const lengths *all, uint64_t step)
{
    return (uint32_t)(all->plan.bits[step] / 64) + 1;
}

static pci_sweep_options sweep_options(const lengths *all)
{
    double n_additions = (double)pci_graph_n_arcs(all->plan.along) * (double)all->n_batch;
    return (pci_sweep_options){.n_vectors = (uint32_t)all->n_batch,
                               .length = all->plan.query->length,
                               .bits = all->plan.bits,
                               .n_threads =
                                   pci_threads_for(all->context, n_additions * all->plan.n_limbs)};
}

/* That answering takes. */
static double bytes_for(const lengths *all)
{
    const pci_query_entries *asked = all->asked;
    pci_sweep_options sweep = sweep_options(all);
    double n = (double)all->n, n_steps = (double)all->plan.query->length;
    double words = 2 * (double)all->n_batch * n * all->plan.n_limbs +
                   (double)asked->n_entries * (double)asked->n_lengths * (double)all->entry_words;
    double y = n_steps * (double)asked->n_vectors;
    words += 2 * n + all->plan.options.n_certify_rounds * (n + y);
    return (double)all->plan.sweeps->bytes(all->plan.along, &sweep) + 8 * words;
}

/* Whether all fits in memory, batches of closed ones made smaller if need be. */
static bool fit(lengths *all)
{
    const pci_query_entries *asked = all->asked;
    double available = (double)pci_memory_available(all->context);
    all->n_batch = asked->n_vectors;
    if (asked->is_closed && all->n_batch > CLOSED_BATCH)
        all->n_batch = CLOSED_BATCH;
    while (asked->is_closed && all->n_batch > LEAST_BATCH && bytes_for(all) > available)
        all->n_batch /= 2;
    return bytes_for(all) <= available;
}

static pc_status allocate(lengths *all)
{
    pc_context *context = all->context;
    const pci_query_entries *asked = all->asked;
    pci_sweep_options sweep = sweep_options(all);
    size_t row_bytes = all->n * all->plan.n_limbs * 8, entry_bytes = all->entry_words * 8;
    all->now = pci_alloc_zero(context, all->n_batch, row_bytes);
    all->before = pci_alloc_zero(context, all->n_batch, row_bytes);
    all->scratch = pci_alloc(context, 2 * entry_bytes * (size_t)pci_n_threads(context));
    all->entries = pci_alloc_zero(context, asked->n_entries * asked->n_lengths, entry_bytes);
    if (!all->now || !all->before || !all->scratch || !all->entries)
        return pci_fail_memory(context, "vectors of half the length", (size_t)bytes_for(all));
    return all->plan.sweeps->create(context, all->plan.along, &sweep, &all->sweep);
}

static void free_all(lengths *all)
{
    if (all->sweep)
        all->plan.sweeps->free(all->sweep);
    pci_certificate_free(all->certificate);
    pci_free(all->context, all->now);
    pci_free(all->context, all->before);
    pci_free(all->context, all->scratch);
    pci_free(all->context, all->entries);
    pci_query_plan_free(&all->plan);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Adds <row u of from, row v of now> to the entries of a length. */
static void multiply(const lengths *all, batch b, const uint64_t *from, uint32_t n_from,
                     uint64_t length)
{
    const pci_query_entries *asked = all->asked;
    const pc_query *query = all->query;
    bool is_closed = asked->is_closed;
    uint64_t n_entries = is_closed ? b.n : asked->n_entries;
    uint64_t at = query->each ? (length - 1) * asked->n_entries : 0;
    double n_products = (double)n_entries * (double)all->n * n_from * all->n_now;
    int n_threads = pci_threads_for(all->context, n_products);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) if (n_threads > 1)
    for (uint64_t i = 0; i < n_entries; i++) {
        uint64_t u = is_closed ? i : asked->vector_of[query->from[i]];
        uint64_t v = is_closed ? i : asked->vector_of[query->to[i]];
        uint64_t *room = all->scratch + 2 * all->entry_words * (size_t)omp_get_thread_num();
        uint64_t *product = room + all->entry_words;
        uint64_t *entry = all->entries + (at + b.first + i) * all->entry_words;
        pci_row_dot(all->n, (pci_word_row){n_from, from + u * all->n * n_from},
                    (pci_word_row){all->n_now, all->now + v * all->n * all->n_now}, room, product);
        mpn_add(entry, entry, (mp_size_t)all->entry_words, product,
                (mp_size_t)pci_row_dot_words(n_from, all->n_now));
    }
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Before the first step each is 1 at its vertex. */
static void begin(lengths *all, batch b)
{
    const uint64_t *vertices = all->asked->vertices + b.first;
    all->plan.sweeps->clear(all->sweep);
    memset(all->now, 0, b.n * all->n * sizeof *all->now);
    all->n_now = 1;
    for (uint64_t i = 0; i < b.n; i++) {
        all->plan.sweeps->add(all->sweep, (uint32_t)i, vertices[i], 1);
        all->now[i * all->n + vertices[i]] = 1;
    }
}

static pc_status step(lengths *all, batch b, uint64_t l)
{
    uint64_t *swap = all->before;
    all->before = all->now;
    all->n_before = all->n_now;
    all->now = swap;
    all->n_now = words_after(all, l);
    pc_status status = all->plan.sweeps->step(all->sweep);
    if (status == PC_OK)
        status = all->plan.sweeps->rows(all->sweep, (uint32_t)b.n, all->n_now, false, all->now);
    pc_rows rows = {.first_row = (l - 1) * all->plan.n_vectors + b.first,
                    .n_rows = b.n,
                    .n_columns = all->n,
                    .n_limbs = all->n_now,
                    .limbs = all->now};
    if (status == PC_OK && all->certificate)
        status = pci_certificate_check(all->certificate, &rows);
    return status;
}

static pc_status send(lengths *all, batch b)
{
    pc_status status =
        pci_progress(all->context, "vectors", (double)b.first / (double)all->asked->n_vectors);
    begin(all, b);
    for (uint64_t l = 1; l <= all->plan.query->length && status == PC_OK; l++) {
        status = step(all, b, l);
        if (status == PC_OK)
            multiply(all, b, all->before, all->n_before, 2 * l - 1);
        if (status == PC_OK && 2 * l <= all->query->length)
            multiply(all, b, all->now, all->n_now, 2 * l);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void note(const lengths *all, double bound_seconds, pc_plan *plan)
{
    const double *bits = all->plan.bits;
    uint64_t length = all->query->length, half = all->plan.query->length;
    plan->seconds.bound = bound_seconds;
    plan->n_vectors = all->plan.n_vectors;
    plan->sweep_length = half;
    plan->bound_bits = bits[half] + bits[length - half] + log2((double)(all->n ? all->n : 1)) +
                       (all->query->up_to ? log2((double)length) : 0);
    plan->memory_bytes = (uint64_t)bytes_for(all) + pci_plan_graph_bytes(all->plan.graph);
}

static pc_status answer(lengths *all, pc_plan *plan)
{
    const pci_query_entries *asked = all->asked;
    int n_rounds = all->plan.options.n_certify_rounds;
    pci_operator map = pci_query_map(&all->plan);
    pc_status status = allocate(all);
    if (status == PC_OK && n_rounds > 0)
        status = pci_certificate_create(all->context, &map, n_rounds, &all->certificate);
    for (batch b = {0}; b.first < asked->n_vectors && status == PC_OK; b.first += b.n) {
        uint64_t n_left = asked->n_vectors - b.first;
        b.n = n_left < all->n_batch ? n_left : all->n_batch;
        status = send(all, b);
    }
    if (status != PC_OK)
        return status;
    return pci_query_entries_deliver(asked, all->entry_words, all->entries, &plan->n_limbs);
}

pc_status pci_query_halves_each(const pci_query_entries *asked, pc_plan *plan)
{
    pc_query half = {.kind = PC_QUERY_FROM,
                     .length = (asked->job->query->length + 1) / 2,
                     .n_asked = asked->n_vectors,
                     .from = asked->vertices,
                     .each = 1};
    pci_query_job job = *asked->job;
    lengths all = {
        .asked = asked, .query = asked->job->query, .context = job.context, .n = job.graph->n};
    double start = pci_now_seconds();
    job.query = &half;
    pc_status status = pci_query_plan_make(&job, &all.plan);
    bool is_halved = false;
    if (status == PC_OK) {
        /* sums of fewer than 2^32 products of n < 2^32 terms, carried */
        all.entry_words = pci_row_dot_words(all.plan.n_limbs, all.plan.n_limbs);
        is_halved = fit(&all);
    }
    if (is_halved) {
        note(&all, pci_now_seconds() - start, plan);
        status = answer(&all, plan);
    }
    free_all(&all);
    return status == PC_OK && !is_halved ? pci_query_sweeps(asked->job, plan) : status;
}
