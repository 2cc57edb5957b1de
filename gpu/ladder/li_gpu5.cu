/* GPU5: GPU4 with the tile of B transposed in shared memory (Li, Ranka, Sahni, "GPU Matrix
 * Multiplication", section 1.7.4, Figure 1.27), so that a thread reads both tiles along rows.
 *
 * Shared memory has banks (16 on compute capability 1.3, 32 today): neighbouring words lie in
 * neighbouring banks, and threads that want different words of one bank wait for each other. With rows
 * of 16 words the 16 threads of a row would all read from one bank (Figure 1.25). Rows of 17 put
 * the elements of a column into different banks (Figure 1.26); the 17th word is never used.
 *
 * What it buys over GPU4: on the authors' GPU reading shared memory along rows was faster, by 4% of the
 * time at n = 16384 and 13% at 8192 (Figure 1.28). What it costs: 64 bytes more of shared memory, 2156
 * in all; still 11 registers, and the same traffic with device memory. */
#include "gpu/ladder/common.cuh"

enum { SIDE = 16 };

static __global__ void __launch_bounds__(SIDE *SIDE) gpu5(const pci_ladder_product p)
{
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE + 1];
    const uint32_t x = threadIdx.x, y = threadIdx.y;
    const uint32_t i = SIDE * blockIdx.y + y;
    const uint32_t j = SIDE * blockIdx.x + x;
    float sum = 0;

    for (uint32_t first = 0; first < p.a.columns; first += SIDE) {
        as[y][x] = pci_ladder_element(p.a, i, first + x);
        bs[x][y] = pci_ladder_element(p.b, first + y, j);
        __syncthreads(); /* both tiles are there */
        for (uint32_t k = 0; k < SIDE; k++)
            sum += as[y][k] * bs[x][k];
        __syncthreads(); /* nobody reads them any more */
    }
    if (i < p.c.rows && j < p.c.columns)
        pci_ladder_row(p.c, i)[j] = sum;
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_ladder_start((const void *)gpu5, product, block, SIDE, SIDE, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu5;
}

const pci_ladder_kernel pci_ladder_gpu5 = {
    "GPU5", "Li, Ranka, Sahni, Figure 1.27", "1 x 1 of C", false, {{SIDE, SIDE}}, launch, function,
    0,
};
