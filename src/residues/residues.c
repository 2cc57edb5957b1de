/* The list of moduli and its arithmetic. */
#include "src/residues/residues.h"

#include "src/residues/montgomery.h"

#include <math.h>
#include <string.h>

/* Bits kept back for the rounding of log2 sums of up to 6516 terms. */
static const double ROUNDING_BITS = 1e-6;

/* Narrower counts need no full moduli. */
static const double LEAST_FULL_BITS = 12000;

/* Each is the greatest number that has no factor in common with those before it. */
static const uint16_t narrow[PCI_N_NARROW] = {
    256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191,
    181, 179, 173, 167, 163, 157, 151, 149, 139, 137, 131, 127, 113, 109, 107, 103, 101,
    97,  89,  83,  79,  73,  71,  67,  61,  59,  53,  47,  43,  41,  37,  29};

const pci_moduli pci_direct_moduli = {.m = {2 * PCI_MAX_DIRECT + 1}};

/* The primes from 2 first + 1 to 2 end - 1, the greatest first; end <= MOST_ODD. Returns how many there are;
 * one more may be written. */
static uint32_t list_primes(uint32_t first, uint32_t end, uint16_t *m)
{
    enum { MOST_ODD = 255 << (PCI_FULL_RADIX_BITS - 1), ROOT = 256 };
    bool composite[MOST_ODD];
    uint32_t n = 0;
    memset(composite, 0, end - first);
    for (uint32_t p = 3; p < ROOT; p += 2) {
        uint32_t i = p * p / 2; /* of the first multiple that smaller primes leave */
        if (p > 7 && (p % 3 == 0 || p % 5 == 0 || p % 7 == 0))
            continue;
        for (i += i < first ? (first - i + p - 1) / p * p : 0; i < end; i += p)
            composite[i - first] = true;
    }
    for (uint32_t i = end; i-- > first;) {
        m[n] = (uint16_t)(2 * i + 1);
        n += !composite[i - first];
    }
    return n;
}

void pci_moduli_fill(pci_moduli *moduli, double bits)
{
    enum { FULL = 1 << 7, WIDE = 1 << 12, BEYOND = 1 << 13, END = 255 << 7 };
    uint16_t wide[PCI_N_WIDE + 1], full[PCI_N_FULL + 1];
    list_primes(WIDE, BEYOND, wide);
    memset(full, 0, sizeof full);
    if (bits > LEAST_FULL_BITS)
        list_primes(FULL, WIDE, full + list_primes(BEYOND, END, full));
    memcpy(moduli->m, narrow, sizeof narrow);
    memcpy(moduli->m + PCI_N_NARROW, wide, PCI_N_WIDE * sizeof *wide);
    memcpy(moduli->m + PCI_N_NOT_FULL, full, PCI_N_FULL * sizeof *full);
}

/* Takes the first r moduli. */
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

/* ---- Primes --------------------------------------------------------------------------------- */

/* Tells whether n passes the test of Miller and Rabin to that base; n - 1 = odd * 2^shift. */
static int passes(const pci_montgomery *m, uint64_t base, uint64_t odd, int shift)
{
    uint64_t minus_one = m->p - m->one, x = pci_montgomery_of(m, base % m->p);
    x = pci_montgomery_power(m, x, odd);
    int does = x == m->one || x == minus_one;
    for (int i = 1; i < shift && !does; i++) {
        x = pci_montgomery_multiply(m, x, x);
        does = x == minus_one;
    }
    return does;
}

int pci_is_prime(uint64_t n)
{
    /* The first twelve primes as bases decide for all numbers below 2^64 (Sorenson and Webster, 2015). */
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    enum { N_BASES = sizeof bases / sizeof *bases };
    for (int b = 0; b < N_BASES; b++)
        if (n % bases[b] == 0)
            return n == bases[b];
    if (n < 37 * 37)
        return n > 1;
    pci_montgomery m = pci_montgomery_modulo(n);
    int shift = __builtin_ctzll(n - 1), is = 1;
    for (int b = 0; b < N_BASES && is; b++)
        is = passes(&m, bases[b], (n - 1) >> shift, shift);
    return is;
}

uint64_t pci_prime_below(uint64_t n)
{
    do
        n--;
    while (!pci_is_prime(n));
    return n;
}
