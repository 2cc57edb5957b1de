/* What the kernels after Kindratenko share: their matrices, and strips of A in shared memory.
 *
 * His slides multiply column-major matrices, a = b c, and lay his index i, which runs down a column,
 * along the threads. A column-major matrix is the row-major transpose of itself, and transposes
 * multiply in the other order: so his a, b, c are our C, B, A, his i is a column and his j a row.
 * Everything he says about i holds for the direction that is contiguous here too. */
#ifndef PCI_GPU_LADDER_KINDRATENKO_CUH
#define PCI_GPU_LADDER_KINDRATENKO_CUH

#include "gpu/ladder/common.cuh"

enum { PCI_STRIP = 32 }; /* of k, that are in shared memory at a time */

/* Elements first .. first + 31 of N rows of A, by all threads of the block. */
template <uint32_t N>
__device__ __forceinline__ void pci_load_strips(const pci_ladder_matrix &a, uint32_t first_row,
                                                uint32_t first, float strip[N][PCI_STRIP])
{
    for (uint32_t t = threadIdx.x; t < N * PCI_STRIP; t += blockDim.x) {
        const uint32_t j = t / PCI_STRIP, k = t % PCI_STRIP;
        strip[j][k] = pci_ladder_element(a, first_row + j, first + k);
    }
}

/* Threads beyond the edge read the last column: barriers want them, but they store nothing. */
__device__ __forceinline__ uint32_t pci_nearest_column(const pci_ladder_matrix &matrix,
                                                       uint32_t column)
{
    return min(column, matrix.columns - 1);
}

#endif
