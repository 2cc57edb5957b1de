/* A strip of A in shared memory.
 *
 * Volodymyr Kindratenko, "Introduction to GPU Programming", part III, slides "Strip-mine k loop and
 * load a strip of c into the multiprocessor local memory" (his c is our A: kindratenko.cuh). The loop
 * over k is cut into strips of 32. All threads of a block need the same element of A in the same step:
 * 32 of them fetch 32 elements at once, and the whole block reads them from shared memory.
 *
 * Over the step before: of the two reads from global memory a step needed, one is left. 44.0 instead of
 * 25.9 GFLOPS with blocks of 256; the other blocks follow in the order of his table. One
 * warp a block runs without barriers on his slide; larger blocks need the two that are here. */
#include "gpu/ladder/kindratenko.cuh"

namespace
{

__global__ void kindratenko_shared_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[1][PCI_STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    const uint32_t b_column = pci_nearest_column(b, column);
    float sum = 0;

    for (uint32_t first = 0; first < a.columns; first += PCI_STRIP) {
        const uint32_t n = min((uint32_t)PCI_STRIP, a.columns - first);

        pci_load_strips<1>(a, row, first, strip);
        __syncthreads();
#pragma unroll 8
        for (uint32_t k = 0; k < n; k++)
            sum += pci_ladder_row(b, first + k)[b_column] * strip[0][k];
        __syncthreads();
    }
    if (column < c.columns)
        pci_ladder_row(c, row)[column] = sum;
}

const void *function(pci_ladder_block)
{
    return (const void *)kindratenko_shared_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function(block), product, block, 1, block.x, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_kindratenko_shared = {
    "kindratenko-shared",
    "Kindratenko, part III, \"Strip-mine k loop\"",
    "1 x 1 of C",
    false,
    {{256, 1}, {128, 1}, {64, 1}, {32, 1}},
    launch,
    function,
    0,
};
