/* Decimal text of numbers. Integers of a few words are cut into chunks of 19 digits by short
 * division; wider ones, and doubles with a binary exponent, are GMP's work. */
#include "src/core/number.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t),
               "the words of a count are passed to GMP as they are");

enum {
    CHUNK_DIGITS = 19,
    MAX_CHUNKED_LIMBS = 24, /* beyond it GMP's subquadratic conversion is faster */
    DOUBLE_DIGITS = 16,
    GUARD_DIGITS = 24, /* GMP's powers lose up to 64 bits when exponents are near 2^63 */
    MPF_BITS = 256     /* GMP gives no more digits than a number of this precision has */
};

static const uint64_t CHUNK = UINT64_C(10000000000000000000); /* 10^19 */
static const double WHOLE_LIMIT = 1e16;                       /* 10^DOUBLE_DIGITS */

static const char digit_pairs[] = "0001020304050607080910111213141516171819"
                                  "2021222324252627282930313233343536373839"
                                  "4041424344454647484950515253545556575859"
                                  "6061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

static size_t count_digits(uint64_t value)
{
    static const uint64_t powers[20] = {0,
                                        10,
                                        100,
                                        1000,
                                        10000,
                                        100000,
                                        1000000,
                                        10000000,
                                        100000000,
                                        1000000000,
                                        10000000000,
                                        100000000000,
                                        1000000000000,
                                        10000000000000,
                                        100000000000000,
                                        1000000000000000,
                                        10000000000000000,
                                        100000000000000000,
                                        1000000000000000000,
                                        CHUNK};
    size_t bits = 64 - (size_t)__builtin_clzll(value | 1);
    size_t least = bits * 1233 >> 12; /* bits * log10(2): exact or one too small */
    return least + (value >= powers[least]);
}

/* The last n_digits digits of value, with leading zeros. */
static void put_digits(uint64_t value, char *text, size_t n_digits)
{
    while (n_digits >= 2) {
        n_digits -= 2;
        memcpy(text + n_digits, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (n_digits)
        text[0] = (char)('0' + value % 10);
}

size_t pci_number_u64_text(uint64_t value, char *text)
{
    size_t n_digits = count_digits(value);
    put_digits(value, text, n_digits);
    return n_digits;
}

/* The integer of 1 to MAX_CHUNKED_LIMBS words; the highest is not zero. */
static size_t chunked_text(const uint64_t *limbs, size_t n_limbs, char *text)
{
    mp_limb_t rest[MAX_CHUNKED_LIMBS];
    uint64_t chunks[MAX_CHUNKED_LIMBS * 64 / 63 + 1]; /* 19 digits are more than 63 bits */
    size_t n_chunks = 0;
    memcpy(rest, limbs, n_limbs * sizeof *limbs);
    while (n_limbs > 0) {
        chunks[n_chunks++] = mpn_divrem_1(rest, 0, rest, (mp_size_t)n_limbs, CHUNK);
        n_limbs -= rest[n_limbs - 1] == 0;
    }
    size_t length = pci_number_u64_text(chunks[--n_chunks], text);
    for (; n_chunks > 0; length += CHUNK_DIGITS)
        put_digits(chunks[--n_chunks], text + length, CHUNK_DIGITS);
    return length;
}

size_t pci_number_text(const uint64_t *limbs, size_t n_limbs, char *text)
{
    n_limbs = pci_number_trim(limbs, n_limbs);
    if (n_limbs <= 1)
        return pci_number_u64_text(n_limbs ? limbs[0] : 0, text);
    if (n_limbs <= MAX_CHUNKED_LIMBS)
        return chunked_text(limbs, n_limbs, text);
    mpz_t number;
    mpz_get_str(text, 10, mpz_roinit_n(number, limbs, (mp_size_t)n_limbs));
    return strlen(text);
}

/* The digits of value * 2^exponent as an integer of DOUBLE_DIGITS digits; *decimal_exponent is that
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
    char text[DOUBLE_DIGITS + GUARD_DIGITS + 2];
    mp_exp_t point; /* the number is 0.text * 10^point, trailing zeros left out */
    mpf_get_str(text, &point, 10, DOUBLE_DIGITS + GUARD_DIGITS, number);
    mpf_clear(number);
    size_t n_digits = strlen(text);
    uint64_t digits = 0;
    for (size_t i = 0; i < DOUBLE_DIGITS; i++)
        digits = digits * 10 + (uint64_t)(i < n_digits ? text[i] - '0' : 0);
    if (n_digits > DOUBLE_DIGITS && text[DOUBLE_DIGITS] >= '5')
        digits++;
    if (digits == (uint64_t)WHOLE_LIMIT) { /* 9.99...: one digit more */
        digits /= 10;
        point++;
    }
    *decimal_exponent = point - 1;
    return digits;
}

/* d.ddde+xx, at least two digits of exponent as printf has them. */
static size_t scientific_text(uint64_t digits, int64_t decimal_exponent, char *text)
{
    char all[DOUBLE_DIGITS];
    put_digits(digits, all, DOUBLE_DIGITS);
    size_t n_digits = DOUBLE_DIGITS;
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
