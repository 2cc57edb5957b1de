/* An answer as it goes out: a number, lines separated by tabs, or JSON. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "src/cli/text.h"
#include "src/cli/verify/text_check.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- Tables of answers ----------------------------------------------------------------------- */

/* The answer to a query as it goes out: a number, lines separated by tabs, or JSON. */
enum { CLI_QUERY_COLUMNS = 4 };

/* All zero but the columns, is_bare and is_json at first. */
typedef struct cli_query_table {
    const char *columns[CLI_QUERY_COLUMNS];
    size_t n_columns;
    bool is_bare; /* one answer, which goes out as a number alone */
    bool is_json; /* lines are collected as objects */
    bool has_header;
    cli_digits digits; /* of doubles that are shown to people */
    uint32_t bits;     /* of the largest count that a text was made of; 0 for doubles */
    json_t *answers;
    cli_text_check check; /* of texts of counts */
    uint64_t n_texts;     /* that were made */
    bool is_wrong;        /* a text did not hold */
    char *text;           /* of a count, grown as needed */
    size_t text_size;
} cli_query_table;

/* A line of n_columns cells. The first ones are labels or lengths, byte for byte. PC_ERR_MEMORY; PC_ERR_CERTIFY
 * when a text did not hold, and then the line is not printed. */
pc_status cli_query_table_add(cli_query_table *table, const char *const *cells);

/* The text of a count, valid until the next one; NULL when out of memory. */
const char *cli_query_table_count(cli_query_table *table, const pc_rows *rows, uint64_t e);

/* The header of a table, unless it is printed already. */
void cli_query_table_end(cli_query_table *table);
void cli_query_table_free(cli_query_table *table);

/* ---- Lines that several threads make --------------------------------------------------------- */

/* Lines of counts, which several threads make. */
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
