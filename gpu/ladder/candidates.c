/* The entry of the ladder's benchmark, and its candidates: from the first naive kernel to the
 * engine's own. */
#include "gpu/ladder/measure.h"

#include "gpu/ladder/occupancy.h"
#include "gpu/ladder/transactions.h"

#include <stdio.h>
#include <string.h>

#define SGEMM "cublas-sgemm"
#define DGEMM "cublas-dgemm"

enum { MAX_NAMES = 64 };

static const char *const engine_names[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = "int8-plain", [PCI_GPU_DP4A] = "int8-dp4a",   [PCI_GPU_F16] = "f16",
    [PCI_GPU_MMA] = "int8-mma",     [PCI_GPU_WGMMA] = "int8-wgmma",
};

/* ---- Names ----------------------------------------------------------------------------------- */

/* Those of the processor are added by the callee. */
static pc_status check_names(const pci_bench_ladder *ladder)
{
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (size_t k = 0; k < pci_ladder_n_kernels; k++)
        names[n++] = pci_ladder[k]->name;
    names[n++] = SGEMM;
    names[n++] = DGEMM;
    for (size_t k = 0; k < PCI_N_GPU_KERNELS; k++)
        names[n++] = engine_names[k];
    return pci_ladder_check_names(ladder->bench->context, ladder->options, n, names);
}

static bool takes_all(const pci_bench_ladder *ladder)
{
    return ladder->options->n_kernels == 0;
}

static bool is_wanted(const pci_bench_ladder *ladder, const char *name)
{
    return takes_all(ladder) || pci_ladder_is_named(ladder->options, name);
}

/* Measures a candidate, unless its preparation failed with status, and reports its row. */
static pc_status measure_and_report(pci_bench_ladder *ladder, pci_ladder_candidate *candidate,
                                    pc_status status)
{
    status = status == PC_OK ? pci_ladder_measure(ladder, candidate)
                             : pci_ladder_note_lack(ladder, candidate, status);
    if (status == PC_OK)
        pci_ladder_report_row(ladder, candidate);
    return status;
}

static void set_float_result(const pci_bench_ladder *ladder, pci_ladder_candidate *candidate)
{
    const pci_ladder_matrix *c = &ladder->product.c;
    candidate->kind = PCI_LADDER_FLOATS;
    candidate->result = c->element;
    candidate->result_bytes = (size_t)c->rows * c->stride * sizeof *c->element;
}

/* ---- Kernels of the ladder ------------------------------------------------------------------- */

typedef struct step {
    const pci_ladder_kernel *kernel;
    pci_ladder_block block;
    pci_ladder_product product;
} step;

static pc_status run_step(pci_bench *bench, void *work)
{
    const step *s = work;
    return pci_gpu_check(bench->context,
                         pci_ladder_launch(s->kernel, &s->product, s->block, bench->stream),
                         s->kernel->name);
}

/* Registers and shared memory of a block, occupancy, and traffic with device memory by the
 * model. */
static pc_status describe_step(const pci_bench_ladder *ladder, const step *s, pc_ladder_row *row)
{
    const pci_bench *bench = ladder->bench;
    struct cudaFuncAttributes attributes;
    pci_traffic traffic;
    pc_status status = pci_gpu_check(
        bench->context, cudaFuncGetAttributes(&attributes, s->kernel->function), s->kernel->name);
    if (status != PC_OK)
        return status;
    row->registers = attributes.numRegs;
    row->shared_bytes = attributes.sharedSizeBytes;
    const pci_gpu_limits *limits = pci_gpu_limits_of(bench->device.major, bench->device.minor);
    if (limits)
        row->occupancy = pci_occupancy_of(limits, s->block.x * s->block.y, (uint32_t)row->registers,
                                          (uint32_t)row->shared_bytes)
                             .occupancy;
    if (pci_traffic_of(s->kernel->name, s->block.x, s->block.y, &traffic)) {
        row->transactions = pci_polynomial_at(traffic.transactions, ladder->options->n);
        row->volume_bytes = pci_polynomial_at(traffic.volume, ladder->options->n);
    }
    return PC_OK;
}

static pc_status measure_step(pci_bench_ladder *ladder, const pci_ladder_kernel *kernel,
                              pci_ladder_block block)
{
    step s = {.kernel = kernel, .block = block, .product = ladder->product};
    pci_ladder_candidate candidate = {.item = {.run = run_step, .work = &s},
                                      .reduced = kernel->reduced};
    candidate.row.kernel = kernel->name;
    candidate.row.source = kernel->source;
    candidate.row.computes = kernel->computes;
    candidate.row.block_x = block.x;
    candidate.row.block_y = block.y;
    set_float_result(ladder, &candidate);
    if (kernel->reduced) {
        s.product.c.rows = ladder->expected[true].rows;
        s.product.c.columns = ladder->expected[true].columns;
    }
    pc_status status = describe_step(ladder, &s, &candidate.row);
    if (status != PC_OK)
        return measure_and_report(ladder, &candidate, status);
    status = pci_ladder_measure(ladder, &candidate);
    if (status != PC_OK)
        return status;
    if (kernel == pci_ladder[0] && ladder->first_ms == 0) /* of its first block, the best one */
        ladder->first_ms = candidate.row.milliseconds;
    pci_ladder_report_row(ladder, &candidate);
    return PC_OK;
}

/* Each kernel with the best block of its source; a kernel that was named with all its blocks. */
static pc_status measure_steps(pci_bench_ladder *ladder)
{
    pc_status status = PC_OK;
    for (size_t k = 0; k < pci_ladder_n_kernels; k++) {
        const pci_ladder_kernel *kernel = pci_ladder[k];
        int n_blocks = takes_all(ladder)                                    ? 1
                       : pci_ladder_is_named(ladder->options, kernel->name) ? PCI_LADDER_BLOCKS
                                                                            : 0;
        for (int b = 0; b < n_blocks && kernel->blocks[b].x != 0 && status == PC_OK; b++)
            status = measure_step(ladder, kernel, kernel->blocks[b]);
    }
    return status;
}

/* ---- The library ----------------------------------------------------------------------------- */

static pc_status run_sgemm(pci_bench *bench, void *work)
{
    const pci_ladder_product *p = work;
    return bench->cublas->sgemm(bench->cublas, p->c.columns, p->c.stride, p->a.element,
                                p->b.element, p->c.element);
}

/* Measured first, as every row is compared with it; reported in its order. */
static pc_status measure_sgemm(pci_bench_ladder *ladder, pci_ladder_candidate *candidate)
{
    *candidate = (pci_ladder_candidate){.item = {.run = run_sgemm, .work = &ladder->product}};
    candidate->row.kernel = SGEMM;
    candidate->row.source = "cuBLAS, floats";
    set_float_result(ladder, candidate);
    if (!ladder->bench->cublas) {
        snprintf(candidate->note, sizeof candidate->note, "%s", ladder->bench->library_missing);
        return PC_OK;
    }
    pc_status status = pci_ladder_measure(ladder, candidate);
    ladder->library_ms = candidate->row.milliseconds;
    return status;
}

typedef struct doubles {
    uint32_t n;
    double *a, *b, *c;
} doubles;

/* Row-major is the order of the library with the operands exchanged. */
static pc_status run_dgemm(pci_bench *bench, void *work)
{
    const doubles *d = work;
    return bench->cublas->dgemm(bench->cublas, d->n, d->b, d->a, d->c);
}

static pc_status make_doubles(pci_bench_ladder *ladder, doubles *made)
{
    pci_bench *bench = ladder->bench;
    size_t bytes = (size_t)ladder->options->n * ladder->options->n * sizeof(double);
    *made = (doubles){.n = ladder->options->n};
    pc_status status = pci_bench_memory(bench, bytes, (void **)&made->a);
    if (status == PC_OK)
        status = pci_bench_memory(bench, bytes, (void **)&made->b);
    if (status == PC_OK)
        status = pci_bench_memory(bench, bytes, (void **)&made->c);
    if (status != PC_OK)
        return status;
    cudaError_t error = pci_ladder_to_doubles(&ladder->product.a, made->a, bench->stream);
    if (error == cudaSuccess)
        error = pci_ladder_to_doubles(&ladder->product.b, made->b, bench->stream);
    return pci_gpu_check(bench->context, error, "making doubles");
}

static pc_status measure_dgemm(pci_bench_ladder *ladder)
{
    doubles d;
    int n_held = ladder->bench->n_blocks;
    pci_ladder_candidate candidate = {.item = {.run = run_dgemm, .work = &d},
                                      .kind = PCI_LADDER_DOUBLES};
    candidate.row.kernel = DGEMM;
    candidate.row.source = "cuBLAS, doubles";
    pc_status status = PC_OK;
    if (!ladder->bench->cublas)
        status =
            pci_fail(ladder->bench->context, PC_ERR_ENGINE, "%s", ladder->bench->library_missing);
    else
        status = make_doubles(ladder, &d);
    if (status == PC_OK) {
        candidate.result = d.c;
        candidate.result_bytes = (size_t)d.n * d.n * sizeof *d.c;
    }
    status = measure_and_report(ladder, &candidate, status);
    pci_bench_release_to(ladder->bench, n_held);
    return status;
}

static pc_status measure_library(pci_bench_ladder *ladder, const pci_ladder_candidate *sgemm)
{
    if (is_wanted(ladder, SGEMM))
        pci_ladder_report_row(ladder, sgemm);
    return is_wanted(ladder, DGEMM) ? measure_dgemm(ladder) : PC_OK;
}

/* ---- Our own kernels ------------------------------------------------------------------------- */

/* Planes of the arena: A, B transposed as the kernels want it, their product. */
enum { LEFT, RIGHT, RESULT, N_PLANES };

static pc_status make_planes(pci_bench_ladder *ladder, int8_t **arena)
{
    pci_bench *bench = ladder->bench;
    pci_gpu_layout layout = pci_gpu_layout_of(ladder->options->n);
    pc_status status = pci_bench_memory(bench, N_PLANES * layout.plane_bytes, (void **)arena);
    if (status != PC_OK)
        return status;
    cudaError_t error =
        pci_ladder_to_plane(&ladder->product.a, false, *arena, layout.n_padded, bench->stream);
    if (error == cudaSuccess)
        error = pci_ladder_to_plane(&ladder->product.b, true, *arena + RIGHT * layout.plane_bytes,
                                    layout.n_padded, bench->stream);
    return pci_gpu_check(bench->context, error, "making planes");
}

static pc_status make_launch(pci_bench_ladder *ladder, pci_gpu_kernel kernel, int8_t *arena,
                             pci_bench_launch *launch)
{
    pc_status status = pci_bench_launch_make(ladder->bench, kernel, ladder->options->n, arena,
                                             N_PLANES, 1, false, launch);
    launch->product.job[0] = (pci_product_job){.left = LEFT, .right = RIGHT, .n_outputs = 1};
    launch->product.output[0].plane =
        launch->product.arena + RESULT * launch->product.layout.plane_bytes;
    pci_reduction_make(PCI_LADDER_MODULUS, &launch->product.output[0].reduction);
    return status;
}

static pc_status measure_engine(pci_bench_ladder *ladder, pci_gpu_kernel kernel)
{
    pci_bench *bench = ladder->bench;
    int n_held = bench->n_blocks;
    int8_t *arena = NULL;
    pci_bench_launch launch;
    pci_ladder_candidate candidate = {.item = {.run = pci_bench_launch_run, .work = &launch},
                                      .kind = PCI_LADDER_RESIDUES};
    candidate.row.kernel = engine_names[kernel];
    candidate.row.source = "pathcount, mod 251";
    pc_status status = PC_OK;
    if (!pci_gpu_kernel_runs(kernel, bench->device.major, bench->device.minor))
        status = pci_fail(bench->context, PC_ERR_ENGINE, "this GPU has no instructions for it");
    if (status == PC_OK)
        status = make_planes(ladder, &arena);
    if (status == PC_OK)
        status = make_launch(ladder, kernel, arena, &launch);
    if (status == PC_OK) {
        candidate.result_bytes = pci_gpu_layout_of(ladder->options->n).plane_bytes;
        candidate.result = arena + RESULT * candidate.result_bytes;
    }
    status = measure_and_report(ladder, &candidate, status);
    pci_bench_release_to(bench, n_held);
    return status;
}

static pc_status measure_engines(pci_bench_ladder *ladder)
{
    pc_status status = PC_OK;
    for (int k = 0; k < PCI_N_GPU_KERNELS && status == PC_OK; k++)
        if (is_wanted(ladder, engine_names[k]))
            status = measure_engine(ladder, (pci_gpu_kernel)k);
    return status;
}

/* ---- The processor --------------------------------------------------------------------------- */

static pc_status measure_rungs(pci_bench_ladder *ladder)
{
    pci_rungs rungs = {.context = ladder->bench->context,
                       .options = ladder->options,
                       .report = ladder->report,
                       .rung = pci_cpu_ladder,
                       .n_rungs = pci_cpu_ladder_n,
                       .library_ms = ladder->library_ms,
                       .first_ms = ladder->first_ms};
    pc_status status = pci_rungs_measure(&rungs);
    ladder->bench->n_wrong += rungs.n_wrong;
    return status;
}

/* ---- The entry ------------------------------------------------------------------------------- */

static pc_status measure_rows(pci_bench_ladder *ladder)
{
    pci_ladder_candidate sgemm;
    pc_status status = measure_sgemm(ladder, &sgemm);
    if (status == PC_OK)
        status = measure_steps(ladder);
    if (status == PC_OK)
        status = measure_library(ladder, &sgemm);
    if (status == PC_OK)
        status = measure_engines(ladder);
    if (status == PC_OK)
        status = measure_rungs(ladder);
    return status;
}

__attribute__((visibility("default"))) pc_status
pci_engine_cuda_ladder(pc_context *context, const pc_ladder_options *options,
                       const pci_ladder_report *report)
{
    pc_bench_options frame_options = {.n_rounds = options->n_rounds};
    pci_bench_report frame_report = {.machine = report->machine, .user = report->user};
    pci_bench bench = {.context = context, .options = &frame_options, .report = &frame_report};
    pci_bench_ladder ladder = {.bench = &bench, .options = options, .report = report};
    pc_status status = check_names(&ladder);
    if (status == PC_OK)
        status = pci_bench_begin(&bench);
    if (status == PC_OK)
        status = pci_bench_ladder_prepare(&ladder);
    if (status == PC_OK)
        status = measure_rows(&ladder);
    return pci_bench_end(&bench, status);
}
