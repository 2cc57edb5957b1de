/* The arithmetic of `pathcount verify`, against GMP: residues of decimal text, primes, the sequence that
 * certificates name, and texts held against words. */
#define _GNU_SOURCE /* as residues.c */
#include "src/rows/counts.h"

#include "tests/support/random_graph.h"
#include "tests/support/fixture.h"

#include "src/cli/verify/residues.c"

#include <gmp.h>

static bool is_number(const char *text, uint64_t modulus, uint64_t *residue)
{
    return cli_decimal_residue(text, strlen(text), modulus, residue);
}

TEST("residues of decimal text are those of GMP: random numbers, powers of ten and these less one")
{
    static const uint64_t moduli[] = {2, 3, 10, 1000000007, UINT64_C(1) << 62, INT64_MAX};
    random_source source = {11};
    gmp_randstate_t state;
    gmp_randinit_default(state);
    mpz_t number;
    mpz_init(number);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t residue = 0, prime = 0;
        if (i < 240)
            mpz_ui_pow_ui(number, 10, i / 2);
        else
            mpz_urandomb(number, state, (mp_bitcnt_t)random_below(&source, i % 100 ? 300 : 12000));
        if (i < 240 && i % 2)
            mpz_sub_ui(number, number, 1);
        char *text = mpz_get_str(NULL, 10, number);
        CU_ASSERT_FATAL(cli_draw_prime(&prime));
        uint64_t modulus = i % 4 < 2 ? prime : moduli[random_below(&source, 6)];
        CU_ASSERT_FATAL(is_number(text, modulus, &residue));
        CU_ASSERT_EQUAL_FATAL(residue, mpz_fdiv_ui(number, modulus));
        free(text);
    }
    mpz_clear(number);
    gmp_randclear(state);
}

TEST("each byte at each place of a number")
{
    for (size_t place = 1; place < 30; place++)
        for (int byte = 1; byte < 256; byte++) {
            char text[] = "123456789012345678901234567890";
            uint64_t residue;
            text[place] = (char)byte;
            CU_ASSERT_EQUAL_FATAL(is_number(text, 97, &residue), byte >= '0' && byte <= '9');
        }
}

TEST("text that is no number as it is written")
{
    char all[] =
        ";+1;-1;01;00; 1;1 ;1.0;1e3;0x1;1,;1/2;12345678901234567890123x;x2345678901234567890;"
        "1234567890123456789:;123456789/123456789012345";
    for (char *rest = all, *wrong; (wrong = strsep(&rest, ";")) != NULL;) {
        uint64_t residue;
        CU_ASSERT_FALSE(is_number(wrong, 97, &residue));
        CU_ASSERT_FALSE(cli_decimal_word(wrong, strlen(wrong), &residue));
    }
}

TEST("words of decimal text, up to the largest")
{
    uint64_t word = 0;
    CU_ASSERT(cli_decimal_word("18446744073709551615", 20, &word));
    CU_ASSERT_EQUAL(word, UINT64_MAX);
    CU_ASSERT_FALSE(cli_decimal_word("18446744073709551616", 20, &word));
    CU_ASSERT_FALSE(cli_decimal_word("99999999999999999999", 20, &word));
    CU_ASSERT_FALSE(cli_decimal_word("100000000000000000000", 21, &word));
    CU_ASSERT(cli_decimal_word("0", 1, &word) && word == 0);
}

TEST("primes are those of GMP")
{
    mpz_t number;
    random_source source = {5};
    mpz_init(number);
    for (int i = 0; i < 3000; i++) {
        uint64_t n = i < 1000 ? (uint64_t)i : random_u64(&source) >> random_below(&source, 40);
        mpz_set_ui(number, n);
        CU_ASSERT_EQUAL_FATAL(cli_is_prime(n), mpz_probab_prime_p(number, 40) > 0);
    }
    /* Pseudoprimes to the bases 2, 3, 5, 7 and to those up to 37 but one (Jaeschke; Sorenson, Webster). */
    CU_ASSERT_FALSE(cli_is_prime(UINT64_C(3215031751)));
    CU_ASSERT_FALSE(cli_is_prime(UINT64_C(3825123056546413051)));
    for (int i = 0; i < 20; i++) {
        uint64_t prime = 0;
        CU_ASSERT_FATAL(cli_draw_prime(&prime));
        mpz_set_ui(number, prime);
        CU_ASSERT_EQUAL(prime >> 60, 1);
        CU_ASSERT(mpz_probab_prime_p(number, 40) > 0);
    }
    mpz_clear(number);
}

/* The first words of SplitMix64 with seed 1234567, as its authors' reference implementation gives them. */
TEST("the sequence of a seed is SplitMix64")
{
    static const uint64_t words[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                     UINT64_C(16408922859458223821)};
    for (uint64_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(cli_draw(1234567, i, UINT64_C(1) << 32), words[i] >> 32);
        CU_ASSERT_EQUAL(cli_draw(1234567, i, 1000),
                        (uint64_t)((unsigned __int128)words[i] * 1000 >> 64));
    }
}

TEST("a sum of products does not overflow")
{
    const uint64_t most = INT64_MAX - 1;
    cli_sum sum = 0;
    for (int i = 0; i < 1000; i++)
        sum = cli_sum_add(sum, most, most, INT64_MAX);
    CU_ASSERT_EQUAL((uint64_t)(sum % INT64_MAX), 1000); /* (-1)^2, a thousand times */
}

/* Text of limbs is held; the same with one digit changed is not. */
TEST("texts are held against their words")
{
    random_source source = {3};
    cli_text_check check = cli_text_check_for(3);
    for (int i = 0; i < 3000; i++) {
        uint64_t limbs[4];
        char text[128];
        for (int l = 0; l < 4; l++)
            limbs[l] = random_u64(&source) >> random_below(&source, 64);
        pc_rows rows = {.n_rows = 1, .n_columns = 1, .n_limbs = 1 + i % 4, .limbs = limbs};
        CU_ASSERT_EQUAL_FATAL(pc_rows_text(&rows, 0, text, sizeof text, NULL), PC_OK);
        CU_ASSERT_FATAL(cli_text_check_holds(&check, 0, &rows, 0, text));
        char *digit = &text[random_below(&source, strlen(text))];
        *digit = *digit == '9' ? '8' : (char)(*digit + 1);
        CU_ASSERT_FALSE_FATAL(cli_text_check_holds(&check, 0, &rows, 0, text));
    }
}

TEST("texts of doubles are held to their digits")
{
    cli_text_check check = cli_text_check_for(3);
    const double value = 1.0 / 3;
    char text[64];
    for (int64_t exponent = -3000; exponent <= 3000; exponent += 60) {
        pc_rows rows = {.n_rows = 1, .n_columns = 1, .values = &value, .exponent = exponent};
        CU_ASSERT_EQUAL_FATAL(pc_rows_text(&rows, 0, text, sizeof text, NULL), PC_OK);
        CU_ASSERT_FATAL(cli_text_check_holds(&check, 0, &rows, 0, text));
        text[12] = text[12] == '9' ? '8' : (char)(text[12] + 1);
        CU_ASSERT_FALSE_FATAL(cli_text_check_holds(&check, 0, &rows, 0, text));
    }
}

TEST("the first texts are all checked, then one of sixteen, none without certificates")
{
    const uint64_t limb = 7;
    const pc_rows rows = {.n_rows = 1, .n_columns = 1, .n_limbs = 1, .limbs = &limb};
    cli_text_check some = cli_text_check_for(0), none = cli_text_check_for(PC_CERTIFY_NONE);
    int n_found = 0;
    for (int i = 0; i < 64 + 160; i++) {
        n_found += !cli_text_check_holds(&some, (uint64_t)i, &rows, 0, "8");
        CU_ASSERT(cli_text_check_holds(&none, (uint64_t)i, &rows, 0, "8"));
    }
    CU_ASSERT_EQUAL(n_found, 64 + 10);
}
