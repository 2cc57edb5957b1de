/* Nine planes in one launch, as a level of 64-bit counts squares them, beside nine products of
 * cuBLASLt with a reduction each. Then the last level of a coarsened graph whose blocks are pairs:
 * nine reduced products, sums over blocks included, beside the whole products. */
#include "gpu/bench/bench.h"

#include "gpu/engine/entrywise.h"
#include "src/residues/residues.h"

#include <inttypes.h>
#include <stdio.h>

#define SECTION "planes"

enum { N = 9 /* planes: about as many as counts below 2^64 need */ };

/* Planes of the arena: N of each, and at the end the S of a partition into pairs. */
enum { OPERANDS = 0, RESULTS = N, LEFT_SUMS = 2 * N, RIGHT_SUMS = 3 * N, S = 4 * N, N_PLANES };

/* What is measured. */
enum { LIBRARY, LIBRARY_REDUCED, FULL, TRIANGULAR, PAIRS, PAIRS_TRIANGULAR, N_ITEMS };

typedef struct planes {
    char name[N_ITEMS][64];
    uint32_t n;
    uint16_t m[N];
    pci_reduction reduction[N];
    int8_t *arena;
    int32_t *raw;
    bool is_right[2]; /* full, triangular */
    pci_bench_launch launch[2];
    pci_gpu_blocks blocks;
    struct pairs {
        bool is_right;
        pci_gpu_layout layout;
        const pci_gpu_blocks *blocks;
        pci_gpu_block_sum rows[N], columns[N]; /* triangular: columns are rows */
        pci_bench_launch launch;
    } pairs[2];
} planes;

static int8_t *plane(const planes *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
}

static pc_status make_operands(pci_bench *bench, uint32_t n, planes *p)
{
    size_t n_entries = (size_t)n * n;
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    p->n = n;
    pc_status status = pci_bench_memory(bench, N_PLANES * n_entries, (void **)&p->arena);
    if (status == PC_OK)
        status = pci_bench_memory(bench, sizeof *p->raw * n_entries, (void **)&p->raw);
    for (uint32_t i = 0; i < N && status == PC_OK; i++) {
        p->m[i] = moduli.m[i];
        pci_reduction_make(p->m[i], &p->reduction[i]);
        status = pci_gpu_check(bench->context,
                               pci_bench_fill(plane(p, i), n, p->m[i], true, i, bench->stream),
                               "filling operands");
    }
    if (status == PC_OK && bench->cublas)
        status = bench->cublas->choose_int8(bench->cublas, n, plane(p, 0), plane(p, 0), p->raw);
    return status;
}

static pc_status make_launch(pci_bench *bench, planes *p, bool symmetric)
{
    pci_bench_launch *launch = &p->launch[symmetric];
    pc_status status = pci_bench_launch_make(bench, bench->device.kernel, p->n, p->arena, N_PLANES,
                                             N, symmetric, launch);
    for (uint32_t i = 0; i < N; i++) {
        launch->product.job[i] =
            (pci_product_job){.left = i, .right = i, .first_output = i, .n_outputs = 1};
        launch->product.output[i] = (pci_product_output){plane(p, RESULTS + i), p->reduction[i]};
    }
    return status;
}

static void note_wrong(pci_bench *bench, const planes *p, int item, uint64_t n_wrong)
{
    char note[96];
    if (n_wrong == 0)
        return;
    snprintf(note, sizeof note, "WRONG: %" PRIu64 " entries", n_wrong);
    pci_bench_note(bench, SECTION, p->name[item], p->n, note);
    bench->n_wrong++;
}

/* Adds how many entries of a plane are not those of left right^T. */
static pc_status count_wrong(pci_bench *bench, const planes *p, pci_product_job job,
                             uint32_t result, uint32_t m, uint64_t *n_wrong)
{
    pc_status status =
        pci_bench_reference(bench, p->n, p->arena, N_PLANES, job.left, job.right, p->raw);
    if (status == PC_OK)
        status = pci_bench_compare(bench, p->n, p->raw, plane(p, result), m, n_wrong);
    return status;
}

/* Runs the launch once over results that were overwritten, and compares each of its planes. */
static pc_status verify(pci_bench *bench, planes *p, bool symmetric)
{
    uint64_t n_wrong = 0, bytes = pci_gpu_layout_of(p->n).plane_bytes;
    pc_status status = pci_gpu_check(
        bench->context, cudaMemsetAsync(plane(p, RESULTS), 0x55, N * bytes, bench->stream),
        "clearing");
    if (status == PC_OK)
        status = pci_bench_launch_run(bench, &p->launch[symmetric]);
    for (uint32_t i = 0; i < N && status == PC_OK; i++)
        status = count_wrong(bench, p, (pci_product_job){.left = i, .right = i}, RESULTS + i,
                             p->m[i], &n_wrong);
    if (status != PC_OK)
        return status;
    p->is_right[symmetric] = n_wrong == 0;
    note_wrong(bench, p, FULL + symmetric, n_wrong);
    return PC_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* Makes S on the device, as a partition and as a plane. */
static pc_status make_blocks(pci_bench *bench, planes *p)
{
    uint32_t n_blocks = p->n / 2, n_tiles = pci_gpu_layout_of(p->n).n_padded / PCI_TILE;
    uint64_t bytes = (uint64_t)p->n * sizeof(uint64_t);
    uint64_t *start = pci_alloc(bench->context, bytes + sizeof *start);
    uint32_t *number = pci_alloc(bench->context, bytes + sizeof *number);
    void *starts = NULL, *vertices = NULL, *first_blocks = NULL;
    pc_status status = start && number ? PC_OK : pci_fail_memory(bench->context, "pairs", bytes);
    for (uint32_t i = 0; i <= p->n && status == PC_OK; i++) {
        start[i] = 2 * (uint64_t)i;
        number[i] = i;
    }
    if (status == PC_OK)
        status = pci_bench_upload(bench, start, (n_blocks + 1) * sizeof *start, &starts);
    if (status == PC_OK)
        status = pci_bench_upload(bench, number, p->n * sizeof *number, &vertices);
    for (uint32_t t = 0; t < n_tiles && status == PC_OK; t++)
        number[t] = t * (PCI_TILE / 2);
    if (status == PC_OK)
        number[n_tiles] = pci_gpu_layout_of(n_blocks).n_padded;
    if (status == PC_OK)
        status = pci_bench_upload(bench, number, (n_tiles + 1) * sizeof *number, &first_blocks);
    p->blocks = (pci_gpu_blocks){n_blocks, starts, vertices, first_blocks};
    pci_free(bench->context, start);
    pci_free(bench->context, number);
    if (status != PC_OK)
        return status;
    cudaError_t error = cudaMemsetAsync(plane(p, S), 0, (size_t)p->n * p->n, bench->stream);
    if (error == cudaSuccess) /* 1 at (b, 2 b) and (b, 2 b + 1) */
        error = cudaMemset2DAsync(plane(p, S), p->n + 2, 1, 2, n_blocks, bench->stream);
    return pci_gpu_check(bench->context, error, "filling operands");
}

static pc_status run_pairs(pci_bench *bench, void *work)
{
    struct pairs *of = work;
    cudaError_t error = pci_gpu_sum_both(
        of->blocks, &of->layout, N, of->rows,
        of->launch.product.shape.symmetric ? of->rows : of->columns, bench->stream);
    pc_status status = pci_gpu_check(bench->context, error, "summing blocks");
    return status == PC_OK ? pci_bench_launch_run(bench, &of->launch) : status;
}

static pc_status make_pairs(pci_bench *bench, planes *p, bool symmetric)
{
    struct pairs *of = &p->pairs[symmetric];
    pci_product *product = &of->launch.product;
    pc_status status = pci_bench_launch_make(bench, bench->device.kernel, p->n / 2, p->arena,
                                             N_PLANES, N, symmetric, &of->launch);
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
    return status;
}

/* Runs over sums and results that were cleared: entries beside the blocks stay zero. */
static pc_status verify_pairs(pci_bench *bench, planes *p, bool symmetric)
{
    struct pairs *of = &p->pairs[symmetric];
    uint64_t n_wrong = 0, bytes = of->layout.plane_bytes;
    pc_status status = pci_gpu_check(
        bench->context, cudaMemsetAsync(plane(p, RESULTS), 0, 3 * N * bytes, bench->stream),
        "clearing");
    if (status == PC_OK)
        status = run_pairs(bench, of);
    for (uint32_t i = 0; i < N && status == PC_OK; i++) {
        const pci_product_job *job = &of->launch.product.job[i];
        pci_product_job sums = {.left = S, .right = OPERANDS + i};
        status = count_wrong(bench, p, sums, job->left, p->m[i], &n_wrong);
        if (status == PC_OK)
            status = count_wrong(bench, p, sums, job->right, p->m[i], &n_wrong);
        if (status == PC_OK)
            status = count_wrong(bench, p, *job, RESULTS + i, p->m[i], &n_wrong);
    }
    if (status != PC_OK)
        return status;
    of->is_right = n_wrong == 0;
    note_wrong(bench, p, PAIRS + symmetric, n_wrong);
    return PC_OK;
}

/* ---- Time ------------------------------------------------------------------------------------ */

static pc_status measure(pci_bench *bench, planes *p)
{
    static const char *const peer_names[N_ITEMS] = {
        "cuBLASLt x 9", "cuBLASLt + reduction x 9", "full", "triangular", "", ""};
    static const int peers[N_ITEMS][PC_BENCH_RATIOS] = {
        /* -1: no more */
        [LIBRARY] = {-1},
        [LIBRARY_REDUCED] = {-1},
        [FULL] = {LIBRARY, LIBRARY_REDUCED, -1},
        [TRIANGULAR] = {LIBRARY, LIBRARY_REDUCED, FULL},
        [PAIRS] = {FULL, -1},
        [PAIRS_TRIANGULAR] = {TRIANGULAR, -1}};
    const bool is_measured[N_ITEMS] = {bench->cublas != NULL, bench->cublas != NULL,
                                       p->is_right[0],        p->is_right[1],
                                       p->pairs[0].is_right,  p->pairs[1].is_right};
    pci_bench_library plain = {.n = p->n,
                               .n_products = N,
                               .left = plane(p, 0),
                               .right = plane(p, 0),
                               .raw = p->raw,
                               .out = plane(p, RESULTS)};
    pci_bench_library reduced = plain;
    reduced.reduction = p->reduction;
    pci_bench_item items[N_ITEMS] = {
        [LIBRARY] = {.run = pci_bench_library_run, .work = &plain},
        [LIBRARY_REDUCED] = {.run = pci_bench_library_run, .work = &reduced},
        [FULL] = {.run = pci_bench_launch_run, .work = &p->launch[0]},
        [TRIANGULAR] = {.run = pci_bench_launch_run, .work = &p->launch[1]},
        [PAIRS] = {.run = run_pairs, .work = &p->pairs[0]},
        [PAIRS_TRIANGULAR] = {.run = run_pairs, .work = &p->pairs[1]},
    };
    for (int i = 0; i < N_ITEMS; i++) {
        if (!is_measured[i])
            items[i].run = NULL;
        items[i].name = p->name[i];
        items[i].amount = N * pci_bench_operations(p->n) / (i >= PAIRS ? 4 : 1);
        items[i].unit = "TOPS";
        items[i].verified = i >= FULL ? pci_bench_reference_name(bench) : "";
        for (int k = 0; k < PC_BENCH_RATIOS && peers[i][k] >= 0; k++) {
            items[i].peer[k].name = peer_names[peers[i][k]];
            items[i].peer[k].item = &items[peers[i][k]];
        }
    }
    pc_status status = pci_bench_time(bench, PCI_BENCH_EVENTS, N_ITEMS, items);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, p->n, N_ITEMS, items);
    return status;
}

static void make_names(const pci_bench *bench, planes *p)
{
    static const char *const kinds[N_ITEMS] = {
        "", "", "full", "triangular", "reduced, pairs, full", "reduced, pairs, triangular"};
    snprintf(p->name[LIBRARY], sizeof p->name[0], "cuBLASLt x 9");
    snprintf(p->name[LIBRARY_REDUCED], sizeof p->name[0], "cuBLASLt + reduction x 9");
    for (int i = FULL; i < N_ITEMS; i++)
        snprintf(p->name[i], sizeof p->name[0], "%s, nine planes, %s",
                 pci_gpu_kernel_name(bench->device.kernel), kinds[i]);
}

static pc_status measure_size(pci_bench *bench, uint32_t n)
{
    planes *p = pci_alloc_zero(bench->context, 1, sizeof *p);
    if (!p)
        return pci_fail_memory(bench->context, "planes to measure", sizeof *p);
    make_names(bench, p);
    pc_status status = make_operands(bench, n, p);
    if (status == PC_OK)
        status = make_blocks(bench, p);
    for (int symmetric = 0; symmetric < 2 && status == PC_OK; symmetric++) {
        status = make_launch(bench, p, symmetric);
        if (status == PC_OK)
            status = verify(bench, p, symmetric);
        if (status == PC_OK)
            status = make_pairs(bench, p, symmetric);
        if (status == PC_OK)
            status = verify_pairs(bench, p, symmetric);
    }
    if (status == PC_OK)
        status = measure(bench, p);
    pci_free(bench->context, p);
    return status;
}

pc_status pci_bench_planes(pci_bench *bench)
{
    static const uint32_t sizes[] = {1024, 2048, 4096, 8192};
    return pci_bench_each_size(bench, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}
