/* Robert Hochberg, "Matrix Multiplication with CUDA": one thread an entry, first from global
 * memory, then from sub-matrices in shared memory. As his exploration question 3 (section 2.5)
 * asks, the sizes need not be multiples of the block. */
#include "gpu/ladder/common.cuh"

namespace
{

/* ---- hochberg-plain -------------------------------------------------------------------------- */

/* Section 2.1.4 and chapter 3. A thread finds its row and its column, returns when they lie outside
 * C, and else adds up inner products. His program has blocks of 16 x 16, his Figure 2.1 has 32
 * across and 16 down: both can be launched. His test for "outside" is row > height, which lets one
 * row and one column too many through. Here it is >=.
 *
 * A thread reads 2 inner floats for 2 inner operations. The shared memory of the next step reduces
 * that. */
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

/* ---- hochberg-shared ------------------------------------------------------------------------- */

/* Section 2.2.1, Figure 2.2 and chapter 4. A block of 16 x 16 threads computes one sub-matrix of C.
 * It goes along a row of sub-matrices of A and down a column of those of B. Each thread loads one
 * element of both into shared memory, and then all threads use all elements.
 *
 * Gain over the step before: a float read from global memory serves 16 threads, so a thread reads
 * inner / 8 floats instead of 2 inner. */
enum { SIDE = 16 }; /* of a sub-matrix, and of a block of threads */

/* The sub-matrix that is `down` sub-matrices from the top of the whole and `right` from its left.
 * It is a matrix that begins elsewhere and keeps the stride of the whole (section 2.2.5). At the
 * edge it is smaller than 16 x 16; elements beyond the edge count as 0. */
__device__ pci_ladder_matrix sub_matrix(const pci_ladder_matrix &whole, uint32_t down,
                                        uint32_t right)
{
    const uint32_t first_row = down * SIDE, first_column = right * SIDE;

    return {pci_ladder_row(whole, first_row) + first_column,
            min((uint32_t)SIDE, whole.rows - first_row),
            min((uint32_t)SIDE, whole.columns - first_column), whole.stride};
}

__global__ void __launch_bounds__(SIDE *SIDE)
    hochberg_shared_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float a_shared[SIDE][SIDE], b_shared[SIDE][SIDE];
    const uint32_t row = threadIdx.y, column = threadIdx.x; /* within sub-matrices */
    float value = 0;

    for (uint32_t m = 0; m * SIDE < product.a.columns; m++) {
        const pci_ladder_matrix a = sub_matrix(product.a, blockIdx.y, m);
        const pci_ladder_matrix b = sub_matrix(product.b, m, blockIdx.x);

        a_shared[row][column] = pci_ladder_element(a, row, column);
        b_shared[row][column] = pci_ladder_element(b, row, column);
        __syncthreads(); /* both are loaded */
        for (uint32_t e = 0; e < SIDE; e++)
            value += a_shared[row][e] * b_shared[e][column];
        __syncthreads(); /* both are read */
    }
    const pci_ladder_matrix c = sub_matrix(product.c, blockIdx.y, blockIdx.x);
    if (row < c.rows && column < c.columns)
        pci_ladder_row(c, row)[column] = value;
}

} // namespace

/* clang-format off */
const pci_ladder_kernel pci_ladder_hochberg[] = {
    /* His program; Figure 2.1 */
    {"hochberg-plain", "Hochberg, chapter 3", "1 x 1 of C",
     (const void *)hochberg_plain_kernel, 1, 1, {{16, 16}, {32, 16}}},
    /* BLOCK_SIZE */
    {"hochberg-shared", "Hochberg, chapter 4", "1 x 1 of C",
     (const void *)hochberg_shared_kernel, 1, 1, {{SIDE, SIDE}}},
};
