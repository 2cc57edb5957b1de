/* How many digits of a double hold, and its text with these digits. */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_DIGITS_BYTES = 64 };

/* How doubles are shown. All zero: with all their digits. */
typedef struct cli_digits {
    int n; /* significant digits, at least one; 0: all */
    bool
        keeps_integers; /* an integer of at most n digits has no exponent: counts, not probabilities */
} cli_digits;

/* The digits that a relative error leaves. */
cli_digits cli_digits_of(double relative_error, bool are_counts);

/* Prints "14 (relative error below 7.2e-15)". */
void cli_print_digits(FILE *out, double relative_error);

/* The significant digits of the text of a number, "1234" or "1.234e+56", without zeros at its end; 0 of "0",
 * "inf" and "nan". */
int cli_significant_digits(const char *text);

/* Writes such a text with exactly so many significant digits and an exponent, so that numbers below one another
 * have one shape; "0", "inf" and "nan" stay. It may become longer: text has CLI_DIGITS_BYTES. */
void cli_set_digits(cli_digits wanted, char *text);

/* The same in a text of its own, shown[CLI_DIGITS_BYTES]; returns shown. */
const char *cli_shown_digits(cli_digits wanted, const char *text, char *shown);

#endif
