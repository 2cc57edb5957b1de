/* The reduced product with tiles in shared memory, of 8 x 8, 16 x 16 and 32 x 32.
 *
 * "Reduced Matrix Multiplication using CUDA", section 4.3.3, Figure 4.3. A step reads a tile of A twice
 * as high and one of B twice as wide as the tile of C; each thread adds two elements of both on the way
 * into shared memory, so that what lies there is already S A and B S^T, and multiplies as in a plain
 * tiled product.
 *
 * Over the step before: a sum is made once for a row or column of threads, and a thread reads 4 p / TILE
 * floats from global memory instead of 4 p. Table 4.2 has 27.4 ms instead of 146 ms for 2048 x 2048
 * matrices with tiles of 32. Larger tiles would pass the 1024 threads of a block. */
#include "gpu/ladder/reduced.cuh"

namespace
{

template <uint32_t TILE>
__global__ void __launch_bounds__(TILE *TILE)
    reduced_tiled_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t n_across = (c.columns + TILE - 1) / TILE;
    const uint32_t y = threadIdx.y, x = threadIdx.x;
    const uint32_t row = blockIdx.x / n_across * TILE + y;
    const uint32_t column = blockIdx.x % n_across * TILE + x;
    float sum = 0;

    for (uint32_t first = 0; first < a.columns; first += TILE) {
        a_tile[y][x] = pci_sum_of_rows(a, row, first + x);
        b_tile[y][x] = pci_sum_of_columns(b, first + y, column);
        __syncthreads();
        for (uint32_t k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row < c.rows && column < c.columns)
        pci_ladder_row(c, row)[column] = sum;
}

template <uint32_t TILE> const void *function(pci_ladder_block)
{
    return (const void *)reduced_tiled_kernel<TILE>;
}

template <uint32_t TILE>
cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    const size_t n_down = ((size_t)product->c.rows + TILE - 1) / TILE;
    const size_t n_across = ((size_t)product->c.columns + TILE - 1) / TILE;

    return pci_reduced_start(function<TILE>(block), product, block, n_down * n_across, stream);
}

const char source[] = "Reduced Matrix Multiplication, section 4.3.3";

} // namespace

const pci_ladder_kernel pci_ladder_reduced_tiled_8 = {
    "reduced-tiled-8", source, "1 x 1 of C", true, {{8, 8}}, launch<8>, function<8>, 0,
};

const pci_ladder_kernel pci_ladder_reduced_tiled_16 = {
    "reduced-tiled-16", source, "1 x 1 of C", true, {{16, 16}}, launch<16>, function<16>, 0,
};

const pci_ladder_kernel pci_ladder_reduced_tiled_32 = {
    "reduced-tiled-32", source, "1 x 1 of C", true, {{32, 32}}, launch<32>, function<32>, 0,
};
