/* The list of moduli and its arithmetic. */
#include "src/residues/residues.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Bits kept back for the rounding of log2 sums of up to 921 terms. */
static const double ROUNDING_BITS = 1e-6;

/* Each is the greatest number that has no factor in common with those before it. */
static const uint16_t narrow[PCI_N_NARROW] = {
    256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191,
    181, 179, 173, 167, 163, 157, 151, 149, 139, 137, 131, 127, 113, 109, 107, 103, 101,
    97,  89,  83,  79,  73,  71,  67,  61,  59,  53,  47,  43,  41,  37,  29};

/* The primes between 2^13 and 2^14, the greatest first. */
static void fill_wide(uint16_t *m)
{
    enum { LEAST = 1 << 13, ROOT = 1 << 7 };
    bool composite[LEAST / 2] = {false}; /* of LEAST + 1, LEAST + 3, ... */
    for (uint32_t p = 3; p < ROOT; p += 2) {
        if (p > 7 && (p % 3 == 0 || p % 5 == 0 || p % 7 == 0))
            continue;
        uint32_t multiple = (LEAST / p | 1) * p; /* odd; the last below LEAST or the first above */
        for (multiple += multiple < LEAST ? 2 * p : 0; multiple < 2 * LEAST; multiple += 2 * p)
            composite[(multiple - LEAST) / 2] = true;
    }
    for (size_t n = 0, i = LEAST / 2 - 1; n < PCI_N_WIDE; i--) {
        m[n] = (uint16_t)(LEAST + 2 * i + 1);
        n += !composite[i];
    }
}

void pci_moduli_fill(pci_moduli *moduli)
{
    memcpy(moduli->m, narrow, sizeof narrow);
    fill_wide(moduli->m + PCI_N_NARROW);
}

uint32_t pci_moduli_n_planes(uint32_t r)
{
    return r <= PCI_N_NARROW ? r : PCI_N_NARROW + 3 * (r - PCI_N_NARROW);
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

double pci_moduli_max_bits(const pci_moduli *moduli)
{
    double carried = -1 - ROUNDING_BITS;
    for (uint32_t r = 0; r < PCI_N_MODULI; r++)
        carried += log2(moduli->m[r]);
    return carried;
}
