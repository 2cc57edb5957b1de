/* The test of Miller and Rabin. */
#include "src/residues/prime.h"

#include "src/residues/montgomery.h"

/* Whether n passes the test of Miller and Rabin to that base; n - 1 = odd * 2^shift. */
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
