/* The two matrices that every rung of the ladder multiplies: integers, so small that sums of four
 * products are below 2^24. There floats are exact, in any order of summation, for reduced products too.
 * Made alike by the processor and by a GPU. */
#ifndef BENCH_LADDER_MATRIX_H
#define BENCH_LADDER_MATRIX_H

#include "src/core/checksum.h"

#include <math.h>

enum { PCI_LADDER_A = 1, PCI_LADDER_B = 2 /* numbers of the matrices */ };

/* The modulus of our own products, which are made of int8 residues. */
enum { PCI_LADDER_MODULUS = 251 };

/* The largest entry of n x n matrices; an int8 holds it too. */
static inline uint32_t pci_ladder_largest(uint32_t n)
{
    enum { FLOAT_BITS = 24, INT8_MAX_ENTRY = 127 };
    double largest = sqrt(((double)(1 << FLOAT_BITS) - 1) / (4.0 * n));
    return largest < INT8_MAX_ENTRY ? (uint32_t)largest : INT8_MAX_ENTRY;
}

/* Entry (row, column) of a matrix, given its number: an integer from 0 to largest. */
PCI_ANYWHERE uint32_t pci_ladder_entry(uint32_t matrix, uint32_t row, uint32_t column,
                                       uint32_t largest)
{
    uint64_t word = pci_scramble(((uint64_t)row << 32 | column) + (matrix + 1) * PCI_RANDOM_STEP);
    return (uint32_t)((word >> 32) * ((uint64_t)largest + 1) >> 32);
}

#endif
