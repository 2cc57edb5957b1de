/* Nine planes in one launch, as a level of 64-bit counts squares them, against nine library
 * products with a reduction each. */
#include "gpu/bench.h"

#include "src/residues.h"

#include <inttypes.h>
#include <stdio.h>

#define SECTION "planes"

enum { N = 9 /* planes: counts below 2^64 need about as many */ };

typedef struct planes {
    uint32_t n;
    uint16_t m[N];
    pci_reduction reduction[N];
    int8_t *arena; /* N operands, then N results */
    int32_t *raw;
    bool is_right[2]; /* full, triangular */
    pci_bench_launch launch[2];
} planes;

static int8_t *plane(const planes *p, uint32_t number)
{
    return p->arena + number * pci_gpu_layout_of(p->n).plane_bytes;
}

static pc_status make_operands(pci_bench *bench, uint32_t n, planes *p)
{
    size_t n_entries = (size_t)n * n;
    pci_moduli moduli;
    pci_moduli_fill(&moduli);
    p->n = n;
    pc_status status = pci_bench_memory(bench, 2 * N * n_entries, (void **)&p->arena);
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
        status = pci_cublas_int8_choose(bench->cublas, n, plane(p, 0), plane(p, 0), p->raw);
    return status;
}

static pc_status make_launch(pci_bench *bench, planes *p, bool symmetric)
{
    pci_bench_launch *launch = &p->launch[symmetric];
    pc_status status = pci_bench_launch_make(bench, bench->device.kernel, p->n, p->arena, 2 * N, N,
                                             symmetric, launch);
    for (uint32_t i = 0; i < N; i++) {
        launch->product.job[i] =
            (pci_product_job){.left = i, .right = i, .first_output = i, .n_outputs = 1};
        launch->product.output[i] =
            (pci_product_output){.plane = N + i, .reduction = p->reduction[i]};
    }
    return status;
}

/* Runs the launch once over spoilt results and compares each of its planes. */
static pc_status verify(pci_bench *bench, planes *p, bool symmetric, const char *name)
{
    uint64_t n_wrong = 0, bytes = pci_gpu_layout_of(p->n).plane_bytes;
    pc_status status = pci_gpu_check(
        bench->context, cudaMemsetAsync(plane(p, N), 0x55, N * bytes, bench->stream), "clearing");
    if (status == PC_OK)
        status = pci_bench_launch_run(bench, &p->launch[symmetric]);
    for (uint32_t i = 0; i < N && status == PC_OK; i++) {
        uint64_t wrong_here = 0;
        status = pci_bench_reference(bench, p->n, p->arena, 2 * N, i, i, p->raw);
        if (status == PC_OK)
            status = pci_bench_compare(bench, p->n, p->raw, plane(p, N + i), p->m[i], &wrong_here);
        n_wrong += wrong_here;
    }
    if (status != PC_OK)
        return status;
    p->is_right[symmetric] = n_wrong == 0;
    if (n_wrong > 0) {
        char note[96];
        snprintf(note, sizeof note, "WRONG: %" PRIu64 " of %" PRIu64 " entries", n_wrong,
                 N * (uint64_t)p->n * p->n);
        pci_bench_note(bench, SECTION, name, p->n, note);
        bench->n_wrong++;
    }
    return PC_OK;
}

enum { LIBRARY, LIBRARY_REDUCED, FULL, TRIANGULAR, N_ITEMS };

static void report(const pci_bench *bench, uint32_t n, const char *const names[N_ITEMS],
                   const bool is_measured[N_ITEMS], const pci_bench_item *item)
{
    const pci_bench_item *of[N_ITEMS] = {0};
    for (int i = 0; i < N_ITEMS; i++) {
        if (!is_measured[i])
            continue;
        of[i] = item++;
        pc_bench_row row = {.section = SECTION,
                            .name = names[i],
                            .n = n,
                            .milliseconds = of[i]->milliseconds,
                            .rate = N * pci_bench_operations(n) / of[i]->milliseconds / 1e9,
                            .unit = "TOPS"};
        if (i >= FULL) {
            int n_ratios = 0;
            row.verified = pci_bench_reference_name(bench);
            for (int peer = LIBRARY; peer < FULL; peer++)
                if (of[peer])
                    row.ratio[n_ratios++] =
                        (pc_bench_ratio){names[peer], of[peer]->milliseconds / of[i]->milliseconds};
            if (i == TRIANGULAR && of[FULL])
                row.ratio[n_ratios] =
                    (pc_bench_ratio){"full", of[FULL]->milliseconds / of[i]->milliseconds};
        }
        pci_bench_row(bench, &row);
    }
}

static pc_status measure(pci_bench *bench, planes *p, const char *const names[N_ITEMS])
{
    pci_bench_library plain = {.n = p->n,
                               .n_products = N,
                               .left = plane(p, 0),
                               .right = plane(p, 0),
                               .raw = p->raw,
                               .out = plane(p, N)};
    pci_bench_library reduced = plain;
    reduced.reduction = p->reduction;
    const pci_bench_item all[N_ITEMS] = {
        [LIBRARY] = {pci_bench_library_run, &plain, 0},
        [LIBRARY_REDUCED] = {pci_bench_library_run, &reduced, 0},
        [FULL] = {pci_bench_launch_run, &p->launch[0], 0},
        [TRIANGULAR] = {pci_bench_launch_run, &p->launch[1], 0},
    };
    const bool is_measured[N_ITEMS] = {bench->cublas != NULL, bench->cublas != NULL, p->is_right[0],
                                       p->is_right[1]};
    pci_bench_item items[N_ITEMS];
    int n_items = 0;
    for (int i = 0; i < N_ITEMS; i++)
        if (is_measured[i])
            items[n_items++] = all[i];
    pc_status status = pci_bench_time(bench, PCI_BENCH_EVENTS, n_items, items);
    if (status == PC_OK)
        report(bench, p->n, names, is_measured, items);
    return status;
}

static pc_status measure_size(pci_bench *bench, uint32_t n)
{
    char full[64], triangular[64];
    const char *const names[N_ITEMS] = {"cuBLASLt x 9", "cuBLASLt + reduction x 9", full,
                                        triangular};
    const char *kernel = pci_gpu_kernel_name(bench->device.kernel);
    snprintf(full, sizeof full, "%s, nine planes, full", kernel);
    snprintf(triangular, sizeof triangular, "%s, nine planes, triangular", kernel);
    planes *p = pci_alloc_zero(bench->context, 1, sizeof *p);
    if (!p)
        return pci_fail_memory(bench->context, "planes to measure", sizeof *p);
    pc_status status = make_operands(bench, n, p);
    for (int symmetric = 0; symmetric < 2 && status == PC_OK; symmetric++) {
        status = make_launch(bench, p, symmetric);
        if (status == PC_OK)
            status = verify(bench, p, symmetric, names[FULL + symmetric]);
    }
    if (status == PC_OK)
        status = measure(bench, p, names);
    pci_free(bench->context, p);
    return status;
}

pc_status pci_bench_planes(pci_bench *bench)
{
    static const uint32_t sizes[] = {1024, 2048, 4096, 8192};
    return pci_bench_each_size(bench, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}
