/* C in tiles, one for a block of threads; A and B from global memory.
 *
 * Seokin Hong, "CUDA Memory Model 3", slide "Review: GPU version with Tiling". His slide before it has
 * one block for all of C, which ends at 1024 threads; tiles let C be of any size. Nothing is shared
 * yet: threads of a row of the tile all read the same row of A, those of a column the same column of
 * B, each for itself. */
#include "gpu/ladder/common.cuh"

namespace
{

__global__ void hong_plain_kernel(const __grid_constant__ pci_ladder_product product)
{
    const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (y >= product.c.rows || x >= product.c.columns)
        return;
    for (uint32_t k = 0; k < product.a.columns; k++) {
        const float left = pci_ladder_row(product.a, y)[k];
        const float right = pci_ladder_row(product.b, k)[x];
        sum += left * right;
    }
    pci_ladder_row(product.c, y)[x] = sum;
}

const void *function(pci_ladder_block)
{
    return (const void *)hong_plain_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function(block), product, block, block.y, block.x, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_hong_plain = {
    "hong-plain",
    "Hong, slide \"Review: GPU version with Tiling\"",
    "1 x 1 of C",
    false,
    {{16, 16}, {32, 32}},
    launch,
    function,
    0,
};
