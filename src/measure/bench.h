/* Measuring the GPU engine: what the library and the benchmark's shared object agree on. The public
 * part is in pathcount.h (pc_bench). pci_engine_benchmark (src/plan/engines.h) finds the
 * functions. */
#ifndef PCI_BENCH_H
#define PCI_BENCH_H

#include "pathcount_measure.h"
#include "src/core/context.h"

/* Where rows go. */
typedef struct pci_bench_report {
    pc_bench_machine_fn machine;
    pc_bench_row_fn row;
    void *user;
} pci_bench_report;

/* Measures the engine, which was opened before. Options have been checked and are complete, except
 * that n_sizes may be 0. */
typedef pc_status (*pci_engine_bench_fn)(pc_context *context, const pc_bench_options *options,
                                         const pci_bench_report *report);
#define PCI_ENGINE_BENCH "pci_engine_cuda_bench"

typedef struct pci_ladder_report {
    pc_bench_machine_fn machine;
    pc_ladder_row_fn row;
    void *user;
} pci_ladder_report;

/* Measures the ladder. Options are complete, except that n_kernels may be 0. */
typedef pc_status (*pci_engine_ladder_fn)(pc_context *context, const pc_ladder_options *options,
                                          const pci_ladder_report *report);
#define PCI_ENGINE_LADDER "pci_engine_cuda_ladder"

#endif
