/* Decimal text of numbers. Integers of a few words are cut into chunks of 19 digits by short
 * division; wider ones, and doubles with a binary exponent, are GMP's work. */
#include "src/core/number.h"

#include <endian.h>
#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t),
               "the words of a count are passed to GMP as they are");

enum {
    CHUNK_DIGITS = 19,
    MAX_CHUNKED_LIMBS = 24, /* beyond it GMP's subquadratic conversion is faster */
    FEWER_DIGITS = 16,      /* of a double, where they tell it from all others; else one more */
    MOST_DIGITS = 17,
    GUARD_DIGITS = 24, /* GMP's powers lose up to 64 bits when exponents are near 2^63 */
    MPF_BITS = 256     /* GMP gives no more digits than a number of this precision has */
};

static const uint64_t CHUNK = UINT64_C(10000000000000000000); /* 10^19 */
static const double WHOLE_LIMIT = 1e16;                       /* 10^FEWER_DIGITS */

/* ---- Words ----------------------------------------------------------------------------------- */

enum { GROUP_DIGITS = 8, DIGIT_BITS = 8 };

static const uint64_t GROUP = 100000000;                    /* 10^GROUP_DIGITS */
static const uint64_t ZEROS = UINT64_C(0x3030303030303030); /* the text "00000000" */

/* The digits of a value below GROUP, the first one in the lowest byte: halves of the word become
 * numbers of four digits, their halves numbers of two, and so on. The products with 10486 / 2^20
 * and 103 / 2^10 are exact quotients by 100 and 10 for the numbers that occur. */
static uint64_t spread_digits(uint64_t value)
{
    uint64_t fours = value / 10000 | (value % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x7f0000007f);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & UINT64_C(0xf000f000f000f);
    return tens | (twos - 10 * tens) << DIGIT_BITS;
}

/* Eight bytes, the first one in the lowest byte of the word. */
static void put_word(uint64_t word, char *text)
{
    word = htole64(word);
    memcpy(text, &word, sizeof word);
}

/* A value below GROUP with leading zeros. */
static void put_group(uint64_t value, char *text)
{
    put_word(spread_digits(value) | ZEROS, text);
}

/* A value below GROUP without leading zeros; writes GROUP_DIGITS bytes and returns the length. */
static size_t put_first_group(uint64_t value, char *text)
{
    uint64_t digits = spread_digits(value);
    unsigned n_zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 63) / DIGIT_BITS;
    put_word((digits | ZEROS) >> n_zeros * DIGIT_BITS, text);
    return GROUP_DIGITS - n_zeros;
}

size_t pci_number_u64_text(uint64_t value, char *text)
{
    if (value < 10) { /* most counts of a sparse answer are 0 */
        *text = (char)('0' + value);
        return 1;
    }
    if (value < GROUP)
        return put_first_group(value, text);
    if (value < GROUP * GROUP) {
        size_t length = put_first_group(value / GROUP, text);
        put_group(value % GROUP, text + length);
        return length + GROUP_DIGITS;
    }
    uint64_t rest = value % (GROUP * GROUP);
    size_t length = put_first_group(value / (GROUP * GROUP), text);
    put_group(rest / GROUP, text + length);
    put_group(rest % GROUP, text + length + GROUP_DIGITS);
    return length + 2 * GROUP_DIGITS;
}

/* A value below CHUNK with leading zeros, CHUNK_DIGITS bytes. */
static void put_chunk(uint64_t value, char *text)
{
    enum { FIRST_DIGITS = CHUNK_DIGITS - 2 * GROUP_DIGITS };
    uint64_t first = value / (GROUP * GROUP), rest = value % (GROUP * GROUP);
    uint64_t digits = (spread_digits(first) | ZEROS) >> (GROUP_DIGITS - FIRST_DIGITS) * DIGIT_BITS;
    put_word(digits, text); /* what is too much is overwritten */
    put_group(rest / GROUP, text + FIRST_DIGITS);
    put_group(rest % GROUP, text + FIRST_DIGITS + GROUP_DIGITS);
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* Divides high 2^64 + low by CHUNK, high below CHUNK. A product with the reciprocal is off by two at
 * most: Moeller and Granlund, Improved division by invariant integers, 2011. */
static uint64_t divide_by_chunk(uint64_t high, uint64_t low, uint64_t *rest)
{
    static const uint64_t reciprocal =
        (uint64_t)(~(unsigned __int128)0 / UINT64_C(10000000000000000000)); /* without 2^64 */
    unsigned __int128 product = (unsigned __int128)reciprocal * high;
    product += (unsigned __int128)(high + 1) << 64 | low;
    uint64_t quotient = (uint64_t)(product >> 64), left = low - quotient * CHUNK;
    if (left > (uint64_t)product) {
        quotient--;
        left += CHUNK;
    }
    if (left >= CHUNK) {
        quotient++;
        left -= CHUNK;
    }
    *rest = left;
    return quotient;
}

size_t pci_number_text(const uint64_t *limbs, size_t n_limbs, char *text)
{
    n_limbs = pci_number_trim(limbs, n_limbs);
    if (n_limbs <= 1)
        return pci_number_u64_text(n_limbs ? limbs[0] : 0, text);
    if (n_limbs > MAX_CHUNKED_LIMBS) {
        mpz_t number;
        mpz_get_str(text, 10, mpz_roinit_n(number, limbs, (mp_size_t)n_limbs));
        return strlen(text);
    }
    uint64_t left[MAX_CHUNKED_LIMBS];
    uint64_t chunks[MAX_CHUNKED_LIMBS * 64 / 63 + 1]; /* 19 digits are more than 63 bits */
    size_t n_chunks = 0;
    memcpy(left, limbs, n_limbs * sizeof *limbs);
    while (n_limbs > 1 || left[0] >= CHUNK) {
        bool is_small = left[n_limbs - 1] < CHUNK; /* then the quotient has a word less */
        uint64_t rest = is_small ? left[--n_limbs] : 0;
        for (size_t l = n_limbs; l-- > 0;)
            left[l] = divide_by_chunk(rest, left[l], &rest);
        chunks[n_chunks++] = rest;
    }
    size_t length = pci_number_u64_text(left[0], text);
    for (; n_chunks > 0; length += CHUNK_DIGITS)
        put_chunk(chunks[--n_chunks], text + length);
    return length;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

/* The first n_digits of the digits of a number, rounded to the nearest integer. */
static uint64_t leading_digits(const char *text, size_t n_digits)
{
    size_t n = strlen(text);
    uint64_t digits = 0;
    for (size_t i = 0; i < n_digits; i++)
        digits = digits * 10 + (uint64_t)(i < n ? text[i] - '0' : 0);
    return digits + (n > n_digits && text[n_digits] >= '5');
}

/* Tells whether the double nearest to the first FEWER_DIGITS of its digits is the value itself: what is rounded is
 * less than half of the distance to the nearer neighbour. */
static bool do_fewer_suffice(double value, const char *text)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    double distance = mantissa > 0.5 ? 0x1p-53 : 0x1p-54, rounded = 0;
    for (size_t i = strlen(text); i > FEWER_DIGITS; i--)
        rounded = (rounded + (text[i - 1] - '0')) / 10;
    rounded = rounded < 0.5 ? rounded : 1 - rounded;
    return rounded * mantissa <
           0.5 * (1 - 1e-9) * distance * (double)leading_digits(text, FEWER_DIGITS);
}

/* The digits of value * 2^exponent as an integer of FEWER_DIGITS or MOST_DIGITS digits; *decimal_exponent is that
 * of the first of them. */
static uint64_t decimal_digits(double value, int64_t exponent, int64_t *decimal_exponent)
{
    mpf_t number;
    mpf_init2(number, MPF_BITS);
    mpf_set_d(number, value);
    if (exponent >= 0)
        mpf_mul_2exp(number, number, (mp_bitcnt_t)exponent);
    else
        mpf_div_2exp(number, number, -(mp_bitcnt_t)exponent);
    char text[MOST_DIGITS + GUARD_DIGITS + 2];
    mp_exp_t point; /* the number is 0.text * 10^point, trailing zeros left out */
    mpf_get_str(text, &point, 10, MOST_DIGITS + GUARD_DIGITS, number);
    mpf_clear(number);
    bool is_short = do_fewer_suffice(value, text);
    uint64_t digits = leading_digits(text, is_short ? FEWER_DIGITS : MOST_DIGITS);
    if (digits == (uint64_t)WHOLE_LIMIT * (is_short ? 1 : 10)) { /* 9.99...: one digit more */
        digits /= 10;
        point++;
    }
    *decimal_exponent = point - 1;
    return digits;
}

/* d.ddde+xx, at least two digits of exponent as printf has them. */
static size_t scientific_text(uint64_t digits, int64_t decimal_exponent, char *text)
{
    char all[MOST_DIGITS];
    size_t n_digits = pci_number_u64_text(digits, all);
    while (n_digits > 1 && all[n_digits - 1] == '0')
        n_digits--;
    size_t length = 0;
    text[length++] = all[0];
    if (n_digits > 1) {
        text[length++] = '.';
        memcpy(text + length, all + 1, n_digits - 1);
        length += n_digits - 1;
    }
    bool negative = decimal_exponent < 0;
    uint64_t magnitude = negative ? -(uint64_t)decimal_exponent : (uint64_t)decimal_exponent;
    text[length++] = 'e';
    text[length++] = negative ? '-' : '+';
    if (magnitude < 10)
        text[length++] = '0';
    return length + pci_number_u64_text(magnitude, text + length);
}

size_t pci_number_double_text(double value, int64_t exponent, char *text)
{
    if (value == 0)
        return pci_number_u64_text(0, text);
    if (!isfinite(value)) {
        memcpy(text, isinf(value) ? "inf" : "nan", 3);
        return 3;
    }
    double whole = pci_number_scale(value, exponent);
    if (whole >= 1 && whole < WHOLE_LIMIT && whole == floor(whole))
        return pci_number_u64_text((uint64_t)whole, text);
    int64_t decimal_exponent;
    uint64_t digits = decimal_digits(value, exponent, &decimal_exponent);
    return scientific_text(digits, decimal_exponent, text);
}

uint64_t pci_number_bits(const uint64_t *limbs, size_t n_limbs)
{
    n_limbs = pci_number_trim(limbs, n_limbs);
    return n_limbs ? 64 * (uint64_t)n_limbs - (uint64_t)__builtin_clzll(limbs[n_limbs - 1]) : 0;
}

double pci_number_to_double(const uint64_t *limbs, size_t n_limbs)
{
    n_limbs = pci_number_trim(limbs, n_limbs);
    if (n_limbs <= 1)
        return n_limbs ? (double)limbs[0] : 0.0;
    if (n_limbs > 16)
        return INFINITY; /* at least 2^1024 */
    int shift = __builtin_clzll(limbs[n_limbs - 1]);
    uint64_t top = limbs[n_limbs - 1] << shift;
    uint64_t below = limbs[n_limbs - 2];
    if (shift)
        top |= below >> (64 - shift);
    bool sticky = (below << shift) != 0;
    for (size_t i = 0; i + 2 < n_limbs; i++)
        sticky |= limbs[i] != 0;
    /* 64 bits with what lies below told by the last one: rounded once, by the conversion. */
    return ldexp((double)(top | sticky), 64 * ((int)n_limbs - 1) - shift);
}

double pci_number_scale(double value, int64_t exponent)
{
    const int64_t limit = 4000; /* past it every double is 0 or infinity */
    int64_t clamped = exponent > limit ? limit : exponent < -limit ? -limit : exponent;
    return ldexp(value, (int)clamped);
}
