/* What kernels of the reduced product C = (S A) (B S^T) share: S adds neighbours 2 i and 2 i + 1, and a
 * last one without a neighbour counts as if a zero followed. Grids have one dimension, as in Figure 4.1
 * of their source: blocks go along the rows of C, row after row. */
#ifndef PCI_GPU_LADDER_REDUCED_CUH
#define PCI_GPU_LADDER_REDUCED_CUH

#include "gpu/ladder/common.cuh"

/* Element (row, k) of S A. */
__device__ __forceinline__ float pci_sum_of_rows(const pci_ladder_matrix &a, uint32_t row,
                                                 uint32_t k)
{
    return pci_ladder_element(a, 2 * row, k) + pci_ladder_element(a, 2 * row + 1, k);
}

/* Element (k, column) of B S^T. */
__device__ __forceinline__ float pci_sum_of_columns(const pci_ladder_matrix &b, uint32_t k,
                                                    uint32_t column)
{
    return pci_ladder_element(b, k, 2 * column) + pci_ladder_element(b, k, 2 * column + 1);
}

static inline cudaError_t pci_reduced_start(const void *kernel, const pci_ladder_product *product,
                                            pci_ladder_block block, size_t n_blocks,
                                            cudaStream_t stream)
{
    void *arguments[] = {const_cast<pci_ladder_product *>(product)};

    if (n_blocks == 0)
        return cudaSuccess;
    return cudaLaunchKernel(kernel, dim3((uint32_t)n_blocks), dim3(block.x, block.y), arguments, 0,
                            stream);
}

/* One thread an entry of C, the entries numbered row by row. */
static inline cudaError_t pci_reduced_start_naive(const void *kernel,
                                                  const pci_ladder_product *product,
                                                  pci_ladder_block block, cudaStream_t stream)
{
    const size_t n_entries = (size_t)product->c.rows * product->c.columns;

    return pci_reduced_start(kernel, product, block, (n_entries + block.x - 1) / block.x, stream);
}

#endif
