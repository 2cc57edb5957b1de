/* GPU1: a thread computes one element of C from device memory (Li, Ranka, Sahni, "GPU Matrix
 * Multiplication", section 1.7.1, Figure 1.12). The loop of the ijk product on the CPU, with a thread
 * in place of each turn of the two outer loops.
 *
 * What a step costs: an element of A and one of B for a single multiply-add. Threads that follow each
 * other in x have the same i, so they read one element of A together and neighbours of B in one
 * transaction. In blocks with x = 1 it is the other way round, each thread reads a row of A of its
 * own, and Figure 1.14 has them almost 30 times as slow. On compute capability 1.3: 10 registers, 44
 * bytes of shared memory (the arguments), all threads of a multiprocessor at work; 6 n^3 + 4 n^2
 * bytes read and written, of which 56% are used (Figure 1.15). */
#include "gpu/ladder/common.cuh"

static __global__ void gpu1(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float sum = 0;
    for (uint32_t k = 0; k < p.a.columns; k++) {
        sum += a[k] * *b;
        b += p.b.stride;
    }
    pci_ladder_row(p.c, i)[j] = sum;
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_ladder_start((const void *)gpu1, product, block, block.y, block.x, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu1;
}

const pci_ladder_kernel pci_ladder_gpu1 = {
    "GPU1",
    "Li, Ranka, Sahni, Figure 1.12",
    "1 x 1 of C",
    false,
    /* Figure 1.14 */
    {{256, 1},
     {128, 1},
     {512, 1},
     {64, 1},
     {32, 1},
     {32, 2},
     {32, 16},
     {16, 16},
     {16, 32},
     {8, 8},
     {1, 32},
     {1, 64},
     {1, 128},
     {1, 256},
     {1, 512}},
    launch,
    function,
    0,
};
