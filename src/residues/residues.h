/* The moduli: which numbers they are, how many are needed, and how large a count they represent.
 *
 * A count X with 0 <= X < 2^b is stored as its residues modulo the first r numbers of one fixed
 * list. The numbers of the list are pairwise coprime, and the product M of the first r is at least
 * 2^(b+1). The spare factor 2 makes the conversion back exact: see src/residues/crt.h. The list has
 * three classes:
 *
 *   class   numbers                              digits (int8 planes)      products  bits in all
 *   narrow  greatest pairwise coprime <= 256     1                         1         342
 *   wide    primes between 2^13 and 2^14         2 of 7 bits and their     3         12,158
 *                                                sum
 *   full    other primes between 2^8 and 65280   2 of 8 bits               4         93,696
 *
 * Residues are int8 because processors have fast instructions that multiply and add bytes: they do
 * 8 to 64 times as many operations a cycle as instructions for doubles. A product of two planes is
 * exact in int32 while n <= 131071. The sum of two 7-bit digits is a byte, so a product modulo a wide
 * prime takes three int8 products (Karatsuba), which is 4.5 bits for each. One modulo a full prime
 * takes four, for 3.9 bits each. Engines on devices end with the wide primes. */
#ifndef PCI_RESIDUES_H
#define PCI_RESIDUES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PCI_N_NARROW = 49, /* their product has 342 bits */
    PCI_N_WIDE = 872,  /* primes between 2^13 and 2^14 */
    PCI_N_FULL = 5595, /* other primes between 2^8 and 255 * 2^8, beginning with the greatest */
    PCI_N_NOT_FULL = PCI_N_NARROW + PCI_N_WIDE, /* all that engines on devices work with */
    PCI_N_MODULI = PCI_N_NOT_FULL + PCI_N_FULL,
    PCI_MOST_DIGITS = 3,    /* int8 planes of a modulus */
    PCI_MAX_PLAIN = 127,    /* entries up to this are their own residues: a plain plane */
    PCI_N_DIGIT_MODULI = 2, /* 256 and 255, whose residues give the digits of such entries */
    PCI_MAX_DIRECT = 8191,  /* entries up to this are their own residues modulo the direct number */
    PCI_MAX_DENSE_VERTICES = 131071, /* 128 * 128 * n < 2^31: int32 accumulators stay exact */
    PCI_MAX_SUM = 128 * 128 * PCI_MAX_DENSE_VERTICES, /* an accumulator that can be reduced */
    PCI_WIDE_RADIX_BITS = 7, /* wide residue = high * 2^7 + low, |high| <= 64, low in [-64, 63] */
    PCI_FULL_RADIX_BITS = 8 /* full residue = high * 2^8 + low, |high| <= 127, low in [-128, 127] */
};

typedef struct pci_moduli {
    uint16_t m[PCI_N_MODULI]; /* pairwise coprime; 256 first */
} pci_moduli;

/* Fills the list as far as counts of so many bits may need it; the rest is 0. */
#define PCI_ANY_BITS 1e300
void pci_moduli_fill(pci_moduli *moduli, double bits);

/* A list of one number, 2 PCI_MAX_DIRECT + 1. It is no prime, but in the class of the wide ones: what is computed
 * modulo it has their digits, and the sums of these digits' products are the integers themselves. */
extern const pci_moduli pci_direct_moduli;

typedef enum pci_class { PCI_NARROW, PCI_WIDE, PCI_FULL } pci_class;

static inline pci_class pci_modulus_class(uint32_t index)
{
    return index < PCI_N_NARROW ? PCI_NARROW : index < PCI_N_NOT_FULL ? PCI_WIDE : PCI_FULL;
}

static inline bool pci_modulus_is_wide(uint32_t index)
{
    return pci_modulus_class(index) == PCI_WIDE;
}

/* int8 planes that a modulus occupies: its residue; the digits high, low and high + low; or high and
 * low. */
static inline uint32_t pci_class_n_digits(pci_class class)
{
    return class == PCI_NARROW ? 1 : class == PCI_WIDE ? 3 : 2;
}

/* int8 products that make one modulo it. */
static inline uint32_t pci_class_n_products(pci_class class)
{
    return class == PCI_NARROW ? 1 : class == PCI_WIDE ? 3 : 4;
}

/* A residue of two digits is high * 2^this + low. */
static inline uint32_t pci_class_radix_bits(pci_class class)
{
    return class == PCI_FULL ? PCI_FULL_RADIX_BITS : PCI_WIDE_RADIX_BITS;
}

static inline uint32_t pci_modulus_n_digits(uint32_t index)
{
    return pci_class_n_digits(pci_modulus_class(index));
}

/* The class of a number of the list, for lists that have some of them. */
static inline pci_class pci_number_class(uint16_t m)
{
    return m <= 256 ? PCI_NARROW : m >> 13 == 1 ? PCI_WIDE : PCI_FULL;
}

/* The class of any of the first r moduli. */
static inline uint32_t pci_moduli_most_digits(uint32_t r)
{
    return r > PCI_N_NARROW ? PCI_MOST_DIGITS : 1;
}

/* int8 planes of the first r moduli, and int8 products that make a matrix product modulo them. */
uint32_t pci_moduli_n_planes(uint32_t r);
uint32_t pci_moduli_n_products(uint32_t r);

/* The fewest moduli that carry counts below 2^bits, 1 or more; 0 when the whole list does not. */
uint32_t pci_moduli_for_bits(const pci_moduli *moduli, double bits);

/* log2 of the widest count that the first r moduli carry. */
double pci_moduli_max_bits(const pci_moduli *moduli, uint32_t r);

/* The greatest prime below n, 2^60 < n <= 2^62. */
uint64_t pci_prime_below(uint64_t n);

/* Tells whether n is prime. */
int pci_is_prime(uint64_t n);

/* ---- Products without division --------------------------------------------------------------- */

/* Multiplication modulo an odd number below 2^63 without division (Montgomery, 1985): a number x is represented
 * by x * 2^64 modulo p, and a product of two such numbers is brought back by two multiplications. Modulo an
 * even number every number represents itself, and products are divided. */

typedef struct pci_montgomery {
    uint64_t p;
    uint64_t inverse; /* -1 / p modulo 2^64; 0: p is even */
    uint64_t one;     /* what represents 1: 2^64 modulo p */
    uint64_t square;  /* what represents it: 2^128 modulo p */
} pci_montgomery;

/* a * b / 2^64 modulo p, of numbers below p */
static inline uint64_t pci_montgomery_multiply(const pci_montgomery *m, uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    if (!m->inverse)
        return (uint64_t)(product % m->p);
    uint64_t factor = (uint64_t)product * m->inverse;
    uint64_t sum = (uint64_t)((product + (unsigned __int128)factor * m->p) >> 64);
    return sum - (sum >= m->p ? m->p : 0);
}

static inline uint64_t pci_montgomery_add(const pci_montgomery *m, uint64_t a, uint64_t b)
{
    return a + b - (a + b >= m->p ? m->p : 0);
}

static inline uint64_t pci_montgomery_subtract(const pci_montgomery *m, uint64_t a, uint64_t b)
{
    return a - b + (a < b ? m->p : 0);
}

/* Returns what represents x, which is below p; the next function goes back. */
static inline uint64_t pci_montgomery_of(const pci_montgomery *m, uint64_t x)
{
    return pci_montgomery_multiply(m, x, m->square);
}

static inline uint64_t pci_montgomery_to(const pci_montgomery *m, uint64_t x)
{
    return pci_montgomery_multiply(m, x, 1);
}

/* The inverse of an odd number modulo 2^64. */
static inline uint64_t pci_odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd; /* right in 3 bits; each step doubles them */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

static inline pci_montgomery pci_montgomery_modulo(uint64_t p)
{
    pci_montgomery m = {.p = p, .one = 1, .square = 1};
    if (p % 2 == 0)
        return m;
    m.inverse = -pci_odd_inverse(p);
    m.one = (uint64_t)(((unsigned __int128)1 << 64) % p);
    m.square = (uint64_t)((unsigned __int128)m.one * m.one % p);
    return m;
}

/* x^e, both as they stand for numbers */
static inline uint64_t pci_montgomery_power(const pci_montgomery *m, uint64_t x, uint64_t e)
{
    uint64_t power = m->one;
    for (; e > 0; e >>= 1, x = pci_montgomery_multiply(m, x, x))
        if (e & 1)
            power = pci_montgomery_multiply(m, power, x);
    return power;
}

static inline uint64_t pci_montgomery_invert(const pci_montgomery *m, uint64_t x)
{
    return pci_montgomery_power(m, x, m->p - 2); /* p is prime */
}

#endif
