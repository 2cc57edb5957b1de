/* A small matrix as a table of text. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "src/cli/verify/text_check.h"

#include <stdbool.h>
#include <stdio.h>

#define CLI_TABLE_VERTICES 32 /* rows and columns, at most */

typedef struct cli_table {
    pc_context *context;
    cli_text_check check;
    uint64_t n_rows, n_columns;
    char *row_labels[CLI_TABLE_VERTICES]; /* as shown, as the next */
    char *column_labels[CLI_TABLE_VERTICES];
    char *cells[CLI_TABLE_VERTICES *
                CLI_TABLE_VERTICES]; /* row by row; decimal text, with room for CLI_DIGITS_BYTES */
} cli_table;

/* Whether a matrix of that shape is small enough for a table. */
bool cli_table_fits(const pc_frame *frame);

/* An empty table for a matrix that fits. After PC_ERR_MEMORY it can be passed to cli_table_free. Adding gives
 * PC_ERR_CERTIFY, with a message, when the text of a count does not hold. */
pc_status cli_table_create(pc_context *context, const pc_frame *frame, cli_table *table);
pc_status cli_table_add(cli_table *table, const pc_rows *rows);
/* Leaves so many significant digits of doubles. */
void cli_table_cut(cli_table *table, int n_digits);
void cli_table_free(cli_table *table);

/* Labels as header row and first column, right-aligned columns. */
void cli_table_print(FILE *out, const cli_table *table);

#endif
