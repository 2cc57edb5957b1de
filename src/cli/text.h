/* Words and numbers as people read them. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "pathcount.h"

#include <stdio.h>

/* "5242 vertices", "1 vertex". */
void cli_print_number_of(FILE *out, uint64_t n, const char *one, const char *many);

/* "auto, dense or sweep" when before_last is " or "; NULL ends the words. Returns joined. */
const char *cli_join_words(const char *const *words, const char *before_last, char *joined,
                           size_t size);

/* "standard input" of "-", any other path as it is. */
const char *cli_shown_path(const char *path);

/* "215.3 MiB". */
void cli_print_bytes(FILE *out, uint64_t bytes);

/* Prints text with control characters as \xNN, because text of others must not control the
 * terminal. */
void cli_print_shown(FILE *out, const char *text);

/* The same in place: text has room for four times its length. Returns the new length. */
size_t cli_escape(char *text, size_t length);

/* A label, to be free()d, with control characters as \xNN; NULL when out of memory. */
char *cli_label_shown(const pc_labels *labels, uint64_t index);

/* The label byte for byte, to be free()d; NULL when out of memory. */
char *cli_label_raw(const pc_labels *labels, uint64_t index);

/* The columns that UTF-8 text takes on a terminal: its number of characters. */
int cli_text_width(const char *text);

/* Prints text with blanks before it (after it) up to width columns. */
void cli_print_right(FILE *out, const char *text, int width);
void cli_print_left(FILE *out, const char *text, int width);

/* Copies an integer or a double as text; an integer of size digits or more gets 15 digits and an exponent.
 * size > 32. */
void cli_shorten_number(const char *number, size_t size, char *shortened);

enum { CLI_WEIGHT_BYTES = 24 };

/* The largest weight of a graph, "3" or "0.25", in text. Returns text. */
const char *cli_weight_text(const pc_graph_info *info, char text[CLI_WEIGHT_BYTES]);

/* A decimal number modulo modulus. */
uint64_t cli_decimal_modulo(const char *decimal, uint64_t modulus);

#endif
