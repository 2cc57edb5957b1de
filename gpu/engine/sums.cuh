/* Sums of rows of planes, 16 columns a thread: how bytes are added, and how the sums are stored.
 * Used by gpu/engine/step.cu and gpu/engine/block_sums.cu. */
#ifndef PCI_GPU_SUMS_CUH
#define PCI_GPU_SUMS_CUH

#include "gpu/engine/pack.cuh"

enum { PCI_COLUMNS = 16 /* of a thread */ };

/* The modulus of a sum and its planes. */
typedef struct pci_sum_target {
    pci_reduction reduction;
    uint32_t m; /* of a wide one, else 0 */
    int8_t *digit[3];
} pci_sum_target;

static inline pci_sum_target pci_sum_target_of(pci_gpu_modulus modulus, int8_t *const digit[3])
{
    pci_sum_target target = {};
    target.reduction = modulus.reduction;
    target.m = modulus.wide ? modulus.m : 0;
    for (int d = 0; d < (modulus.wide ? 3 : 1); d++)
        target.digit[d] = digit[d];
    return target;
}

/* ---- Adding ---------------------------------------------------------------------------------- */

/* Adds bytes by dp4a, with the weight in one place and zeros in the others. */
static __device__ __forceinline__ void pci_add_word(uint32_t word, uint32_t weight, int32_t *sum)
{
    for (int k = 0; k < PCI_ENTRIES; k++)
        sum[k] = __dp4a((int)word, (int)(weight << 8 * k), sum[k]);
}

static __device__ __forceinline__ void pci_add_quad(uint4 quad, uint32_t weight,
                                                    int32_t sum[PCI_COLUMNS])
{
    pci_add_word(quad.x, weight, sum);
    pci_add_word(quad.y, weight, sum + 4);
    pci_add_word(quad.z, weight, sum + 8);
    pci_add_word(quad.w, weight, sum + 12);
}

/* ---- Results --------------------------------------------------------------------------------- */

static __device__ __forceinline__ void pci_store_narrow(const int32_t sum[PCI_COLUMNS],
                                                        const pci_sum_target &target, size_t at)
{
    uint32_t word[4];
#pragma unroll
    for (int w = 0; w < 4; w++)
        word[w] = pci_reduce4(sum[4 * w], sum[4 * w + 1], sum[4 * w + 2], sum[4 * w + 3],
                              target.reduction);
    *(uint4 *)(target.digit[0] + at) = make_uint4(word[0], word[1], word[2], word[3]);
}

/* The sum as one number. One plane: of plain entries. Two: of high and of low digits, as every
 * weight is 1. Three: of the products of digits. */
template <int N_PLANES>
static __device__ __forceinline__ double pci_wide_sum(const int32_t sum[N_PLANES][PCI_COLUMNS],
                                                      int k)
{
    if (N_PLANES == 1)
        return sum[0][k];
    if (N_PLANES == 2)
        return (double)PCI_RADIX * sum[0][k] + sum[1 % N_PLANES][k];
    return pci_join_products(sum[0][k], sum[1 % N_PLANES][k], sum[2 % N_PLANES][k]);
}

template <int N_PLANES>
static __device__ __forceinline__ void pci_store_wide(const int32_t sum[N_PLANES][PCI_COLUMNS],
                                                      const pci_sum_target &target, size_t at)
{
    pci_wide_modulus modulus = {(double)target.m, 1.0 / target.m};
#pragma unroll
    for (int w = 0; w < 4; w++) {
        int32_t residue[PCI_ENTRIES];
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            residue[e] = pci_reduce_wide(pci_wide_sum<N_PLANES>(sum, 4 * w + e), modulus);
        pci_store_wide4(target.digit, at + 4 * w, residue);
    }
}

/* Stores residues of any kind of 16 sums at entry `at` of the planes of the target. */
template <int N_PLANES>
static __device__ __forceinline__ void pci_store_sums(const int32_t sum[N_PLANES][PCI_COLUMNS],
                                                      const pci_sum_target &target, size_t at)
{
    if (target.m)
        pci_store_wide<N_PLANES>(sum, target, at);
    else if (N_PLANES == 1)
        pci_store_narrow(sum[0], target, at);
}

#endif
