/* Accumulators to residues on the device (gpu/engine/reduction.h says how), and bytes to words. */
#ifndef PCI_GPU_REDUCTION_CUH
#define PCI_GPU_REDUCTION_CUH

#include "gpu/engine/reduction.h"

/* start + the sum of unsigned bytes times signed weights. */
static __device__ __forceinline__ uint32_t pci_dot_bytes(uint32_t bytes, uint32_t weights,
                                                         uint32_t start)
{
#if __CUDA_ARCH__ >= 610
    uint32_t sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(bytes), "r"(weights), "r"(start));
    return sum;
#else
    for (int k = 0; k < 32; k += 8)
        start += (bytes >> k & 255) * (uint32_t)(int32_t)(int8_t)(weights >> k);
    return start;
#endif
}

/* x modulo the m of the reduction, centred, in the low byte. The other bytes mean nothing. */
static __device__ __forceinline__ uint32_t pci_reduce(int32_t x, const pci_reduction &reduction)
{
    /* The sum of this and a quotient has the rounded quotient in the low bits of the float. The low
     * byte of this is zero, so it does not change the low byte of the result. */
    const float rounder = 12582912.0f;
    uint32_t sum = pci_dot_bytes((uint32_t)x + reduction.bias, reduction.weights, reduction.start);
    float quotient = __fmaf_rn(__uint_as_float(sum), reduction.inverse, rounder);
    return __float_as_uint(quotient) * (uint32_t)reduction.minus_m + sum;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* The low bytes of four words as one word, a's lowest. */
static __device__ __forceinline__ uint32_t pci_low_bytes(uint32_t a, uint32_t b, uint32_t c,
                                                         uint32_t d)
{
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/* Byte k of word j becomes byte j of word k. */
static __device__ __forceinline__ void pci_transpose4(uint32_t w[4])
{
    uint32_t low01 = __byte_perm(w[0], w[1], 0x5140), high01 = __byte_perm(w[0], w[1], 0x7362);
    uint32_t low23 = __byte_perm(w[2], w[3], 0x5140), high23 = __byte_perm(w[2], w[3], 0x7362);
    w[0] = __byte_perm(low01, low23, 0x5410);
    w[1] = __byte_perm(low01, low23, 0x7632);
    w[2] = __byte_perm(high01, high23, 0x5410);
    w[3] = __byte_perm(high01, high23, 0x7632);
}

/* The residues of four accumulators as one word. */
static __device__ __forceinline__ uint32_t pci_reduce4(int32_t a, int32_t b, int32_t c, int32_t d,
                                                       const pci_reduction &reduction)
{
    return pci_low_bytes(pci_reduce(a, reduction), pci_reduce(b, reduction),
                         pci_reduce(c, reduction), pci_reduce(d, reduction));
}

#endif
