/* The moduli: which numbers they are, how many are needed, and how large a count they represent.
 *
 * A count X with 0 <= X < 2^b is stored as its residues modulo the first r numbers of one fixed
 * list. The numbers of the list are pairwise coprime, and the product M of the first r is at least
 * 2^(b+1). The list begins with the greatest pairwise coprime numbers <= 256 ("narrow", one int8
 * digit). The primes below 2^14 follow ("wide", two 7-bit digits). The spare factor 2 makes the
 * conversion back exact: see src/residues/crt.h.
 *
 * Residues are int8 because processors have fast instructions that multiply and add bytes: they do
 * 8 to 64 times as many operations a cycle as instructions for doubles. A product of two planes is
 * exact in int32 while n <= 131071. The 49 narrow moduli represent 342 bits. A product modulo a
 * wide prime takes three int8 products (Karatsuba). The whole list represents about 11,000 bits. */
#ifndef PCI_RESIDUES_H
#define PCI_RESIDUES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PCI_N_NARROW = 49, /* their product has 342 bits */
    PCI_N_WIDE = 872,  /* primes between 2^13 and 2^14 */
    PCI_N_MODULI = PCI_N_NARROW + PCI_N_WIDE,
    PCI_MAX_PLAIN = 127,             /* entries up to this are their own residues: a plain plane */
    PCI_MAX_DENSE_VERTICES = 131071, /* 128 * 128 * n < 2^31: int32 accumulators stay exact */
    PCI_WIDE_RADIX_BITS = 7 /* wide residue = high * 2^7 + low, |high| <= 64, low in [-64, 63] */
};

typedef struct pci_moduli {
    uint16_t m[PCI_N_MODULI]; /* pairwise coprime; 256 first */
} pci_moduli;

/* Fills the list. */
void pci_moduli_fill(pci_moduli *moduli);

static inline bool pci_modulus_is_wide(uint32_t index)
{
    return index >= PCI_N_NARROW;
}

/* int8 planes that one modulus occupies: its residue, or the digits high, low and high + low. */
static inline uint32_t pci_modulus_n_digits(uint32_t index)
{
    return pci_modulus_is_wide(index) ? 3 : 1;
}

/* The same of a number of the list, for lists that have some of them. */
static inline bool pci_number_is_wide(uint16_t m)
{
    return m > 256;
}

/* int8 planes, hence int8 matrix products, of the first r moduli. */
uint32_t pci_moduli_n_planes(uint32_t r);

/* The fewest moduli that carry counts below 2^bits, 1 or more; 0 when the whole list does not. */
uint32_t pci_moduli_for_bits(const pci_moduli *moduli, double bits);

/* log2 of the widest count that the whole list carries. */
double pci_moduli_max_bits(const pci_moduli *moduli);

#endif
