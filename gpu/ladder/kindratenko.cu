/* Volodymyr Kindratenko, "Introduction to GPU Programming", part III: strips of a row of C, then
 * strips of A in shared memory, then several entries for each thread.
 *
 * His slides multiply column-major matrices, a = b c, and lay his index i, which runs down a
 * column, along the threads. A column-major matrix is the row-major transpose of itself, and
 * transposes multiply in the other order. So his a, b, c are our C, B, A, his i is a column of
 * ours, and his j is a row. What he says about i holds for the contiguous direction here too. The
 * rates that are named here are those of his tables: the time of the kernel alone, on his GPU. */
#include "gpu/ladder/common.cuh"

namespace
{

/* ---- kindratenko-strips ---------------------------------------------------------------------- */

/* Slides "Matrix-matrix multiplication example": the loop over the contiguous index is cut into
 * strips as wide as a block. The threads of a block take the entries of a strip, and strips and
 * rows become the grid. The threads of a warp read the same element of A and neighbours of B, so
 * each read is one transaction. 64 threads: 27.0 GFLOPS, 256: 25.9, 128: 25.3, 32: 24.2. */
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

/* ---- Strips of A in shared memory ------------------------------------------------------------ */

enum { STRIP = 32 }; /* of k, in shared memory at a time */

/* Loads elements first .. first + 31 of N rows of A, by all threads of the block. */
template <uint32_t N>
__device__ __forceinline__ void load_strips(const pci_ladder_matrix &a, uint32_t first_row,
                                            uint32_t first, float strip[N][STRIP])
{
    for (uint32_t t = threadIdx.x; t < N * STRIP; t += blockDim.x) {
        const uint32_t j = t / STRIP, k = t % STRIP;
        strip[j][k] = pci_ladder_element(a, first_row + j, first + k);
    }
}

/* A thread beyond the edge reads the last column, as barriers need all threads. It stores
 * nothing. */
__device__ __forceinline__ uint32_t nearest_column(const pci_ladder_matrix &matrix, uint32_t column)
{
    return min(column, matrix.columns - 1);
}

/* ---- kindratenko-shared ---------------------------------------------------------------------- */

/* Slides "Strip-mine k loop and load a strip of c into the multiprocessor local memory": the loop
 * over k is cut into strips of 32. All threads of a block need the same element of A in the same
 * step. So 32 of them load 32 elements at once, and the whole block reads these from shared memory.
 *
 * Gain over the step before: one read from global memory in each step instead of two. 44.0 instead
 * of 25.9 GFLOPS with blocks of 256. On his slide a block of one warp runs without barriers. Larger
 * blocks need the two that are here. */
__global__ void kindratenko_shared_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[1][STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    const uint32_t b_column = nearest_column(b, column);
    float sum = 0;

    for (uint32_t first = 0; first < a.columns; first += STRIP) {
        const uint32_t n = min((uint32_t)STRIP, a.columns - first);

        load_strips<1>(a, row, first, strip);
        __syncthreads();
#pragma unroll 8
        for (uint32_t k = 0; k < n; k++)
            sum += pci_ladder_row(b, first + k)[b_column] * strip[0][k];
        __syncthreads();
    }
    if (column < c.columns)
        pci_ladder_row(c, row)[column] = sum;
}

/* ---- kindratenko-i2, kindratenko-i4 ---------------------------------------------------------- */

/* Slides "Each kernel instance computes 2 values of the i loop": a thread has two or four entries
 * of a row of C. Its columns lie one block's width apart, so that the columns of a warp are
 * neighbours.
 *
 * Gain over the step before: an element of A that was read once from shared memory serves 2 or 4
 * columns. But B comes from global memory, and each entry still needs its own element of B. It
 * helped blocks of one warp only (43.1 instead of 29.8 GFLOPS); the best stayed at 43.6. */
template <uint32_t N>
__global__ void kindratenko_i_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[1][STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t row = blockIdx.y;
    uint32_t column[N], b_column[N];
    float sum[N];

    for (uint32_t i = 0; i < N; i++) {
        column[i] = (blockIdx.x * N + i) * blockDim.x + threadIdx.x;
        b_column[i] = nearest_column(b, column[i]);
        sum[i] = 0;
    }
    for (uint32_t first = 0; first < a.columns; first += STRIP) {
        const uint32_t n = min((uint32_t)STRIP, a.columns - first);

        load_strips<1>(a, row, first, strip);
        __syncthreads();
#pragma unroll 8
        for (uint32_t k = 0; k < n; k++) {
            const float *b_row = pci_ladder_row(b, first + k);
            for (uint32_t i = 0; i < N; i++)
                sum[i] += b_row[b_column[i]] * strip[0][k];
        }
        __syncthreads();
    }
    for (uint32_t i = 0; i < N; i++)
        if (column[i] < c.columns)
            pci_ladder_row(c, row)[column[i]] = sum[i];
}

/* ---- kindratenko-j2, kindratenko-j4 ---------------------------------------------------------- */

/* Slides "Each kernel instance computes 2 values of the j loop": a thread has two or four entries
 * of a column of C. Shared memory has as many strips of A as a thread has rows. An element of B is
 * read once and stays in a register for all of them.
 *
 * Gain over kindratenko-shared: 2 or 4 multiplications for each float from global memory instead of
 * one. 86.3 and 169.1 GFLOPS instead of 43.2 with blocks of 128, the best of his tables: twice the
 * rows, twice the speed. */
template <uint32_t N>
__global__ void kindratenko_j_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[N][STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, first_row = blockIdx.y * N;
    const uint32_t b_column = nearest_column(b, column);
    float sum[N] = {0};

    for (uint32_t first = 0; first < a.columns; first += STRIP) {
        const uint32_t n = min((uint32_t)STRIP, a.columns - first);

        load_strips<N>(a, first_row, first, strip);
        __syncthreads();
#pragma unroll 8
        for (uint32_t k = 0; k < n; k++) {
            const float b_element = pci_ladder_row(b, first + k)[b_column];
            for (uint32_t j = 0; j < N; j++)
                sum[j] += b_element * strip[j][k];
        }
        __syncthreads();
    }
    for (uint32_t j = 0; j < N; j++)
        if (column < c.columns && first_row + j < c.rows)
            pci_ladder_row(c, first_row + j)[column] = sum[j];
}

const char two_of_i[] = "Kindratenko, part III, \"2 values of the i loop\"";
const char two_of_j[] = "Kindratenko, part III, \"2 values of the j loop\"";

} // namespace

/* Blocks are those of his tables, the fastest first. For i and j his tables have none of 256
 * threads: these come last. */
/* clang-format off */
const pci_ladder_kernel pci_ladder_kindratenko[] = {
    {"kindratenko-strips", "Kindratenko, part III, \"Matrix-matrix multiplication example\"",
     "1 x 1 of C", (const void *)kindratenko_strips_kernel, 1, 1, {{64, 1}, {256, 1}, {128, 1}, {32, 1}}},
    {"kindratenko-shared", "Kindratenko, part III, \"Strip-mine k loop\"", "1 x 1 of C",
     (const void *)kindratenko_shared_kernel, 1, 1, {{256, 1}, {128, 1}, {64, 1}, {32, 1}}},
    {"kindratenko-i2", two_of_i, "1 x 2 of C",
     (const void *)kindratenko_i_kernel<2>, 1, 2, {{128, 1}, {64, 1}, {32, 1}, {256, 1}}},
    {"kindratenko-i4", two_of_i, "1 x 4 of C",
     (const void *)kindratenko_i_kernel<4>, 1, 4, {{64, 1}, {32, 1}, {128, 1}, {256, 1}}},
    {"kindratenko-j2", two_of_j, "2 x 1 of C",
     (const void *)kindratenko_j_kernel<2>, 2, 1, {{128, 1}, {64, 1}, {32, 1}, {256, 1}}},
    {"kindratenko-j4", two_of_j, "4 x 1 of C",
     (const void *)kindratenko_j_kernel<4>, 4, 1, {{128, 1}, {64, 1}, {32, 1}, {256, 1}}},
};
