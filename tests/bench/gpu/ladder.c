/* The ladder on a GPU: every kernel of gpu/ladder/, the products of cuBLAS and our own. Each is compared with one
 * product by sums of integers, which is itself checked on the host. */
#include "tests/bench/ladder.h"

#include "gpu/ladder/ladder.h"
#include "tests/bench/gpu/gpu.h"
#include "tests/bench/gpu/matrices.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SGEMM "cublas-sgemm"

enum {
    POISON = 0x80, /* in every byte: no integer as a float, and no centred residue */
    N_CHECKED_ROWS = 8,
};

static const char *const engine_names[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = "int8-plain", [PCI_GPU_DP4A] = "int8-dp4a",   [PCI_GPU_F16] = "f16",
    [PCI_GPU_MMA] = "int8-mma",     [PCI_GPU_WGMMA] = "int8-wgmma",
};

typedef struct gpu_ladder {
    bench_gpu gpu;
    pci_ladder_product product;    /* A and B, and a C for each candidate to write */
    pci_ladder_matrix expected[2]; /* the right product, and the right reduced product */
    unsigned long long *n_wrong;   /* on the device */
} gpu_ladder;

/* A candidate and where its result is. */
typedef struct attempt {
    ladder_candidate candidate; /* first: the address of one is that of the other */
    bool is_plane;              /* of residues modulo PCI_LADDER_MODULUS; else C on the device */
    void *result;
    size_t result_bytes;
    bool reduced;
} attempt;

/* ---- Matrices and their right product -------------------------------------------------------- */

static void make_matrix(bench *b, uint32_t n, pci_ladder_matrix *matrix)
{
    *matrix = (pci_ladder_matrix){.rows = n, .columns = n, .stride = (n + 3) / 4 * 4};
    matrix->element = bench_gpu_memory(b, (size_t)n * matrix->stride * sizeof(float));
}

static void make_matrices(ladder *l)
{
    bench *b = l->bench;
    gpu_ladder *g = l->gpu;
    cudaStream_t stream = g->gpu.stream;
    uint32_t largest = pci_ladder_largest(l->n);
    make_matrix(b, l->n, &g->product.a);
    make_matrix(b, l->n, &g->product.b);
    make_matrix(b, l->n, &g->product.c);
    make_matrix(b, l->n, &g->expected[false]);
    make_matrix(b, (l->n + 1) / 2, &g->expected[true]);
    g->n_wrong = bench_gpu_memory(b, sizeof *g->n_wrong);
    if (b->status != PC_OK)
        return;
    pci_ladder_product right = g->product;
    right.c = g->expected[false];
    bench_gpu_check(b, pci_ladder_fill(&right.a, PCI_LADDER_A, largest, stream), "making A");
    bench_gpu_check(b, pci_ladder_fill(&right.b, PCI_LADDER_B, largest, stream), "making B");
    bench_gpu_check(b, pci_ladder_expect(&right, stream), "making the right product");
    bench_gpu_check(b, pci_ladder_expect_reduced(&right.c, &g->expected[true], stream),
                    "making the right reduced product");
    bench_wait(b);
}

/* The host checks these rows of the product that all others are compared with: the first, the last,
 * and some between. */
static uint32_t checked_row(uint32_t n, uint32_t r)
{
    return (uint32_t)((uint64_t)(n - 1) * r / (N_CHECKED_ROWS - 1));
}

/* Computes these rows by the definition, from entries that are made again:
 * sums[N_CHECKED_ROWS][n]. */
static void multiply_rows(uint32_t n, uint64_t *sums)
{
    uint32_t largest = pci_ladder_largest(n);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t a[N_CHECKED_ROWS];
        for (uint32_t r = 0; r < N_CHECKED_ROWS; r++)
            a[r] = pci_ladder_entry(PCI_LADDER_A, checked_row(n, r), k, largest);
        for (uint32_t j = 0; j < n; j++) {
            uint64_t b = pci_ladder_entry(PCI_LADDER_B, k, j, largest);
            for (uint32_t r = 0; r < N_CHECKED_ROWS; r++)
                sums[(size_t)r * n + j] += a[r] * b;
        }
    }
}

static void check_row(bench *b, const pci_ladder_matrix *expected, uint32_t i, const uint64_t *sums,
                      float *row)
{
    if (!bench_gpu_check(b,
                         cudaMemcpy(row, expected->element + (size_t)i * expected->stride,
                                    expected->columns * sizeof *row, cudaMemcpyDeviceToHost),
                         "reading a row"))
        return;
    for (uint32_t j = 0; j < expected->columns && b->status == PC_OK; j++)
        if (row[j] != (float)sums[j])
            bench_check(b, pci_fail(b->context, PC_ERR_CERTIFY,
                                    "the product that all others are compared with is wrong at "
                                    "(%" PRIu32 ", %" PRIu32
                                    "): this is a bug in pathcount or a fault of this machine",
                                    i, j));
}

static void check_expected(ladder *l)
{
    bench *b = l->bench;
    uint64_t *sums = bench_alloc(b, "rows to check", (size_t)l->n * N_CHECKED_ROWS, sizeof *sums);
    float *row = bench_alloc(b, "a row to check", l->n, sizeof *row);
    if (b->status == PC_OK)
        multiply_rows(l->n, sums);
    for (uint32_t r = 0; r < N_CHECKED_ROWS && b->status == PC_OK; r++)
        check_row(b, &l->gpu->expected[false], checked_row(l->n, r), sums + (size_t)r * l->n, row);
    pci_free(b->context, sums);
    pci_free(b->context, row);
}

/* ---- One attempt ----------------------------------------------------------------------------- */

static void spoil(ladder *l, const ladder_candidate *c)
{
    const attempt *a = (const attempt *)c;
    bench_gpu_check(l->bench,
                    cudaMemsetAsync(a->result, POISON, a->result_bytes, l->gpu->gpu.stream),
                    "clearing a result");
}

static uint64_t count_wrong(ladder *l, const ladder_candidate *c)
{
    const attempt *a = (const attempt *)c;
    gpu_ladder *g = l->gpu;
    bench *b = l->bench;
    const pci_ladder_matrix *expected = &g->expected[a->reduced];
    cudaStream_t stream = g->gpu.stream;
    unsigned long long found = 0;
    bench_gpu_check(b, cudaMemsetAsync(g->n_wrong, 0, sizeof found, stream), "comparing a result");
    cudaError_t error =
        a->is_plane
            ? pci_ladder_compare_residues(expected, a->result, pci_gpu_layout_of(l->n).n_padded,
                                          PCI_LADDER_MODULUS, g->n_wrong, stream)
            : pci_ladder_compare_floats(expected, a->result, g->product.c.stride, g->n_wrong,
                                        stream);
    bench_gpu_check(b, error, "comparing a result");
    bench_wait(b);
    if (b->status == PC_OK)
        bench_gpu_check(b, cudaMemcpy(&found, g->n_wrong, sizeof found, cudaMemcpyDeviceToHost),
                        "comparing a result");
    return found;
}

/* An attempt whose result is C of the ladder, where nothing else is said. */
static attempt attempt_of(ladder *l, const char *name, const char *source,
                          void (*run)(bench *b, void *work), void *work)
{
    const pci_ladder_matrix *c = &l->gpu->product.c;
    return (attempt){.candidate = {.name = name,
                                   .source = source,
                                   .item = {.run = run, .work = work},
                                   .spoil = spoil,
                                   .count_wrong = count_wrong},
                     .result = c->element,
                     .result_bytes = (size_t)c->rows * c->stride * sizeof *c->element};
}

/* Measures it unless its preparation failed. Memory or anything else that the device lacks becomes a note. */
static void measure(ladder *l, attempt *a)
{
    bench *b = l->bench;
    if (b->status == PC_OK)
        ladder_measure(l, &a->candidate);
    if (b->status != PC_ERR_ENGINE && b->status != PC_ERR_MEMORY)
        return;
    snprintf(a->candidate.note, sizeof a->candidate.note, "%s", pc_context_message(b->context));
    b->context->message[0] = '\0';
    b->status = PC_OK;
}

static void measure_and_tell(ladder *l, attempt *a)
{
    measure(l, a);
    if (l->bench->status == PC_OK)
        ladder_tell(l, &a->candidate);
}

/* ---- Kernels of the documents ---------------------------------------------------------------- */

typedef struct step {
    const pci_ladder_kernel *kernel;
    pci_ladder_block block;
    pci_ladder_product product;
} step;

static void run_step(bench *b, void *work)
{
    const step *s = work;
    bench_gpu_check(b, pci_ladder_launch(s->kernel, &s->product, s->block, b->gpu->stream),
                    s->kernel->name);
}

/* What a thread computes, its registers, the shared memory of a block, and the part of a multiprocessor's threads that
 * can be active. */
static void describe_step(ladder *l, const step *s, char *text, size_t size)
{
    const void *function = s->kernel->function;
    int n_threads = (int)(s->block.x * s->block.y), n_blocks = 0, most = 1;
    struct cudaFuncAttributes of;
    cudaError_t error = cudaFuncGetAttributes(&of, function);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks, function, n_threads, 0);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor,
                                       l->gpu->gpu.device.index);
    if (bench_gpu_check(l->bench, error, s->kernel->name))
        snprintf(text, size, ": %s a thread, %d registers, %zu bytes shared, occupancy %.2f",
                 s->kernel->computes, of.numRegs, of.sharedSizeBytes,
                 (double)n_blocks * n_threads / most);
}

static void measure_step(ladder *l, const pci_ladder_kernel *kernel, pci_ladder_block block)
{
    gpu_ladder *g = l->gpu;
    step s = {.kernel = kernel, .block = block, .product = g->product};
    attempt a = attempt_of(l, kernel->name, kernel->source, run_step, &s);
    ladder_candidate *c = &a.candidate;
    c->block_x = block.x;
    c->block_y = block.y;
    a.reduced = kernel->reduced;
    if (kernel->reduced) {
        s.product.c.rows = g->expected[true].rows;
        s.product.c.columns = g->expected[true].columns;
    }
    describe_step(l, &s, c->figures, sizeof c->figures);
    measure(l, &a);
    if (l->bench->status != PC_OK)
        return;
    if (kernel == pci_ladder[0] && l->first_ms == 0) /* of its first block, the best one */
        l->first_ms = c->item.milliseconds;
    ladder_tell(l, c);
}

/* Each kernel with the best block of its source; a kernel that was named with all its blocks. */
static void measure_steps(ladder *l)
{
    for (size_t k = 0; k < pci_ladder_n_kernels; k++) {
        const pci_ladder_kernel *kernel = pci_ladder[k];
        int n_blocks = l->n_kernels == 0                  ? 1
                       : ladder_is_named(l, kernel->name) ? PCI_LADDER_BLOCKS
                                                          : 0;
        for (int i = 0; i < n_blocks && kernel->blocks[i].x != 0 && l->bench->status == PC_OK; i++)
            measure_step(l, kernel, kernel->blocks[i]);
    }
}

/* ---- The library ----------------------------------------------------------------------------- */

static void run_sgemm(bench *b, void *work)
{
    const pci_ladder_product *p = work;
    bench_check(b, b->gpu->cublas->sgemm(b->gpu->cublas, p->c.columns, p->c.stride, p->a.element,
                                         p->b.element, p->c.element));
}

static bool is_wanted(const ladder *l, const char *name)
{
    return l->n_kernels == 0 || ladder_is_named(l, name);
}

/* It comes first, also when it is not wanted: every row is compared with it. */
static void measure_library(ladder *l)
{
    bench *b = l->bench;
    const bench_gpu *gpu = &l->gpu->gpu;
    attempt a = attempt_of(l, SGEMM, "cuBLAS, floats", run_sgemm, &l->gpu->product);
    if (!gpu->cublas)
        bench_check(b, pci_fail(b->context, PC_ERR_ENGINE, "%s", gpu->library_missing));
    measure(l, &a);
    l->library_ms = a.candidate.item.milliseconds;
    if (b->status == PC_OK && is_wanted(l, SGEMM))
        ladder_tell(l, &a.candidate);
}

/* ---- Our own kernels ------------------------------------------------------------------------- */

/* Planes of the arena: A, B transposed as the kernels want it, their product. */
enum { LEFT, RIGHT, RESULT, N_PLANES };

static int8_t *make_planes(ladder *l, const pci_gpu_layout *layout)
{
    bench *b = l->bench;
    const pci_ladder_product *p = &l->gpu->product;
    int8_t *arena = bench_gpu_memory(b, N_PLANES * layout->plane_bytes);
    if (!arena)
        return NULL;
    bench_gpu_check(b, pci_ladder_to_plane(&p->a, false, arena, layout->n_padded, b->gpu->stream),
                    "making a plane");
    bench_gpu_check(b,
                    pci_ladder_to_plane(&p->b, true, arena + RIGHT * layout->plane_bytes,
                                        layout->n_padded, b->gpu->stream),
                    "making a plane");
    return arena;
}

static void measure_engine(ladder *l, pci_gpu_kernel kernel)
{
    bench *b = l->bench;
    const pci_gpu_device *device = &l->gpu->gpu.device;
    pci_gpu_layout layout = pci_gpu_layout_of(l->n);
    int n_held = l->gpu->gpu.n_blocks;
    bench_launch launch;
    attempt a =
        attempt_of(l, engine_names[kernel], "pathcount, mod 251", bench_launch_run, &launch);
    if (!pci_gpu_kernel_runs(kernel, device->major, device->minor))
        bench_check(b, pci_fail(b->context, PC_ERR_ENGINE, "this GPU has no instructions for it"));
    int8_t *arena = make_planes(l, &layout);
    if (arena) {
        bench_launch_make(b, kernel, l->n, arena, N_PLANES, 1, false, &launch);
        launch.product.job[0] = (pci_product_job){.left = LEFT, .right = RIGHT, .n_outputs = 1};
        launch.product.output[0].plane = arena + RESULT * layout.plane_bytes;
        pci_reduction_make(PCI_LADDER_MODULUS, &launch.product.output[0].reduction);
        a.is_plane = true;
        a.result = launch.product.output[0].plane;
        a.result_bytes = layout.plane_bytes;
    }
    measure_and_tell(l, &a);
    bench_gpu_release_to(b, n_held);
}

/* ---- The part -------------------------------------------------------------------------------- */

static size_t list_names(const char *names[LADDER_MAX_NAMES])
{
    size_t n = 0;
    for (size_t k = 0; k < pci_ladder_n_kernels; k++)
        names[n++] = pci_ladder[k]->name;
    names[n++] = SGEMM;
    for (size_t k = 0; k < PCI_N_GPU_KERNELS; k++)
        names[n++] = engine_names[k];
    return n;
}

static void begin(ladder *l)
{
    l->gpu = bench_alloc(l->bench, "the ladder", 1, sizeof *l->gpu);
    if (l->gpu)
        bench_gpu_begin(l->bench, &l->gpu->gpu);
}

static void measure_all(ladder *l)
{
    make_matrices(l);
    if (l->bench->status == PC_OK)
        check_expected(l);
    if (l->bench->status == PC_OK)
        measure_library(l);
    measure_steps(l);
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
        if (l->bench->status == PC_OK && is_wanted(l, engine_names[k]))
            measure_engine(l, (pci_gpu_kernel)k);
}

static void end(ladder *l)
{
    if (l->gpu)
        bench_gpu_end(l->bench);
    pci_free(l->bench->context, l->gpu);
    l->gpu = NULL;
}

const ladder_gpu_part ladder_of_gpu = {list_names, begin, measure_all, end};
