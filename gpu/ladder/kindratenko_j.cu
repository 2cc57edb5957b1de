/* Two and four entries of a column of C for each thread.
 *
 * Volodymyr Kindratenko, "Introduction to GPU Programming", part III, slides "Each kernel instance
 * computes 2 values of the j loop" (his j is a row of ours: kindratenko.cuh). As many strips of A lie in
 * shared memory as a thread has rows; an element of B is read once and stays in a register for all of
 * them.
 *
 * Over kindratenko_shared.cu: 2 or 4 multiplications for each float from global memory instead of one.
 * In his tables 86.3 and 169.1 GFLOPS instead of 43.2 with blocks of 128, best of his tables: twice the
 * rows, twice the speed. 256 is not in the tables and comes last. */
#include "gpu/ladder/kindratenko.cuh"

namespace
{

template <uint32_t N>
__global__ void kindratenko_j_kernel(const __grid_constant__ pci_ladder_product product)
{
    __shared__ float strip[N][PCI_STRIP];
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, first_row = blockIdx.y * N;
    const uint32_t b_column = pci_nearest_column(b, column);
    float sum[N] = {0};

    for (uint32_t first = 0; first < a.columns; first += PCI_STRIP) {
        const uint32_t n = min((uint32_t)PCI_STRIP, a.columns - first);

        pci_load_strips<N>(a, first_row, first, strip);
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

template <uint32_t N> const void *function(pci_ladder_block)
{
    return (const void *)kindratenko_j_kernel<N>;
}

template <uint32_t N>
cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(function<N>(block), product, block, N, block.x, stream);
}

const char source[] = "Kindratenko, part III, \"2 values of the j loop\"";

} // namespace

const pci_ladder_kernel pci_ladder_kindratenko_j2 = {
    "kindratenko-j2",
    source,
    "2 x 1 of C",
    false,
    {{128, 1}, {64, 1}, {32, 1}, {256, 1}},
    launch<2>,
    function<2>,
    0,
};

const pci_ladder_kernel pci_ladder_kindratenko_j4 = {
    "kindratenko-j4",
    source,
    "4 x 1 of C",
    false,
    {{128, 1}, {64, 1}, {32, 1}, {256, 1}},
    launch<4>,
    function<4>,
    0,
};
