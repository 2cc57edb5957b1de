/* Rounds the decimal text of doubles. */
#include "src/cli/digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int cli_digits_of(double relative_error)
{
    if (relative_error == 0)
        return CLI_ALL_DIGITS;
    double digits = floor(-log10(relative_error));
    return digits > CLI_ALL_DIGITS ? CLI_ALL_DIGITS : digits > 0 ? (int)digits : 0;
}

void cli_print_digits(FILE *out, double relative_error)
{
    if (relative_error == 0)
        fputs("all (nothing is rounded)", out);
    else if (relative_error < 1)
        fprintf(out, "%d (relative error below %.2g)", cli_digits_of(relative_error),
                relative_error * 1.06); /* rounded up to two digits */
    else
        fputs("none (roundings may add up to more than the numbers themselves)", out);
}

/* Splits the text of a number into its digits, without leading and final zeros, and the exponent of
 * the first of them. Returns how many digits there are. */
static int split(const char *text, char *digits, long *exponent)
{
    int n_digits = 0, n_before_point = 0;
    bool has_point = false;
    const char *at = text;
    for (; *at != '\0' && *at != 'e' && n_digits < CLI_DIGITS_BYTES; at++)
        if (*at == '.') {
            has_point = true;
        } else if (*at != '0' || n_digits > 0) {
            digits[n_digits++] = *at;
            n_before_point += !has_point;
        }
    *exponent = n_before_point - 1 + (*at == 'e' ? strtol(at + 1, NULL, 10) : 0);
    while (n_digits > 0 && digits[n_digits - 1] == '0')
        n_digits--;
    return n_digits;
}

/* Rounds to the nearest number of n_kept digits; returns how many are left. */
static int round_digits(int n_kept, char *digits, long *exponent)
{
    bool rounds_up = digits[n_kept] >= '5';
    while (rounds_up && n_kept > 0 && digits[n_kept - 1] == '9')
        n_kept--;
    if (rounds_up && n_kept > 0)
        digits[n_kept - 1]++;
    if (n_kept == 0) { /* only nines */
        digits[n_kept++] = '1';
        ++*exponent;
    }
    while (n_kept > 1 && digits[n_kept - 1] == '0')
        n_kept--;
    return n_kept;
}

void cli_cut_digits(int n_digits, char *text)
{
    char digits[CLI_DIGITS_BYTES];
    long exponent;
    int n_kept = n_digits > 1 ? n_digits : 1;
    if (split(text, digits, &exponent) <= n_kept)
        return;
    n_kept = round_digits(n_kept, digits, &exponent);
    snprintf(text, CLI_DIGITS_BYTES, "%c%s%.*se%+03ld", digits[0], n_kept > 1 ? "." : "",
             n_kept - 1, digits + 1, exponent);
}

const char *cli_shown_digits(int n_digits, const char *text, char *shown)
{
    if (strlen(text) >= CLI_DIGITS_BYTES)
        return text; /* of an integer */
    strcpy(shown, text);
    cli_cut_digits(n_digits, shown);
    return shown;
}
