/* Checksums: evidence that memory has not changed. If one word differs, so does the checksum; else the
 * same checksum has a probability of 2^-64. */
#ifndef PCI_CHECKSUM_H
#define PCI_CHECKSUM_H

#include "src/core/context.h"
#include <stdint.h>

/* Returns a checksum of n_bytes, mixed with seed. */
uint64_t pci_checksum(const void *bytes, size_t n_bytes, uint64_t seed);

/* Another checksum, of large arrays: threads share the bytes. */
uint64_t pci_checksum_by_threads(const pc_context *context, const void *bytes, size_t n_bytes,
                                 uint64_t seed);

/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a counter
 * whose values are scrambled. For processors and GPUs alike. */

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

/* A sequence of random numbers. */
typedef struct pci_random {
    uint64_t state;
} pci_random;

/* The sequence with this number. The sequences of a seed are independent. */
static inline pci_random pci_random_sequence(uint64_t seed, uint64_t number)
{
    uint64_t key = pci_scramble(seed + PCI_RANDOM_STEP);
    return (pci_random){pci_scramble(key + number * PCI_RANDOM_STEP)};
}

static inline uint64_t pci_random_next(pci_random *random)
{
    return pci_scramble(random->state += PCI_RANDOM_STEP);
}

#endif
