/* Bytes between words. */
#ifndef PCI_GPU_BYTES_CUH
#define PCI_GPU_BYTES_CUH

#include <stdint.h>

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

#endif
