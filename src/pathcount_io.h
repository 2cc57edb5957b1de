/* pathcount: texts that are read, files that appear whole or not at all, and matrices written to
 * them. For programs that read formats of their own, or write results. The rules are those of
 * pathcount.h. */
#ifndef PATHCOUNT_IO_H
#define PATHCOUNT_IO_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Building on the library: texts and files ------------------------------------------------ */

/* Receives the content of a file; the bytes are valid during the call and not NUL-terminated. */
typedef pc_status (*pc_text_fn)(void *user, const char *text, size_t n_bytes);

/* Passes the content of a file, "-" for standard input, to use in one piece, with gz, zst, xz and
 * bz2 unpacked. Returns what use returns. PC_ERR_NO_INPUT, PC_ERR_DATA (packed file is damaged),
 * PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user);

/* Opens the libraries for packed files, which the first such file would do: processes forked from here
 * find them open. */
void pc_packing_open(void);

/* A file that appears under its name only when it is whole. Until then it has no name, so that nothing of
 * it stays when the process ends. Where the file system cannot do so it is a temporary file in the same
 * folder, ".pathcount-<16 hexadecimal digits>.tmp", which only its owner can read, and which a process that
 * is killed leaves behind (pc_output_clean).
 *
 * Links are followed, also one whose target does not exist yet. In a sticky folder that everybody may write
 * to, such as /tmp, a link of another user is PC_ERR_CREATE, unless it belongs to the owner of the folder.
 *
 * A file of ours that is replaced passes its permissions on (0777); the set-user-ID, set-group-ID and sticky
 * bits are never passed on. Any other file gets the permissions of a new one (0666 without umask). */
typedef struct pc_output pc_output;

/* PC_ERR_CREATE when there can be no such file, PC_ERR_MEMORY. */
pc_status pc_output_open(pc_context *context, const char *path, pc_output **output);

/* PC_ERR_IO, as pc_output_commit. */
pc_status pc_output_write(pc_output *output, const void *bytes, size_t n_bytes);

/* The file that is open, for other ways to write to it; not to be closed. */
int pc_output_descriptor(const pc_output *output);

/* Gives the file its name; then the output is free()d as by pc_output_free, whatever the status. */
pc_status pc_output_commit(pc_output *output);

/* Called before a file gets its name, in every call that writes one: file is open, and whole, and may be read
 * with pread(). Any other status than PC_OK is that of the call, and the file does not get its name. Where
 * *is_withheld becomes 1 it does not get it either, but the call goes on as if it had. NULL: no such call. */
typedef pc_status (*pc_release_fn)(void *user, const char *path, int file, int *is_withheld);
void pc_context_set_release(pc_context *context, pc_release_fn release, void *user);

/* Removes the temporary file; what had the name before is as it was. */
void pc_output_free(pc_output *output);

/* Removes temporary files of this user that processes left in the folder of path when they were killed.
 * Files whose process is alive stay: it holds a lock on them (flock). So do all where there are no locks. */
void pc_output_clean(pc_context *context, const char *path);

/* ---- Text that several threads make ---------------------------------------------------------- */

/* A piece of a text: that of items first .. end - 1. */
typedef struct pc_piece {
    uint64_t first, end;
    char *room; /* [piece_bytes], aligned to 64 bytes: the one who makes the piece may use it */
    const char *text; /* [n_bytes] room and 0 at first */
    size_t n_bytes;
    pc_status status; /* PC_OK at first; only put looks at it */
} pc_piece;

typedef struct pc_pieces {
    uint64_t n_items;     /* that the text is made of */
    uint64_t piece_items; /* that a piece is made of, not 0; the last piece may have less */
    size_t piece_bytes;   /* of room for a piece */
    /* Makes the text of a piece. Several threads make pieces at once. They must not use the context. */
    void (*make)(void *user, pc_piece *piece);
    /* Passes a piece on. One thread at a time does so, for the pieces in their order. */
    pc_status (*put)(void *user, const pc_piece *piece);
    void *user;
} pc_pieces;

/* Makes a text with the threads of the context and passes it on. Any status of put but PC_OK ends
 * this and is returned. PC_ERR_MEMORY. */
pc_status pc_pieces_put(pc_context *context, const pc_pieces *pieces);

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

/* Finishes the file without giving it its name, so that it can be read back before: *descriptor is open
 * for reading, and not to be closed. Only pc_writer_commit and pc_writer_free may follow. */
pc_status pc_writer_finish(pc_writer *writer, int *descriptor);

#define PC_LABELS_ENDING ".labels"

/* The file of labels beside the matrix, which gets its name just before it does; NULL: there is none.
 * The writer owns it. */
const char *pc_writer_labels_path(const pc_writer *writer);

/* Finishes the file and gives it its name; then the writer is free()d as by pc_writer_free,
 * whatever the status. */
pc_status pc_writer_commit(pc_writer *writer);

/* Drops what was written; the file of that name, if there was one, is as it was. */
void pc_writer_free(pc_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
