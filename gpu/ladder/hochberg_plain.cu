/* One thread an entry, everything from global memory.
 *
 * Robert Hochberg, "Matrix Multiplication with CUDA", section 2.1.4 and chapter 3. A thread finds its
 * row and its column, leaves when they lie outside C, and else adds up inner products. His program has
 * blocks of 16 x 16, his Figure 2.1 has 32 across and 16 down: both can be launched. As in his text C
 * need not be a multiple of the block; as his test for "outside" is row > height, one row and one
 * column too many are let through there. Here it is >=.
 *
 * A thread reads 2 inner floats for 2 inner operations: what the shared memory of the next step is
 * for. */
#include "gpu/ladder/common.cuh"

namespace
{

__global__ void hochberg_plain_kernel(const __grid_constant__ pci_ladder_product product)
{
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t row = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;

    if (row >= c.rows || column >= c.columns)
        return;
    for (uint32_t e = 0; e < a.columns; e++)
        value += pci_ladder_row(a, row)[e] * pci_ladder_row(b, e)[column];
    pci_ladder_row(c, row)[column] = value;
}

const void *function(pci_ladder_block)
{
    return (const void *)hochberg_plain_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function(block), product, block, block.y, block.x, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_hochberg_plain = {
    "hochberg-plain",
    "Hochberg, chapter 3",
    "1 x 1 of C",
    false,
    {{16, 16}, {32, 16}}, /* his program; Figure 2.1 */
    launch,
    function,
    0,
};
