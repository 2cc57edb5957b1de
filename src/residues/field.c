/* Berlekamp and Massey's algorithm; x^index modulo the polynomial of a recurrence, by squaring. */
#include "src/residues/field.h"

#include <string.h>

/* ---- The shortest recurrence ----------------------------------------------------------------- */

/* Returns what the recurrence c of length n_linear leaves of a[i]. */
static uint64_t discrepancy(const pci_montgomery *m, size_t n_linear, const uint64_t *c,
                            const uint64_t *a, size_t i)
{
    uint64_t rest = a[i];
    for (size_t j = 1; j <= n_linear; j++)
        rest = pci_montgomery_subtract(m, rest, pci_montgomery_multiply(m, c[j], a[i - j]));
    return rest;
}

size_t pci_shortest_recurrence(const pci_montgomery *m, size_t n, const uint64_t *a, uint64_t *c,
                               uint64_t *scratch)
{
    /* The last recurrence that was shorter, the index where it failed, and what it left there. */
    uint64_t *before = scratch, *kept = scratch + n + 1, left = m->one;
    size_t n_linear = 0, n_before = 0, age = 1;
    memset(c, 0, (n + 1) * sizeof *c);
    memset(before, 0, (n + 1) * sizeof *before);
    for (size_t i = 0; i < n; i++, age++) {
        uint64_t rest = discrepancy(m, n_linear, c, a, i);
        if (rest == 0)
            continue;
        uint64_t factor = pci_montgomery_multiply(m, rest, pci_montgomery_invert(m, left));
        int grows = 2 * n_linear <= i;
        if (grows)
            memcpy(kept, c, (n_linear + 1) * sizeof *c);
        /* c is 1 - c[1] x - ..., so what the one before says is taken off with its sign turned. */
        c[age] = pci_montgomery_add(m, c[age], factor);
        for (size_t j = 1; j <= n_before; j++)
            c[age + j] = pci_montgomery_subtract(m, c[age + j],
                                                 pci_montgomery_multiply(m, factor, before[j]));
        if (!grows)
            continue;
        memset(before, 0, (n + 1) * sizeof *before);
        memcpy(before, kept, (n_linear + 1) * sizeof *c);
        n_before = n_linear;
        n_linear = i + 1 - n_linear;
        left = rest;
        age = 0;
    }
    return n_linear;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

/* product[0 .. 2 L - 2] becomes its rest modulo x^L - c[1] x^(L-1) - ... - c[L]. */
static void reduce(const pci_montgomery *m, size_t n_linear, const uint64_t *c, uint64_t *product)
{
    for (size_t i = 2 * n_linear - 1; i-- > n_linear;)
        for (size_t j = 1; j <= n_linear; j++)
            product[i - j] =
                pci_montgomery_add(m, product[i - j], pci_montgomery_multiply(m, product[i], c[j]));
}

static void square(const pci_montgomery *m, size_t n_linear, const uint64_t *c, uint64_t *power,
                   uint64_t *product)
{
    memset(product, 0, 2 * n_linear * sizeof *product);
    for (size_t i = 0; i < n_linear; i++)
        for (size_t j = 0; j < n_linear; j++)
            product[i + j] = pci_montgomery_add(m, product[i + j],
                                                pci_montgomery_multiply(m, power[i], power[j]));
    reduce(m, n_linear, c, product);
    memcpy(power, product, n_linear * sizeof *power);
}

static void multiply_by_x(const pci_montgomery *m, size_t n_linear, const uint64_t *c,
                          uint64_t *power)
{
    uint64_t top = power[n_linear - 1];
    memmove(power + 1, power, (n_linear - 1) * sizeof *power);
    power[0] = 0;
    for (size_t j = 1; j <= n_linear; j++)
        power[n_linear - j] =
            pci_montgomery_add(m, power[n_linear - j], pci_montgomery_multiply(m, top, c[j]));
}

uint64_t pci_recurrence_term(const pci_montgomery *m, size_t n_linear, const uint64_t *c,
                             const uint64_t *a, uint64_t index, uint64_t *scratch)
{
    uint64_t *power = scratch, *product = scratch + n_linear, term = 0;
    memset(power, 0, n_linear * sizeof *power);
    power[0] = m->one;
    for (int bit = 64; bit-- > 0;) {
        if (index >> bit > 1)
            square(m, n_linear, c, power, product);
        if (index >> bit & 1)
            multiply_by_x(m, n_linear, c, power);
    }
    for (size_t i = 0; i < n_linear; i++)
        term = pci_montgomery_add(m, term, pci_montgomery_multiply(m, power[i], a[i]));
    return term;
}
