/* Kernels that only the benchmark uses. Pointers are to device memory. Each function puts its
 * launch into stream and returns its error. */
#ifndef BENCH_GPU_KERNELS_H
#define BENCH_GPU_KERNELS_H

#include "gpu/engine/reduction.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plane of random residues modulo m, over their full range; its own transpose if symmetric. */
cudaError_t pci_bench_fill(int8_t *plane, uint32_t n, uint32_t m, bool symmetric, uint32_t seed,
                           cudaStream_t stream);

/* The entries of a plane as BF16 numbers. */
cudaError_t pci_bench_to_bf16(const int8_t *plane, uint64_t n_entries, uint16_t *to,
                              cudaStream_t stream);

/* out = raw reduced, as is needed after a library product. n_entries is a multiple of 4096. */
cudaError_t pci_bench_reduce(const int32_t *raw, uint64_t n_entries, const pci_reduction *reduction,
                             int8_t *out, cudaStream_t stream);

/* Adds to *n_wrong how many residues are not the centred residues of raw modulo m. */
cudaError_t pci_bench_count_wrong(const int32_t *raw, const int8_t *residues, uint64_t n_entries,
                                  uint32_t m, unsigned long long *n_wrong, cudaStream_t stream);

/* The adjacency matrix of n rows of arcs as n x n doubles. */
cudaError_t pci_bench_scatter(uint32_t n, const uint64_t *row_start, const uint32_t *column,
                              double *matrix, cudaStream_t stream);

/* Runs for a fraction of a millisecond: elapsed[0] clock cycles in elapsed[1] nanoseconds. */
cudaError_t pci_bench_clock(unsigned long long *elapsed, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
