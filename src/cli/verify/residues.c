/* Random words, primes, and the way from decimal text to a residue. */
#include "src/cli/verify/residues.h"

#include <unistd.h>

enum { CHUNK_DIGITS = 18 }; /* 10^18 is below 2^60 */

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

/* Whether the odd number n passes the test with a base that n does not divide. */
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
