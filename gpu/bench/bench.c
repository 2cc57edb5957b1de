/* The entry of the engine's benchmark, which runs its parts one after the other. */
#include "gpu/bench/bench.h"

#include "src/engine/engine.h"

/* PCI_BENCHMARK_BUILD: what the library compares before it calls anything here. */
__attribute__((visibility("default"))) const char pci_engine_cuda_bench_build[] = PCI_ENGINE_BUILD;

static pc_status measure_parts(pci_bench *bench)
{
    static const struct {
        unsigned part;
        const char *name;
        pc_status (*measure)(pci_bench *bench);
    } parts[] = {{PC_BENCH_CEILINGS, "ceilings", pci_bench_ceilings},
                 {PC_BENCH_PRODUCTS, "products", pci_bench_products},
                 {PC_BENCH_PLANES, "planes", pci_bench_planes},
                 {PC_BENCH_COUNTS, "counts", pci_bench_counts}};
    pc_status status = PC_OK;
    for (size_t p = 0; p < sizeof parts / sizeof *parts && status == PC_OK; p++)
        if (bench->options->parts & parts[p].part)
            status = parts[p].measure(bench);
    return status;
}

__attribute__((visibility("default"))) pc_status
pci_engine_cuda_bench(pc_context *context, const pc_bench_options *options,
                      const pci_bench_report *report)
{
    pci_bench bench = {.context = context, .options = options, .report = report};
    pc_status status = pci_bench_begin(&bench);
    if (status == PC_OK)
        status = measure_parts(&bench);
    return pci_bench_end(&bench, status);
}
