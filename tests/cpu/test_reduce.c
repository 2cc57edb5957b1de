/* The reduced product of the CPU engine: S A^k S^T through the engine's own operations, against the
 * same products of GMP integers. */
#include "tests/support/fixture.h"

#include "src/engine/engine.h"
#include "tests/support/failing_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Partitions ------------------------------------------------------------------------------ */

enum shape { ONE_BLOCK, SINGLE_VERTICES, PAIRS, UNEVEN, ANY, N_SHAPES };

static uint64_t n_blocks_of(enum shape shape, uint64_t n, random_source *random)
{
    switch (shape) {
    case ONE_BLOCK:
        return 1;
    case SINGLE_VERTICES:
        return n;
    case PAIRS:
        return (n + 1) / 2;
    default:
        return 1 + random_below(random, n);
    }
}

static void *need_zeroed(uint64_t n, size_t bytes)
{
    void *memory = calloc(n ? n : 1, bytes);
    CU_ASSERT_FATAL(memory != NULL);
    return memory;
}

/* Vertices in random order: the first n_blocks make the blocks, none empty, the others go where the
 * shape says. Pairs are neighbours. */
static void choose_blocks(pc_partition *p, enum shape shape, random_source *random)
{
    OWNED(uint32_t) *order = need_zeroed(p->n, sizeof *order);
    for (uint64_t v = 0; v < p->n; v++) {
        uint64_t place = random_below(random, v + 1);
        order[v] = order[place];
        order[place] = (uint32_t)v;
    }
    for (uint64_t v = 0; v < p->n; v++) {
        uint64_t block = v < p->n_blocks   ? v
                         : shape == UNEVEN ? 0 /* one large, the others of one vertex */
                                           : random_below(random, p->n_blocks);
        p->block[order[v]] = (uint32_t)block;
    }
    for (uint64_t v = 0; v < p->n && shape == PAIRS; v++)
        p->block[v] = (uint32_t)(v / 2);
}

static pc_partition partition_make(uint64_t n, enum shape shape, random_source *random)
{
    pc_partition p = {.n = n, .n_blocks = n_blocks_of(shape, n, random)};
    p.block = need_zeroed(n, sizeof *p.block);
    p.start = need_zeroed(p.n_blocks + 1, sizeof *p.start);
    p.vertex = need_zeroed(n, sizeof *p.vertex);
    p.size = need_zeroed(p.n_blocks, sizeof *p.size);
    choose_blocks(&p, shape, random);
    uint64_t at = 0;
    for (uint64_t b = 0; b < p.n_blocks; b++) {
        for (uint64_t v = 0; v < n; v++)
            if (p.block[v] == b)
                p.vertex[at++] = (uint32_t)v;
        p.start[b + 1] = at;
        p.size[b] = at - p.start[b];
        p.max_size = p.size[b] > p.max_size ? p.size[b] : p.max_size;
    }
    CU_ASSERT_EQUAL_FATAL(at, n);
    return p;
}

static void partition_free(pc_partition *p)
{
    free(p->block);
    free(p->start);
    free(p->vertex);
    free(p->size);
}

/* ---- The oracle ------------------------------------------------------------------------------ */

/* S in the first rows of a square matrix, or its transpose in the first columns. */
static integer_matrix block_matrix(const pc_partition *p, bool transposed)
{
    integer_matrix s = integer_matrix_zero(p->n);
    for (uint64_t v = 0; v < p->n; v++)
        mpz_set_ui(s.entry[transposed ? v * p->n + p->block[v] : p->block[v] * p->n + v], 1);
    return s;
}

/* S A^k S^T, in the first n_blocks rows and columns. */
static integer_matrix coarse_power(const edge_set *edges, const pc_partition *p, uint64_t k)
{
    integer_matrix a = oracle_adjacency(edges), left = block_matrix(p, false);
    OWNED(integer_matrix) right = block_matrix(p, true);
    for (uint64_t step = 0; step <= k; step++) {
        integer_matrix next = oracle_product(&left, step < k ? &a : &right);
        integer_matrix_free(&left);
        left = next;
    }
    integer_matrix_free(&a);
    return left;
}

static double bits_of(const integer_matrix *matrix)
{
    size_t bits = 1;
    for (uint64_t e = 0; e < matrix->n * matrix->n; e++)
        if (mpz_sgn(matrix->entry[e]) && mpz_sizeinbase(matrix->entry[e], 2) > bits)
            bits = mpz_sizeinbase(matrix->entry[e], 2);
    return (double)bits;
}

/* ---- One reduced count ----------------------------------------------------------------------- */

/* S A^k S^T with k = 2 e or, if is_step, 2 e + 1, where e = 2^n_squarings. Moduli 0: plain planes. */
typedef struct task {
    const pc_graph *graph;
    const pc_partition *partition;
    int n_squarings;
    bool is_step;
    uint32_t n_loaded;   /* moduli of A ... */
    uint32_t n_before;   /* ... of A^e ... */
    uint32_t n_extended; /* ... after base extension ... */
    uint32_t n_moduli;   /* ... and of the result */
    uint32_t n_limbs;
    uint64_t *limbs; /* [n_blocks][n_blocks][n_limbs] */
} task;

static pc_status run_operations(pci_run *run, const task *t)
{
    const pci_engine *engine = &pci_engine_cpu;
    pc_status status = engine->load(run, t->n_loaded);
    for (int s = 0; s < t->n_squarings && status == PC_OK; s++)
        status = engine->square(run, t->n_before);
    if (status == PC_OK && t->n_before)
        status = engine->extend(run, t->n_extended);
    if (status == PC_OK)
        status = engine->reduce(run, t->is_step, t->n_moduli);
    return status;
}

static pc_status collect_all(pci_run *run, const task *t)
{
    uint64_t n = t->partition->n_blocks, at_once = n / 3 + 1;
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < n && status == PC_OK; row += at_once) {
        uint64_t n_rows = n - row < at_once ? n - row : at_once;
        uint64_t *space = t->limbs + row * n * t->n_limbs;
        const uint64_t *limbs = NULL;
        status = pci_engine_cpu.collect(run, row, n_rows, t->n_limbs, space, &limbs);
        if (status == PC_OK && limbs != space)
            memcpy(space, limbs, n_rows * n * t->n_limbs * sizeof *space);
    }
    return status;
}

static pc_status run_task(pc_context *context, void *user)
{
    const task *t = user;
    pci_run *run = NULL;
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    pc_status status =
        pci_engine_cpu.begin(context, t->graph, t->partition, &moduli, t->n_moduli, &run);
    if (status == PC_OK)
        status = run_operations(run, t);
    if (status == PC_OK) {
        pci_engine_cpu.trim(run);
        status = collect_all(run, t);
    }
    pci_engine_cpu.end(run);
    return status;
}

static uint64_t n_wrong(const task *t, const integer_matrix *expected)
{
    uint64_t wrong = 0, n = t->partition->n_blocks;
    OWNED(mpz_t) got;
    mpz_init(got);
    for (uint64_t e = 0; e < n * n; e++) {
        mpz_import(got, t->n_limbs, -1, sizeof *t->limbs, 0, 0, t->limbs + e * t->n_limbs);
        wrong += mpz_cmp(got, expected->entry[e / n * expected->n + e % n]) != 0;
    }
    return wrong;
}

/* What there is to count, and how. */
typedef struct experiment {
    edge_set edges;
    pc_partition partition;
    int n_squarings;
    bool is_step, is_plain; /* is_plain: A^e is one plain plane */
    int n_threads;
    uint64_t max_weight;
    uint32_t least_moduli; /* even when fewer would do */
} experiment;

static uint64_t length_before(const experiment *x)
{
    return UINT64_C(1) << x->n_squarings;
}

/* Few moduli before and more for the result; the first squaring is of a plain plane if it can be. */
static task task_for(const experiment *x, const integer_matrix *expected)
{
    task t = {.partition = &x->partition, .n_squarings = x->n_squarings, .is_step = x->is_step};
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    double bits = bits_of(expected);
    t.n_moduli = pci_moduli_for_bits(&moduli, bits);
    CU_ASSERT_FATAL(t.n_moduli > 0);
    t.n_moduli = t.n_moduli < x->least_moduli ? x->least_moduli : t.n_moduli;
    t.n_extended = t.n_moduli;
    if (!x->is_plain) {
        OWNED(integer_matrix) before = oracle_count(&x->edges, length_before(x));
        t.n_before = pci_moduli_for_bits(&moduli, bits_of(&before));
        if (t.n_before > t.n_moduli) /* sums of zeros only are less */
            t.n_moduli = t.n_extended = t.n_before;
        t.n_loaded = x->n_squarings == 0 || x->max_weight > 127 ? t.n_before : 0;
    }
    t.n_limbs = (uint32_t)(bits / 64) + 1;
    t.limbs =
        need_zeroed(t.partition->n_blocks * t.partition->n_blocks * t.n_limbs, sizeof *t.limbs);
    return t;
}

static void check(const experiment *x)
{
    OWNED(pc_context) *context = new_context(x->n_threads);
    OWNED(pc_graph) *graph = new_graph(context, &x->edges);
    OWNED(integer_matrix) expected =
        coarse_power(&x->edges, &x->partition, 2 * length_before(x) + x->is_step);
    task t = task_for(x, &expected);
    t.graph = graph;
    CU_ASSERT(succeeds(context, run_task(context, &t)));
    uint64_t wrong = n_wrong(&t, &expected);
    CU_ASSERT_EQUAL(wrong, 0);
    if (wrong)
        printf("\n    n %llu, %llu blocks, %u moduli, squarings %d, step %d, plain %d\n",
               (unsigned long long)x->partition.n, (unsigned long long)x->partition.n_blocks,
               t.n_moduli, x->n_squarings, x->is_step, x->is_plain);
    free(t.limbs);
}

/* Weights up to limit, an undirected edge one for both ways. */
static void add_weights(edge_set *edges, uint64_t limit, random_source *random)
{
    for (uint64_t e = 0; e < edges->n_edges; e++)
        edges->weight[e] = 1 + random_below(random, limit);
}

static experiment experiment_make(uint64_t n, enum shape shape, bool directed, uint64_t max_weight,
                                  random_source *random)
{
    unsigned per_thousand = (unsigned)(n < 40 ? 400 : 4000 / n);
    experiment x = {.edges = edge_set_density(random, n, per_thousand, directed),
                    .partition = partition_make(n, shape, random),
                    .max_weight = max_weight};
    if (max_weight > 1)
        add_weights(&x.edges, max_weight, random);
    x.n_squarings = (int)random_below(random, 2);
    x.is_step = random_below(random, 2);
    x.n_threads = 1 << random_below(random, 3);
    return x;
}

static void experiment_free(experiment *x)
{
    edge_set_free(&x->edges);
    partition_free(&x->partition);
}
#define release_experiment experiment_free

/* ---- Cases ----------------------------------------------------------------------------------- */

static const uint64_t sizes[] = {1, 2, 31, 32, 33, 63, 65, 127, 128, 129, 200};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void check_sizes(uint64_t max_weight, bool is_plain, uint32_t least_moduli, uint64_t seed)
{
    random_source random = {seed};
    for (int s = 0; s < N_SIZES; s++)
        for (int shape = 0; shape < N_SHAPES; shape++) {
            if (sizes[s] > 129 && shape % 2)
                continue;
            OWNED(experiment) x =
                experiment_make(sizes[s], shape, random_below(&random, 2), max_weight, &random);
            x.is_plain = is_plain;
            x.least_moduli = least_moduli;
            x.n_squarings = is_plain ? 0 : x.n_squarings;
            check(&x);
        }
}

TEST("random graphs and partitions")
{
    check_sizes(1, false, 0, 31);
}

TEST("weights")
{
    check_sizes(50000, false, 0, 32);
}

TEST("a plain plane")
{
    check_sizes(1, true, 0, 33);
    check_sizes(127, true, 0, 34);
    check_sizes(127, true, 51, 39); /* wide residues of plain sums */
}

/* Beyond 342 bits: two digits a residue, in the result only or in P too. */
TEST("counts beyond the narrow moduli")
{
    random_source random = {35};
    for (int i = 0; i < 20; i++) {
        static const uint64_t wide_sizes[] = {1, 31, 33, 65};
        OWNED(experiment) x =
            experiment_make(wide_sizes[i % 4], i % N_SHAPES, i % 3, UINT64_MAX, &random);
        x.n_squarings = 2 + i % 2; /* 8 to 17 factors of 2^64 */
        check(&x);
    }
}

TEST("every kernel")
{
    for (const char *const *kernel = kernel_names; *kernel; kernel++) {
        random_source random = {36};
        if (!kernel_is_available(*kernel))
            continue;
        force_kernel(*kernel);
        for (int i = 0; i < 12; i++) {
            OWNED(experiment) x =
                experiment_make(i % 2 ? 70 : 131, i % N_SHAPES, i % 3, i < 8 ? 1 : 1000, &random);
            x.is_step = i % 4 == 3;
            check(&x);
        }
        OWNED(experiment) wide = experiment_make(40, ANY, true, UINT64_MAX, &random);
        wide.n_squarings = 2;
        check(&wide);
        force_kernel(NULL);
    }
}

/* Longer rows than are summed at once, few blocks and many: counts in words, row by row. */
static void check_long_rows(uint64_t n, enum shape shape, bool is_step, random_source *random)
{
    OWNED(experiment) x = {.edges = edge_set_density(random, n, 2, shape == ANY),
                           .partition = partition_make(n, shape, random)};
    OWNED(pc_context) *context = new_context(4);
    OWNED(pc_graph) *graph = new_graph(context, &x.edges);
    const pc_partition *p = &x.partition;
    uint64_t n_blocks = p->n_blocks, wrong = 0;
    task t = {.graph = graph, .partition = p, .is_step = is_step, .n_moduli = 5, .n_limbs = 1};
    t.limbs = need_zeroed(n_blocks * n_blocks, sizeof *t.limbs);
    CU_ASSERT_EQUAL(run_task(context, &t), PC_OK);
    uint64_t *now = need_zeroed(n, sizeof *now), *next = need_zeroed(n, sizeof *next);
    for (uint64_t row = 0; row < n_blocks; row += 1 + n_blocks / 7) {
        for (uint64_t v = 0; v < n; v++)
            now[v] = p->block[v] == row;
        for (int step = 0; step < 2 + is_step; step++) {
            memset(next, 0, n * sizeof *next);
            for (uint64_t e = 0; e < x.edges.n_edges; e++) {
                uint64_t u = x.edges.from[e], v = x.edges.to[e];
                next[v] += now[u];
                if (!x.edges.directed && u != v)
                    next[u] += now[v];
            }
            memcpy(now, next, n * sizeof *now);
        }
        memset(next, 0, n * sizeof *next);
        for (uint64_t v = 0; v < n; v++)
            next[p->block[v]] += now[v];
        for (uint64_t b = 0; b < n_blocks; b++)
            wrong += next[b] != t.limbs[row * n_blocks + b];
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(now);
    free(next);
    free(t.limbs);
}

TEST("long rows")
{
    random_source random = {37};
    check_long_rows(2048, PAIRS, false, &random);
    check_long_rows(2100, ANY, false, &random);
    check_long_rows(2100, UNEVEN, true, &random);
    check_long_rows(2111, ONE_BLOCK, false, &random);
    check_long_rows(2111, ANY, true, &random);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void for_each_failing(void (*act)(task *, const integer_matrix *))
{
    random_source random = {38};
    for (int i = 0; i < 6; i++) {
        OWNED(experiment) x = experiment_make(33, ANY, i % 2, i < 4 ? 1 : UINT64_MAX, &random);
        OWNED(pc_context) *context = new_context(2);
        OWNED(pc_graph) *graph = new_graph(context, &x.edges);
        x.is_plain = i < 2;
        x.n_squarings = i < 2 ? 0 : i < 4 ? 1 : 2;
        x.is_step = i % 4 < 2;
        OWNED(integer_matrix) expected =
            coarse_power(&x.edges, &x.partition, 2 * length_before(&x) + x.is_step);
        task t = task_for(&x, &expected);
        t.graph = graph;
        act(&t, &expected);
        free(t.limbs);
    }
}

static void fail_memory(task *t, const integer_matrix *expected)
{
    CU_ASSERT(fail_each_allocation(run_task, t) > 0);
    CU_ASSERT_EQUAL(n_wrong(t, expected), 0); /* the last run succeeded */
}

TEST("memory fails")
{
    for_each_failing(fail_memory);
}

/* Stopped at the first, the second ... time it asks: nothing is left behind. */
static void cancel(task *t, const integer_matrix *expected)
{
    CU_ASSERT(cancel_at_each_question(run_task, 1, t) > 1);
    CU_ASSERT_EQUAL(n_wrong(t, expected), 0);
}

TEST("cancelled")
{
    for_each_failing(cancel);
}

/* What is held stays within what was foretold, and that is not far off. */
static void check_forecast(enum shape shape, bool directed, uint32_t n_before, uint32_t n_moduli,
                           bool is_step)
{
    enum { N = 700, ROOM = 128 << 10 /* the run itself, and tables */ };
    random_source random = {39};
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(experiment) x = {.edges = edge_set_density(&random, N, 5, directed),
                           .partition = partition_make(N, shape, &random)};
    OWNED(pc_context) *context = failing_context(&allocator, 2), *other = new_context(2);
    OWNED(pc_graph) *graph = new_graph(other, &x.edges);
    pc_plan_info plan = {.n_threads = 2, .n_vertices = N, .n_blocks = x.partition.n_blocks};
    plan.n_levels = 2;
    plan.levels[0] = (pc_level){.length = 1, .n_moduli = n_before};
    plan.levels[1] = (pc_level){
        .length = 2 + is_step, .is_step = is_step, .is_reduced = 1, .n_moduli = n_moduli};
    pci_forecast forecast;
    pci_moduli moduli;
    pci_run *run = NULL;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    CU_ASSERT_EQUAL(pci_engine_cpu.forecast(context, graph, &plan, &forecast), PC_OK);
    uint64_t at_first = allocator.live_bytes;
    CU_ASSERT_EQUAL(pci_engine_cpu.begin(context, graph, &x.partition, &moduli, n_moduli, &run),
                    PC_OK);
    CU_ASSERT_EQUAL(pci_engine_cpu.load(run, n_before), PC_OK);
    CU_ASSERT_EQUAL(pci_engine_cpu.reduce(run, is_step, n_moduli), PC_OK);
    pci_engine_cpu.trim(run);
    CU_ASSERT(allocator.peak_bytes - at_first <= forecast.levels + ROOM);
    CU_ASSERT(forecast.levels <= (allocator.peak_bytes - at_first) * 5 / 4);
    CU_ASSERT(allocator.live_bytes - at_first <= forecast.power + ROOM);
    CU_ASSERT(forecast.power <= allocator.live_bytes - at_first);
    pci_engine_cpu.end(run);
    CU_ASSERT_EQUAL(allocator.live_bytes, at_first);
}

TEST("memory as foretold")
{
    for (int step = 0; step < 2; step++) {
        check_forecast(PAIRS, true, 20, 20, step);
        check_forecast(SINGLE_VERTICES, true, 20, 20, step);
        check_forecast(UNEVEN, true, 52, 52, step);
        check_forecast(PAIRS, true, 0, 9, step);
        check_forecast(PAIRS, false, 0, 9, step);
    }
}
