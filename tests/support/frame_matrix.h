/* A matrix whose rows and columns have labels of their own, made up at random, and what a file or text
 * of it must be: fractions are GMP's. */
#ifndef TESTS_FRAME_MATRIX_H
#define TESTS_FRAME_MATRIX_H

#include "pathcount_chain.h"
#include "pathcount_reduction.h"
#include "tests/support/random_graph.h"
#include "tests/support/written_file.h"

/* Counts made up at random; sizes when they are to be shown as means. */
typedef struct matrix {
    pc_context *context;
    pc_relation *shape; /* has the labels: "row 0", ..., "column 0", ... */
    uint64_t n_rows, n_columns;
    uint32_t n_limbs; /* 0: doubles */
    uint64_t *limbs;
    double *values;
    int64_t exponent;
    bool means;
    uint64_t *row_sizes, *column_sizes;
} matrix;

matrix matrix_make(random_source *source, int n_threads, uint64_t n_rows, uint64_t n_columns,
                   uint32_t n_limbs, bool means);
void matrix_free(matrix *m);
#define release_matrix matrix_free

/* A relation without entries whose labels are "row 0", "row 1", ... and "column 0", ... */
pc_relation *make_shape(pc_context *context, uint64_t n_rows, uint64_t n_columns);

pc_rows matrix_rows(const matrix *m, uint64_t first, uint64_t n_rows);
pc_frame matrix_frame(const matrix *m);

/* Whether these characters are entry e as text: exactly, but for means of doubles. */
bool text_is_right(const matrix *m, uint64_t e, const char *got, size_t n);

/* Whether a file of labels is right. */
bool labels_are_right(const matrix *m, const text *got);

/* Whether the file, unpacked, holds the matrix in the format of the extension (".tsv"). */
bool file_is_right(const matrix *m, const char *extension, const text *got);

#endif
