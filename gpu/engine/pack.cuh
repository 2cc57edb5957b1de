/* How entry-wise kernels read and write planes: four entries are a word. */
#ifndef PCI_GPU_PACK_CUH
#define PCI_GPU_PACK_CUH

#include "gpu/engine/entrywise.h"
#include "gpu/engine/reduction.cuh"

enum {
    PCI_ENTRIES = 4, /* of a word */
    PCI_BLOCK_THREADS = 256,
    PCI_MOST_BLOCKS = 8192, /* more blocks only cost time to start */
    PCI_FIRST_WIDE = PCI_MAX_NARROW,
    PCI_RADIX = 128 /* wide residue = 128 high + low */
};

/* The number of blocks for so many threads. Kernels loop with the stride of the grid when there are
 * fewer. */
static inline unsigned pci_blocks_for(size_t n_threads, unsigned block_threads)
{
    size_t n = (n_threads + block_threads - 1) / block_threads;
    if (n > PCI_MOST_BLOCKS)
        return PCI_MOST_BLOCKS;
    return n ? (unsigned)n : 1;
}

static __device__ __forceinline__ size_t pci_thread_index()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ size_t pci_n_threads_of_grid()
{
    return (size_t)gridDim.x * blockDim.x;
}

static __device__ __forceinline__ uint32_t pci_load_word(const int8_t *entries)
{
    return *(const uint32_t *)entries;
}

static __device__ __forceinline__ int32_t pci_signed_byte(uint32_t word, int k)
{
    return (int8_t)(word >> 8 * k);
}

/* ---- Wide residues --------------------------------------------------------------------------- */

/* Reduces an integer below 2^46 modulo an odd m < 2^14, centred. Doubles of that size are exact,
 * and the quotient is never so near to a half that its rounding error matters. */
typedef struct pci_wide_modulus {
    double m, inverse;
} pci_wide_modulus;

static inline pci_wide_modulus pci_wide_modulus_of(uint32_t m)
{
    pci_wide_modulus modulus = {(double)m, m ? 1.0 / m : 0.0};
    return modulus;
}

static __device__ __forceinline__ int32_t pci_reduce_wide(double value, pci_wide_modulus modulus)
{
    return (int32_t)fma(-rint(value * modulus.inverse), modulus.m, value);
}

/* The whole product from high high, low low and sum sum (Karatsuba). */
static __device__ __forceinline__ double pci_join_products(int32_t hh, int32_t ll, int32_t ss)
{
    return (double)(PCI_RADIX * PCI_RADIX) * hh + (double)PCI_RADIX * ((double)ss - hh - ll) + ll;
}

static __device__ __forceinline__ int32_t pci_high_digit(int32_t residue)
{
    return (residue + PCI_RADIX / 2) >> 7;
}

/* Digits high, low and high + low. */
static __device__ __forceinline__ void pci_split_wide(int32_t residue, int32_t digit[3])
{
    digit[0] = pci_high_digit(residue);
    digit[1] = residue - PCI_RADIX * digit[0];
    digit[2] = digit[0] + digit[1];
}

/* Three words, one for each digit, of four residues. */
static __device__ __forceinline__ void pci_split_wide4(const int32_t residue[PCI_ENTRIES],
                                                       uint32_t word[3])
{
    int32_t digit[PCI_ENTRIES][3];
    for (int e = 0; e < PCI_ENTRIES; e++)
        pci_split_wide(residue[e], digit[e]);
    for (int d = 0; d < 3; d++)
        word[d] = pci_low_bytes((uint32_t)digit[0][d], (uint32_t)digit[1][d], (uint32_t)digit[2][d],
                                (uint32_t)digit[3][d]);
}

static __device__ __forceinline__ void pci_store_wide4(int8_t *const digit[3], size_t at,
                                                       const int32_t residue[PCI_ENTRIES])
{
    uint32_t word[3];
    pci_split_wide4(residue, word);
    for (int d = 0; d < 3; d++)
        *(uint32_t *)(digit[d] + at) = word[d];
}

/* ---- Residues of a base, narrow or not ------------------------------------------------------- */

typedef struct pci_base_planes {
    uint32_t r;
    const int8_t *const *any; /* NULL: the planes are narrow[] */
    const int8_t *narrow[PCI_MAX_NARROW];
} pci_base_planes;

static inline pci_base_planes pci_base_planes_of(uint32_t r, pci_gpu_residues residues)
{
    pci_base_planes base = {};
    base.r = r;
    if (residues.narrow && r <= PCI_MAX_NARROW)
        for (uint32_t i = 0; i < r; i++)
            base.narrow[i] = residues.narrow[i];
    else
        base.any = residues.any;
    return base;
}

/* The residues modulo m_i of the four entries at an offset of all planes. */
static __device__ __forceinline__ void pci_load_residues(const pci_base_planes &base, uint32_t i,
                                                         size_t at, int32_t x[PCI_ENTRIES])
{
    const int8_t *first = base.any ? base.any[3 * (size_t)i] : base.narrow[i];
    uint32_t word = pci_load_word(first + at);
    for (int e = 0; e < PCI_ENTRIES; e++)
        x[e] = pci_signed_byte(word, e);
    if (i >= PCI_FIRST_WIDE) {
        uint32_t low = pci_load_word(base.any[3 * (size_t)i + 1] + at);
        for (int e = 0; e < PCI_ENTRIES; e++)
            x[e] = PCI_RADIX * x[e] + pci_signed_byte(low, e);
    }
}

/* q from T: see gpu/engine/entrywise.h. */
static __device__ __forceinline__ int32_t pci_whole_part(int64_t total)
{
    return (int32_t)((total + (INT64_C(1) << 30)) >> 32);
}

#endif
