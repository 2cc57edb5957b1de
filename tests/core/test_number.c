/* Text of numbers: against printf for words, against GMP and schoolbook rounding for the rest. */
#include "src/core/number.h"

#include "tests/support/random_graph.h"
#include "tests/support/fixture.h"

#include <gmp.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_word(uint64_t value)
{
    char expected[32], text[PCI_U64_TEXT_BYTES + 1];
    int length = snprintf(expected, sizeof expected, "%" PRIu64, value);
    text[PCI_U64_TEXT_BYTES] = '!';
    CU_ASSERT_EQUAL_FATAL(pci_number_u64_text(value, text), (size_t)length);
    CU_ASSERT_EQUAL_FATAL(memcmp(text, expected, (size_t)length), 0);
    CU_ASSERT_EQUAL(text[PCI_U64_TEXT_BYTES], '!');
}

TEST("words as printf writes them")
{
    random_source source = {1};
    uint64_t power = 1;
    for (int digits = 1; digits <= 20; digits++, power *= 10) {
        check_word(power - 1);
        check_word(power);
        check_word(power + 1);
    }
    for (int bit = 0; bit < 64; bit++) {
        check_word(UINT64_C(1) << bit);
        check_word((UINT64_C(1) << bit) - 1);
    }
    check_word(UINT64_MAX);
    for (int i = 0; i < 20000; i++)
        check_word(random_u64(&source) >> random_below(&source, 64));
}

/* Words with runs of zeros and ones, which carry and borrow most. */
static void random_limbs(random_source *source, uint64_t *limbs, size_t n_limbs)
{
    for (size_t l = 0; l < n_limbs; l++) {
        uint64_t kind = random_below(source, 4);
        limbs[l] = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : random_u64(source);
    }
}

static void limbs_to_mpz(const uint64_t *limbs, size_t n_limbs, mpz_t value)
{
    mpz_set_ui(value, 0);
    while (n_limbs-- > 0) {
        mpz_mul_2exp(value, value, 64);
        mpz_add_ui(value, value, limbs[n_limbs]);
    }
}

/* The text read back by GMP must be the number, have no leading zero and stay within its bounds. */
static void check_limbs(const uint64_t *limbs, size_t n_limbs)
{
    size_t room = pci_number_text_bytes(n_limbs);
    OWNED(char) *text = malloc(room + 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    text[room] = '!';
    size_t length = pci_number_text(limbs, n_limbs, text);
    CU_ASSERT_TRUE_FATAL(length >= 1 && length <= room);
    CU_ASSERT_EQUAL(text[room], '!');
    CU_ASSERT_TRUE(text[0] != '0' || length == 1);
    text[length] = '\0';
    CU_ASSERT_EQUAL(strspn(text, "0123456789"), length);
    OWNED(mpz_t) expected, value;
    mpz_inits(expected, value, NULL);
    limbs_to_mpz(limbs, n_limbs, expected);
    CU_ASSERT_EQUAL(mpz_set_str(value, text, 10), 0);
    CU_ASSERT_EQUAL(mpz_cmp(value, expected), 0);
    CU_ASSERT_EQUAL(pci_number_bits(limbs, n_limbs),
                    mpz_sgn(expected) ? mpz_sizeinbase(expected, 2) : 0);
}

TEST("integers of 0 to 200 words")
{
    enum { MOST = 200 };
    random_source source = {2};
    uint64_t limbs[MOST] = {0};
    for (size_t n_limbs = 0; n_limbs <= MOST; n_limbs++) {
        check_limbs(limbs, n_limbs); /* zero of any width */
        for (int i = 0; i < 20; i++) {
            random_limbs(&source, limbs, n_limbs);
            check_limbs(limbs, n_limbs);
        }
        memset(limbs, 0, sizeof limbs);
    }
}

/* 10^e - 1, 10^e and 10^e + 1: where a chunk of digits begins, zeros inside are easily lost. */
TEST("powers of ten and their neighbours")
{
    enum { MOST_LIMBS = 30 };
    OWNED(mpz_t) power;
    mpz_init(power);
    for (unsigned e = 0; e < 570; e++) {
        for (int offset = -1; offset <= 1; offset++) {
            uint64_t limbs[MOST_LIMBS] = {0};
            mpz_ui_pow_ui(power, 10, e);
            mpz_add_ui(power, power, 1);
            mpz_sub_ui(power, power, (unsigned)(1 - offset));
            mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, power);
            check_limbs(limbs, MOST_LIMBS);
        }
    }
}

/* Where an integer gets another word, and around multiples of 10^8, 10^16 and 10^19, by which it is
 * divided: there a quotient that is one off would show. */
TEST("neighbours of powers of two and of multiples of a divisor")
{
    enum { MOST_LIMBS = 4, MOST_BITS = 250 };
    static const unsigned digits[] = {8, 16, 19};
    random_source source = {4};
    OWNED(mpz_t) divisor, factor, value;
    mpz_inits(divisor, factor, value, NULL);
    for (unsigned i = 0; i < 8 * MOST_BITS; i++) {
        uint64_t limbs[MOST_LIMBS] = {0}, word[] = {random_u64(&source), random_u64(&source)};
        mpz_ui_pow_ui(divisor, 10, digits[i % 3]);
        mpz_import(factor, 2, -1, sizeof *word, 0, 0, word);
        mpz_fdiv_q_2exp(factor, factor, random_below(&source, 128));
        mpz_mul(value, divisor, factor);
        if (i % 2 == 0)
            mpz_ui_pow_ui(value, 2, i / 8);
        mpz_add_ui(value, value, 1);
        mpz_sub_ui(value, value, random_below(&source, 3));
        mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, value);
        check_limbs(limbs, MOST_LIMBS);
    }
}

/* strtod rounds decimal text to the nearest double. */
TEST("nearest doubles as strtod finds them")
{
    enum { MOST = 20 };
    random_source source = {3};
    for (int i = 0; i < 5000; i++) {
        uint64_t limbs[MOST];
        size_t n_limbs = 1 + random_below(&source, MOST);
        random_limbs(&source, limbs, n_limbs);
        limbs[n_limbs - 1] >>= random_below(&source, 64);
        OWNED(mpz_t) value;
        mpz_init(value);
        limbs_to_mpz(limbs, n_limbs, value);
        OWNED(char) *text = mpz_get_str(NULL, 10, value);
        CU_ASSERT_EQUAL(pci_number_to_double(limbs, n_limbs), strtod(text, NULL));
    }
}

/* Ties to even, just above a tie, and the largest double with what rounds to infinity. */
TEST("ties and overflow of nearest doubles")
{
    /* Of 2^53 and above a double holds the even integers. */
    const uint64_t half = (UINT64_C(1) << 53) + 1;
    CU_ASSERT_EQUAL(pci_number_to_double((uint64_t[]){0, half}, 2), 0x1p117);
    CU_ASSERT_EQUAL(pci_number_to_double((uint64_t[]){0, half + 2}, 2), 0x1.0000000000002p117);
    CU_ASSERT_EQUAL(pci_number_to_double((uint64_t[]){1, half}, 2), 0x1.0000000000001p117);
    CU_ASSERT_EQUAL(pci_number_to_double((uint64_t[]){1, 0, half}, 3), 0x1.0000000000001p181);
    CU_ASSERT_EQUAL(pci_number_to_double((uint64_t[]){UINT64_MAX, half - 1}, 2), 0x1p117);
    uint64_t limbs[16];
    memset(limbs, 0, sizeof limbs);
    limbs[15] = UINT64_C(0xFFFFFFFFFFFFF800);
    CU_ASSERT_EQUAL(pci_number_to_double(limbs, 16), 0x1.fffffffffffffp1023);
    limbs[15] = UINT64_C(0xFFFFFFFFFFFFFC00);
    CU_ASSERT_TRUE(isinf(pci_number_to_double(limbs, 16)));
    CU_ASSERT_TRUE(isinf(pci_number_to_double((uint64_t[17]){[16] = 1}, 17)));
}

/* The n leading digits of p / q by long division, rounded to nearest; *tie when both neighbours are as near.
 * Slow and simple. */
static void leading_digits(const mpz_t p, const mpz_t q, long n, mpz_t digits, long *exponent,
                           bool *tie)
{
    OWNED(mpz_t) a, b, rest, low, high;
    mpz_inits(a, b, rest, low, high, NULL);
    mpz_set(a, p);
    mpz_set(b, q);
    mpz_ui_pow_ui(low, 10, (unsigned long)n - 1);
    mpz_ui_pow_ui(high, 10, (unsigned long)n);
    for (*exponent = n - 1;;) { /* digits = a / b, p / q = a / b * 10^(exponent - n + 1) */
        mpz_fdiv_qr(digits, rest, a, b);
        if (mpz_cmp(digits, high) >= 0) {
            mpz_mul_ui(b, b, 10);
            ++*exponent;
        } else if (mpz_cmp(digits, low) < 0) {
            mpz_mul_ui(a, a, 10);
            --*exponent;
        } else {
            break;
        }
    }
    mpz_mul_2exp(rest, rest, 1);
    *tie = mpz_cmp(rest, b) == 0;
    if (mpz_cmp(rest, b) > 0)
        mpz_add_ui(digits, digits, 1);
    if (mpz_cmp(digits, high) == 0) {
        mpz_set(digits, low);
        ++*exponent;
    }
}

/* Whether the double nearest to n digits is p / q = mantissa * 2^e: they differ by less than half of 2^e, or of half of
 * that below a power of two. */
static bool tells_apart(const mpz_t digits, long exponent, long n, const mpz_t p, const mpz_t q,
                        uint64_t mantissa)
{
    OWNED(mpq_t) value, text, scale;
    mpq_inits(value, text, scale, NULL);
    mpq_set_num(value, p);
    mpq_set_den(value, q);
    mpq_canonicalize(value);
    mpq_set_z(text, digits);
    long shift = exponent - n + 1;
    mpz_ui_pow_ui(mpq_numref(scale), 10, (unsigned long)labs(shift));
    if (shift >= 0)
        mpq_mul(text, text, scale);
    else
        mpq_div(text, text, scale);
    mpq_sub(text, text, value);
    mpq_abs(text, text);
    mpq_set_ui(scale, mantissa == UINT64_C(1) << 52 ? 4 * mantissa : 2 * mantissa, 1);
    mpq_mul(text, text, scale);
    return mpq_cmp(text, value) < 0;
}

/* As documented: d.ddd without trailing zeros, then the exponent. */
static void expected_text(const mpz_t digits, long exponent, char *text, size_t size)
{
    char all[32];
    mpz_get_str(all, 10, digits);
    size_t n_digits = strlen(all);
    while (n_digits > 1 && all[n_digits - 1] == '0')
        n_digits--;
    snprintf(text, size, "%c%s%.*se%+03ld", all[0], n_digits > 1 ? "." : "", (int)n_digits - 1,
             all + 1, exponent);
}

static void check_double(double value, long exponent)
{
    char text[PCI_DOUBLE_TEXT_BYTES + 1], expected[64];
    OWNED(mpz_t) p, q, digits;
    mpz_inits(p, q, digits, NULL);
    int own_exponent;
    double mantissa = ldexp(frexp(value, &own_exponent), 53);
    mpz_set_d(p, mantissa);
    mpz_set_ui(q, 1);
    long e = exponent + own_exponent - 53;
    mpz_mul_2exp(e >= 0 ? p : q, e >= 0 ? p : q, (mp_bitcnt_t)labs(e));
    size_t length = pci_number_double_text(value, exponent, text);
    CU_ASSERT_TRUE_FATAL(length <= PCI_DOUBLE_TEXT_BYTES);
    text[length] = '\0';
    mpz_fdiv_qr(digits, p, p, q);
    bool is_whole = mpz_sgn(p) == 0 && mpz_cmp_d(digits, 1e16) < 0;
    mpz_addmul(p, digits, q);
    if (is_whole) {
        mpz_get_str(expected, 10, digits);
        CU_ASSERT_STRING_EQUAL(text, expected);
    } else {
        bool tie;
        long decimal;
        leading_digits(p, q, 16, digits, &decimal, &tie);
        if (!tells_apart(digits, decimal, 16, p, q, (uint64_t)mantissa))
            leading_digits(p, q, 17, digits, &decimal, &tie);
        expected_text(digits, decimal, expected, sizeof expected);
        CU_ASSERT_TRUE(strcmp(text, expected) == 0 || tie);
    }
}

TEST("doubles with exponents against long division")
{
    random_source source = {4};
    check_double(1e16, 0);
    check_double(9999999999999998, 0);
    check_double(0.5, 0);
    check_double(9.999999999999999e22, 0);
    check_double(0x1.fffffffffffffp1023, 1);
    check_double(0x1p-1074, -1);
    check_double(0x1p-1074, 1074);
    check_double(0x1.8p1000, -1000);
    for (int i = 0; i < 3000; i++) {
        double mantissa = (double)(random_u64(&source) >> (11 + random_below(&source, 53)));
        long exponent = (long)random_below(&source, 400) - 200;
        if (mantissa > 0)
            check_double(mantissa, exponent);
    }
    for (int i = 0; i < 300; i++)
        check_double((double)(1 + random_below(&source, UINT64_C(1) << 53)),
                     (long)random_below(&source, 8000) - 4000);
}

/* From Python's decimal module with 90 digits: 3 * 2^e to 16 digits, or 17 where those are not nearer to it than half of the
 * distance to the next double. */
TEST("doubles with exponents up to 2^63")
{
    static const struct {
        int64_t exponent;
        const char *text;
    } cases[] = {
        {10000, "5.985189350642275e+3010"},
        {-10000, "1.5037118247619356e-3010"},
        {1000000000, "1.3838928003507208e+301029996"},
        {-1000000000, "6.503393902850802e-301029996"},
        {INT64_C(1) << 40, "2.417169673519747e+330985980542"},
        {INT64_C(100000000000000000), "9.965409378370857e+30102999566398119"},
        {-INT64_C(100000000000000000), "9.031239619251164e-30102999566398120"},
        {INT64_C(1) << 61, "1.0284054074342889e+694127911065419642"},
        {INT64_MAX, "2.0713984469700814e+2776511644261678566"},
        {INT64_C(9223371847745037314), "5.6474958461377455e+2776511587333974807"},
        {INT64_MIN, "2.1724453866335242e-2776511644261678566"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[PCI_DOUBLE_TEXT_BYTES + 1];
        size_t length = pci_number_double_text(3, cases[i].exponent, text);
        CU_ASSERT_TRUE_FATAL(length <= PCI_DOUBLE_TEXT_BYTES);
        text[length] = '\0';
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
}

/* The nearest double to a power of ten may lie just below it: rounding then carries into a digit more. */
TEST("doubles next to powers of ten")
{
    int n_below = 0;
    for (int k = -300; k <= 300; k++) {
        char text[PCI_DOUBLE_TEXT_BYTES + 1], expected[64];
        snprintf(expected, sizeof expected, "1e%d", k);
        double value = strtod(expected, NULL);
        snprintf(expected, sizeof expected, "%.30e", value);
        n_below += expected[0] == '9';
        if (k >= 0 && k < 16)
            snprintf(expected, sizeof expected, "%.0f", value);
        else /* 16 digits round to one, and it is read as the same double */
            snprintf(expected, sizeof expected, "%.15e", value);
        char *zeros = strchr(expected, '.'), *exponent = strchr(expected, 'e');
        if (zeros && strspn(zeros + 1, "0") == (size_t)(exponent - zeros - 1))
            memmove(zeros, exponent, strlen(exponent) + 1);
        text[pci_number_double_text(value, 0, text)] = '\0';
        CU_ASSERT_STRING_EQUAL(text, expected);
    }
    CU_ASSERT_TRUE(n_below > 100);
}

TEST("zero, infinity and NaN")
{
    char text[PCI_DOUBLE_TEXT_BYTES];
    CU_ASSERT_EQUAL(pci_number_double_text(0, INT64_MAX, text), 1);
    CU_ASSERT_EQUAL(text[0], '0');
    CU_ASSERT_EQUAL(pci_number_double_text(INFINITY, 0, text), 3);
    CU_ASSERT_EQUAL(memcmp(text, "inf", 3), 0);
    CU_ASSERT_EQUAL(pci_number_double_text(NAN, 5, text), 3);
    CU_ASSERT_EQUAL(memcmp(text, "nan", 3), 0);
}

TEST("scaling doubles")
{
    CU_ASSERT_EQUAL(pci_number_scale(1.5, 10), 1536);
    CU_ASSERT_EQUAL(pci_number_scale(0x1p-1074, 2097), 0x1p1023);
    CU_ASSERT_TRUE(isinf(pci_number_scale(1, 1024)));
    CU_ASSERT_TRUE(isinf(pci_number_scale(0x1p-1074, INT64_MAX)));
    CU_ASSERT_EQUAL(pci_number_scale(0x1p1023, INT64_MIN), 0);
    CU_ASSERT_EQUAL(pci_number_scale(0, INT64_MAX), 0);
}

/* A comma for the point would spoil every file; runs where such a locale is installed. */
TEST("text does not depend on the locale")
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    char text[PCI_DOUBLE_TEXT_BYTES], before[64];
    snprintf(before, sizeof before, "%s", setlocale(LC_NUMERIC, NULL));
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        test_skip("no locale with a decimal comma is installed");
    size_t length = pci_number_double_text(1.25, 0, text);
    setlocale(LC_NUMERIC, before);
    CU_ASSERT_EQUAL(length, 8);
    CU_ASSERT_EQUAL(memcmp(text, "1.25e+00", 8), 0);
}
