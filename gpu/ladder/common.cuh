/* Access to the matrices of the ladder's kernels. */
#ifndef PCI_GPU_LADDER_COMMON_CUH
#define PCI_GPU_LADDER_COMMON_CUH

#include "gpu/ladder/ladder.h"

__device__ __forceinline__ float *pci_ladder_row(const pci_ladder_matrix &matrix, uint32_t row)
{
    return matrix.element + (size_t)row * matrix.stride;
}

/* Beyond the edge an element counts as 0: it changes no sum. */
__device__ __forceinline__ float pci_ladder_element(const pci_ladder_matrix &matrix, uint32_t row,
                                                    uint32_t column)
{
    return row < matrix.rows && column < matrix.columns ? pci_ladder_row(matrix, row)[column] : 0;
}

#endif
