/* Rounds the decimal text of doubles. */
#include "src/cli/digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_DIGITS = 17 };

/* From 0 to ALL_DIGITS. */
static int count_digits(double relative_error)
{
    if (relative_error == 0)
        return ALL_DIGITS;
    double digits = floor(-log10(relative_error));
    return digits > ALL_DIGITS ? ALL_DIGITS : digits > 0 ? (int)digits : 0;
}

cli_digits cli_digits_of(double relative_error, bool are_counts)
{
    int n = count_digits(relative_error);
    return (cli_digits){.n = n == ALL_DIGITS ? 0 : n > 0 ? n : 1, .keeps_integers = are_counts};
}

void cli_print_digits(FILE *out, double relative_error)
{
    if (relative_error == 0)
        fputs("all (nothing is rounded)", out);
    else if (relative_error < 1)
        fprintf(out, "%d (relative error below %.2g)", count_digits(relative_error),
                relative_error * 1.06); /* rounded up to two digits */
    else
        fputs("none (roundings may add up to more than the numbers themselves)", out);
}

/* Splits the text of a number into its digits, without leading and final zeros, and the exponent of
 * the first of them. Returns how many digits there are, of the first CLI_DIGITS_BYTES: none of 0, inf and nan. */
static int split(const char *text, char *digits, long *exponent)
{
    int n_digits = 0;
    long n_before_point = 0;
    bool has_point = false;
    const char *at = text;
    *exponent = 0;
    if (*text == 'i' || *text == 'n')
        return 0;
    for (; *at != '\0' && *at != 'e'; at++)
        if (*at == '.') {
            has_point = true;
        } else if (*at != '0' || n_digits > 0) {
            n_before_point += !has_point;
            if (n_digits < CLI_DIGITS_BYTES)
                digits[n_digits++] = *at;
        }
    *exponent = n_before_point - 1 + (*at == 'e' ? strtol(at + 1, NULL, 10) : 0);
    while (n_digits > 0 && digits[n_digits - 1] == '0')
        n_digits--;
    return n_digits;
}

int cli_significant_digits(const char *text)
{
    char digits[CLI_DIGITS_BYTES];
    long exponent;
    return split(text, digits, &exponent);
}

/* Rounds n_digits digits to the nearest number of n_kept digits, of which *exponent is that of the first. */
static void round_digits(int n_kept, char *digits, long *exponent)
{
    int n = n_kept;
    if (digits[n_kept] < '5')
        return;
    while (n > 0 && digits[n - 1] == '9')
        digits[--n] = '0';
    if (n > 0) {
        digits[n - 1]++;
    } else { /* only nines */
        digits[0] = '1';
        ++*exponent;
    }
}

void cli_set_digits(cli_digits wanted, char *text)
{
    char digits[2 * CLI_DIGITS_BYTES];
    long exponent;
    int n = split(text, digits, &exponent);
    bool stays = wanted.keeps_integers && n <= wanted.n && strchr(text, 'e') == NULL;
    if (n == 0 || wanted.n == 0 || stays)
        return;
    if (n > wanted.n)
        round_digits(wanted.n, digits, &exponent);
    else
        memset(digits + n, '0', (size_t)(wanted.n - n));
    snprintf(text, CLI_DIGITS_BYTES, "%c%s%.*se%+03ld", digits[0], wanted.n > 1 ? "." : "",
             wanted.n - 1, digits + 1, exponent);
}

const char *cli_shown_digits(cli_digits wanted, const char *text, char *shown)
{
    if (strlen(text) >= CLI_DIGITS_BYTES)
        return text; /* of an integer */
    strcpy(shown, text);
    cli_set_digits(wanted, shown);
    return shown;
}
