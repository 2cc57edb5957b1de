/* GPU7: GPU6 with four elements of B under way (Li, Ranka, Sahni, "GPU Matrix Multiplication", section
 * 1.7.5, Figure 1.32).
 *
 * GPU6 waits for an element of B before the 16 multiply-adds that want it. Here four registers take
 * turns: as soon as one has been used, it is given the element four rows further down, which has the
 * multiply-adds of three others, 48 of them, to arrive. What it buys is small: 23.26
 * s against 23.28 at n = 16384 (Figure 1.40). It costs nothing: again 38 registers and 2220 bytes of
 * shared memory. A compiler that unrolls GPU6 may well read ahead by itself; then the two are one. */
#include "gpu/ladder/li_column.cuh"

enum { AHEAD = 4 };

/* A whole slice; b is its first element of B. */
static __device__ __forceinline__ void
multiply_slice(const float (&as)[PCI_LI_DEPTH][PCI_LI_ROWS + 1], const float *b, uint32_t stride,
               float (&sum)[PCI_LI_ROWS])
{
    float ahead[AHEAD];
#pragma unroll
    for (uint32_t q = 0; q < AHEAD; q++)
        ahead[q] = b[(size_t)q * stride];
#pragma unroll
    for (uint32_t k = 0; k < PCI_LI_DEPTH; k += AHEAD) {
        b += (size_t)AHEAD * stride;
#pragma unroll
        for (uint32_t q = 0; q < AHEAD; q++) {
            pci_li_update<1>(as[k + q], ahead[q], sum);
            if (k + AHEAD < PCI_LI_DEPTH)
                ahead[q] = b[(size_t)q * stride];
        }
    }
}

static __global__ void __launch_bounds__(PCI_LI_THREADS) gpu7(const pci_ladder_product p)
{
    __shared__ float as[PCI_LI_DEPTH][PCI_LI_ROWS + 1];
    const float *b = pci_li_b(p.b);
    float sum[PCI_LI_ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += PCI_LI_DEPTH) {
        const uint32_t depth = pci_li_depth(p.a, first, PCI_LI_DEPTH);
        pci_li_load_slice(p.a, first, as);
        __syncthreads(); /* the slice is there */
        if (depth == PCI_LI_DEPTH) {
            multiply_slice(as, b, p.b.stride, sum);
            b += (size_t)PCI_LI_DEPTH * p.b.stride;
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
    return pci_li_start((const void *)gpu7, product, block, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu7;
}

const pci_ladder_kernel pci_ladder_gpu7 = {
    "GPU7",
    "Li, Ranka, Sahni, Figure 1.32",
    "16 x 1 of C",
    false,
    {{PCI_LI_X, PCI_LI_Y}},
    launch,
    function,
    0,
};
