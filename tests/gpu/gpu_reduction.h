/* The reduction of accumulators, tried on the device on every one that can come up. */
#ifndef TESTS_GPU_REDUCTION_H
#define TESTS_GPU_REDUCTION_H

#include "gpu/engine/reduction.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many accumulators of at most 131071 products of residues pci_reduce gets wrong. */
cudaError_t test_gpu_reduction_count_wrong(uint32_t m, const pci_reduction *reduction,
                                           unsigned long long *n_wrong);

#ifdef __cplusplus
}
#endif

#endif
