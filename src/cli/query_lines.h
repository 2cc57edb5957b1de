/* Lines of counts, which several threads make. */
#ifndef CLI_QUERY_LINES_H
#define CLI_QUERY_LINES_H

#include "src/cli/query_table.h"

#define CLI_NO_VERTEX UINT64_MAX /* no vertex in that column */

/* The vertices that stand before entry (row, column) of an answer. */
typedef void (*cli_place_fn)(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2]);

typedef struct cli_query_lines {
    pc_context *context;
    const pc_labels *labels;
    cli_query_table *table; /* of lines, not of one number and not of JSON */
    const char *length;     /* the first column; NULL: there is none */
    cli_place_fn place;
    const void *user;
} cli_query_lines;

/* Prints a line for each entry of rows, after the header of the table where it is not printed yet.
 * PC_ERR_MEMORY; PC_ERR_IO; PC_ERR_CERTIFY when a text did not hold, and then its line is not printed. */
pc_status cli_query_lines_print(const cli_query_lines *lines, const pc_rows *rows);

#endif
