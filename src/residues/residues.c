/* The list of moduli and its arithmetic. */
#include "src/residues/residues.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Bits kept back for the rounding of log2 sums of up to 921 terms. */
static const double ROUNDING_BITS = 1e-6;

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool is_coprime_to_all(uint32_t candidate, const uint16_t *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (gcd(candidate, m[i]) != 1)
            return false;
    return true;
}

static void fill_narrow(uint16_t *m)
{
    size_t n = 0;
    for (uint32_t candidate = 256; n < PCI_N_NARROW; candidate--)
        if (is_coprime_to_all(candidate, m, n))
            m[n++] = (uint16_t)candidate;
}

static void fill_wide(uint16_t *m)
{
    enum { LIMIT = 1 << 14 };
    bool composite[LIMIT] = {false};
    for (uint32_t p = 2; p * p < LIMIT; p++)
        for (uint32_t multiple = p * p; !composite[p] && multiple < LIMIT; multiple += p)
            composite[multiple] = true;
    size_t n = 0;
    for (uint32_t p = LIMIT - 1; n < PCI_N_WIDE; p--)
        if (!composite[p])
            m[n++] = (uint16_t)p;
}

void pci_moduli_fill(pci_moduli *moduli)
{
    fill_narrow(moduli->m);
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
