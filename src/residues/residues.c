/* The list of moduli and its arithmetic. */
#include "src/residues/residues.h"

#include <math.h>
#include <string.h>

/* Bits kept back for the rounding of log2 sums of up to 6516 terms. */
static const double ROUNDING_BITS = 1e-6;

/* Each is the greatest number that has no factor in common with those before it. */
static const uint16_t narrow[PCI_N_NARROW] = {
    256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191,
    181, 179, 173, 167, 163, 157, 151, 149, 139, 137, 131, 127, 113, 109, 107, 103, 101,
    97,  89,  83,  79,  73,  71,  67,  61,  59,  53,  47,  43,  41,  37,  29};

/* The primes between 2^13 and 2^14, and the others, each the greatest first. */
static void fill_primes(uint16_t *wide, uint16_t *full)
{
    enum { END = 255 << PCI_FULL_RADIX_BITS, ROOT = 256 };
    bool composite[END / 2] = {false}; /* of 1, 3, ... */
    for (uint32_t p = 3; p < ROOT; p += 2)
        for (uint32_t i = p * p / 2; !composite[p / 2] && i < END / 2; i += p)
            composite[i] = true;
    for (uint32_t i = END / 2 - 1; i >= ROOT / 2; i--) {
        bool is_wide = i >= 1 << 12 && i < 1 << 13;
        uint16_t **next = is_wide ? &wide : &full;
        **next = (uint16_t)(2 * i + 1);
        *next += !composite[i];
    }
}

void pci_moduli_fill(pci_moduli *moduli)
{
    uint16_t wide[PCI_N_WIDE + 1], full[PCI_N_FULL + 1]; /* the last is written, and is none */
    fill_primes(wide, full);
    memcpy(moduli->m, narrow, sizeof narrow);
    memcpy(moduli->m + PCI_N_NARROW, wide, PCI_N_WIDE * sizeof *wide);
    memcpy(moduli->m + PCI_N_NOT_FULL, full, PCI_N_FULL * sizeof *full);
}

/* Of the first r moduli. */
static uint32_t add_up(uint32_t r, uint32_t (*number_of)(pci_class))
{
    uint32_t n_narrow = r < PCI_N_NARROW ? r : PCI_N_NARROW,
             n_full = r > PCI_N_NOT_FULL ? r - PCI_N_NOT_FULL : 0;
    return n_narrow * number_of(PCI_NARROW) + (r - n_narrow - n_full) * number_of(PCI_WIDE) +
           n_full * number_of(PCI_FULL);
}

uint32_t pci_moduli_n_planes(uint32_t r)
{
    return add_up(r, pci_class_n_digits);
}

uint32_t pci_moduli_n_products(uint32_t r)
{
    return add_up(r, pci_class_n_products);
}

uint32_t pci_moduli_for_bits(const pci_moduli *moduli, double bits)
{
    double carried = -1 - ROUNDING_BITS; /* one bit spare, see src/residues/crt.h */
    for (uint32_t r = 0; r < PCI_N_MODULI; r++) {
        carried += log2(moduli->m[r]);
        if (carried >= bits)
            return r + 1;
    }
    return 0;
}

double pci_moduli_max_bits(const pci_moduli *moduli, uint32_t r)
{
    double carried = -1 - ROUNDING_BITS;
    for (uint32_t i = 0; i < r; i++)
        carried += log2(moduli->m[i]);
    return carried;
}
