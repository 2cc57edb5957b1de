/* Texts of numbers against their words. */
#define _GNU_SOURCE /* strtold_l */
#include "src/cli/verify/text_check.h"

#include "src/cli/verify/residues.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_FROM_ROUNDS = 3, N_FIRST = 64, EVERY = 16, MOST_EXPONENT = 12000 };

/* The C library keeps the locale "C" ready: this takes no memory. */
long double cli_real(const char *text, char **end)
{
    return strtold_l(text, end, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

cli_text_check cli_text_check_for(int n_rounds)
{
    cli_text_check check = {.takes_all = n_rounds >= ALL_FROM_ROUNDS};
    if (n_rounds == PC_CERTIFY_NONE || !cli_draw_prime(&check.prime))
        check.prime = 0;
    return check;
}

static bool integer_holds(const cli_text_check *check, const pc_rows *rows, uint64_t e,
                          const char *text)
{
    const uint64_t *limbs = rows->limbs + e * rows->n_limbs;
    uint64_t residue;
    cli_sum value = 0;
    for (uint32_t l = rows->n_limbs; l-- > 0;)
        value = (value << 64 | limbs[l]) % check->prime;
    return cli_decimal_residue(text, strlen(text), check->prime, &residue) && residue == value;
}

/* At least sixteen digits. Numbers that no long double holds are not checked. */
static bool double_holds(const pc_rows *rows, uint64_t e, const char *text)
{
    char *end;
    double value = rows->values[e];
    if (!isfinite(value) || llabs(rows->exponent) > MOST_EXPONENT)
        return true;
    long double wanted = ldexpl(value, (int)rows->exponent), got = cli_real(text, &end);
    return *end == '\0' && fabsl(got - wanted) <= 0x1p-50L * fabsl(wanted);
}

bool cli_text_check_holds(const cli_text_check *check, uint64_t number, const pc_rows *rows,
                          uint64_t e, const char *text)
{
    bool is_due = check->takes_all || number < N_FIRST || number % EVERY == 0;
    if (check->prime == 0 || !is_due || rows->row_sizes != NULL)
        return true; /* means are fractions of these words */
    return rows->limbs != NULL ? integer_holds(check, rows, e, text) : double_holds(rows, e, text);
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
