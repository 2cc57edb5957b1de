/* Times sweeps on a GPU step by step, beside those of the processors in the same run, on R-MAT
 * graphs:
 *
 *   sweep [-g] [VECTORS [SCALE...]]       64 vectors, scales 18 and 20
 *
 * Every entry is compared; with -g the GPU runs alone, and nothing is. It links libpathcount.a and
 * gpu/sweep/plan.c, and finds the CUDA engine beside itself. "least GB/s" counts what a step must
 * move: the columns of all arcs, each line once in and once out; "gathered" an input line for each
 * arc. */
#include "tests/support/calls.h"
#include "gpu/sweep/plan.h"
#include "src/plan/limits.h"
#include "src/plan/engines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8, EDGES_A_VERTEX = 16, ROUNDS = 7 };

typedef struct contest {
    pc_context *context;
    pc_graph *graph;
    double bits[LENGTH + 1];
    pci_sweep_options options;
    uint32_t n_limbs;
    bool is_alone; /* the GPU */
} contest;

typedef struct times {
    double create, step[LENGTH], rows;
} times;

static void check(const contest *c, pc_status status, const char *what)
{
    if (status == PC_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, pc_status_text(status), pc_context_message(c->context));
    exit(EXIT_FAILURE);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare_doubles);
    return values[n / 2];
}

static void prepare(contest *c, uint32_t scale, uint32_t n_vectors)
{
    uint64_t lengths[LENGTH + 1];
    pc_model rmat = {.scale = scale, .edge_factor = EDGES_A_VERTEX};
    check(c, generate_rmat(c->context, &rmat, 1, 0, &c->graph), "R-MAT");
    for (uint64_t s = 0; s <= LENGTH; s++)
        lengths[s] = s;
    check(c, pci_bound(c->context, c->graph, NULL, LENGTH + 1, lengths, 1e4, c->bits), "limits");
    c->options = (pci_sweep_options){.n_vectors = n_vectors,
                                     .length = LENGTH,
                                     .bits = c->bits,
                                     .n_threads = pci_n_threads(c->context)};
    c->n_limbs = (uint32_t)c->bits[LENGTH] / 64 + 1;
}

static void run(const contest *c, const pci_sweep_ops *ops, pci_sweep *sweep, uint64_t *limbs,
                times *t)
{
    ops->clear(sweep);
    for (uint32_t v = 0; v < c->options.n_vectors; v++)
        ops->add(sweep, v, (v * UINT64_C(2654435761)) % c->graph->n, 1);
    for (int s = 0; s < LENGTH; s++) {
        double start = pci_now_seconds();
        check(c, ops->step(sweep), "step");
        t->step[s] = pci_now_seconds() - start;
    }
    double start = pci_now_seconds();
    check(c, ops->rows(sweep, 0, c->options.n_vectors, c->n_limbs, false, limbs), "rows");
    t->rows = pci_now_seconds() - start;
}

/* The median of each time over so many rounds, at most ROUNDS, after one that warms up. */
static times measure(const contest *c, const pci_sweep_ops *ops, int n_rounds, uint64_t *limbs)
{
    times round[ROUNDS], result;
    double values[ROUNDS];
    pci_sweep *sweep;
    double start = pci_now_seconds();
    check(c, ops->create(c->context, c->graph, &c->options, &sweep), "sweep");
    result.create = pci_now_seconds() - start;
    run(c, ops, sweep, limbs, &round[0]);
    for (int r = 0; r < n_rounds; r++)
        run(c, ops, sweep, limbs, &round[r]);
    ops->free(sweep);
    for (int s = 0; s <= LENGTH; s++) {
        for (int r = 0; r < n_rounds; r++)
            values[r] = s < LENGTH ? round[r].step[s] : round[r].rows;
        *(s < LENGTH ? &result.step[s] : &result.rows) = median(values, n_rounds);
    }
    return result;
}

static double total(const times *t)
{
    double sum = 0;
    for (int s = 0; s < LENGTH; s++)
        sum += t->step[s];
    return sum;
}

static void print(const contest *c, const times *gpu, const times *cpu)
{
    pci_gpu_sweep_width width[LENGTH + 1];
    pci_gpu_sweep_plan plan = pci_gpu_sweep_plan_of(c->graph, &c->options);
    double n = (double)c->graph->n, n_arcs = (double)pci_graph_n_arcs(c->graph);
    pci_gpu_sweep_widths(&plan, c->graph, &c->options, width);
    printf("%5s %6s %9s %10s %10s %8s %11s %10s\n", "step", "bits", "line", "GPU ms", "CPU ms",
           "times", "least GB/s", "gathered");
    for (int s = 0; s < LENGTH; s++) {
        double in = (double)pci_gpu_sweep_line_bytes(&plan, width[s]);
        double out = (double)pci_gpu_sweep_line_bytes(&plan, width[s + 1]);
        printf("%5d %6.1f %9.0f %10.3f %10.2f %8.1f %11.1f %10.1f\n", s + 1, c->bits[s + 1], out,
               1e3 * gpu->step[s], 1e3 * cpu->step[s], cpu->step[s] / gpu->step[s],
               1e-9 * (n_arcs * sizeof(uint32_t) + n * (in + out)) / gpu->step[s],
               1e-9 * n_arcs * in / gpu->step[s]);
    }
    double bytes = (double)c->options.n_vectors * n * c->n_limbs * sizeof(uint64_t);
    printf("steps %.3f ms, processors %.2f ms: %.1f times; rows %.3f ms (%.1f GB/s), processors "
           "%.2f ms; created in %.2f ms\n",
           1e3 * total(gpu), 1e3 * total(cpu), total(cpu) / total(gpu), 1e3 * gpu->rows,
           1e-9 * bytes / gpu->rows, 1e3 * cpu->rows, 1e3 * gpu->create);
}

static void compete(contest *c, const pci_sweep_ops *sweeps, uint32_t scale, uint32_t n_vectors)
{
    prepare(c, scale, n_vectors);
    size_t bytes = n_vectors * c->graph->n * c->n_limbs * sizeof(uint64_t);
    uint64_t *of_gpu = pci_alloc(c->context, bytes), *of_cpu = pci_alloc(c->context, bytes);
    if (!of_gpu || !of_cpu)
        check(c, pci_fail_memory(c->context, "rows", 2 * bytes), "rows");
    memset(of_gpu, 1, bytes); /* pages that are there, for the times of rows */
    memset(of_cpu, 2, bytes);
    printf("\nR-MAT, scale %u, %" PRIu64 " vertices, %" PRIu64 " arcs, %u vectors\n", scale,
           c->graph->n, pci_graph_n_arcs(c->graph), n_vectors);
    times cpu = {0}, gpu = measure(c, sweeps, ROUNDS, of_gpu);
    if (!c->is_alone)
        cpu = measure(c, &pci_sweep_cpu, 1, of_cpu);
    print(c, &gpu, &cpu);
    if (!c->is_alone)
        printf("every entry %s\n",
               memcmp(of_gpu, of_cpu, bytes) ? "IS NOT THE SAME" : "is the same");
    pci_free(c->context, of_gpu);
    pci_free(c->context, of_cpu);
    pc_graph_free(c->graph);
}

int main(int argc, char **argv)
{
    contest c = {.is_alone = argc > 1 && strcmp(argv[1], "-g") == 0};
    const pci_engine *engine;
    argc -= c.is_alone;
    argv += c.is_alone;
    uint32_t n_vectors = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 64;
    if (pc_context_create(&c.context) != PC_OK)
        return EXIT_FAILURE;
    check(&c, pci_engine_cuda(c.context, &engine), "engine");
    pci_engine_info info;
    check(&c, engine->describe(c.context, &info), "engine");
    printf("%s, %d threads\n", info.device, pci_n_threads(c.context));
    for (int a = 2; a < argc; a++)
        compete(&c, engine->sweeps, (uint32_t)strtoul(argv[a], NULL, 10), n_vectors);
    for (uint32_t scale = 18; argc <= 2 && scale <= 20; scale += 2)
        compete(&c, engine->sweeps, scale, n_vectors);
    pc_context_free(c.context);
    return EXIT_SUCCESS;
}
