/* The two matrices that every rung of the ladder multiplies: integers, so small that sums of four
 * products are below 2^24. There floats are exact, in any order of summation, for reduced products too.
 * Made alike by the processor and by a GPU. */
#ifndef PCI_LADDER_MATRIX_H
#define PCI_LADDER_MATRIX_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define PCI_LADDER_INLINE __host__ __device__ static inline
#else
#define PCI_LADDER_INLINE static inline
#endif

enum { PCI_LADDER_A = 1, PCI_LADDER_B = 2 /* numbers of the matrices */ };

/* What our own products, which are made of int8 residues, are reduced by. */
enum { PCI_LADDER_MODULUS = 251 };

/* The largest entry of n x n matrices; an int8 holds it too. */
static inline uint32_t pci_ladder_largest(uint32_t n)
{
    enum { FLOAT_BITS = 24, INT8_MAX_ENTRY = 127 };
    double largest = sqrt(((double)(1 << FLOAT_BITS) - 1) / (4.0 * n));
    return largest < INT8_MAX_ENTRY ? (uint32_t)largest : INT8_MAX_ENTRY;
}

/* Entry (row, column) of a matrix, given its number: an integer from 0 to largest. */
PCI_LADDER_INLINE uint32_t pci_ladder_entry(uint32_t matrix, uint32_t row, uint32_t column,
                                            uint32_t largest)
{
    uint64_t z = ((uint64_t)row << 32 | column) + (matrix + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(((z ^ z >> 31) >> 32) * ((uint64_t)largest + 1) >> 32);
}

#endif
