/* Dot products of rows of integers of some words, against GMP: the widths that have loops of their
 * own and others, the largest integers that there are. */
#include <gmp.h>

#include "src/vectors/long_vector.h"
#include "tests/support/random_graph.h"
#include "tests/support/fixture.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 7, POISON = 0x5a };

static uint64_t *random_words(random_source *source, size_t n, unsigned kind)
{
    uint64_t *words = calloc(n + 1, sizeof *words);
    for (size_t i = 0; i < n; i++)
        words[i] = kind == 0                              ? UINT64_MAX
                   : kind == 1 && random_below(source, 2) ? 0
                                                          : random_u64(source);
    return words;
}

/* Whether the product is the sum of products, every word written and none behind it. */
static bool is_right(uint64_t n, pci_word_row a, pci_word_row b)
{
    uint64_t room[2 * MOST_WORDS + 1], product[2 * MOST_WORDS + 2], poison;
    size_t n_words = pci_row_dot_words(a.n_words, b.n_words);
    OWNED(mpz_t) sum, x, y;
    mpz_inits(sum, x, y, NULL);
    for (uint64_t e = 0; e < n; e++) {
        mpz_import(x, a.n_words, -1, 8, 0, 0, a.words + e * a.n_words);
        mpz_import(y, b.n_words, -1, 8, 0, 0, b.words + e * b.n_words);
        mpz_addmul(sum, x, y);
    }
    memset(product, POISON, sizeof product);
    memset(&poison, POISON, sizeof poison);
    pci_row_dot(n, a, b, room, product);
    mpz_import(x, n_words, -1, 8, 0, 0, product);
    bool holds = mpz_cmp(sum, x) == 0 && product[n_words] == poison;
    return holds;
}

TEST("all widths")
{
    random_source source = {1};
    uint64_t n_of[] = {0, 1, 2, 33, 1500}, n_wrong = 0;
    for (unsigned t = 0; t < 5 * 3; t++)
        for (uint32_t n_a = 1; n_a <= MOST_WORDS; n_a++)
            for (uint32_t n_b = 1; n_b <= MOST_WORDS; n_b++) {
                uint64_t n = n_of[t % 5], *a = random_words(&source, n * n_a, t / 5);
                OWNED(uint64_t) *b = random_words(&source, n * n_b, t / 5);
                n_wrong += !is_right(n, (pci_word_row){n_a, a}, (pci_word_row){n_b, b});
                free(a);
            }
    CU_ASSERT_EQUAL(n_wrong, 0);
}
