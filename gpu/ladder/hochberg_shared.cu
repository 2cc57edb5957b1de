/* Square sub-matrices of A and B in shared memory.
 *
 * Robert Hochberg, "Matrix Multiplication with CUDA", section 2.2.1, Figure 2.2 and chapter 4. A block
 * of 16 x 16 threads makes one sub-matrix of C. It goes along a row of sub-matrices of A and down a
 * column of those of B; each thread brings one element of both into shared memory, then all use all.
 *
 * Over the step before: a float read from global memory serves 16 threads, so a thread reads
 * inner / 8 floats where it read 2 inner.
 *
 * A sub-matrix is a matrix: it begins elsewhere and keeps the stride of the whole (section 2.2.5). His
 * are all 16 x 16. Here, as his exploration question 3 asks, the sizes need not be multiples of 16: a
 * sub-matrix at the edge is smaller, and what it lacks counts as 0. */
#include "gpu/ladder/common.cuh"

namespace
{

enum { SIDE = 16 }; /* of a sub-matrix, and of a block of threads */

/* The one that is `down` sub-matrices from the top of the whole and `right` from its left. */
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
        __syncthreads(); /* both are there */
        for (uint32_t e = 0; e < SIDE; e++)
            value += a_shared[row][e] * b_shared[e][column];
        __syncthreads(); /* nobody needs them any more */
    }
    const pci_ladder_matrix c = sub_matrix(product.c, blockIdx.y, blockIdx.x);
    if (row < c.rows && column < c.columns)
        pci_ladder_row(c, row)[column] = value;
}

const void *function(pci_ladder_block)
{
    return (const void *)hochberg_shared_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function(block), product, block, SIDE, SIDE, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_hochberg_shared = {
    "hochberg-shared",
    "Hochberg, chapter 4",
    "1 x 1 of C",
    false,
    {{SIDE, SIDE}}, /* BLOCK_SIZE */
    launch,
    function,
    0,
};
