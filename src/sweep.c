/* Blocks of vectors through the sparse A: widths, memory, rows shared out by their arcs. The sums are
 * in src/cpu/sweep_rows_body.h.
 *
 * While most lines are zero they are not even written: one byte a vertex says which are live, and few
 * are near to a few sources. Once half of them are, all count. */
#include <gmp.h>

#include "src/sweep.h"

#include "src/cpu/kernel.h"
#include "src/cpu/sweep_rows.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    WORD_BITS = 64,
    LANE_GROUP = 8,           /* a cache line */
    LEAST_LIMB_BITS = 32,     /* less headroom than weights ask for costs too many limbs */
    CACHED_BYTES = 768 << 10, /* a block that stays in a processor's own cache */
    CHUNKS_A_THREAD = 32,
    WORDS_A_STRIP = 1 << 28 /* additions between two questions whether to go on */
};

struct pci_sweep {
    pc_context *context;
    const pc_graph *graph;
    pci_sweep_rows_fn rows;
    int n_threads;
    uint32_t n_vectors, limb_bits;
    uint64_t n_lanes;
    uint64_t length, step;
    uint32_t *n_limbs;    /* [length + 1] */
    uint64_t *now, *next; /* [n][n_limbs of the step][n_lanes] */
    uint8_t *live, *next_live;
    uint64_t n_live;
    bool is_full; /* every line is written; live is not looked at */
};

/* ---- Widths ---------------------------------------------------------------------------------- */

static uint64_t lanes_of(uint64_t n_vectors)
{
    if (n_vectors <= 2)
        return n_vectors ? n_vectors : 1;
    return n_vectors <= 4 ? 4 : (n_vectors + LANE_GROUP - 1) / LANE_GROUP * LANE_GROUP;
}

/* Bits of the largest integer whose limit has this log2, which is below 0 when it is 0. */
static double whole_bits(double log2_limit)
{
    return fmax(1, floor(log2_limit) + 1);
}

/* The largest sum of a row of A, 2^64 - 1 for anything above. */
static uint64_t largest_row_sum(const pc_graph *graph)
{
    uint64_t largest = 0;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t first = graph->row_start[i], end = graph->row_start[i + 1], sum = end - first;
        if (graph->weight) {
            sum = 0;
            for (uint64_t a = first; a < end; a++)
                if (__builtin_add_overflow(sum, graph->weight[a], &sum))
                    return UINT64_MAX;
        }
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* With R the largest row sum and limbs below 2^b, R 2^b <= 2^64: a sum is at most R (2^b - 1), and what
 * is carried into it at most R - 1. 64 when no headroom is wanted, or none can be had. */
static uint32_t choose_limb_bits(const pc_graph *graph, double widest)
{
    if (widest <= WORD_BITS)
        return WORD_BITS;
    uint64_t largest = largest_row_sum(graph);
    uint32_t headroom = 1;
    while (headroom < WORD_BITS - LEAST_LIMB_BITS && UINT64_C(1) << headroom < largest)
        headroom++;
    return UINT64_C(1) << headroom < largest ? WORD_BITS : WORD_BITS - headroom;
}

static double widest_step(const pci_sweep_options *options)
{
    double widest = 1;
    for (uint64_t s = 0; s <= options->length; s++)
        widest = fmax(widest, whole_bits(options->bits[s]));
    return widest;
}

/* Bytes of one of the two blocks, UINT64_MAX if they cannot be counted. */
static uint64_t block_bytes(const pc_graph *graph, const pci_sweep_options *options,
                            uint32_t limb_bits)
{
    double n_limbs = ceil(widest_step(options) / limb_bits);
    uint64_t bytes = lanes_of(options->n_vectors) * sizeof(uint64_t);
    if (n_limbs > UINT32_MAX || __builtin_mul_overflow(bytes, (uint64_t)n_limbs, &bytes) ||
        __builtin_mul_overflow(bytes, graph->n, &bytes) || bytes > UINT64_MAX / 4)
        return UINT64_MAX;
    return bytes;
}

uint64_t pci_sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    uint64_t block = block_bytes(graph, options, choose_limb_bits(graph, widest_step(options)));
    if (block == UINT64_MAX)
        return UINT64_MAX;
    return 2 * (block + graph->n) + (options->length + 1) * sizeof(uint32_t) + sizeof(pci_sweep);
}

/* ---- Made and cleared ------------------------------------------------------------------------ */

/* The loops that go with the kernel of products that runs here or was forced. */
static pc_status choose_rows(pc_context *context, pci_sweep_rows_fn *rows)
{
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    *rows = pci_sweep_rows_portable;
#ifdef PCI_HAVE_AVX2
    if (kernel->rows == &pci_row_ops_avx2)
        *rows = pci_sweep_rows_avx2;
#endif
#ifdef PCI_HAVE_AVX512
    if (kernel->rows == &pci_row_ops_avx512)
        *rows = pci_sweep_rows_avx512;
#endif
    return PC_OK;
}

static pc_status allocate(pci_sweep *sweep, uint64_t bytes)
{
    pc_context *context = sweep->context;
    uint64_t n = sweep->graph->n;
    uint64_t available = pci_memory_available(context);
    if (bytes > available / 2)
        return pci_fail(context, PC_ERR_MEMORY,
                        "%" PRIu32 " vectors of %" PRIu64
                        " vertices need %.3g GB of memory and there are %.3g GB",
                        sweep->n_vectors, n, 2e-9 * (double)bytes, 1e-9 * (double)available);
    sweep->n_limbs = pci_alloc(context, (sweep->length + 1) * sizeof *sweep->n_limbs);
    sweep->now = pci_alloc(context, bytes);
    sweep->next = pci_alloc(context, bytes);
    sweep->live = pci_alloc(context, n);
    sweep->next_live = pci_alloc(context, n);
    if (!sweep->n_limbs || !sweep->now || !sweep->next || !sweep->live || !sweep->next_live)
        return pci_fail_memory(context, "vectors of the graph's vertices", 2 * bytes);
    return PC_OK;
}

pc_status pci_sweep_create(pc_context *context, const pc_graph *graph,
                           const pci_sweep_options *options, pci_sweep **sweep)
{
    pci_sweep *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors of the graph's vertices", sizeof *made);
    double widest = widest_step(options);
    *made = (pci_sweep){.context = context,
                        .graph = graph,
                        .n_threads = options->n_threads > 1 ? options->n_threads : 1,
                        .n_vectors = options->n_vectors,
                        .n_lanes = lanes_of(options->n_vectors),
                        .limb_bits = choose_limb_bits(graph, widest),
                        .length = options->length};
    pc_status status = choose_rows(context, &made->rows);
    if (made->limb_bits == WORD_BITS && widest > WORD_BITS)
        made->rows = pci_sweep_rows_plain;
    if (status == PC_OK)
        status = allocate(made, block_bytes(graph, options, made->limb_bits));
    if (status != PC_OK) {
        pci_sweep_free(made);
        return status;
    }
    for (uint64_t s = 0; s <= options->length; s++)
        made->n_limbs[s] = (uint32_t)ceil(whole_bits(options->bits[s]) / made->limb_bits);
    pci_sweep_clear(made);
    *sweep = made;
    return PC_OK;
}

void pci_sweep_free(pci_sweep *sweep)
{
    if (!sweep)
        return;
    pc_context *context = sweep->context;
    pci_free(context, sweep->n_limbs);
    pci_free(context, sweep->now);
    pci_free(context, sweep->next);
    pci_free(context, sweep->live);
    pci_free(context, sweep->next_live);
    pci_free(context, sweep);
}

void pci_sweep_clear(pci_sweep *sweep)
{
    memset(sweep->live, 0, sweep->graph->n);
    sweep->step = 0;
    sweep->n_live = 0;
    sweep->is_full = false;
}

static size_t line_words(const pci_sweep *sweep)
{
    return (size_t)sweep->n_limbs[sweep->step] * sweep->n_lanes;
}

uint64_t pci_sweep_now_bytes(const pci_sweep *sweep)
{
    return sweep->graph->n * line_words(sweep) * sizeof *sweep->now;
}

static uint64_t limb_mask(const pci_sweep *sweep)
{
    return UINT64_MAX >> (WORD_BITS - sweep->limb_bits);
}

void pci_sweep_add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    uint64_t *line = sweep->now + vertex * line_words(sweep);
    if (!sweep->live[vertex]) {
        memset(line, 0, line_words(sweep) * sizeof *line);
        sweep->live[vertex] = 1;
        sweep->n_live++;
    }
    unsigned __int128 rest = value;
    for (uint32_t l = 0; l < sweep->n_limbs[0] && rest; l++) {
        uint64_t *limb = line + (size_t)l * sweep->n_lanes + vector;
        rest += *limb;
        *limb = (uint64_t)rest & limb_mask(sweep);
        rest >>= sweep->limb_bits;
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Writes the lines that were left out. */
static void fill(pci_sweep *sweep, int n_threads)
{
    size_t n_words = line_words(sweep);
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
    for (uint64_t i = 0; i < sweep->graph->n; i++)
        if (!sweep->live[i])
            memset(sweep->now + i * n_words, 0, n_words * sizeof *sweep->now);
    sweep->is_full = true;
}

/* The first row before which there is at least so much work, an arc or a row each a unit of it. */
static uint64_t row_at_work(const pc_graph *graph, uint64_t work)
{
    uint64_t low = 0, high = graph->n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->row_start[middle] + middle < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The work from begin to end in n_chunks equal parts; returns how many lines became live. */
static uint64_t run_strip(const pci_sweep *sweep, const pci_sweep_pass *pass, int n_threads,
                          uint64_t begin, uint64_t end)
{
    const pc_graph *graph = sweep->graph;
    if (n_threads == 1)
        return sweep->rows(pass, row_at_work(graph, begin), row_at_work(graph, end));
    uint64_t n_chunks = (uint64_t)n_threads * CHUNKS_A_THREAD, n_live = 0;
    uint64_t chunk_work = (end - begin + n_chunks - 1) / n_chunks;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) reduction(+ : n_live)
    for (uint64_t c = 0; c < n_chunks; c++) {
        uint64_t from = begin + c * chunk_work, to = from + chunk_work;
        from = from < end ? from : end;
        to = to < end ? to : end;
        n_live += sweep->rows(pass, row_at_work(graph, from), row_at_work(graph, to));
    }
    return n_live;
}

/* Only the thread that made the call may ask; a caller with threads of its own asks itself. */
static pc_status ask(const pci_sweep *sweep, double fraction_of_step)
{
    if (omp_in_parallel())
        return PC_OK;
    return pci_progress(sweep->context, "sweep",
                        ((double)sweep->step + fraction_of_step) / (double)sweep->length);
}

static pc_status run_pass(pci_sweep *sweep, const pci_sweep_pass *pass, int n_threads,
                          uint64_t *n_live)
{
    uint64_t work = pci_graph_n_arcs(sweep->graph) + sweep->graph->n;
    uint64_t strip = WORDS_A_STRIP / line_words(sweep) + 1;
    pc_status status = PC_OK;
    *n_live = 0;
    for (uint64_t begin = 0; begin < work && status == PC_OK; begin += strip) {
        uint64_t end = work - begin < strip ? work : begin + strip;
        status = ask(sweep, (double)begin / (double)work);
        if (status == PC_OK)
            *n_live += run_strip(sweep, pass, n_threads, begin, end);
    }
    return status;
}

pc_status pci_sweep_step(pci_sweep *sweep)
{
    const pc_graph *graph = sweep->graph;
    size_t n_words = line_words(sweep);
    double n_operations = (double)(pci_graph_n_arcs(graph) + graph->n) * (1 + (double)n_words / 8);
    int n_threads = pci_threads_for(sweep->context, n_operations);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
    if (!sweep->is_full && sweep->n_live > graph->n / 2)
        fill(sweep, n_threads);
    pci_sweep_pass pass = {.graph = graph,
                           .n_lanes = sweep->n_lanes,
                           .limb_bits = sweep->limb_bits,
                           .n_in_limbs = sweep->n_limbs[sweep->step],
                           .n_out_limbs = sweep->n_limbs[sweep->step + 1],
                           .in = sweep->now,
                           .out = sweep->next,
                           .in_live = sweep->is_full ? NULL : sweep->live,
                           .out_live = sweep->next_live,
                           .fetches_ahead = pci_sweep_now_bytes(sweep) > CACHED_BYTES};
    uint64_t n_live;
    pc_status status = run_pass(sweep, &pass, n_threads, &n_live);
    if (status != PC_OK)
        return status;
    uint64_t *now = sweep->next;
    uint8_t *live = sweep->next_live;
    sweep->next = sweep->now;
    sweep->next_live = sweep->live;
    sweep->now = now;
    sweep->live = live;
    sweep->n_live = n_live;
    sweep->step++;
    return PC_OK;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Limbs of one lane, n_lanes apart, as words. */
static void join_limbs(const pci_sweep *sweep, const uint64_t *limb, uint32_t n_limbs,
                       uint64_t *entry)
{
    memset(entry, 0, n_limbs * sizeof *entry);
    uint64_t bit = 0;
    for (uint32_t l = 0; l < sweep->n_limbs[sweep->step]; l++, bit += sweep->limb_bits) {
        uint64_t word = bit / WORD_BITS, shift = bit % WORD_BITS, value = limb[l * sweep->n_lanes];
        if (word < n_limbs)
            entry[word] |= value << shift;
        if (shift && word + 1 < n_limbs)
            entry[word + 1] |= value >> (WORD_BITS - shift);
    }
}

/* A sweep has the entries of a vertex together, rows those of a vector. */
static void vertex_rows(const pci_sweep *sweep, uint64_t vertex, uint32_t n_vectors,
                        uint32_t n_limbs, bool adds, uint64_t *entry, uint64_t *limbs)
{
    bool is_zero = !sweep->is_full && !sweep->live[vertex];
    const uint64_t *line = sweep->now + vertex * line_words(sweep);
    for (uint32_t v = 0; v < n_vectors; v++) {
        uint64_t *place = limbs + (v * sweep->graph->n + vertex) * n_limbs;
        if (is_zero)
            memset(entry, 0, n_limbs * sizeof *entry);
        else
            join_limbs(sweep, line + v, n_limbs, entry);
        if (adds)
            mpn_add_n(place, place, entry, n_limbs);
        else
            memcpy(place, entry, n_limbs * sizeof *entry);
    }
}

pc_status pci_sweep_rows(pci_sweep *sweep, uint32_t n_vectors, uint32_t n_limbs, bool adds,
                         uint64_t *limbs)
{
    uint64_t n = sweep->graph->n;
    int n_threads = pci_threads_for(sweep->context, (double)n * n_vectors * n_limbs);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
    size_t bytes = (size_t)n_threads * n_limbs * sizeof(uint64_t);
    uint64_t *entries = pci_alloc(sweep->context, bytes);
    if (!entries)
        return pci_fail_memory(sweep->context, "entries of vectors", bytes);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < n; i++)
        vertex_rows(sweep, i, n_vectors, n_limbs, adds,
                    entries + (size_t)omp_get_thread_num() * n_limbs, limbs);
    pci_free(sweep->context, entries);
    return PC_OK;
}

const pci_sweep_ops pci_sweep_cpu = {
    .create = pci_sweep_create,
    .free = pci_sweep_free,
    .clear = pci_sweep_clear,
    .add = pci_sweep_add,
    .step = pci_sweep_step,
    .rows = pci_sweep_rows,
    .bytes = pci_sweep_bytes,
};
