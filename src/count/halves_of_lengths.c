/* Single entries of every length by halves. The vectors are certified like those of a query for the
 * rows of all half lengths, each after its last product; every product is made twice. The vectors
 * of pairs are sent all at once, those of closed paths a batch at a time. */
#include <gmp.h>

#include "src/core/number.h"
#include "src/count/halves_plan.h"
#include "src/rows/row_dot.h"

#include <omp.h>
#include <string.h>

/* ---- Entries, of one length or of several ---------------------------------------------------- */

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
    const pc_query *query = &halves->question->query;
    uint64_t n = halves->n_entries, n_all = n * halves->n_lengths;
    size_t n_limbs = pack(n_all * pci_halves_n_copies(halves), halves->entry_words, words);
    const uint64_t *copy = words + (pci_halves_n_copies(halves) - 1) * n_all * n_limbs;
    pc_status status = PC_OK;
    if (n_all && memcmp(words, copy, n_all * n_limbs * sizeof *words) != 0)
        return pci_fail_check(halves->question->context, "a product of vectors of half the length");
    for (uint64_t l = 0; l < halves->n_lengths && n > 0 && status == PC_OK; l++) {
        pc_rows rows = {.n_rows = n,
                        .n_columns = 1,
                        .n_limbs = (uint32_t)n_limbs,
                        .limbs = words + l * n * n_limbs};
        status = pci_sink_take(sink, query->each ? l + 1 : query->length, &rows);
    }
    return status;
}

/* ---- A run ----------------------------------------------------------------------------------- */

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
    uint64_t *entries;        /* [n_copies][n_lengths][n_entries][entry_words] */
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

static pc_status allocate(lengths *all)
{
    pc_context *context = all->context;
    const pci_halves_plan *halves = all->halves;
    pci_sweep_options sweep = pci_halves_sweep_options(halves);
    size_t row_bytes = all->n * all->plan.n_limbs * 8, entry_bytes = halves->entry_words * 8;
    all->now = pci_alloc_zero(context, halves->n_batch, row_bytes);
    all->before = pci_alloc_zero(context, halves->n_batch, row_bytes);
    all->scratch = pci_alloc(context, 2 * entry_bytes * (size_t)pci_n_threads(context));
    all->entries = pci_alloc_zero(
        context, halves->n_entries * halves->n_lengths * pci_halves_n_copies(halves), entry_bytes);
    if (!all->now || !all->before || !all->scratch || !all->entries)
        return pci_fail_memory(context, "vectors of half the length", (size_t)halves->bytes);
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
    pci_vectors_plan_end(&all->plan);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Adds <a, b> to the copies of an entry. */
static void add_product(const lengths *all, pci_word_row a, pci_word_row b, uint64_t *entry)
{
    const pci_halves_plan *halves = all->halves;
    uint64_t *room = all->scratch + 2 * halves->entry_words * (size_t)omp_get_thread_num();
    uint64_t *product = room + halves->entry_words;
    size_t copy_words = halves->n_lengths * halves->n_entries * halves->entry_words;
    for (uint64_t c = 0; c < pci_halves_n_copies(halves); c++, entry += copy_words) {
        pci_row_dot(all->n, a, b, room, product);
        mpn_add(entry, entry, (mp_size_t)halves->entry_words, product,
                (mp_size_t)pci_row_dot_words(a.n_words, b.n_words));
    }
}

/* Adds <row u of from, row v of now> to the entries of a length. */
static void multiply(const lengths *all, batch b, const uint64_t *from, uint32_t n_from,
                     uint64_t length)
{
    const pci_halves_plan *halves = all->halves;
    const pc_query *query = all->query;
    bool of_diagonal = halves->of_diagonal;
    uint64_t n_entries = of_diagonal ? b.n : halves->n_entries;
    uint64_t at = query->each ? (length - 1) * halves->n_entries : 0;
    double n_products = (double)n_entries * (double)all->n * n_from * all->n_now;
    int n_threads = pci_threads_for(all->context, n_products);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) if (n_threads > 1)
    for (uint64_t i = 0; i < n_entries; i++) {
        uint64_t u = of_diagonal ? i : halves->vector_of[query->from[i]];
        uint64_t v = of_diagonal ? i : halves->vector_of[query->to[i]];
        add_product(all, (pci_word_row){n_from, from + u * all->n * n_from},
                    (pci_word_row){all->n_now, all->now + v * all->n * all->n_now},
                    all->entries + (at + b.first + i) * halves->entry_words);
    }
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Before the first step each is 1 at its vertex. */
static void begin(lengths *all, batch b)
{
    const uint64_t *vertices = all->halves->vertices + b.first;
    all->plan.sweeps->clear(all->sweep);
    memset(all->now, 0, b.n * all->n * sizeof *all->now);
    all->n_now = 1;
    for (uint64_t i = 0; i < b.n; i++) {
        all->plan.sweeps->add(all->sweep, (uint32_t)i, vertices[i], 1);
        all->now[i * all->n + vertices[i]] = 1;
    }
}

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

static pc_status step(lengths *all, batch b, uint64_t l)
{
    uint64_t *swap = all->before;
    all->before = all->now;
    all->n_before = all->n_now;
    all->now = swap;
    all->n_now = words_after(all, l);
    pc_status status = all->plan.sweeps->step(all->sweep);
    if (status == PC_OK)
        status = all->plan.sweeps->rows(all->sweep, 0, (uint32_t)b.n, all->n_now, false, all->now);
    return status;
}

static pc_status send(lengths *all, batch b)
{
    uint64_t last = all->halves->half.query.length;
    pc_status status =
        pci_progress(all->context, "vectors", (double)b.first / (double)all->halves->n_vectors);
    begin(all, b);
    for (uint64_t l = 1; l <= last && status == PC_OK; l++) {
        status = step(all, b, l);
        if (status != PC_OK)
            break;
        multiply(all, b, all->before, all->n_before, 2 * l - 1);
        status = check(all, b, l - 1, all->before, all->n_before);
        if (status == PC_OK && 2 * l <= all->query->length)
            multiply(all, b, all->now, all->n_now, 2 * l);
    }
    return status == PC_OK ? check(all, b, last, all->now, all->n_now) : status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status certify(lengths *all)
{
    int n_rounds = all->halves->question->options.n_certify_rounds;
    pci_operator map = pci_vectors_map(&all->plan);
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    if (n_rounds > 0)
        status = pci_certificate_create(all->context, &map, 0, n_rounds, &all->certificate);
    all->certify_seconds += pci_now_seconds() - start;
    return status;
}

static pc_status send_all(lengths *all)
{
    const pci_halves_plan *halves = all->halves;
    pc_status status = PC_OK;
    for (batch b = {0}; b.first < halves->n_vectors && status == PC_OK; b.first += b.n) {
        uint64_t n_left = halves->n_vectors - b.first;
        b.n = n_left < halves->n_batch ? n_left : halves->n_batch;
        status = send(all, b);
    }
    return status;
}

pc_status pci_halves_run_lengths(const pci_execution *run)
{
    lengths all = {.halves = run->plan->choice,
                   .query = &run->question->query,
                   .context = run->question->context,
                   .n = run->question->graph->n};
    pc_status status = pci_vectors_plan_begin(&all.halves->vectors, &all.plan);
    if (status == PC_OK)
        status = allocate(&all);
    if (status == PC_OK)
        status = certify(&all);
    if (status == PC_OK)
        status = send_all(&all);
    if (status == PC_OK)
        status = pci_deliver_entries(all.halves, all.entries, run->sink);
    run->info->seconds.certify += all.certify_seconds;
    free_all(&all);
    return status;
}
