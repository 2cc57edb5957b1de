/* Random words, primes, and the way from decimal text to a residue. */
#define _GNU_SOURCE /* strtold_l */
#include "src/cli/verify/residues.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK_DIGITS = 18, /* 10^18 is below 2^60 */
    ALL_FROM_ROUNDS = 3,
    N_FIRST = 64,
    EVERY = 16,
    MOST_EXPONENT = 12000
};

uint64_t cli_power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t power = 1 % modulus;
    for (base %= modulus; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            power = cli_multiply_modulo(power, base, modulus);
        base = cli_multiply_modulo(base, base, modulus);
    }
    return power;
}

/* ---- Random numbers -------------------------------------------------------------------------- */

uint64_t cli_draw(uint64_t seed, uint64_t index, uint64_t limit)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint64_t)((cli_sum)z * limit >> 64);
}

bool cli_random_word(uint64_t *word)
{
    return getentropy(word, sizeof *word) == 0; /* goes on after a signal */
}

/* Returns whether the odd number n passes the test with a base that n does not divide. */
static bool passes(uint64_t n, uint64_t base)
{
    int twos = __builtin_ctzll(n - 1);
    uint64_t power = cli_power_modulo(base, (n - 1) >> twos, n);
    if (power == 1 || power == n - 1)
        return true;
    for (int i = 1; i < twos; i++) {
        power = cli_multiply_modulo(power, power, n);
        if (power == n - 1)
            return true;
    }
    return false;
}

bool cli_is_prime(uint64_t n)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (n < 2 || !passes(n, bases[i]))
            return false;
    return true;
}

bool cli_draw_prime(uint64_t *prime)
{
    const uint64_t top = UINT64_C(1) << 60;
    uint64_t seed, index = 0;
    if (!cli_random_word(&seed))
        return false;
    do
        *prime = top | cli_draw(seed, index++, top) | 1;
    while (!cli_is_prime(*prime));
    return true;
}

/* ---- Decimal text ---------------------------------------------------------------------------- */

/* The number of up to CHUNK_DIGITS digits; false when there is another character among them. */
static bool take_chunk(const char *text, size_t length, uint64_t *chunk)
{
    uint64_t value = 0;
    unsigned other = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        other |= digit > 9;
        value = value * 10 + digit;
    }
    *chunk = value;
    return !other;
}

static bool begins_well(const char *text, size_t length)
{
    return length > 0 && (text[0] != '0' || length == 1);
}

bool cli_decimal_residue(const char *text, size_t length, uint64_t modulus, uint64_t *residue)
{
    static const uint64_t radix = UINT64_C(1000000000000000000); /* 10^CHUNK_DIGITS */
    size_t first = length % CHUNK_DIGITS;
    uint64_t chunk;
    if (!begins_well(text, length) || !take_chunk(text, first, &chunk))
        return false;
    uint64_t value = chunk % modulus;
    for (size_t at = first; at < length; at += CHUNK_DIGITS) {
        if (!take_chunk(text + at, CHUNK_DIGITS, &chunk))
            return false;
        value = (uint64_t)(((cli_sum)value * radix + chunk) % modulus);
    }
    *residue = value;
    return true;
}

bool cli_decimal_word(const char *text, size_t length, uint64_t *word)
{
    cli_sum value = 0;
    if (!begins_well(text, length) || length > 20)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    *word = (uint64_t)value;
    return value <= UINT64_MAX;
}

bool cli_decimal_is(const char *text, size_t length, bool is_modular, uint64_t modulus,
                    uint64_t residue)
{
    uint64_t found;
    return (is_modular ? cli_decimal_word(text, length, &found)
                       : cli_decimal_residue(text, length, modulus, &found)) &&
           found == residue;
}

uint64_t cli_words_residue(const uint64_t *words, uint32_t n_words, uint64_t modulus)
{
    cli_sum value = 0;
    while (n_words-- > 0)
        value = (value << 64 | words[n_words]) % modulus;
    return (uint64_t)value;
}

/* The C library keeps the locale "C" ready: this takes no memory. */
long double cli_real(const char *text, char **end)
{
    return strtold_l(text, end, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

/* ---- Texts that are printed ------------------------------------------------------------------ */

cli_text_check cli_text_check_for(int n_rounds)
{
    cli_text_check check = {.takes_all = n_rounds >= ALL_FROM_ROUNDS};
    if (n_rounds == PC_CERTIFY_NONE || !cli_draw_prime(&check.prime))
        check.prime = 0;
    return check;
}

bool cli_text_check_holds(const cli_text_check *check, uint64_t number, const pc_rows *rows,
                          uint64_t e, const char *text)
{
    bool is_due = check->takes_all || number < N_FIRST || number % EVERY == 0;
    if (check->prime == 0 || !is_due || rows->row_sizes != NULL)
        return true;           /* means are fractions of these words */
    if (rows->limbs == NULL) { /* texts have at least sixteen digits */
        if (!isfinite(rows->values[e]) || llabs(rows->exponent) > MOST_EXPONENT)
            return true; /* no long double holds the number */
        char *end;
        long double wanted = ldexpl(rows->values[e], (int)rows->exponent);
        return fabsl(cli_real(text, &end) - wanted) <= 0x1p-50L * fabsl(wanted) && *end == '\0';
    }
    return cli_decimal_is(
        text, strlen(text), false, check->prime,
        cli_words_residue(rows->limbs + e * rows->n_limbs, rows->n_limbs, check->prime));
}

pc_status cli_text_check_fail(pc_context *context, const char *text)
{
    char sentence[256];
    snprintf(
        sentence, sizeof sentence,
        "the text '%.80s' is not the number that was counted, and was not printed: this is a bug "
        "in pathcount or a fault of this machine",
        text);
    return pc_context_fail(context, PC_ERR_CERTIFY, sentence);
}
