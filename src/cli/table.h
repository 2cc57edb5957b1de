/* The matrix of a small graph as a table of text. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "pathcount.h"

#include <stdio.h>

#define CLI_TABLE_VERTICES 32

typedef struct cli_table {
    uint64_t n;                                           /* at most CLI_TABLE_VERTICES */
    char *labels[CLI_TABLE_VERTICES];                     /* as shown */
    char *cells[CLI_TABLE_VERTICES * CLI_TABLE_VERTICES]; /* row by row; decimal text */
} cli_table;

/* An empty table for the counts of graph. PC_ERR_MEMORY leaves it fit for cli_table_free. */
pc_status cli_table_create(const pc_graph *graph, cli_table *table);
pc_status cli_table_add(cli_table *table, const pc_rows *rows);
void cli_table_free(cli_table *table);

/* Labels as header row and first column, right-aligned columns. */
void cli_table_print(FILE *out, const cli_table *table);

#endif
