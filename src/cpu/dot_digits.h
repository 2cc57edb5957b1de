/* Sums of counts times random numbers, for certificates: sums of integers, which may be reduced modulo
 * several primes.
 *
 * A random number x = low + 2^64 high has three digits to the base 2^32, each below 2^27: two in low, one in
 * high. There are 2^81 such numbers. The products of the halves of a word and of digits are below 2^59, and
 * registers of 64 bits add up many of them. */
#ifndef PCI_DOT_DIGITS_H
#define PCI_DOT_DIGITS_H

#include "src/core/context.h"

enum { PCI_DIGIT_BITS = 27 };

/* Bits that the words of a random number may have. */
static const uint64_t PCI_LOW_DIGITS = 0x07ffffff07ffffff, PCI_HIGH_DIGIT = 0x07ffffff;

typedef struct pci_digits {
    const uint64_t *low, *high; /* [n] each */
} pci_digits;

/* low + 2^64 high; both are below 2^125. */
typedef struct pci_digit_sum {
    unsigned __int128 low, high;
} pci_digit_sum;

/* sums[0] = sum over i < n of first[i * stride] x_i, and sums[1] of second; n < 2^32. It is fast where the
 * stride is 1, and where second is first + 1: for two rows, and for two words of the counts of a row. */
typedef void (*pci_dot_digits_fn)(size_t n, const uint64_t *first, const uint64_t *second,
                                  size_t stride, const pci_digits *x, pci_digit_sum *sums);

/* With AVX-512 IFMA. Those of other instruction sets are in pci_row_ops. */
void pci_dot_digits_ifma(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                         const pci_digits *x, pci_digit_sum *sums);

/* The fastest that runs here, or what goes with the kernel that was forced: one that is not available is reported
 * later, by the product. */
pci_dot_digits_fn pci_dot_digits_choose(pc_context *context);

#endif
