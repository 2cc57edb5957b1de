/* An accumulator to a residue on the device: gpu/engine/reduction.h says how it works. */
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

/* x modulo the reduction's m, centred: in the low byte; the other bytes are of no use. */
static __device__ __forceinline__ uint32_t pci_reduce(int32_t x, const pci_reduction &reduction)
{
    /* Added to a quotient, this leaves it, rounded, in the low bits of the float. Its own low byte
     * is zero, so it does not disturb the low byte of the result. */
    const float rounder = 12582912.0f;
    uint32_t sum = pci_dot_bytes((uint32_t)x + reduction.bias, reduction.weights, reduction.start);
    float quotient = __fmaf_rn(__uint_as_float(sum), reduction.inverse, rounder);
    return __float_as_uint(quotient) * (uint32_t)reduction.minus_m + sum;
}

#endif
