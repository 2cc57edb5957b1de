/* Residues modulo a number below 2^63, in plain 128-bit arithmetic. They share nothing with the
 * arithmetic that counts, because `pathcount verify` and the check of written files are to find what
 * is wrong with it. */
#ifndef CLI_VERIFY_RESIDUES_H
#define CLI_VERIFY_RESIDUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Whether n < 2^64 is prime: Miller and Rabin's test with the first 12 primes as bases, which is exact
 * there (Sorenson, Webster 2015). */
bool cli_is_prime(uint64_t n);

/* A random prime above 2^60 and below 2^61; false when the system gives no random numbers. */
bool cli_draw_prime(uint64_t *prime);

/* Decimal text as a residue modulo 2 <= modulus < 2^63. False unless the text is a number as it is
 * written: digits only, without a leading zero. */
bool cli_decimal_residue(const char *text, size_t length, uint64_t modulus, uint64_t *residue);

/* The same as a number; false when it does not fit. */
bool cli_decimal_word(const char *text, size_t length, uint64_t *word);

#endif
