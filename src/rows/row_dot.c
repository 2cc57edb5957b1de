/* Dot products: up to four words by sums that are carried once at the end, wider ones by GMP. */
#include <gmp.h>

#include "src/rows/row_dot.h"

#include <string.h>

typedef unsigned __int128 wide;

enum { WORD_BITS = 64, FEW_WORDS = 4 };

/* The widths, constants where it is called, make the inner loops straight code. A sum gets at most
 * 2 FEW_WORDS words an entry, so it stays below 2^128. */
__attribute__((always_inline)) static inline void dot_few(const uint32_t n_words_a,
                                                          const uint32_t n_words_b, uint64_t n,
                                                          const uint64_t *a, const uint64_t *b,
                                                          uint64_t *product)
{
    wide sums[2 * FEW_WORDS] = {0}, carry = 0;
    for (uint64_t e = 0; e < n; e++, a += n_words_a, b += n_words_b)
#pragma GCC unroll 4
        for (uint32_t i = 0; i < n_words_a; i++)
#pragma GCC unroll 4
            for (uint32_t j = 0; j < n_words_b; j++) {
                wide part = (wide)a[i] * b[j];
                sums[i + j] += (uint64_t)part;
                sums[i + j + 1] += (uint64_t)(part >> WORD_BITS);
            }
    for (uint32_t i = 0; i < n_words_a + n_words_b; i++) {
        carry += (uint64_t)sums[i];
        product[i] = (uint64_t)carry;
        carry = (carry >> WORD_BITS) + (uint64_t)(sums[i] >> WORD_BITS);
    }
    product[n_words_a + n_words_b] = (uint64_t)carry;
}

/* a is no narrower than b. */
static void dot_many(uint64_t n, pci_word_row a, pci_word_row b, uint64_t *room, uint64_t *product)
{
    mp_size_t n_words = (mp_size_t)a.n_words + b.n_words;
    memset(product, 0, pci_row_dot_words(a.n_words, b.n_words) * sizeof *product);
    for (uint64_t e = 0; e < n; e++) {
        mpn_mul(room, a.words + e * a.n_words, a.n_words, b.words + e * b.n_words, b.n_words);
        product[n_words] += mpn_add_n(product, product, room, n_words);
    }
}

void pci_row_dot(uint64_t n, pci_word_row a, pci_word_row b, uint64_t *room, uint64_t *product)
{
    if (a.n_words < b.n_words) {
        pci_word_row narrower = a;
        a = b;
        b = narrower;
    }
#define FEW(n_a, n_b)                                                                              \
    if (a.n_words == (n_a) && b.n_words == (n_b))                                                  \
    return dot_few(n_a, n_b, n, a.words, b.words, product)
    /* Words of one step, and of one and the next. */
    FEW(1, 1);
    FEW(2, 1);
    FEW(2, 2);
    FEW(3, 2);
    FEW(3, 3);
    FEW(4, 3);
    FEW(4, 4);
#undef FEW
    dot_many(n, a, b, room, product);
}
