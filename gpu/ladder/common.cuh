/* What kernels of the ladder share: where a row begins, an element that may lie beyond the edge, and
 * the way from a product to a grid. */
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

/* C in tiles of tile_rows x tile_columns, one for a block of threads: block (u, v) has tile u from
 * the left, v from above. A grid is at most 65535 blocks high, so what is taller takes several
 * launches, each for a strip of rows of A and C. The kernel takes a pci_ladder_product. */
static inline cudaError_t pci_ladder_start(const void *kernel, const pci_ladder_product *product,
                                           pci_ladder_block block, uint32_t tile_rows,
                                           uint32_t tile_columns, cudaStream_t stream)
{
    const uint64_t strip_rows = (uint64_t)65535 * tile_rows;
    const uint64_t n_across = ((uint64_t)product->c.columns + tile_columns - 1) / tile_columns;
    cudaError_t error = cudaSuccess;

    for (uint64_t first = 0; first < product->c.rows && n_across > 0; first += strip_rows) {
        const uint64_t rest = product->c.rows - first;
        pci_ladder_product strip = *product;
        void *arguments[] = {&strip};

        strip.a.element += first * strip.a.stride;
        strip.c.element += first * strip.c.stride;
        strip.a.rows = strip.c.rows = (uint32_t)(rest < strip_rows ? rest : strip_rows);
        const dim3 grid((uint32_t)n_across, (strip.c.rows - 1) / tile_rows + 1);
        error = cudaLaunchKernel(kernel, grid, dim3(block.x, block.y), arguments, 0, stream);
        if (error != cudaSuccess)
            break;
    }
    return error;
}

#endif
