/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a counter
 * whose values are scrambled. For processors and GPUs alike. */
#ifndef PCI_SCRAMBLE_H
#define PCI_SCRAMBLE_H

#include <stdint.h>

#ifdef __CUDACC__
#define PCI_ANYWHERE __host__ __device__ static inline
#else
#define PCI_ANYWHERE static inline
#endif

#define PCI_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio, odd */

/* Every bit of the result depends on every bit of x; the constants are Stafford's variant 13. */
PCI_ANYWHERE uint64_t pci_scramble(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
