/* A matrix as a small grid: log2 of the largest count of each cell, and a histogram of the counts
 * by powers of two. It reads the rows once as they pass, however many they are, and the grid has
 * at most 600 x 600 cells. The pictures, --show and the pictures of a report are drawn from it, so
 * none of them needs the whole matrix. */
#ifndef CLI_LOOK_HEAT_H
#define CLI_LOOK_HEAT_H

#include "pathcount.h"

#include <stdbool.h>

enum { CLI_HEAT_CELLS = 600 }; /* a side, at most */

typedef struct cli_heat {
    uint64_t n_rows, n_columns; /* of the matrix */
    uint32_t n_down, n_across;  /* of the grid: the matrix itself when it is small enough */
    double *log2;               /* [n_down][n_across]; -INFINITY: all zero */
    uint64_t n_zeros;           /* entries of the matrix */
    int64_t first_bin;          /* log2, rounded down, of what the first bin counts */
    uint64_t *bin;              /* [n_bins] entries with that log2, rounded down */
    uint32_t n_bins;            /* 0: every entry is 0 */
} cli_heat;

/* An empty one with at most most cells a side. PC_ERR_MEMORY leaves it fit for cli_heat_free. */
pc_status cli_heat_create(uint64_t n_rows, uint64_t n_columns, uint32_t most, cli_heat *heat);
void cli_heat_free(cli_heat *heat);

/* PC_ERR_MEMORY; PC_ERR_RANGE when the counts are so far apart that they have no common picture. */
pc_status cli_heat_add(cli_heat *heat, const pc_rows *rows);

/* log2 of an entry; -INFINITY: zero. */
double cli_heat_log2(const pc_rows *rows, uint64_t entry);

/* Rows (columns) of the matrix that a cell spans, but for the last one, which may span fewer. */
uint64_t cli_heat_span(uint64_t n, uint32_t n_cells);

/* The least and the largest log2 of the cells that are not zero; false: all are. */
bool cli_heat_range(const cli_heat *heat, double *least, double *most);

#endif
