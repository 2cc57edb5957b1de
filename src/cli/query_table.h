/* The answer to a query as it goes out: a number, lines separated by tabs, or JSON. */
#ifndef CLI_QUERY_TABLE_H
#define CLI_QUERY_TABLE_H

#include "src/cli/digits.h"
#include "src/cli/verify/text_check.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

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

/* Bits of the integer that entry e is; 0 for a double. */
uint32_t cli_query_table_width(const pc_rows *rows, uint64_t e);

/* The header of a table, unless it is printed already. */
void cli_query_table_end(cli_query_table *table);
void cli_query_table_free(cli_query_table *table);

#endif
