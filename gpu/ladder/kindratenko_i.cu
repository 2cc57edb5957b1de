/* Two and four entries of a row of C for each thread.
 *
 * Volodymyr Kindratenko, "Introduction to GPU Programming", part III, slides "Each kernel instance
 * computes 2 values of the i loop" (his i is a column of ours: kindratenko.cuh). A thread has columns
 * that lie one block's width apart, so that those of a warp stay neighbours.
 *
 * Over the step before: an element of A, once read from shared memory, serves 2 or 4 columns. But what
 * comes from global memory is B, and of that each entry still needs its own: on his GPU it helped
 * blocks of one warp only (43.1 instead of 29.8 GFLOPS), the best stayed at 43.6. Blocks in the order
 * of his tables; 256 is not in them and comes last. */
#include "gpu/ladder/kindratenko.cuh"

namespace
{

template <uint32_t N>
__global__ void kindratenko_i_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[1][PCI_STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t row = blockIdx.y;
    uint32_t column[N], b_column[N];
    float sum[N];

    for (uint32_t i = 0; i < N; i++) {
        column[i] = (blockIdx.x * N + i) * blockDim.x + threadIdx.x;
        b_column[i] = pci_nearest_column(b, column[i]);
        sum[i] = 0;
    }
    for (uint32_t first = 0; first < a.columns; first += PCI_STRIP) {
        const uint32_t n = min((uint32_t)PCI_STRIP, a.columns - first);

        pci_load_strips<1>(a, row, first, strip);
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

template <uint32_t N> const void *function(pci_ladder_block)
{
    return (const void *)kindratenko_i_kernel<N>;
}

template <uint32_t N>
cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function<N>(block), product, block, 1, N * block.x, stream);
}

const char source[] = "Kindratenko, part III, \"2 values of the i loop\"";

} // namespace

const pci_ladder_kernel pci_ladder_kindratenko_i2 = {
    "kindratenko-i2",
    source,
    "1 x 2 of C",
    false,
    {{128, 1}, {64, 1}, {32, 1}, {256, 1}},
    launch<2>,
    function<2>,
    0,
};

const pci_ladder_kernel pci_ladder_kindratenko_i4 = {
    "kindratenko-i4",
    source,
    "1 x 4 of C",
    false,
    {{64, 1}, {32, 1}, {128, 1}, {256, 1}},
    launch<4>,
    function<4>,
    0,
};
