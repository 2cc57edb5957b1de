/* Residues as numbers of half precision, which has 11 bits of significand: 1024 + u is exact for u = 0..255. */
#ifndef PCI_GPU_HALVES_CUH
#define PCI_GPU_HALVES_CUH

#include <stdint.h>

/* Four bytes, signed, as two pairs of halves: the bytes 0 and 1, then 2 and 3. */
struct pci_halves {
    uint32_t low, high;
};

static __device__ __forceinline__ uint32_t pci_subtract_halves(uint32_t a, uint32_t b)
{
    uint32_t difference;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}

static __device__ __forceinline__ pci_halves pci_halves_of(uint32_t bytes)
{
    const uint32_t exponent = 0x64646464;       /* 0x6400 | u is 1024 + u */
    const uint32_t offset = 0x64806480;         /* 1024 + 128 */
    const uint32_t biased = bytes ^ 0x80808080; /* each plus 128 */
    return {pci_subtract_halves(__byte_perm(biased, exponent, 0x4140), offset),
            pci_subtract_halves(__byte_perm(biased, exponent, 0x4342), offset)};
}

#endif
