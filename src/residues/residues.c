/* The list of moduli and its arithmetic. */
#include "src/residues/residues.h"

#include <math.h>
#include <string.h>

/* Bits kept back for the rounding of log2 sums of up to 6516 terms. */
static const double ROUNDING_BITS = 1e-6;

/* Narrower counts need no wide or full moduli: to list them would take longer than to count in a small graph. */
static const double LEAST_WIDE_BITS = 128, LEAST_FULL_BITS = 12000;

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
    memcpy(moduli->m, narrow, sizeof narrow);
    memset(moduli->m + PCI_N_NARROW, 0, sizeof moduli->m - sizeof narrow);
    if (bits <= LEAST_WIDE_BITS)
        return;
    list_primes(WIDE, BEYOND, wide);
    memset(full, 0, sizeof full);
    if (bits > LEAST_FULL_BITS)
        list_primes(FULL, WIDE, full + list_primes(BEYOND, END, full));
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

/* These seven bases of the test of Miller and Rabin decide for all numbers below 2^64 (Sinclair, 2011). */
static const uint64_t bases[] = {2, 325, 9375, 28178, 450775, 9780504, 1795265022};
enum { N_BASES = sizeof bases / sizeof *bases };

/* Tells whether n passes the test to bases first, ..., end - 1, whose powers are computed side by side; n - 1 = odd *
 * 2^shift. A base that is a multiple of n tells nothing. */
static inline bool passes(const pci_montgomery *m, int first, int end, uint64_t odd, int shift)
{
    uint64_t base[N_BASES], x[N_BASES];
    for (int b = first; b < end; b++)
        x[b] = base[b] = pci_montgomery_of(m, bases[b] % m->p);
    for (int bit = 62 - __builtin_clzll(odd); bit >= 0; bit--)
        for (int b = first; b < end; b++) {
            x[b] = pci_montgomery_multiply(m, x[b], x[b]);
            if (odd >> bit & 1)
                x[b] = pci_montgomery_multiply(m, x[b], base[b]);
        }
    for (int b = first; b < end; b++) {
        bool does = base[b] == 0 || x[b] == m->one || x[b] == m->p - m->one;
        for (int i = 1; i < shift && !does; i++) {
            x[b] = pci_montgomery_multiply(m, x[b], x[b]);
            does = x[b] == m->p - m->one;
        }
        if (!does)
            return false;
    }
    return true;
}

int pci_is_prime(uint64_t n)
{
    static const uint8_t small[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31,
                                    37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79};
    enum { N_SMALL = sizeof small };
    for (int i = 0; i < N_SMALL; i++)
        if (n % small[i] == 0)
            return n == small[i];
    if (n < 83 * 83)
        return n > 1;
    pci_montgomery m = pci_montgomery_modulo(n);
    int shift = __builtin_ctzll(n - 1);
    uint64_t odd = (n - 1) >> shift;
    return passes(&m, 0, 1, odd, shift) && passes(&m, 1, N_BASES, odd, shift);
}

uint64_t pci_prime_below(uint64_t n)
{
    do
        n--;
    while (!pci_is_prime(n));
    return n;
}
