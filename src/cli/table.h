/* A small matrix as a table of text. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "src/cli/verify/text_check.h"

#include <stdbool.h>
#include <stdio.h>

#define CLI_TABLE_VERTICES 32   /* rows and columns, at most, unless a table is asked for */
#define CLI_TABLE_MOST     1024 /* then */

typedef struct cli_table {
    pc_context *context;
    cli_text_check check;
    uint64_t n_rows, n_columns;
    char **row_labels; /* [n_rows] as shown, as the next */
    char **column_labels;
    char **cells; /* [n_rows][n_columns] decimal text, with room for CLI_DIGITS_BYTES */
} cli_table;

/* Whether a matrix has at most so many rows and columns. */
bool cli_table_fits(const pc_frame *frame, uint64_t most);

/* An empty table. After PC_ERR_MEMORY it can be passed to cli_table_free. Adding gives
 * PC_ERR_CERTIFY, with a message, when the text of a count does not hold. */
pc_status cli_table_create(pc_context *context, const pc_frame *frame, cli_table *table);
pc_status cli_table_add(cli_table *table, const pc_rows *rows);
/* Gives the numbers of a column one shape where one of them has an exponent or more than most_digits significant
 * digits (0: any number): an exponent and as many digits as the longest one has, at most most_digits. */
void cli_table_shape(cli_table *table, int most_digits);
void cli_table_free(cli_table *table);

/* Gives numbers four digits where the table is wider than `width` columns; returns whether it did. */
bool cli_table_shorten(cli_table *table, unsigned width);
/* The columns of a terminal that it takes. */
uint64_t cli_table_width(const cli_table *table);

/* Labels as header row and first column, right-aligned columns. */
void cli_table_print(FILE *out, const cli_table *table);

#endif
