/* Vectors through a sparse graph on a GPU beside the processors: 64 of them, eight steps, R-MAT graphs. The rows of both
 * are compared. The rate is that of the bytes that the steps must move: the columns of all arcs, each line once in and once
 * out. */
#include "tests/support/calls.h"
#include "tests/bench/gpu/gpu.h"

#include "gpu/sweep/sweep.h"
#include "src/plan/limits.h"

#include <stdio.h>
#include <string.h>

#define SECTION "sweeps"

enum { LENGTH = 8, N_VECTORS = 64, EDGES_A_VERTEX = 16 };

typedef struct swept {
    const pci_sweep_ops *ops;
    pci_sweep *sweep;
    const pc_graph *graph;
    uint32_t n_limbs;
    uint64_t *limbs; /* [N_VECTORS][n][n_limbs] */
} swept;

static void run_steps(bench *b, void *work)
{
    const swept *s = work;
    s->ops->clear(s->sweep);
    for (uint32_t v = 0; v < N_VECTORS; v++)
        s->ops->add(s->sweep, v, v * UINT64_C(2654435761) % s->graph->n, 1);
    for (int l = 0; l < LENGTH && b->status == PC_OK; l++)
        bench_check(b, s->ops->step(s->sweep));
}

static void run_rows(bench *b, void *work)
{
    const swept *s = work;
    bench_check(b, s->ops->rows(s->sweep, 0, N_VECTORS, s->n_limbs, false, s->limbs));
}

/* Bytes of all steps. */
static double least_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    pci_gpu_sweep_width width[LENGTH + 1];
    pci_gpu_sweep_plan plan = pci_gpu_sweep_plan_of(graph, options);
    double bytes = (double)LENGTH * (double)pci_graph_n_arcs(graph) * sizeof(uint32_t);
    pci_gpu_sweep_widths(&plan, graph, options, width);
    for (int l = 0; l < LENGTH; l++)
        bytes += (double)graph->n * (double)(pci_gpu_sweep_line_bytes(&plan, width[l]) +
                                             pci_gpu_sweep_line_bytes(&plan, width[l + 1]));
    return bytes;
}

static void measure(bench *b, const pc_graph *graph)
{
    enum { GPU, PROCESSORS, GPU_ROWS, N_ITEMS };
    uint64_t lengths[LENGTH + 1];
    double bits[LENGTH + 1];
    for (uint64_t l = 0; l <= LENGTH; l++)
        lengths[l] = l;
    if (!bench_check(b, pci_bound(b->context, graph, NULL, LENGTH + 1, lengths, 1e4, bits)))
        return;
    pci_sweep_options options = {.n_vectors = N_VECTORS,
                                 .length = LENGTH,
                                 .bits = bits,
                                 .n_threads = pci_n_threads(b->context)};
    uint32_t n_limbs = (uint32_t)bits[LENGTH] / 64 + 1;
    size_t n_words = N_VECTORS * graph->n * n_limbs;
    swept s[2] = {{.ops = &pci_gpu_sweeps}, {.ops = &pci_sweep_cpu}};
    for (int i = 0; i < 2; i++) {
        s[i].graph = graph;
        s[i].n_limbs = n_limbs;
        s[i].limbs = bench_alloc(b, "rows", n_words, sizeof *s[i].limbs);
        if (b->status == PC_OK)
            bench_check(b, s[i].ops->create(b->context, graph, &options, &s[i].sweep));
        if (b->status == PC_OK)
            run_steps(b, &s[i]);
        if (b->status == PC_OK)
            run_rows(b, &s[i]);
    }
    double step_bytes = least_bytes(graph, &options);
    bench_item items[N_ITEMS] = {
        {.run = run_steps, .work = &s[GPU], .name = "64 vectors, 8 steps", .amount = step_bytes},
        {.run = run_steps,
         .work = &s[PROCESSORS],
         .name = "the same by the processors",
         .amount = step_bytes},
        {.run = run_rows,
         .work = &s[GPU],
         .name = "their rows to the host",
         .amount = (double)(n_words * sizeof(uint64_t))}};
    for (int i = 0; i < N_ITEMS; i++) {
        items[i].unit = "GB/s";
        items[i].on_wall = true;
    }
    items[GPU].verified = "the processors";
    items[GPU].peer[0].name = "the processors";
    items[GPU].peer[0].item = &items[PROCESSORS];
    if (b->status == PC_OK && memcmp(s[0].limbs, s[1].limbs, n_words * sizeof(uint64_t)) != 0) {
        bench_note_wrong(b, SECTION, items[GPU].name, graph->n, 1);
    } else if (b->status == PC_OK) {
        bench_time(b, N_ITEMS, items);
        bench_tell_items(b, SECTION, graph->n, N_ITEMS, items);
    }
    for (int i = 0; i < 2; i++) {
        if (s[i].sweep)
            s[i].ops->free(s[i].sweep);
        pci_free(b->context, s[i].limbs);
    }
}

void bench_sweeps(bench *b)
{
    for (uint32_t scale = 18; scale <= 20 && b->status == PC_OK; scale += 2) {
        pc_model rmat = {.scale = scale, .edge_factor = EDGES_A_VERTEX};
        pc_graph *graph = NULL;
        if (bench_check(b, generate_rmat(b->context, &rmat, 1, 0, &graph)))
            measure(b, graph);
        pc_graph_free(graph);
    }
}
