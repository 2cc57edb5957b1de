/* Each product kernel, full and triangular, beside the product of cuBLASLt without and with the
 * reduction that our kernels contain, and the kernel of halves beside the BF16 product of cuBLAS. */
#include "tests/bench/gpu/gpu.h"

#include <stdio.h>

#define SECTION "products"

enum {
    MODULUS = 251,
    PLAIN_MAX_SIZE = 2048, /* the plain kernel is slow */
    /* Kernels from this one down do not use the tensor cores: they are timed among themselves. */
    FIRST_SLOW = PCI_GPU_DP4A
};

/* Planes of the arena. */
enum { SYMMETRIC, GENERAL, RESULT, REDUCED, N_PLANES };

typedef struct products {
    uint32_t n;
    int8_t *arena;
    int32_t *raw;
    uint16_t *bf16[2]; /* GENERAL and SYMMETRIC; NULL without a library */
    pci_reduction reduction;
    struct candidate {
        bool is_measured;
        char name[64];
        bench_launch launch;
    } candidates[PCI_N_GPU_KERNELS][2]; /* full, triangular */
} products;

static int8_t *plane(const products *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
}

static void make_operands(bench *b, products *p)
{
    static const uint32_t bf16_planes[2] = {GENERAL, SYMMETRIC};
    uint64_t n_entries = (uint64_t)p->n * p->n;
    pci_cublas *cublas = b->gpu->cublas;
    cudaStream_t stream = b->gpu->stream;
    pci_reduction_make(MODULUS, &p->reduction);
    p->arena = bench_gpu_memory(b, N_PLANES * n_entries);
    p->raw = bench_gpu_memory(b, sizeof *p->raw * n_entries);
    for (int o = 0; o < 2 && cublas; o++)
        p->bf16[o] = bench_gpu_memory(b, n_entries * sizeof **p->bf16);
    if (b->status != PC_OK)
        return;
    bench_gpu_check(b, pci_bench_fill(plane(p, SYMMETRIC), p->n, MODULUS, true, 1, stream),
                    "filling operands");
    bench_gpu_check(b, pci_bench_fill(plane(p, GENERAL), p->n, MODULUS, false, 2, stream),
                    "filling operands");
    if (!cublas)
        return;
    for (int o = 0; o < 2; o++)
        bench_gpu_check(b,
                        pci_bench_to_bf16(plane(p, bf16_planes[o]), n_entries, p->bf16[o], stream),
                        "filling operands");
    bench_check(b,
                cublas->choose_int8(cublas, p->n, plane(p, GENERAL), plane(p, SYMMETRIC), p->raw));
}

/* ---- Correctness ----------------------------------------------------------------------------- */

/* Runs the launch once over a result that was overwritten before, and compares it with raw. */
static void verify(bench *b, products *p, struct candidate *candidate)
{
    uint64_t bytes = pci_gpu_layout_of(p->n).plane_bytes, n_wrong = 0;
    bench_gpu_check(b, cudaMemsetAsync(plane(p, RESULT), 0x55, bytes, b->gpu->stream), "clearing");
    if (b->status == PC_OK)
        bench_launch_run(b, &candidate->launch);
    if (b->status == PC_OK)
        n_wrong = bench_compare(b, p->n, p->raw, plane(p, RESULT), MODULUS);
    candidate->is_measured = b->status == PC_OK && n_wrong == 0;
    if (n_wrong > 0)
        bench_note_wrong(b, SECTION, candidate->name, p->n, n_wrong);
}

/* A kernel that the GPU refuses gets a row that says so; the others may run all the same. */
static void make_candidate(bench *b, products *p, pci_gpu_kernel kernel, bool symmetric)
{
    struct candidate *candidate = &p->candidates[kernel][symmetric];
    pci_product *product = &candidate->launch.product;
    snprintf(candidate->name, sizeof candidate->name, "%s, %s", pci_gpu_kernel_name(kernel),
             symmetric ? "triangular" : "full");
    bench_launch_make(b, kernel, p->n, p->arena, N_PLANES, 1, symmetric, &candidate->launch);
    product->job[0] = (pci_product_job){.left = symmetric ? SYMMETRIC : GENERAL,
                                        .right = SYMMETRIC,
                                        .first_output = 0,
                                        .n_outputs = 1};
    product->output[0] = (pci_product_output){plane(p, RESULT), p->reduction};
    verify(b, p, candidate);
    if (b->status != PC_ERR_ENGINE)
        return;
    bench_note(b, SECTION, pci_gpu_kernel_name(kernel), p->n, pc_context_message(b->context));
    b->status = PC_OK;
}

static void make_candidates(bench *b, products *p)
{
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        bench_reference(b, p->n, p->arena, N_PLANES, symmetric ? SYMMETRIC : GENERAL, SYMMETRIC,
                        p->raw);
        for (int k = 0; k < PCI_N_GPU_KERNELS && b->status == PC_OK; k++) {
            bool has_form = k != PCI_GPU_PLAIN || (p->n <= PLAIN_MAX_SIZE && !symmetric);
            if (has_form &&
                pci_gpu_kernel_runs((pci_gpu_kernel)k, b->gpu->device.major, b->gpu->device.minor))
                make_candidate(b, p, (pci_gpu_kernel)k, symmetric);
        }
    }
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* The items that are timed: the library, then each kernel full and triangular, the fastest kernel first. */
enum {
    LIBRARY,
    LIBRARY_REDUCED,
    LIBRARY_BF16,
    FIRST_KERNEL,
    N_ITEMS = FIRST_KERNEL + 2 * PCI_N_GPU_KERNELS,
    N_FAST_ITEMS = FIRST_KERNEL + 2 * (PCI_N_GPU_KERNELS - 1 - FIRST_SLOW)
};

static void run_bf16(bench *b, void *work)
{
    const products *p = work;
    bench_check(
        b, b->gpu->cublas->bf16(b->gpu->cublas, p->n, p->bf16[0], p->bf16[1], (float *)p->raw));
}

static void add_kernel(const bench *b, products *p, int i, bench_item *items)
{
    int kernel = PCI_N_GPU_KERNELS - 1 - (i - FIRST_KERNEL) / 2;
    bool symmetric = (i - FIRST_KERNEL) % 2, has_halves = pci_gpu_kernel_has_halves(kernel);
    struct candidate *candidate = &p->candidates[kernel][symmetric];
    items[i] = (bench_item){
        .name = candidate->name,
        .run = candidate->is_measured ? bench_launch_run : NULL,
        .work = &candidate->launch,
        .verified = bench_reference_name(b),
        .peer = {{"cuBLASLt", &items[LIBRARY]},
                 {has_halves ? "cuBLAS BF16" : "cuBLASLt + reduction",
                  &items[has_halves ? LIBRARY_BF16 : LIBRARY_REDUCED]},
                 {"full", symmetric ? &items[i - 1] : NULL}},
    };
}

static void measure(bench *b, products *p)
{
    bench_library plain = {.n = p->n,
                           .n_products = 1,
                           .left = plane(p, GENERAL),
                           .right = plane(p, SYMMETRIC),
                           .raw = p->raw,
                           .out = plane(p, REDUCED)};
    bench_library reduced = plain;
    reduced.reduction = &p->reduction;
    bench_item items[N_ITEMS] = {0};
    if (b->gpu->cublas) {
        items[LIBRARY] = (bench_item){.name = "cuBLASLt", .run = bench_library_run, .work = &plain};
        items[LIBRARY_REDUCED] = (bench_item){
            .name = "cuBLASLt + reduction", .run = bench_library_run, .work = &reduced};
        items[LIBRARY_BF16] = (bench_item){.name = "cuBLAS BF16", .run = run_bf16, .work = p};
    }
    for (int i = FIRST_KERNEL; i < N_ITEMS; i++)
        add_kernel(b, p, i, items);
    for (int i = 0; i < N_ITEMS; i++) {
        items[i].unit = "TOPS";
        items[i].amount = bench_operations(p->n);
    }
    bench_time(b, N_FAST_ITEMS, items);
    bench_time(b, N_ITEMS - N_FAST_ITEMS, items + N_FAST_ITEMS);
    bench_tell_items(b, SECTION, p->n, N_ITEMS, items);
}

static void measure_size(bench *b, uint32_t n)
{
    products *p = bench_alloc(b, "products to measure", 1, sizeof *p);
    if (!p)
        return;
    p->n = n;
    make_operands(b, p);
    if (b->status == PC_OK)
        make_candidates(b, p);
    if (b->status == PC_OK)
        measure(b, p);
    pci_free(b->context, p);
}

void bench_products(bench *b)
{
    static const uint32_t sizes[] = {2048, 4096, 8192, 16384};
    bench_gpu_each_size(b, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}
