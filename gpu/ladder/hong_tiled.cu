/* Tiles of A and B in shared memory, of 16 x 16 and of 32 x 32.
 *
 * Seokin Hong, "CUDA Memory Model 3", slides "Loading an Input Tile" and "Tiled Matrix Multiplication
 * Kernel". In phase m a thread loads one element of tile m of A and one of tile m of B; the block then
 * adds the tiles' product to its sums. Two barriers a phase (slide "Use of Barriers"): after the
 * loads, and before the tiles are overwritten.
 *
 * Over the step before: each float loaded is used by a whole row or column of threads. The slides
 * "Block Size Consideration" count 16 operations a load with tiles of 16, 32 with tiles of 32, for
 * 2 KiB and 8 KiB of shared memory a block: that is why there are both. They are for widths that the
 * tile divides; here what lies beyond the edge is loaded as 0. */
#include "gpu/ladder/common.cuh"

namespace
{

template <uint32_t TILE>
__global__ void __launch_bounds__(TILE *TILE)
    hong_tiled_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const uint32_t ty = threadIdx.y, tx = threadIdx.x;
    const uint32_t y = blockIdx.y * TILE + ty, x = blockIdx.x * TILE + tx;
    float sum = 0;

    for (uint32_t m = 0; m * TILE < product.a.columns; m++) {
        a_tile[ty][tx] = pci_ladder_element(product.a, y, m * TILE + tx);
        b_tile[ty][tx] = pci_ladder_element(product.b, m * TILE + ty, x);
        __syncthreads(); /* all is loaded */
        for (uint32_t k = 0; k < TILE; k++)
            sum += a_tile[ty][k] * b_tile[k][tx];
        __syncthreads(); /* all is read */
    }
    if (y < product.c.rows && x < product.c.columns)
        pci_ladder_row(product.c, y)[x] = sum;
}

template <uint32_t TILE> const void *function(pci_ladder_block)
{
    return (const void *)hong_tiled_kernel<TILE>;
}

template <uint32_t TILE>
cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function<TILE>(block), product, block, TILE, TILE, stream);
}

const char source[] = "Hong, slide \"Tiled Matrix Multiplication Kernel\"";

} // namespace

const pci_ladder_kernel pci_ladder_hong_tiled_16 = {
    "hong-tiled-16", source, "1 x 1 of C", false, {{16, 16}}, launch<16>, function<16>, 0,
};

const pci_ladder_kernel pci_ladder_hong_tiled_32 = {
    "hong-tiled-32", source, "1 x 1 of C", false, {{32, 32}}, launch<32>, function<32>, 0,
};
