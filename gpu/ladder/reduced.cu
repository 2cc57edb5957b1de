/* "Reduced Matrix Multiplication using CUDA", chapter 4: C = (S A) (B S^T). S adds neighbours 2 i
 * and 2 i + 1; a last one without a neighbour counts as if a zero followed. Grids have one
 * dimension, as in its Figure 4.1: blocks go along the rows of C, row after row. The times are
 * those of its Table 4.2, for 2048 x 2048 matrices on a GTX 1050. */
#include "gpu/ladder/common.cuh"

namespace
{

enum { THREADS = 1024 }; /* of a block, where a thread has one entry of C */

/* ---- reduced-4p ------------------------------------------------------------------------------ */

/* Section 4.3.1, Figures 4.1 and 4.2: four products for each step. An entry of C is the sum of a 2
 * x 2 square of A B. A thread reads two rows of A and two columns of B and adds the four dot
 * products: 4 p multiplications for inner size p.
 *
 * Gain over computing A B and adding squares afterwards: A B, which is four times as large as C, is
 * neither written nor read again. */
__global__ void __launch_bounds__(THREADS)
    reduced_4p_kernel(const __grid_constant__ pci_ladder_product product)
{
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const size_t entry = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t row = entry / c.columns;
    const uint32_t i = 2 * (uint32_t)row, j = 2 * (uint32_t)(entry % c.columns);
    float sum = 0;

    if (row >= c.rows)
        return;
    for (uint32_t k = 0; k < a.columns; k++) {
        const float a0 = pci_ladder_element(a, i, k), a1 = pci_ladder_element(a, i + 1, k);
        const float b0 = pci_ladder_element(b, k, j), b1 = pci_ladder_element(b, k, j + 1);

        sum += a0 * b0 + a0 * b1 + a1 * b0 + a1 * b1;
    }
    pci_ladder_row(c, (uint32_t)row)[j / 2] = sum;
}

/* ---- reduced-p ------------------------------------------------------------------------------- */

/* Element (row, k) of S A. */
__device__ __forceinline__ float sum_of_rows(const pci_ladder_matrix &a, uint32_t row, uint32_t k)
{
    return pci_ladder_element(a, 2 * row, k) + pci_ladder_element(a, 2 * row + 1, k);
}

/* Element (k, column) of B S^T. */
__device__ __forceinline__ float sum_of_columns(const pci_ladder_matrix &b, uint32_t k,
                                                uint32_t column)
{
    return pci_ladder_element(b, k, 2 * column) + pci_ladder_element(b, k, 2 * column + 1);
}

/* Section 4.3.2: one product for each step. By the distributive law the four products of a step are
 * one, (a0 + a1) (b0 + b1).
 *
 * Gain over the step before: p multiplications for an entry instead of 4 p. The reads stay the
 * same. 146 ms instead of 366 ms. */
__global__ void __launch_bounds__(THREADS)
    reduced_p_kernel(const __grid_constant__ pci_ladder_product product)
{
    const pci_ladder_matrix &c = product.c;
    const size_t entry = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t row = entry / c.columns;
    const uint32_t column = (uint32_t)(entry % c.columns);
    float sum = 0;

    if (row >= c.rows)
        return;
    for (uint32_t k = 0; k < product.a.columns; k++)
        sum += sum_of_rows(product.a, (uint32_t)row, k) * sum_of_columns(product.b, k, column);
    pci_ladder_row(c, (uint32_t)row)[column] = sum;
}

/* ---- reduced-tiled-8, reduced-tiled-16, reduced-tiled-32 ------------------------------------- */

/* Section 4.3.3, Figure 4.3: tiles in shared memory. A step reads a tile of A that is twice as high
 * and one of B that is twice as wide as the tile of C. Each thread adds two elements of both before
 * it stores them, so that shared memory has S A and B S^T. The multiplication is that of a plain
 * tiled product.
 *
 * Gain over the step before: a sum is made once for a row or column of threads, and a thread reads
 * 4 p / TILE floats from global memory instead of 4 p. 27.4 ms instead of 146 ms with tiles of 32.
 * Larger tiles would need more than the 1024 threads of a block. */
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
        a_tile[y][x] = sum_of_rows(a, row, first + x);
        b_tile[y][x] = sum_of_columns(b, first + y, column);
        __syncthreads();
        for (uint32_t k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row < c.rows && column < c.columns)
        pci_ladder_row(c, row)[column] = sum;
}

const char tiled[] = "Reduced Matrix Multiplication, section 4.3.3";

} // namespace

/* clang-format off */
const pci_ladder_kernel pci_ladder_reduced[] = {
    {"reduced-4p", "Reduced Matrix Multiplication, section 4.3.1", "1 x 1 of C",
     (const void *)reduced_4p_kernel, 1, 1, {{THREADS, 1}}, PCI_LADDER_ENTRIES, true},
    {"reduced-p", "Reduced Matrix Multiplication, section 4.3.2", "1 x 1 of C",
     (const void *)reduced_p_kernel, 1, 1, {{THREADS, 1}}, PCI_LADDER_ENTRIES, true},
    {"reduced-tiled-8", tiled, "1 x 1 of C",
     (const void *)reduced_tiled_kernel<8>, 1, 1, {{8, 8}}, PCI_LADDER_LISTED_TILES, true},
    {"reduced-tiled-16", tiled, "1 x 1 of C",
     (const void *)reduced_tiled_kernel<16>, 1, 1, {{16, 16}}, PCI_LADDER_LISTED_TILES, true},
    {"reduced-tiled-32", tiled, "1 x 1 of C",
     (const void *)reduced_tiled_kernel<32>, 1, 1, {{32, 32}}, PCI_LADDER_LISTED_TILES, true},
};
