/* Each product kernel, full and triangular, beside the product of cuBLASLt without and with the
 * reduction that our kernels contain. */
#include "gpu/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>

#define SECTION "products"

enum {
    MODULUS = 251,
    PLAIN_MAX_SIZE = 2048, /* the plain kernel is slow */
    /* Kernels from this one down do not use the tensor cores: they are timed among themselves. */
    FIRST_SLOW = PCI_GPU_DP4A,
    MAX_ITEMS = 2 + 2 * PCI_N_GPU_KERNELS
};

/* Planes of the arena. */
enum { SYMMETRIC, GENERAL, RESULT, REDUCED, N_PLANES };

typedef struct products {
    uint32_t n;
    int8_t *arena;
    int32_t *raw;
    pci_reduction reduction;
    struct candidate {
        bool is_measured;
        bool symmetric; /* triangular, with the mirror stored */
        uint64_t n_wrong;
        pci_bench_launch launch;
    } candidates[PCI_N_GPU_KERNELS][2]; /* full, triangular */
} products;

static int8_t *plane(const products *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
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
        status = bench->cublas->choose_int8(bench->cublas, n, plane(p, GENERAL),
                                            plane(p, SYMMETRIC), p->raw);
    return status;
}

/* ---- Correctness ----------------------------------------------------------------------------- */

/* Runs the launch once over a result that was overwritten before, and compares it with raw. */
static pc_status verify(pci_bench *bench, products *p, struct candidate *candidate)
{
    uint64_t bytes = pci_gpu_layout_of(p->n).plane_bytes;
    pc_status status = pci_gpu_check(
        bench->context, cudaMemsetAsync(plane(p, RESULT), 0x55, bytes, bench->stream), "clearing");
    if (status == PC_OK)
        status = pci_bench_launch_run(bench, &candidate->launch);
    if (status == PC_OK)
        status =
            pci_bench_compare(bench, p->n, p->raw, plane(p, RESULT), MODULUS, &candidate->n_wrong);
    candidate->is_measured = status == PC_OK && candidate->n_wrong == 0;
    bench->n_wrong += candidate->n_wrong > 0;
    return status;
}

static pc_status make_candidate(pci_bench *bench, products *p, pci_gpu_kernel kernel,
                                bool symmetric)
{
    struct candidate *candidate = &p->candidates[kernel][symmetric];
    candidate->symmetric = symmetric;
    pc_status status = pci_bench_launch_make(bench, kernel, p->n, p->arena, N_PLANES, 1, symmetric,
                                             &candidate->launch);
    pci_product *product = &candidate->launch.product;
    product->job[0] = (pci_product_job){.left = symmetric ? SYMMETRIC : GENERAL,
                                        .right = SYMMETRIC,
                                        .first_output = 0,
                                        .n_outputs = 1};
    product->output[0] = (pci_product_output){.plane = RESULT, .reduction = p->reduction};
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

/* What a candidate is compared with; NULL: it was not measured. */
typedef struct peers {
    const pci_bench_item *library, *reduced, *full;
} peers;

static void add_ratio(pc_bench_row *row, const char *against, const pci_bench_item *peer)
{
    for (int r = 0; peer && r < PC_BENCH_RATIOS; r++)
        if (!row->ratio[r].against) {
            row->ratio[r].against = against;
            row->ratio[r].times = peer->milliseconds / row->milliseconds;
            return;
        }
}

static void report(const pci_bench *bench, const products *p, const char *name,
                   const pci_bench_item *item, bool is_ours, const peers *with)
{
    pc_bench_row row = {.section = SECTION,
                        .name = name,
                        .n = p->n,
                        .milliseconds = item->milliseconds,
                        .rate = pci_bench_operations(p->n) / item->milliseconds / 1e9,
                        .unit = "TOPS",
                        .verified = is_ours ? pci_bench_reference_name(bench) : ""};
    if (is_ours) {
        add_ratio(&row, "cuBLASLt", with->library);
        add_ratio(&row, "cuBLASLt + reduction", with->reduced);
        add_ratio(&row, "full", with->full);
    }
    pci_bench_row(bench, &row);
}

static void report_wrong(const pci_bench *bench, const products *p, const char *name,
                         const struct candidate *candidate)
{
    char note[96];
    snprintf(note, sizeof note, "WRONG: %" PRIu64 " of %" PRIu64 " entries", candidate->n_wrong,
             (uint64_t)p->n * p->n);
    pci_bench_note(bench, SECTION, name, p->n, note);
}

static void report_kernels(const pci_bench *bench, const products *p, const pci_bench_item *item,
                           peers with)
{
    for (int k = PCI_N_GPU_KERNELS - 1; k >= 0; k--) {
        with.full = NULL;
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            const struct candidate *candidate = &p->candidates[k][symmetric];
            char name[64];
            snprintf(name, sizeof name, "%s, %s", pci_gpu_kernel_name((pci_gpu_kernel)k),
                     symmetric ? "triangular" : "full");
            if (candidate->n_wrong > 0)
                report_wrong(bench, p, name, candidate);
            if (!candidate->is_measured)
                continue;
            report(bench, p, name, item, true, &with);
            if (!symmetric)
                with.full = item;
            item++;
        }
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
    pci_bench_item items[MAX_ITEMS];
    peers with = {0};
    int n_items = 0, n_fast = 0;
    if (bench->cublas) {
        with.library = &items[n_items];
        items[n_items++] = (pci_bench_item){pci_bench_library_run, &plain, 0};
        with.reduced = &items[n_items];
        items[n_items++] = (pci_bench_item){pci_bench_library_run, &reduced, 0};
    }
    const pci_bench_item *ours = &items[n_items];
    for (int k = PCI_N_GPU_KERNELS - 1; k >= 0; k--) {
        if (k == FIRST_SLOW)
            n_fast = n_items;
        for (int symmetric = 0; symmetric < 2; symmetric++)
            if (p->candidates[k][symmetric].is_measured)
                items[n_items++] =
                    (pci_bench_item){pci_bench_launch_run, &p->candidates[k][symmetric].launch, 0};
    }
    pc_status status = pci_bench_time(bench, PCI_BENCH_EVENTS, n_fast, items);
    if (status == PC_OK)
        status = pci_bench_time(bench, PCI_BENCH_EVENTS, n_items - n_fast, items + n_fast);
    if (status != PC_OK)
        return status;
    if (bench->cublas) {
        report(bench, p, "cuBLASLt", with.library, false, &with);
        report(bench, p, "cuBLASLt + reduction", with.reduced, false, &with);
    }
    report_kernels(bench, p, ours, with);
    return PC_OK;
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
