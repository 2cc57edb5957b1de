/* Threads of a sweep's launches that have an entry or a word each. */
#ifndef PCI_GPU_SWEEP_CUH
#define PCI_GPU_SWEEP_CUH

#include "gpu/sweep/kernels.h"

__device__ __forceinline__ uint64_t pci_sweep_thread()
{
    return blockIdx.x * (uint64_t)PCI_SWEEP_BLOCK_THREADS + threadIdx.x;
}

static inline uint32_t pci_sweep_blocks(uint64_t n_threads)
{
    return (uint32_t)((n_threads + PCI_SWEEP_BLOCK_THREADS - 1) / PCI_SWEEP_BLOCK_THREADS);
}

#endif
