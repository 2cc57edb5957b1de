/* Sweeps on a GPU beside those of the processors, byte for byte, and what becomes of them when
 * memory ends or they are cancelled. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/device.h"
#include "gpu/sweep/sweep.h"
#include "tests/support/failing_allocator.h"
#include "tests/gpu/gpu_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whole sweeps beside those of the processors --------------------------------------------- */

/* One sweep here, one there. */
typedef struct twins {
    pc_context *context;
    const pc_graph *graph;
    pci_sweep_options options;
    uint64_t step;
    pci_sweep *gpu, *cpu;
} twins;

static void twins_make(twins *t)
{
    pc_status status = pci_gpu_sweeps.create(t->context, t->graph, &t->options, &t->gpu);
    if (status != PC_OK)
        print_message(t->context);
    CU_ASSERT_FATAL(status == PC_OK);
    CU_ASSERT_FATAL(pci_sweep_cpu.create(t->context, t->graph, &t->options, &t->cpu) == PC_OK);
}

static void twins_free(twins *t)
{
    pci_gpu_sweeps.free(t->gpu);
    pci_sweep_cpu.free(t->cpu);
}

static void twins_clear(twins *t)
{
    pci_gpu_sweeps.clear(t->gpu);
    pci_sweep_cpu.clear(t->cpu);
    t->step = 0;
}

static void twins_add(twins *t, uint32_t vector, uint64_t vertex, uint64_t value)
{
    pci_gpu_sweeps.add(t->gpu, vector, vertex, value);
    pci_sweep_cpu.add(t->cpu, vector, vertex, value);
}

static void twins_step(twins *t)
{
    pc_status status = pci_gpu_sweeps.step(t->gpu);
    if (status != PC_OK)
        print_message(t->context);
    CU_ASSERT_FATAL(status == PC_OK);
    CU_ASSERT_FATAL(pci_sweep_cpu.step(t->cpu) == PC_OK);
    t->step++;
}

static uint32_t limbs_now(const twins *t)
{
    return (uint32_t)(floor(t->options.bits[t->step]) + 1) / 64 + 1;
}

/* Both put or add their entries; there must be no difference, nor behind them. */
static void twins_compare(const twins *t, uint32_t n_vectors, uint32_t n_limbs, bool adds)
{
    enum { GUARD = 64 };
    size_t bytes = n_vectors * t->graph->n * n_limbs * sizeof(uint64_t);
    OWNED(uint8_t) *of_gpu = host_alloc(bytes + GUARD), *of_cpu = host_alloc(bytes + GUARD);
    memset(of_gpu, adds ? 1 : POISON, bytes + GUARD);
    memset(of_cpu, adds ? 1 : POISON, bytes + GUARD);
    uint32_t n_first = n_vectors / 3; /* in two parts */
    uint64_t *rest = (uint64_t *)of_gpu + n_first * t->graph->n * n_limbs;
    pc_status status = pci_gpu_sweeps.rows(t->gpu, 0, n_first, n_limbs, adds, (uint64_t *)of_gpu);
    if (status == PC_OK)
        status = pci_gpu_sweeps.rows(t->gpu, n_first, n_vectors - n_first, n_limbs, adds, rest);
    if (status != PC_OK)
        print_message(t->context);
    CU_ASSERT_FATAL(status == PC_OK);
    CU_ASSERT_FATAL(pci_sweep_cpu.rows(t->cpu, 0, n_vectors, n_limbs, adds, (uint64_t *)of_cpu) ==
                    PC_OK);
    CU_ASSERT(memcmp(of_gpu, of_cpu, bytes + GUARD) == 0);
}

/* Limits of the entries of all vectors together, by long doubles. */
static void limit_bits(const pc_graph *graph, const long double *start, uint64_t length,
                       double *bits)
{
    uint64_t n = graph->n;
    long double *x = host_alloc(n * sizeof *x), *y = host_alloc(n * sizeof *y);
    memcpy(x, start, n * sizeof *x);
    for (uint64_t s = 0; s <= length; s++) {
        long double most = 1;
        for (uint64_t i = 0; i < n; i++)
            most = x[i] > most ? x[i] : most;
        bits[s] = fmax(bits[s], (double)log2l(most) + 1e-9);
        for (uint64_t i = 0; i < n; i++) {
            y[i] = 0;
            for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
                y[i] += x[graph->column[a]] * (long double)(graph->weight ? graph->weight[a] : 1);
        }
        long double *made = y;
        y = x;
        x = made;
    }
    free(x);
    free(y);
}

typedef struct start {
    uint32_t n_values;
    pci_gpu_sweep_value *values;
} start;

static start random_start(random_source *random, uint64_t n, uint32_t n_vectors, uint32_t n_values,
                          bool large)
{
    start made = {n_values, host_alloc(n_values * sizeof *made.values)};
    for (uint32_t a = 0; a < n_values; a++)
        made.values[a] = (pci_gpu_sweep_value){(uint32_t)random_below(random, n),
                                               (uint32_t)random_below(random, n_vectors),
                                               large ? random_u64(random) : 1};
    return made;
}

static void add_start_bits(const pc_graph *graph, const start *from, uint64_t length, double *bits)
{
    long double *sum = calloc(graph->n, sizeof *sum);
    CU_ASSERT_FATAL(sum != NULL);
    for (uint32_t a = 0; a < from->n_values; a++)
        sum[from->values[a].vertex] += (long double)from->values[a].value;
    limit_bits(graph, sum, length, bits);
    free(sum);
}

static void twins_start(twins *t, const start *from)
{
    twins_clear(t);
    for (uint32_t a = 0; a < from->n_values; a++)
        twins_add(t, from->values[a].vector, from->values[a].vertex, from->values[a].value);
}

/* Two starts, one after the other in the same sweeps, the second one read along the way. */
static void check_twins(random_source *random, const pc_graph *graph, uint32_t n_vectors,
                        uint64_t length, uint32_t n_values)
{
    double bits[64] = {0};
    twins t = {
        .context = new_context(2), .graph = graph, .options = {n_vectors, length, bits, 0, 2, 0}};
    start first = random_start(random, graph->n, n_vectors, n_values, random_below(random, 2));
    start second = random_start(random, graph->n, n_vectors, 1 + n_values / 2, false);
    add_start_bits(graph, &first, length, bits);
    add_start_bits(graph, &second, length, bits);
    twins_make(&t);
    twins_start(&t, &first);
    for (uint64_t s = 0; s < length; s++)
        twins_step(&t);
    twins_compare(&t, n_vectors, limbs_now(&t), false);
    twins_start(&t, &first);
    twins_start(&t, &second); /* nothing is left of what still waited to be added */
    twins_compare(&t, n_vectors, limbs_now(&t), true);
    for (uint64_t s = 0; s < length; s++) {
        twins_step(&t);
        twins_compare(&t, 1 + (uint32_t)random_below(random, n_vectors),
                      limbs_now(&t) + (uint32_t)random_below(random, 2), s % 2);
    }
    twins_free(&t);
    free(first.values);
    free(second.values);
    pc_context_free(t.context);
}

static void check_edges(random_source *random, edge_set *edges, uint32_t n_vectors, uint64_t length)
{
    OWNED(pc_context) *context = new_context(1);
    edges->multigraph = false; /* added up, weights might not fit */
    OWNED(pc_graph) *graph = new_graph(context, edges);
    check_twins(random, graph, n_vectors, length, 1 + (uint32_t)random_below(random, 500));
    edge_set_free(edges);
}

static const uint32_t vector_counts[] = {1, 3, 16, 64, 200};

TEST("random graphs beside the processors")
{
    random_source random = {.state = 431};
    need_any_gpu();
    for (int trial = 0; trial < (is_small_run() ? 10 : 150); trial++) {
        edge_set edges = edge_set_any(&random, 1 + random_below(&random, trial % 4 ? 40 : 200));
        check_edges(&random, &edges, vector_counts[trial % 5], random_below(&random, 12));
    }
}

/* A = w J: sums as wide as the headroom for weights on either side of a power of two, and at 2^32
 * none. */
TEST("headroom for every weight, and none")
{
    random_source random = {.state = 433};
    need_any_gpu();
    for (uint32_t bits = 0; bits < 64; bits += is_small_run() ? 21 : 3)
        for (uint64_t less = 0; less < 2; less++) {
            uint64_t weight = (UINT64_C(1) << bits) - less;
            edge_set edges = edge_set_constant(1 + bits % 9, weight ? weight : 1);
            check_edges(&random, &edges, 1 + bits % 11, 9);
        }
    for (uint64_t n = 1; n <= 2; n++) { /* row sums of 2^32, the last with headroom, and above */
        edge_set edges = edge_set_constant(n, UINT64_C(1) << 32);
        check_edges(&random, &edges, 5, 12);
    }
}

/* ---- Residues -------------------------------------------------------------------------------- */

/* Each vector begins at one vertex with any residue, so that no sum reaches the modulus. */
static void start_residues(random_source *random, twins *t)
{
    twins_clear(t);
    for (uint32_t v = 0; v < t->options.n_vectors; v++)
        twins_add(t, v, random_below(random, t->graph->n),
                  v % 2 ? t->options.modulus - 1 : random_below(random, t->options.modulus));
}

static void check_residues(random_source *random, edge_set *edges, uint64_t modulus,
                           uint32_t n_vectors, uint64_t length)
{
    OWNED(pc_context) *context = new_context(2);
    edges->multigraph = false; /* added up, weights might not fit */
    OWNED(pc_graph) *graph = new_graph(context, edges);
    twins t = {
        .context = context, .graph = graph, .options = {n_vectors, length, NULL, modulus, 2, 0}};
    twins_make(&t);
    for (int again = 0; again < 2; again++) {
        start_residues(random, &t);
        twins_compare(&t, n_vectors, 1, false);
        for (uint64_t s = 0; s < length; s++) {
            twins_step(&t);
            twins_compare(&t, 1 + (uint32_t)random_below(random, n_vectors),
                          1 + (uint32_t)random_below(random, 2), s % 2);
        }
    }
    twins_free(&t);
    edge_set_free(edges);
}

/* Row sums and moduli that need words of 32 and 64 bits, several limbs, and limbs without headroom. */
TEST("residues beside the processors")
{
    static const uint64_t moduli[] = {2,
                                      251,
                                      65537,
                                      1000000007,
                                      (UINT64_C(1) << 32) + 15,
                                      (UINT64_C(1) << 61) - 1,
                                      (UINT64_C(1) << 63) - 1};
    enum { N_MODULI = sizeof moduli / sizeof *moduli };
    random_source random = {.state = 437};
    need_any_gpu();
    for (int trial = 0; trial < (is_small_run() ? 14 : 140); trial++) {
        edge_set edges = edge_set_any(&random, 1 + random_below(&random, trial % 4 ? 40 : 200));
        check_residues(&random, &edges, moduli[trial % N_MODULI], vector_counts[trial % 5],
                       random_below(&random, 9));
    }
    for (uint32_t bits = 0; bits < 64; bits += is_small_run() ? 21 : 3)
        for (int m = 0; m < N_MODULI; m++) {
            edge_set edges = edge_set_constant(1 + bits % 9, UINT64_C(1) << bits);
            check_residues(&random, &edges, moduli[m], 1 + bits % 11, 3);
        }
}

/* Rows that many groups share, beside short and empty ones; so many limbs that lines are slices. */
TEST("hubs, empty rows, many limbs")
{
    random_source random = {.state = 439};
    need_any_gpu();
    for (int directed = 0; directed < 2; directed++) {
        uint64_t n = is_small_run() ? 300 : 3000;
        edge_set edges = edge_set_preferential(&random, n, 4);
        edges.directed = directed;
        for (uint64_t v = 0; v < n; v++) {
            edge_set_add(&edges, 7, v, 1);
            edge_set_add(&edges, n - 1, v, 1);
        }
        check_edges(&random, &edges, directed ? 200 : 64, is_small_run() ? 9 : 24);
    }
}

/* More values than wait at once, in no order, many of them for the same entries. */
TEST("more values than wait at once")
{
    random_source random = {.state = 443};
    need_any_gpu();
    OWNED(edge_set) edges = edge_set_density(&random, 30, 100, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    check_twins(&random, graph, 5, 3, 3 * PCI_SWEEP_VALUES + 17);
    check_twins(&random, graph, 200, 3, PCI_SWEEP_VALUES);
}

/* Rows that take several journeys, and entries so wide that buffers must grow for them. */
TEST("rows of any width, put and added")
{
    enum { N = 3000, VECTORS = 64, LENGTH = 4 };
    static const uint32_t limbs[] = {1, 2, 5};
    double bits[LENGTH + 1] = {1, 14, 28, 42, 56};
    random_source random = {.state = 449};
    need_any_gpu();
    edge_set edges = edge_set_preferential(&random, N, 2);
    OWNED(pc_context) *context = new_context(3);
    pc_graph *graph = new_graph(context, &edges);
    twins t = {.context = context, .graph = graph, .options = {VECTORS, LENGTH, bits, 0, 3, 0}};
    twins_make(&t);
    for (uint32_t v = 0; v < VECTORS; v++)
        twins_add(&t, v, random_below(&random, N), 1);
    for (int s = 0; s < LENGTH; s++)
        twins_step(&t);
    for (int l = 0; l < 3; l++) {
        twins_compare(&t, VECTORS, limbs[l], false);
        twins_compare(&t, VECTORS - 1, limbs[l], true);
    }
    twins_free(&t);
    pc_graph_free(graph);
    edge_set_free(&edges);
    edges = edge_set_constant(3, 2);
    graph = new_graph(context, &edges);
    t = (twins){.context = context, .graph = graph, .options = {2, LENGTH, bits, 0, 1, 0}};
    twins_make(&t);
    twins_add(&t, 1, 2, 3);
    twins_step(&t);
    twins_compare(&t, 2, 1, false);
    twins_compare(&t, 2, 200000, true);
    twins_compare(&t, 2, 2, false);
    twins_free(&t);
    pc_graph_free(graph);
    edge_set_free(&edges);
}

/* No vertices; vertices without arcs. */
TEST("no vertices, no arcs")
{
    double bits[3] = {1, 70, 0};
    need_any_gpu();
    for (uint64_t n = 0; n < 3; n++) {
        OWNED(edge_set) edges = edge_set_empty(n, true);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        twins t = {.context = context, .graph = graph, .options = {2, 2, bits, 0, 1, 0}};
        twins_make(&t);
        if (n > 0)
            twins_add(&t, 1, 0, 1);
        twins_compare(&t, 2, 1, false);
        for (int s = 0; s < 2; s++) {
            twins_step(&t);
            twins_compare(&t, 2, 2, false);
        }
        twins_free(&t);
    }
}

/* ---- Several at once, stopped, out of memory ------------------------------------------------- */

static int count_calls(void *user, const char *stage, double fraction)
{
    CU_ASSERT(strcmp(stage, "sweep") == 0 && fraction >= 0 && fraction <= 1);
    ++*(int *)user;
    return 0;
}

/* One a thread, and nobody asks whether to go on; then the rows are those of the processors. */
TEST("side by side in threads")
{
    enum { N = 200, SWEEPS = 6, VECTORS = 16, STEPS = 20 };
    random_source random = {.state = 457};
    int n_calls = 0, n_failed = 0;
    double bits[STEPS + 1];
    twins t[SWEEPS];
    need_any_gpu();
    edge_set edges = edge_set_density(&random, N, 100, false);
    pc_context *context = new_context(4);
    pc_graph *graph = new_graph(context, &edges);
    for (int s = 0; s <= STEPS; s++)
        bits[s] = 8 * s;
    pc_context_set_progress(context, count_calls, &n_calls);
    for (int p = 0; p < SWEEPS; p++) {
        t[p] = (twins){.context = context,
                       .graph = graph,
                       .options = {VECTORS, STEPS, bits, 0, 1, 0},
                       .step = STEPS};
        twins_make(&t[p]);
    }
#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+ : n_failed)
    for (int p = 0; p < SWEEPS; p++) {
        for (uint32_t v = 0; v < VECTORS; v++)
            twins_add(&t[p], v, (uint64_t)p * VECTORS + v, 1);
        for (int s = 0; s < STEPS; s++)
            n_failed +=
                pci_gpu_sweeps.step(t[p].gpu) != PC_OK || pci_sweep_cpu.step(t[p].cpu) != PC_OK;
    }
    CU_ASSERT(n_calls == 0 && n_failed == 0);
    for (int p = 0; p < SWEEPS; p++) {
        twins_compare(&t[p], VECTORS, limbs_now(&t[p]), false);
        twins_free(&t[p]);
    }
    pc_graph_free(graph);
    pc_context_free(context);
    edge_set_free(&edges);
}

/* Where vectors begin, 1 is added again after each step, as where lengths are added up. */
TEST("values that are added after a step")
{
    enum { STEPS = 12, VECTORS = 70, N = 150 };
    static const uint64_t moduli[] = {0, 2, 257, (UINT64_C(1) << 61) - 1};
    random_source random = {.state = 459};
    double bits[STEPS + 1];
    need_any_gpu();
    for (int s = 0; s <= STEPS; s++)
        bits[s] = 8 * (s + 1);
    for (int m = 0; m < 4; m++) {
        OWNED(edge_set) edges = edge_set_density(&random, N, 60, m % 2 == 0);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        twins t = {.context = context,
                   .graph = graph,
                   .options = {.n_vectors = VECTORS,
                               .length = STEPS,
                               .bits = moduli[m] ? NULL : bits,
                               .modulus = moduli[m],
                               .n_threads = 1,
                               .adds_starts = true}};
        twins_make(&t);
        for (int s = 0; s < STEPS; s++) {
            for (uint32_t v = 0; v < VECTORS; v++)
                twins_add(&t, v, (7 * v + 3) % N, 1);
            twins_step(&t);
            twins_compare(&t, VECTORS, moduli[m] ? 1 : limbs_now(&t), false);
        }
        twins_free(&t);
    }
}

static int stop_when_told(void *user, const char *stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return *(int *)user;
}

/* A step that was cancelled has not been taken. */
TEST("a cancelled step is not taken")
{
    int stops = 0;
    random_source random = {.state = 461};
    double bits[5] = {1, 6, 12, 18, 24};
    need_any_gpu();
    OWNED(edge_set) edges = edge_set_density(&random, 30, 200, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    twins t = {.context = context, .graph = graph, .options = {3, 4, bits, 0, 1, 0}};
    pc_context_set_progress(context, stop_when_told, &stops);
    twins_make(&t);
    twins_add(&t, 2, 5, 1);
    for (int s = 0; s < 4; s++) {
        stops = 1;
        CU_ASSERT(pci_gpu_sweeps.step(t.gpu) == PC_ERR_CANCELLED);
        twins_compare(&t, 3, 1, false);
        stops = 0;
        twins_step(&t);
        twins_compare(&t, 3, 1, false);
    }
    twins_free(&t);
}

/* The graph is made beforehand, so that each run can fail on the device's side only. */
static pc_status sweep_on_gpu(pc_context *context, void *user)
{
    static const double bits[4] = {1, 70, 70, 140};
    uint64_t limbs[3 * 5 * 3];
    pci_sweep_options options = {3, 3, bits, 0, 2, 0, 0, false};
    pci_sweep *sweep = NULL;
    pc_status status = pci_gpu_sweeps.create(context, user, &options, &sweep);
    if (status != PC_OK)
        return status;
    pci_gpu_sweeps.add(sweep, 1, 2, 1);
    status = pci_gpu_sweeps.step(sweep);
    if (status == PC_OK)
        status = pci_gpu_sweeps.rows(sweep, 0, 3, 3, false, limbs);
    pci_gpu_sweeps.free(sweep);
    return status;
}

TEST("any allocation may fail")
{
    need_any_gpu();
    OWNED(edge_set) edges = edge_set_constant(5, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    CU_ASSERT(fail_each_allocation(sweep_on_gpu, graph) == 4);
}

/* What does not fit is refused before it is asked for, with what would; the next call goes well. */
TEST("what does not fit is refused")
{
    enum { LIMIT = 64 << 20 };
    double bits[2] = {63, 63};
    char limit[32];
    need_any_gpu();
    OWNED(edge_set) edges = edge_set_empty(100000, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pci_sweep_options options = {200, 1, bits, 0, 1, 0, 0, false};
    pci_sweep *sweep = NULL;
    CU_ASSERT_FATAL(setenv("PATHCOUNT_CUDA_MEMORY", "1000", 1) == 0);
    CU_ASSERT(pci_gpu_sweeps.create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    CU_ASSERT(strstr(pc_context_message(context), "enough for 0") != NULL);
    snprintf(limit, sizeof limit, "%d", LIMIT);
    CU_ASSERT_FATAL(setenv("PATHCOUNT_CUDA_MEMORY", limit, 1) == 0);
    CU_ASSERT(pci_gpu_sweeps.create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    const char *fits = strstr(pc_context_message(context), "enough for ");
    CU_ASSERT_FATAL(fits != NULL && sweep == NULL);
    options.n_vectors = (uint32_t)atoi(fits + strlen("enough for "));
    CU_ASSERT(options.n_vectors >= 16 && options.n_vectors < 200);
    CU_ASSERT_FATAL(pci_gpu_sweeps.create(context, graph, &options, &sweep) == PC_OK);
    pci_gpu_sweeps.free(sweep);
    unsetenv("PATHCOUNT_CUDA_MEMORY");
    sweep = NULL;
    bits[1] = INFINITY;
    CU_ASSERT(pci_gpu_sweeps.create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    bits[1] = 63;
    pc_context_set_memory_limit(context, 1000);
    CU_ASSERT(pci_gpu_sweeps.create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    CU_ASSERT(sweep == NULL);
}

#endif
