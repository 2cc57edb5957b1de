/* Each product kernel, full and triangular, beside the product of cuBLASLt without and with the
 * reduction that our kernels contain, and the kernels of halves beside the BF16 product of cuBLAS. */
#include "gpu/bench/bench.h"

#include <inttypes.h>
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
        pci_bench_launch launch;
    } candidates[PCI_N_GPU_KERNELS][2]; /* full, triangular */
} products;

static int8_t *plane(const products *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
}

static pc_status make_bf16(pci_bench *bench, products *p)
{
    static const uint32_t planes[2] = {GENERAL, SYMMETRIC};
    uint64_t n_entries = (uint64_t)p->n * p->n;
    pc_status status = PC_OK;
    for (int o = 0; o < 2 && status == PC_OK; o++) {
        status = pci_bench_memory(bench, n_entries * sizeof **p->bf16, (void **)&p->bf16[o]);
        if (status == PC_OK)
            status = pci_gpu_check(
                bench->context,
                pci_bench_to_bf16(plane(p, planes[o]), n_entries, p->bf16[o], bench->stream),
                "filling operands");
    }
    return status;
}

static pc_status make_operands(pci_bench *bench, uint32_t n, products *p)
{
    size_t n_entries = (size_t)n * n;
    p->n = n;
    pci_reduction_make(MODULUS, &p->reduction);
    pc_status status = pci_bench_memory(bench, N_PLANES * n_entries, (void **)&p->arena);
    if (status == PC_OK)
        status = pci_bench_memory(bench, sizeof *p->raw * n_entries, (void **)&p->raw);
    if (status != PC_OK)
        return status;
    cudaError_t error = pci_bench_fill(plane(p, SYMMETRIC), n, MODULUS, true, 1, bench->stream);
    if (error == cudaSuccess)
        error = pci_bench_fill(plane(p, GENERAL), n, MODULUS, false, 2, bench->stream);
    status = pci_gpu_check(bench->context, error, "filling operands");
    if (status == PC_OK && bench->cublas)
        status = make_bf16(bench, p);
    if (status == PC_OK && bench->cublas)
        status = bench->cublas->choose_int8(bench->cublas, n, plane(p, GENERAL),
                                            plane(p, SYMMETRIC), p->raw);
    return status;
}

/* ---- Correctness ----------------------------------------------------------------------------- */

/* Runs the launch once over a result that was overwritten before, and compares it with raw. */
static pc_status verify(pci_bench *bench, products *p, struct candidate *candidate)
{
    uint64_t n_wrong = 0, bytes = pci_gpu_layout_of(p->n).plane_bytes;
    pc_status status = pci_gpu_check(
        bench->context, cudaMemsetAsync(plane(p, RESULT), 0x55, bytes, bench->stream), "clearing");
    if (status == PC_OK)
        status = pci_bench_launch_run(bench, &candidate->launch);
    if (status == PC_OK)
        status = pci_bench_compare(bench, p->n, p->raw, plane(p, RESULT), MODULUS, &n_wrong);
    candidate->is_measured = status == PC_OK && n_wrong == 0;
    if (n_wrong > 0) {
        char note[96];
        snprintf(note, sizeof note, "WRONG: %" PRIu64 " of %" PRIu64 " entries", n_wrong,
                 (uint64_t)p->n * p->n);
        pci_bench_note(bench, SECTION, candidate->name, p->n, note);
        bench->n_wrong++;
    }
    return status;
}

static pc_status make_candidate(pci_bench *bench, products *p, pci_gpu_kernel kernel,
                                bool symmetric)
{
    struct candidate *candidate = &p->candidates[kernel][symmetric];
    snprintf(candidate->name, sizeof candidate->name, "%s, %s", pci_gpu_kernel_name(kernel),
             symmetric ? "triangular" : "full");
    pc_status status = pci_bench_launch_make(bench, kernel, p->n, p->arena, N_PLANES, 1, symmetric,
                                             &candidate->launch);
    pci_product *product = &candidate->launch.product;
    product->job[0] = (pci_product_job){.left = symmetric ? SYMMETRIC : GENERAL,
                                        .right = SYMMETRIC,
                                        .first_output = 0,
                                        .n_outputs = 1};
    product->output[0] =
        (pci_product_output){p->arena + RESULT * product->layout.plane_bytes, p->reduction};
    if (status == PC_OK)
        status = verify(bench, p, candidate);
    if (status != PC_ERR_ENGINE)
        return status;
    /* the others may run all the same */
    pci_bench_note(bench, SECTION, pci_gpu_kernel_name(kernel), p->n,
                   pc_context_message(bench->context));
    return PC_OK;
}

static bool is_wanted(const pci_bench *bench, const products *p, pci_gpu_kernel kernel,
                      bool symmetric)
{
    if (kernel == PCI_GPU_PLAIN && (p->n > PLAIN_MAX_SIZE || symmetric))
        return false; /* it has no triangular form */
    return pci_gpu_kernel_runs(kernel, bench->device.major, bench->device.minor);
}

static pc_status make_candidates(pci_bench *bench, products *p)
{
    pc_status status = PC_OK;
    for (int symmetric = 0; symmetric < 2 && status == PC_OK; symmetric++) {
        status = pci_bench_reference(bench, p->n, p->arena, N_PLANES,
                                     symmetric ? SYMMETRIC : GENERAL, SYMMETRIC, p->raw);
        for (int k = 0; k < PCI_N_GPU_KERNELS && status == PC_OK; k++)
            if (is_wanted(bench, p, (pci_gpu_kernel)k, symmetric))
                status = make_candidate(bench, p, (pci_gpu_kernel)k, symmetric);
    }
    return status;
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* What is timed: the library, then each kernel full and triangular, the fastest kernel first. */
enum {
    LIBRARY,
    LIBRARY_REDUCED,
    LIBRARY_BF16,
    FIRST_KERNEL,
    N_ITEMS = FIRST_KERNEL + 2 * PCI_N_GPU_KERNELS,
    N_FAST_ITEMS = FIRST_KERNEL + 2 * (PCI_N_GPU_KERNELS - 1 - FIRST_SLOW)
};

static pci_bench_item item_of(uint32_t n, const char *name)
{
    return (pci_bench_item){.name = name, .unit = "TOPS", .amount = pci_bench_operations(n)};
}

static void add_library(pci_bench_library *library, const char *name, pci_bench_item *item)
{
    *item = item_of(library->n, name);
    item->run = pci_bench_library_run;
    item->work = library;
}

static pc_status run_bf16(pci_bench *bench, void *work)
{
    const products *p = work;
    return bench->cublas->bf16(bench->cublas, p->n, p->bf16[0], p->bf16[1], (float *)p->raw);
}

static void add_kernels(const pci_bench *bench, products *p, pci_bench_item *items)
{
    for (int i = FIRST_KERNEL; i < N_ITEMS; i++) {
        int kernel = PCI_N_GPU_KERNELS - 1 - (i - FIRST_KERNEL) / 2;
        bool symmetric = (i - FIRST_KERNEL) % 2;
        struct candidate *candidate = &p->candidates[kernel][symmetric];
        items[i] = item_of(p->n, candidate->name);
        items[i].run = candidate->is_measured ? pci_bench_launch_run : NULL;
        items[i].work = &candidate->launch;
        items[i].verified = pci_bench_reference_name(bench);
        items[i].peer[0].name = "cuBLASLt";
        items[i].peer[0].item = &items[LIBRARY];
        items[i].peer[1].name = "cuBLASLt + reduction";
        items[i].peer[1].item = &items[LIBRARY_REDUCED];
        if (pci_gpu_kernel_has_halves(kernel)) {
            items[i].peer[1].name = "cuBLAS BF16";
            items[i].peer[1].item = &items[LIBRARY_BF16];
        }
        items[i].peer[2].name = "full";
        items[i].peer[2].item = symmetric ? &items[i - 1] : NULL;
    }
}

static pc_status measure(pci_bench *bench, products *p)
{
    pci_bench_library plain = {.n = p->n,
                               .n_products = 1,
                               .left = plane(p, GENERAL),
                               .right = plane(p, SYMMETRIC),
                               .raw = p->raw,
                               .out = plane(p, REDUCED)};
    pci_bench_library reduced = plain;
    reduced.reduction = &p->reduction;
    pci_bench_item items[N_ITEMS] = {0};
    if (bench->cublas) {
        add_library(&plain, "cuBLASLt", &items[LIBRARY]);
        add_library(&reduced, "cuBLASLt + reduction", &items[LIBRARY_REDUCED]);
        items[LIBRARY_BF16] = item_of(p->n, "cuBLAS BF16");
        items[LIBRARY_BF16].run = run_bf16;
        items[LIBRARY_BF16].work = p;
    }
    add_kernels(bench, p, items);
    pc_status status = pci_bench_time(bench, PCI_BENCH_EVENTS, N_FAST_ITEMS, items);
    if (status == PC_OK)
        status =
            pci_bench_time(bench, PCI_BENCH_EVENTS, N_ITEMS - N_FAST_ITEMS, items + N_FAST_ITEMS);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, p->n, N_ITEMS, items);
    return status;
}

static pc_status measure_size(pci_bench *bench, uint32_t n)
{
    products *p = pci_alloc_zero(bench->context, 1, sizeof *p);
    if (!p)
        return pci_fail_memory(bench->context, "products to measure", sizeof *p);
    pc_status status = make_operands(bench, n, p);
    if (status == PC_OK)
        status = make_candidates(bench, p);
    if (status == PC_OK)
        status = measure(bench, p);
    pci_free(bench->context, p);
    return status;
}

pc_status pci_bench_products(pci_bench *bench)
{
    static const uint32_t sizes[] = {2048, 4096, 8192, 16384};
    return pci_bench_each_size(bench, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}
