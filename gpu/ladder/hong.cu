/* Seokin Hong, "CUDA Memory Model 3": tiles of C, then tiles of A and B in shared memory. */
#include "gpu/ladder/common.cuh"

namespace
{

/* ---- hong-plain ------------------------------------------------------------------------------ */

/* Slide "Review: GPU version with Tiling". His slide before it has one block for all of C, which
 * ends at 1024 threads. With tiles C can have any size. Nothing is shared yet: the threads of a row
 * of the tile read the same row of A, and those of a column the same column of B, each on its
 * own. */
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

/* ---- hong-tiled-16, hong-tiled-32 ------------------------------------------------------------ */

/* Slides "Loading an Input Tile" and "Tiled Matrix Multiplication Kernel". In phase m a thread
 * loads one element of tile m of A and one of tile m of B. The block then adds the product of the
 * tiles to its sums. A phase has two barriers (slide "Use of Barriers"): after the loads, and
 * before the tiles are overwritten.
 *
 * Gain over the step before: each loaded float is used by a whole row or column of threads. The
 * slides "Block Size Consideration" count 16 operations a load with tiles of 16 and 32 with tiles
 * of 32, for 2 KiB and 8 KiB of shared memory a block; so both sizes are here. The slides assume
 * that the tile divides the width. Here elements beyond the edge are loaded as 0. */
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

const char tiled[] = "Hong, slide \"Tiled Matrix Multiplication Kernel\"";

} // namespace

/* clang-format off */
const pci_ladder_kernel pci_ladder_hong[] = {
    {"hong-plain", "Hong, slide \"Review: GPU version with Tiling\"", "1 x 1 of C",
     (const void *)hong_plain_kernel, 1, 1, {{16, 16}, {32, 32}}},
    {"hong-tiled-16", tiled, "1 x 1 of C",
     (const void *)hong_tiled_kernel<16>, 1, 1, {{16, 16}}},
    {"hong-tiled-32", tiled, "1 x 1 of C",
     (const void *)hong_tiled_kernel<32>, 1, 1, {{32, 32}}},
};
