/* Words, numbers and digits as people read them, and the word that somebody probably meant. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "pathcount.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- Words and numbers ----------------------------------------------------------------------- */

/* Some words, by value: printf("%s", cli_number_of(n, "arc", "arcs").text). */
typedef struct cli_words {
    char text[96];
} cli_words;

/* "5242 vertices", "1 vertex". */
cli_words cli_number_of(uint64_t n, const char *one, const char *many);

/* "215.3 MiB". */
cli_words cli_bytes_of(uint64_t bytes);

/* The largest weight of a graph, "3" or "0.25". */
cli_words cli_weight_of(const pc_graph_info *info);

/* The digits that hold: "14 (relative error below 7.2e-15)". */
cli_words cli_held_digits(double relative_error);

/* "auto, dense or sweep" when before_last is " or "; NULL ends the words. Returns joined. */
const char *cli_join_words(const char *const *words, const char *before_last, char *joined,
                           size_t size);

/* "standard input" of "-", any other path as it is. */
const char *cli_shown_path(const char *path);

/* Prints text with control characters as \xNN, because text of others must not control the
 * terminal. */
void cli_print_shown(FILE *out, const char *text);

/* The same in place: text has room for four times its length. Returns the new length. */
size_t cli_escape(char *text, size_t length);

/* A label, to be free()d, with control characters as \xNN. */
char *cli_label_shown(const pc_labels *labels, uint64_t index);

/* The label byte for byte, to be free()d. */
char *cli_label_raw(const pc_labels *labels, uint64_t index);

/* Prints texts, row by row, as a table on standard output: its columns are two blanks apart and
 * right-aligned, but the first one, of names, left-aligned. Without names, two blanks begin a line. */
void cli_print_table(char *const *cells, uint64_t n_rows, uint64_t n_columns, bool has_names);

/* The columns of a terminal that the table with names takes. */
uint64_t cli_table_width(char *const *cells, uint64_t n_rows, uint64_t n_columns);

/* Copies an integer or a double as text; an integer of size digits or more gets 15 digits and an
 * exponent. size > 32. */
void cli_shorten_number(const char *number, size_t size, char *shortened);

/* A decimal number modulo modulus. */
uint64_t cli_decimal_modulo(const char *decimal, uint64_t modulus);

/* ---- Digits of doubles ----------------------------------------------------------------------- */

/* Doubles are shown with the digits that hold. */
enum { CLI_DIGITS_BYTES = 64 };

/* The digits that doubles are shown with; all zero: all of them. */
typedef struct cli_digits {
    int n;               /* significant digits, at least one; 0: all */
    bool keeps_integers; /* an integer of at most n digits has no exponent: a count has none */
} cli_digits;

/* The digits that a relative error leaves. */
cli_digits cli_digits_of(double relative_error, bool are_counts);

/* The significant digits of the text of a number, "1234" or "1.234e+56", without zeros at its
 * end; 0 of "0", "inf" and "nan". */
int cli_significant_digits(const char *text);

/* Writes such a text with exactly so many significant digits and an exponent, so that numbers
 * below one another have one shape; "0", "inf" and "nan" stay. It may become longer: text has
 * CLI_DIGITS_BYTES. */
void cli_set_digits(cli_digits wanted, char *text);

/* The same in a text of its own, shown[CLI_DIGITS_BYTES]; returns shown. */
const char *cli_shown_digits(cli_digits wanted, const char *text, char *shown);

/* ---- Suggestions ----------------------------------------------------------------------------- */

/* "Did you mean": the word that was probably meant, among those that there are. */
enum { CLI_SUGGESTED_BYTES = 64 };

/* Begin with {.typed = TEXT}, which must stay, then offer each word. */
typedef struct cli_suggestion {
    const char *typed;
    size_t distance;                /* of word, when there is one */
    char word[CLI_SUGGESTED_BYTES]; /* the nearest so far; empty: none is near */
    char text[CLI_SUGGESTED_BYTES + 32];
} cli_suggestion;

/* Keeps word when it is nearer than those before, or as near and it begins with the typed text. A
 * word is near when one letter in three, and three at most, must be added, left out, replaced,
 * or exchanged with its neighbour. The case of letters, and _ in place of -, do not count.
 * Numbers are never near: another number is another thing. */
void cli_suggest(cli_suggestion *suggestion, const char *word);

/* The same for several words; NULL ends them. */
void cli_suggest_words(cli_suggestion *suggestion, const char *const *words);

/* "; did you mean 'word'?", or "" when no word is near. It lives as long as the suggestion. */
const char *cli_suggestion_text(cli_suggestion *suggestion);

#endif
