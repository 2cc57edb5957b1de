/* GPU6: a thread computes 16 x 1 of C (Li, Ranka, Sahni, "GPU Matrix Multiplication", section 1.7.5,
 * Figures 1.29 to 1.31), a block of 16 x 8 threads 16 x 128.
 *
 * What it buys over GPU5: an element of B goes from device memory into a register and is multiplied 16
 * times there, with a column of A that all threads of the block read together. One read of shared
 * memory a multiply-add in place of two, one of device memory in 16, and 9/32 n^3 + 4 n^2 bytes against
 * 0.5 n^3. A thread's 16 multiply-adds do not wait for each other, which hides the time that reads
 * take. What it costs: 38 registers and 2220 bytes of shared memory, for which compute capability 1.3
 * has 38% of its threads at work. 1.9 times as fast there all the same.
 *
 * Rows of 17 words: a warp writes words 34 x + y, x from 0 to 15, y one of two neighbours. These lie
 * in 32 different banks today; with the 16 banks of compute capability 1.3 each bank had two. */
#include "gpu/ladder/li_column.cuh"

static __global__ void __launch_bounds__(PCI_LI_THREADS) gpu6(const pci_ladder_product p)
{
    __shared__ float as[PCI_LI_DEPTH][PCI_LI_ROWS + 1];
    const float *b = pci_li_b(p.b);
    float sum[PCI_LI_ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += PCI_LI_DEPTH) {
        const uint32_t depth = pci_li_depth(p.a, first, PCI_LI_DEPTH);
        pci_li_load_slice(p.a, first, as);
        __syncthreads(); /* the slice is there */
        if (depth == PCI_LI_DEPTH) {
#pragma unroll
            for (uint32_t k = 0; k < PCI_LI_DEPTH; k++, b += p.b.stride)
                pci_li_update<1>(as[k], *b, sum);
        } else {
            for (uint32_t k = 0; k < depth; k++, b += p.b.stride)
                pci_li_update<1>(as[k], *b, sum);
        }
        __syncthreads(); /* nobody reads it any more */
    }
    pci_li_store(p.c, sum);
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_li_start((const void *)gpu6, product, block, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu6;
}

const pci_ladder_kernel pci_ladder_gpu6 = {
    "GPU6",
    "Li, Ranka, Sahni, Figure 1.30",
    "16 x 1 of C",
    false,
    {{PCI_LI_X, PCI_LI_Y}},
    launch,
    function,
    0,
};
