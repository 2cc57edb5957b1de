/* Nine planes in one launch, as a level of 64-bit counts squares them, beside nine products of
 * cuBLASLt with a reduction each. Then the last level of a coarsened graph whose blocks are pairs:
 * nine reduced products, sums over blocks included, beside the whole products. */
#include "tests/bench/gpu/gpu.h"

#include "gpu/engine/entrywise.h"
#include "src/residues/residues.h"

#include <stdio.h>

#define SECTION "planes"

enum { N = 9 /* planes: about as many as counts below 2^64 need */ };

/* Planes of the arena: N of each, and at the end the S of a partition into pairs. */
enum { OPERANDS = 0, RESULTS = N, LEFT_SUMS = 2 * N, RIGHT_SUMS = 3 * N, S = 4 * N, N_PLANES };

/* The items that are measured. */
enum { LIBRARY, LIBRARY_REDUCED, FULL, TRIANGULAR, PAIRS, PAIRS_TRIANGULAR, N_ITEMS };

typedef struct planes {
    char name[N_ITEMS][64];
    uint32_t n;
    uint16_t m[N];
    pci_reduction reduction[N];
    int8_t *arena;
    int32_t *raw;
    bool is_right[2]; /* full, triangular */
    bench_launch launch[2];
    pci_gpu_blocks blocks;
    struct pairs {
        bool is_right;
        pci_gpu_layout layout;
        const pci_gpu_blocks *blocks;
        pci_gpu_block_sum rows[N], columns[N]; /* triangular: columns are rows */
        bench_launch launch;
    } pairs[2];
} planes;

static int8_t *plane(const planes *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
}

static void make_operands(bench *b, planes *p)
{
    size_t n_entries = (size_t)p->n * p->n;
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    p->arena = bench_gpu_memory(b, N_PLANES * n_entries);
    p->raw = bench_gpu_memory(b, sizeof *p->raw * n_entries);
    for (uint32_t i = 0; i < N && b->status == PC_OK; i++) {
        p->m[i] = moduli.m[i];
        pci_reduction_make(p->m[i], &p->reduction[i]);
        bench_gpu_check(b, pci_bench_fill(plane(p, i), p->n, p->m[i], true, i, b->gpu->stream),
                        "filling operands");
    }
    if (b->status == PC_OK && b->gpu->cublas)
        bench_check(
            b, b->gpu->cublas->choose_int8(b->gpu->cublas, p->n, plane(p, 0), plane(p, 0), p->raw));
}

static void make_launch(bench *b, planes *p, bool symmetric)
{
    bench_launch *launch = &p->launch[symmetric];
    bench_launch_make(b, b->gpu->device.kernel, p->n, p->arena, N_PLANES, N, symmetric, launch);
    for (uint32_t i = 0; i < N; i++) {
        launch->product.job[i] =
            (pci_product_job){.left = i, .right = i, .first_output = i, .n_outputs = 1};
        launch->product.output[i] = (pci_product_output){plane(p, RESULTS + i), p->reduction[i]};
    }
}

/* Counts the entries of a plane that are not those of left right^T. */
static uint64_t count_wrong(bench *b, const planes *p, pci_product_job job, uint32_t result,
                            uint32_t m)
{
    bench_reference(b, p->n, p->arena, N_PLANES, job.left, job.right, p->raw);
    return b->status == PC_OK ? bench_compare(b, p->n, p->raw, plane(p, result), m) : 0;
}

/* Returns whether all entries were right; else a row says how many were not. */
static bool is_right(bench *b, const planes *p, int item, uint64_t n_wrong)
{
    if (n_wrong > 0)
        bench_note_wrong(b, SECTION, p->name[item], p->n, n_wrong);
    return b->status == PC_OK && n_wrong == 0;
}

/* Runs the launch once over results that were overwritten, and compares each of its planes. */
static void verify(bench *b, planes *p, bool symmetric)
{
    uint64_t n_wrong = 0, bytes = pci_gpu_layout_of(p->n).plane_bytes;
    bench_gpu_check(b, cudaMemsetAsync(plane(p, RESULTS), 0x55, N * bytes, b->gpu->stream),
                    "clearing");
    if (b->status == PC_OK)
        bench_launch_run(b, &p->launch[symmetric]);
    for (uint32_t i = 0; i < N; i++)
        n_wrong +=
            count_wrong(b, p, (pci_product_job){.left = i, .right = i}, RESULTS + i, p->m[i]);
    p->is_right[symmetric] = is_right(b, p, FULL + symmetric, n_wrong);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* Makes S on the device, as a partition and as a plane. */
static void make_blocks(bench *b, planes *p)
{
    uint32_t n_blocks = p->n / 2, n_tiles = pci_gpu_layout_of(p->n).n_padded / PCI_TILE;
    uint64_t *start = bench_alloc(b, "pairs", p->n + 1, sizeof *start);
    uint32_t *number = bench_alloc(b, "pairs", p->n + 1, sizeof *number);
    if (b->status == PC_OK) {
        for (uint32_t i = 0; i <= p->n; i++) {
            start[i] = 2 * (uint64_t)i;
            number[i] = i;
        }
        void *starts = bench_gpu_upload(b, start, (n_blocks + 1) * sizeof *start);
        void *vertices = bench_gpu_upload(b, number, p->n * sizeof *number);
        for (uint32_t t = 0; t < n_tiles; t++)
            number[t] = t * (PCI_TILE / 2);
        number[n_tiles] = pci_gpu_layout_of(n_blocks).n_padded;
        void *first_blocks = bench_gpu_upload(b, number, (n_tiles + 1) * sizeof *number);
        p->blocks = (pci_gpu_blocks){n_blocks, starts, vertices, first_blocks};
    }
    pci_free(b->context, start);
    pci_free(b->context, number);
    if (b->status != PC_OK)
        return;
    bench_gpu_check(b, cudaMemsetAsync(plane(p, S), 0, (size_t)p->n * p->n, b->gpu->stream),
                    "filling operands");
    /* 1 at (b, 2 b) and (b, 2 b + 1) */
    bench_gpu_check(b, cudaMemset2DAsync(plane(p, S), p->n + 2, 1, 2, n_blocks, b->gpu->stream),
                    "filling operands");
}

static void run_pairs(bench *b, void *work)
{
    struct pairs *of = work;
    bool symmetric = of->launch.product.shape.symmetric;
    if (bench_gpu_check(b,
                        pci_gpu_sum_both(of->blocks, &of->layout, N, of->rows,
                                         symmetric ? of->rows : of->columns, b->gpu->stream),
                        "summing blocks"))
        bench_launch_run(b, &of->launch);
}

static void make_pairs(bench *b, planes *p, bool symmetric)
{
    struct pairs *of = &p->pairs[symmetric];
    pci_product *product = &of->launch.product;
    bench_launch_make(b, b->gpu->device.kernel, p->n / 2, p->arena, N_PLANES, N, symmetric,
                      &of->launch);
    of->layout = pci_gpu_layout_of(p->n);
    of->blocks = &p->blocks;
    product->layout = of->layout; /* tiles of the result in planes of the operands */
    for (uint32_t i = 0; i < N; i++) {
        of->rows[i] = (pci_gpu_block_sum){
            .from = {plane(p, OPERANDS + i)},
            .modulus = {.m = p->m[i], .reduction = p->reduction[i]},
            .to = {plane(p, LEFT_SUMS + i)},
        };
        of->columns[i] = of->rows[i];
        of->columns[i].to[0] = plane(p, RIGHT_SUMS + i);
        product->job[i] =
            (pci_product_job){LEFT_SUMS + i, (symmetric ? LEFT_SUMS : RIGHT_SUMS) + i, i, 1};
        product->output[i] = (pci_product_output){plane(p, RESULTS + i), p->reduction[i]};
    }
}

/* Runs over sums and results that were cleared: entries beside the blocks stay zero. */
static void verify_pairs(bench *b, planes *p, bool symmetric)
{
    struct pairs *of = &p->pairs[symmetric];
    uint64_t n_wrong = 0, bytes = of->layout.plane_bytes;
    bench_gpu_check(b, cudaMemsetAsync(plane(p, RESULTS), 0, 3 * N * bytes, b->gpu->stream),
                    "clearing");
    if (b->status == PC_OK)
        run_pairs(b, of);
    for (uint32_t i = 0; i < N; i++) {
        const pci_product_job *job = &of->launch.product.job[i];
        pci_product_job sums = {.left = S, .right = OPERANDS + i};
        n_wrong += count_wrong(b, p, sums, job->left, p->m[i]);
        n_wrong += count_wrong(b, p, sums, job->right, p->m[i]);
        n_wrong += count_wrong(b, p, *job, RESULTS + i, p->m[i]);
    }
    of->is_right = is_right(b, p, PAIRS + symmetric, n_wrong);
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void measure(bench *b, planes *p)
{
    enum { NONE = -1 };
    static const int peers[N_ITEMS][BENCH_RATIOS] = {
        [LIBRARY] = {NONE, NONE, NONE},
        [LIBRARY_REDUCED] = {NONE, NONE, NONE},
        [FULL] = {LIBRARY, LIBRARY_REDUCED, NONE},
        [TRIANGULAR] = {LIBRARY, LIBRARY_REDUCED, FULL},
        [PAIRS] = {FULL, NONE, NONE},
        [PAIRS_TRIANGULAR] = {TRIANGULAR, NONE, NONE}};
    static const char *const peer_names[N_ITEMS] = {
        "cuBLASLt x 9", "cuBLASLt + reduction x 9", "full", "triangular", "", ""};
    bench_library plain = {.n = p->n,
                           .n_products = N,
                           .left = plane(p, 0),
                           .right = plane(p, 0),
                           .raw = p->raw,
                           .out = plane(p, RESULTS)};
    bench_library reduced = plain;
    reduced.reduction = p->reduction;
    bench_item items[N_ITEMS] = {0};
    if (b->gpu->cublas) {
        items[LIBRARY] = (bench_item){.run = bench_library_run, .work = &plain};
        items[LIBRARY_REDUCED] = (bench_item){.run = bench_library_run, .work = &reduced};
    }
    for (int s = 0; s < 2; s++) {
        if (p->is_right[s])
            items[FULL + s] = (bench_item){.run = bench_launch_run, .work = &p->launch[s]};
        if (p->pairs[s].is_right)
            items[PAIRS + s] = (bench_item){.run = run_pairs, .work = &p->pairs[s]};
    }
    for (int i = 0; i < N_ITEMS; i++) {
        items[i].name = p->name[i];
        items[i].amount = N * bench_operations(p->n) / (i >= PAIRS ? 4 : 1);
        items[i].unit = "TOPS";
        items[i].verified = i >= FULL ? bench_reference_name(b) : "";
        for (int k = 0; k < BENCH_RATIOS && peers[i][k] != NONE; k++) {
            items[i].peer[k].name = peer_names[peers[i][k]];
            items[i].peer[k].item = &items[peers[i][k]];
        }
    }
    bench_time(b, N_ITEMS, items);
    bench_tell_items(b, SECTION, p->n, N_ITEMS, items);
}

static void make_names(const bench *b, planes *p)
{
    static const char *const kinds[N_ITEMS] = {
        "", "", "full", "triangular", "reduced, pairs, full", "reduced, pairs, triangular"};
    snprintf(p->name[LIBRARY], sizeof p->name[0], "cuBLASLt x 9");
    snprintf(p->name[LIBRARY_REDUCED], sizeof p->name[0], "cuBLASLt + reduction x 9");
    for (int i = FULL; i < N_ITEMS; i++)
        snprintf(p->name[i], sizeof p->name[0], "%s, nine planes, %s",
                 pci_gpu_kernel_name(b->gpu->device.kernel), kinds[i]);
}

static void measure_size(bench *b, uint32_t n)
{
    planes *p = bench_alloc(b, "planes to measure", 1, sizeof *p);
    if (!p)
        return;
    p->n = n;
    make_names(b, p);
    make_operands(b, p);
    if (b->status == PC_OK)
        make_blocks(b, p);
    for (int symmetric = 0; symmetric < 2 && b->status == PC_OK; symmetric++) {
        make_launch(b, p, symmetric);
        if (b->status == PC_OK)
            verify(b, p, symmetric);
        make_pairs(b, p, symmetric);
        if (b->status == PC_OK)
            verify_pairs(b, p, symmetric);
    }
    if (b->status == PC_OK)
        measure(b, p);
    pci_free(b->context, p);
}

void bench_planes(bench *b)
{
    static const uint32_t sizes[] = {1024, 2048, 4096, 8192};
    bench_gpu_each_size(b, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}
