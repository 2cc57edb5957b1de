/* Fills matrices, computes their right product, and compares results with it. None of it is timed,
 * and all of it is as plain as possible. */
#include "tests/bench/gpu/matrices.h"

namespace
{

enum { SIDE = 16, NO_NUMBER = 0x7FC00000 /* the bits of a NaN */ };

/* One thread an entry, in blocks of SIDE x SIDE. */
dim3 threads()
{
    return dim3(SIDE, SIDE);
}

dim3 blocks(uint32_t columns, uint32_t rows)
{
    return dim3((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
}

__device__ __forceinline__ uint32_t my_column()
{
    return blockIdx.x * SIDE + threadIdx.x;
}

__device__ __forceinline__ uint32_t my_row()
{
    return blockIdx.y * SIDE + threadIdx.y;
}

__device__ __forceinline__ bool is_inside(const pci_ladder_matrix &matrix, uint32_t row,
                                          uint32_t column)
{
    return row < matrix.rows && column < matrix.columns;
}

__device__ __forceinline__ float *at(const pci_ladder_matrix &matrix, uint32_t row, uint32_t column)
{
    return matrix.element + (size_t)row * matrix.stride + column;
}

__global__ void fill_kernel(pci_ladder_matrix matrix, uint32_t seed, uint32_t most)
{
    const uint32_t row = my_row(), column = my_column();
    if (row >= matrix.rows || column >= matrix.stride)
        return;
    *at(matrix, row, column) = column < matrix.columns
                                   ? (float)pci_ladder_entry(seed, row, column, most)
                                   : __int_as_float(NO_NUMBER);
}

__global__ void expect_kernel(pci_ladder_product product)
{
    const uint32_t row = my_row(), column = my_column();
    uint32_t sum = 0;
    if (!is_inside(product.c, row, column))
        return;
    for (uint32_t k = 0; k < product.a.columns; k++)
        sum += (uint32_t)*at(product.a, row, k) * (uint32_t)*at(product.b, k, column);
    *at(product.c, row, column) = (float)sum;
}

__global__ void expect_reduced_kernel(pci_ladder_matrix full, pci_ladder_matrix reduced)
{
    const uint32_t row = my_row(), column = my_column();
    uint32_t sum = 0;
    if (!is_inside(reduced, row, column))
        return;
    for (uint32_t i = 2 * row; i < 2 * row + 2; i++)
        for (uint32_t j = 2 * column; j < 2 * column + 2; j++)
            if (is_inside(full, i, j))
                sum += (uint32_t)*at(full, i, j);
    *at(reduced, row, column) = (float)sum;
}

__global__ void to_plane_kernel(pci_ladder_matrix matrix, bool transposed, int8_t *plane,
                                uint32_t n_padded)
{
    const uint32_t row = my_row(), column = my_column();
    const uint32_t from_row = transposed ? column : row, from_column = transposed ? row : column;
    if (row >= n_padded || column >= n_padded)
        return;
    plane[(size_t)row * n_padded + column] =
        is_inside(matrix, from_row, from_column) ? (int8_t)*at(matrix, from_row, from_column) : 0;
}

__global__ void compare_kernel(pci_ladder_matrix expected, const float *result, uint32_t stride,
                               unsigned long long *n_wrong)
{
    const uint32_t row = my_row(), column = my_column();
    if (is_inside(expected, row, column) &&
        !(result[(size_t)row * stride + column] == *at(expected, row, column)))
        atomicAdd(n_wrong, 1ull);
}

__global__ void compare_residues_kernel(pci_ladder_matrix expected, const int8_t *result,
                                        uint32_t stride, int32_t m, unsigned long long *n_wrong)
{
    const uint32_t row = my_row(), column = my_column();
    if (!is_inside(expected, row, column))
        return;
    const int32_t residue = result[(size_t)row * stride + column];
    if (((int32_t)*at(expected, row, column) - residue) % m != 0 || 2 * abs(residue) > m)
        atomicAdd(n_wrong, 1ull);
}

} // namespace

extern "C" cudaError_t pci_ladder_fill(const pci_ladder_matrix *matrix, uint32_t seed,
                                       uint32_t most, cudaStream_t stream)
{
    fill_kernel<<<blocks(matrix->stride, matrix->rows), threads(), 0, stream>>>(*matrix, seed,
                                                                                most);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_ladder_expect(const pci_ladder_product *product, cudaStream_t stream)
{
    expect_kernel<<<blocks(product->c.columns, product->c.rows), threads(), 0, stream>>>(*product);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_ladder_expect_reduced(const pci_ladder_matrix *full,
                                                 const pci_ladder_matrix *reduced,
                                                 cudaStream_t stream)
{
    expect_reduced_kernel<<<blocks(reduced->columns, reduced->rows), threads(), 0, stream>>>(
        *full, *reduced);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_ladder_to_plane(const pci_ladder_matrix *matrix, bool transposed,
                                           int8_t *plane, uint32_t n_padded, cudaStream_t stream)
{
    to_plane_kernel<<<blocks(n_padded, n_padded), threads(), 0, stream>>>(*matrix, transposed,
                                                                          plane, n_padded);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_ladder_compare_floats(const pci_ladder_matrix *expected,
                                                 const float *result, uint32_t stride,
                                                 unsigned long long *n_wrong, cudaStream_t stream)
{
    compare_kernel<<<blocks(expected->columns, expected->rows), threads(), 0, stream>>>(
        *expected, result, stride, n_wrong);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_ladder_compare_residues(const pci_ladder_matrix *expected,
                                                   const int8_t *result, uint32_t stride,
                                                   uint32_t m, unsigned long long *n_wrong,
                                                   cudaStream_t stream)
{
    compare_residues_kernel<<<blocks(expected->columns, expected->rows), threads(), 0, stream>>>(
        *expected, result, stride, (int32_t)m, n_wrong);
    return cudaGetLastError();
}
