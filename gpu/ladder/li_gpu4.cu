/* GPU4: a block of 16 x 16 threads computes 16 x 16 of C from tiles of A and B in shared memory (Li,
 * Ranka, Sahni, "GPU Matrix Multiplication", section 1.7.4, Figure 1.24).
 *
 * What it buys over GPU3: threads of a block want the same elements, so each is read from device memory
 * once for the block and then 16 times from shared memory, which lies on the multiprocessor: 0.5 n^3 +
 * 4 n^2 bytes, every one of them used, against 1.5 n^3 (Figure 1.36). What it costs: two waits of all
 * threads for each other every 16 steps, and 2092 bytes of shared memory; 11 registers, so on compute
 * capability 1.3 all threads of a multiprocessor can be at work. 2.8 times as fast there. */
#include "gpu/ladder/common.cuh"

enum { SIDE = 16 };

static __global__ void __launch_bounds__(SIDE *SIDE) gpu4(const pci_ladder_product p)
{
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
    const uint32_t x = threadIdx.x, y = threadIdx.y;
    const uint32_t i = SIDE * blockIdx.y + y;
    const uint32_t j = SIDE * blockIdx.x + x;
    float sum = 0;

    for (uint32_t first = 0; first < p.a.columns; first += SIDE) {
        as[y][x] = pci_ladder_element(p.a, i, first + x);
        bs[y][x] = pci_ladder_element(p.b, first + y, j);
        __syncthreads(); /* both tiles are there */
        for (uint32_t k = 0; k < SIDE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads(); /* nobody reads them any more */
    }
    if (i < p.c.rows && j < p.c.columns)
        pci_ladder_row(p.c, i)[j] = sum;
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_ladder_start((const void *)gpu4, product, block, SIDE, SIDE, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu4;
}

const pci_ladder_kernel pci_ladder_gpu4 = {
    "GPU4", "Li, Ranka, Sahni, Figure 1.24", "1 x 1 of C", false, {{SIDE, SIDE}}, launch, function,
    0,
};
