/* Multiplication modulo an odd number below 2^63 without division (Montgomery, 1985): a number x is represented
 * by x * 2^64 modulo p, and a product of two such numbers is brought back by two multiplications. Modulo an
 * even number every number represents itself, and products are divided. */
#ifndef PCI_MONTGOMERY_H
#define PCI_MONTGOMERY_H

#include <stdint.h>

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
