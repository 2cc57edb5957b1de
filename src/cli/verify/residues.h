/* Residues modulo a number below 2^63, in plain 128-bit arithmetic, and texts of numbers held against the words
 * that they were made of. Nothing is shared with the arithmetic that counts, because `pathcount verify` and the
 * checks of printed and written numbers are to find its errors. */
#ifndef CLI_VERIFY_RESIDUES_H
#define CLI_VERIFY_RESIDUES_H

#include "pathcount.h"

#include <stdbool.h>

/* A sum of products of residues: reduced before it can overflow, whatever the number of terms. */
typedef unsigned __int128 cli_sum;

static inline cli_sum cli_sum_add(cli_sum sum, uint64_t a, uint64_t b, uint64_t modulus)
{
    sum += (cli_sum)a * b;
    return sum >> 127 ? sum % modulus : sum;
}

static inline uint64_t cli_multiply_modulo(uint64_t a, uint64_t b, uint64_t modulus)
{
    return (uint64_t)((cli_sum)a * b % modulus);
}

uint64_t cli_power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus);

/* Number index >= 0 of the sequence of a seed, below limit: word number index + 1 of SplitMix64 whose
 * state begins as seed, times limit, divided by 2^64. */
uint64_t cli_draw(uint64_t seed, uint64_t index, uint64_t limit);

/* A random word of the system; false when there is none. */
bool cli_random_word(uint64_t *word);

/* Returns whether n < 2^64 is prime: Miller and Rabin's test with the first 12 primes as bases, which is exact
 * there (Sorenson, Webster 2015). */
bool cli_is_prime(uint64_t n);

/* A random prime above 2^60 and below 2^61; false when the system gives no random numbers. */
bool cli_draw_prime(uint64_t *prime);

/* Decimal text as a residue modulo 2 <= modulus < 2^63. False unless the text is a number as it is
 * written: digits only, without a leading zero. */
bool cli_decimal_residue(const char *text, size_t length, uint64_t modulus, uint64_t *residue);

/* The same as a number; false when it does not fit. */
bool cli_decimal_word(const char *text, size_t length, uint64_t *word);

/* Returns whether decimal text is a number with that residue, or is_modular the residue itself. */
bool cli_decimal_is(const char *text, size_t length, bool is_modular, uint64_t modulus,
                    uint64_t residue);

/* The residue of a number of little-endian words. */
uint64_t cli_words_residue(const uint64_t *words, uint32_t n_words, uint64_t modulus);

/* strtold with a decimal point, whatever the locale. */
long double cli_real(const char *text, char **end);

/* ---- Texts that are printed ------------------------------------------------------------------ */

/* A text is taken modulo a random prime digit by digit, its number word by word, so a wrong text agrees with
 * probability below 2^-45. All zero: no text is checked. */
typedef struct cli_text_check {
    uint64_t prime; /* 0: none is checked */
    bool takes_all;
} cli_text_check;

/* n_rounds as in pc_count_options: with the default of 2 the first 64 texts and every sixteenth after them
 * are checked, with 3 or more all. Nothing is checked when the system gives no random numbers. */
cli_text_check cli_text_check_for(int n_rounds);

/* Returns whether the text of entry e is its number, as far as it is checked. number texts were printed before it.
 * Several threads may ask at once. */
bool cli_text_check_holds(const cli_text_check *check, uint64_t number, const pc_rows *rows,
                          uint64_t e, const char *text);

/* Fails with PC_ERR_CERTIFY and a message. */
pc_status cli_text_check_fail(pc_context *context, const char *text);

#endif
