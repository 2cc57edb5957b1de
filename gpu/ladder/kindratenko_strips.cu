/* Strips of a row of C, one for a block of threads, one thread an entry.
 *
 * Volodymyr Kindratenko, "Introduction to GPU Programming", part III, slides "Matrix-matrix
 * multiplication example": the loop over the contiguous index is cut into strips as wide as a block,
 * whose threads take it in step; strips and rows become the grid. kindratenko.cuh says how his
 * column-major matrices are ours.
 *
 * Threads of a warp read the same element of A and neighbours of B, so each read is one transaction. It
 * is the kernel that the following ones improve. Blocks in the order of his table:
 * 64 threads 27.0 GFLOPS, 256 25.9, 128 25.3, 32 24.2 (kernel time only). */
#include "gpu/ladder/common.cuh"

namespace
{

__global__ void kindratenko_strips_kernel(const __grid_constant__ pci_ladder_product product)
{
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float sum = 0;

    if (column >= c.columns)
        return;
    for (uint32_t k = 0; k < a.columns; k++)
        sum += pci_ladder_row(b, k)[column] * pci_ladder_row(a, row)[k];
    pci_ladder_row(c, row)[column] = sum;
}

const void *function(pci_ladder_block)
{
    return (const void *)kindratenko_strips_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function(block), product, block, 1, block.x, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_kindratenko_strips = {
    "kindratenko-strips",
    "Kindratenko, part III, \"Matrix-matrix multiplication example\"",
    "1 x 1 of C",
    false,
    {{64, 1}, {256, 1}, {128, 1}, {32, 1}},
    launch,
    function,
    0,
};
