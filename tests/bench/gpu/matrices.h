/* Matrices for the benchmark of the ladder, their right product, and comparisons with it. Each
 * function puts its launch into stream and returns its error. */
#ifndef BENCH_GPU_MATRICES_H
#define BENCH_GPU_MATRICES_H

#include "gpu/ladder/ladder.h"
#include "gpu/engine/choose.h"
#include "tests/bench/ladder_matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills matrix with entries from 0 to most; its padding becomes NaN. */
cudaError_t pci_ladder_fill(const pci_ladder_matrix *matrix, uint32_t seed, uint32_t most,
                            cudaStream_t stream);

/* C = A B by sums of integers, one thread an entry. */
cudaError_t pci_ladder_expect(const pci_ladder_product *product, cudaStream_t stream);

/* The right product of a reduced kernel: sums over 2 x 2 entries of the full product. */
cudaError_t pci_ladder_expect_reduced(const pci_ladder_matrix *full,
                                      const pci_ladder_matrix *reduced, cudaStream_t stream);

/* The matrix, or its transpose, as a plane of n_padded rows of n_padded bytes with zero padding. */
cudaError_t pci_ladder_to_plane(const pci_ladder_matrix *matrix, bool transposed, int8_t *plane,
                                uint32_t n_padded, cudaStream_t stream);

/* Adds to *n_wrong how many entries are not the expected ones: floats, centred residues
 * modulo m. Rows of the result are stride elements apart. */
cudaError_t pci_ladder_compare_floats(const pci_ladder_matrix *expected, const float *result,
                                      uint32_t stride, unsigned long long *n_wrong,
                                      cudaStream_t stream);
cudaError_t pci_ladder_compare_residues(const pci_ladder_matrix *expected, const int8_t *result,
                                        uint32_t stride, uint32_t m, unsigned long long *n_wrong,
                                        cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
