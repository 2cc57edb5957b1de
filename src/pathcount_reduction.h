/* pathcount: what the rows of a matrix become without being kept, a summary or a grid. The rules are those of
 * pathcount.h. */
#ifndef PATHCOUNT_REDUCTION_H
#define PATHCOUNT_REDUCTION_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix to be summed up or written: what its rows and columns are, and what its numbers. */
typedef struct pc_frame {
    const pc_labels *rows, *columns; /* of square counts the same */
    uint32_t n_limbs;                /* words a count; 0: doubles */
    int symmetric;
    int means;           /* the rows will come with row_sizes and column_sizes */
    const char *about;   /* a line that says what the numbers are; NULL: nothing */
    const char *entry;   /* what one of them is, a word; NULL: paths */
    const char *format;  /* of a file, an ending such as "tsv.gz"; NULL: that of its name */
    uint64_t n_matrices; /* of a file that holds several, .npy only; 0: one matrix */
} pc_frame;

/* A pc_reduction is what the rows of a matrix become without being kept: a summary or a grid.
 *
 * Adds a block of rows, in any order, each row once. PC_ERR_ARGUMENT for rows of another matrix,
 * PC_ERR_MEMORY, PC_ERR_RANGE of a grid; then the reduction holds nothing meaningful. pc_plan_run
 * does the same for all rows of a matrix. */
pc_status pc_reduction_add(pc_reduction *reduction, const pc_rows *rows);
void pc_reduction_free(pc_reduction *reduction);

typedef struct pc_pair {
    uint64_t from, to;
    const char *count; /* decimal text */
} pc_pair;

#define PC_SUMMARY_PAIRS 10 /* that the command shows */

typedef struct pc_summary_values {
    const char *total;                 /* sum of all counts, decimal text */
    const char *closed;                /* sum of the diagonal: paths that return to their start */
    const char *largest;               /* the largest count */
    uint64_t largest_from, largest_to; /* where it is first found, row by row */
    const char *largest_row_sum;       /* the most paths that start at one vertex */
    uint64_t largest_row;              /* the first such vertex; 0 when every count is 0 */
    uint32_t largest_bits; /* width of the largest count; 0 when the counts are doubles */
    uint64_t n_nonzero;    /* pairs joined by at least one path */
    uint64_t n_pairs;      /* at most as many as were asked for, and none with count 0 */
    const pc_pair *pairs;  /* [n_pairs] largest counts first; an undirected pair once */
} pc_summary_values;

/* An empty summary of a matrix (not of means), with the n_pairs >= 1 largest counts. frame->n_limbs may
 * be 0: the first rows tell. closed is "0" unless rows and columns are the same. Each thread that
 * adds rows holds n_pairs pairs twice: everything is gathered twice, and compared. */
pc_status pc_summary_create(pc_context *context, const pc_frame *frame, uint64_t n_pairs,
                            pc_reduction **reduction);

/* What the rows added so far amount to; pointers are valid until the next call on the summary.
 * PC_ERR_ARGUMENT when the reduction is no summary, PC_ERR_CERTIFY when what was gathered twice differs,
 * PC_ERR_MEMORY. */
pc_status pc_summary_get(pc_reduction *reduction, pc_summary_values *values);

/* A matrix as a grid of few cells, with a histogram of its counts: what a picture is drawn from. */
typedef struct pc_grid_values {
    uint64_t n_rows, n_columns;     /* of the matrix */
    uint32_t n_down, n_across;      /* cells of the grid */
    uint64_t row_span, column_span; /* rows and columns of a cell; the last ones may have fewer */
    const double
        *log2; /* [n_down][n_across] of the largest count of each cell; -INFINITY: all zero */
    double least, most;  /* of the cells that are not all zero; least > most when all are */
    uint64_t n_zeros;    /* counts that are 0 */
    int64_t first_bin;   /* log2, rounded down, of the counts in the first bin */
    const uint64_t *bin; /* [n_bins] how many counts have that log2, rounded down */
    uint32_t n_bins;     /* 0: every count is 0 */
} pc_grid_values;

/* An empty grid with at most most_cells >= 1 cells a side. Rows may come as means. Adding rows gives
 * PC_ERR_RANGE when counts differ by a factor of 2^4194304 or more. */
pc_status pc_grid_create(pc_context *context, const pc_frame *frame, uint32_t most_cells,
                         pc_reduction **reduction);

/* What the rows added so far amount to; pointers are valid until the next call on the grid.
 * PC_ERR_ARGUMENT when the reduction is no grid, PC_ERR_CERTIFY when what was gathered twice differs. */
pc_status pc_grid_get(const pc_reduction *reduction, pc_grid_values *values);

#ifdef __cplusplus
}
#endif

#endif
