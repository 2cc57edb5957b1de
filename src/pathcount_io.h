/* pathcount: matrices that are written to files, which appear whole or not at all. The rules are those of
 * pathcount.h. */
#ifndef PATHCOUNT_IO_H
#define PATHCOUNT_IO_H

#include "pathcount_reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct pc_writer pc_writer;

/* A file to write a matrix to, row block by row block. The format follows the name, or frame->format:
 * .tsv .csv .pairs.tsv .pairs .mtx .npy .npz .json, packed when .gz or .zst follows (not .npz). Rows go to a temporary file beside it, which takes
 * the final name in pc_writer_commit: under that name there is never part of a result.
 *
 * .tsv .csv   header line and first column are the labels; TSV writes tab, line feed, carriage
 *             return and backslash in a label as \t \n \r \\, CSV quotes
 * .mtx        Matrix Market coordinate integer (real for doubles and means), zeros left out; of a
 *             symmetric matrix the lower triangle, "symmetric". Labels other than 1, 2, ..., n are in
 *             comments: "% label 1 A", or "% row 1 A" and "% column 1 A" where they are not the same
 * .pairs.tsv  a header from, to and frame->entry, then a line for each entry that is not 0, row by row;
 *             labels as in .tsv
 * .npy        one limb: '<u8'; more: a structured type of '<u8' fields limb0, limb1, ..., least
 *             significant first; doubles and means: '<f8', PC_ERR_RANGE when the exponent does not fit
 *             With frame->n_matrices the array has three dimensions, that number first; the rows of matrix m,
 *             from 0, have the numbers m * n on, where n is the number of rows of each
 * .npz        SciPy's sparse CSR matrix of '<u8' or '<f8', zeros left out; PC_ERR_RANGE when n_limbs > 1
 * .json       {"labels": [...], "rows": [[...]]}, counts as strings; PC_ERR_DATA when a label is not
 *             UTF-8. With "row_labels" and "column_labels" when they are not the same
 *
 * Beside .npy and .npz labels other than 0, 1, ..., n-1 are in a file of the same name and .labels, a
 * line each as in .tsv: those of the rows, then those of the columns where they are not the same. Where
 * such a file is there already, it is replaced.
 *
 * Means are exact fractions such as 7/4 in text and JSON, elsewhere doubles, off by at most two units
 * in the last place. Rows are added in order, without gaps; to commit with rows missing is
 * PC_ERR_ARGUMENT. */
pc_status pc_writer_open(pc_context *context, const char *path, const pc_frame *frame,
                         pc_writer **writer);
pc_status pc_writer_add(pc_writer *writer, const pc_rows *rows);

#define PC_LABELS_ENDING ".labels"

/* Finishes the file and gives it its name; then the writer is free()d as by pc_writer_free,
 * whatever the status. */
pc_status pc_writer_commit(pc_writer *writer);

/* Drops what was written; the file of that name, if there was one, is as it was. */
void pc_writer_free(pc_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
