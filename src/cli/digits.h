/* How many digits of a double hold, and its text without the others. */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

#include <stdio.h>

enum { CLI_DIGITS_BYTES = 64, CLI_ALL_DIGITS = 17 };

/* The decimal digits that a relative error leaves, from 0 to CLI_ALL_DIGITS. */
int cli_digits_of(double relative_error);

/* Prints "14 (relative error below 7.2e-15)". */
void cli_print_digits(FILE *out, double relative_error);

/* Rounds the text of a number, "1234" or "1.234e+56", to n_digits significant digits, at least one; one
 * that has no more stays. It may become longer: text has CLI_DIGITS_BYTES. */
void cli_cut_digits(int n_digits, char *text);

/* The same in a text of its own, shown[CLI_DIGITS_BYTES]; returns shown. */
const char *cli_shown_digits(int n_digits, const char *text, char *shown);

#endif
