/* Writers of matrices, inside. writer.c opens and finishes, escapes labels and
 * cuts row blocks into chunks of entries, which threads turn into bytes; the formats, write_*.c,
 * say into which.
 *
 * A writer gets a frame with the names of the rows and columns: the labels of a graph, of a
 * partition or of a relation. So writers and tables work on any matrix and know nothing of
 * graphs. */
#ifndef PCI_WRITER_H
#define PCI_WRITER_H

#include "io/output.h"
#include "src/core/number.h"
#include "src/rows/counts.h"

/* Entries first .. end - 1 of a row block, and what becomes of them. */
typedef struct pci_writer_chunk {
    const pc_rows *rows;
    uint64_t first, end;
    char *bytes;
    size_t n_bytes;
    uint64_t n_written; /* entries not left out */
} pci_writer_chunk;

typedef struct pci_writer_format {
    const char *extension;
    bool has_stacks;                   /* a file may hold several matrices */
    char separator;                    /* of columns */
    bool finite_doubles, finite_means; /* those that are infinite are refused */
    /* Writes a label as the format wants it, at most 6 bytes for each of its own and 2 more;
     * returns the length, or SIZE_MAX when the format cannot have such a label. NULL: rows and
     * columns are counted from first_index, labels that say the same are left out, and others
     * are written by begin, or ... */
    size_t (*escape)(const char *label, size_t length, char *text);
    uint64_t first_index;
    bool labels_apart; /* ... to a file of their own */
    /* Writes what stands before the rows. */
    pc_status (*begin)(pc_writer *writer);
    /* Writes what stands after the rows; may be NULL. */
    pc_status (*end)(pc_writer *writer);
    /* The most bytes of an entry. A row adds at most its label and 8 bytes to those of its
     * entries. */
    size_t (*entry_bytes)(const pc_writer *writer);
    /* Makes the bytes of a chunk, n_written 0 before; several threads at once. */
    void (*make)(const pc_writer *writer, pci_writer_chunk *chunk);
    /* Writes a row of a matrix without columns, at most its label and 8 bytes; NULL: such a row has
     * no text. */
    size_t (*bare_row)(const pc_writer *writer, uint64_t row, char *text);
} pci_writer_format;

/* A table of escaped labels; all zero when the format needs none. */
typedef struct pci_writer_labels {
    uint64_t n;
    char *text;
    uint64_t *start;      /* [n + 1] */
    size_t longest_bytes; /* of a label */
} pci_writer_labels;

struct pc_writer {
    pc_context *context;
    const pci_writer_format *format;
    const pc_frame *frame; /* until the head is written */
    pci_file file;
    pci_file
        apart; /* of entries that can follow only at the end; closed where begin did not open it */
    uint64_t n_matrices;        /* 0: one, which is no stack */
    uint64_t n_rows_each;       /* of a matrix */
    uint64_t n_rows, n_columns; /* of all matrices, one below the other */
    uint32_t n_limbs;           /* words a count; 0: doubles */
    bool symmetric;
    bool means;            /* rows come with sizes */
    bool has_labels;       /* they are written */
    char *labels_path;     /* where they would be, of a format whose labels are apart; else NULL */
    pci_file labels;       /* whole, without its name yet; closed: there is none */
    uint64_t *row_entries; /* [n_rows] entries not left out, of a format that counts them; NULL */
    uint64_t patch_at;     /* byte of the file that is written again at the end */
    uint64_t next_row;
    const pc_rows *block; /* that is being written, from entry `first` on */
    uint64_t first;
    bool is_finished;   /* all bytes are in the output */
    pc_status failed;   /* of an earlier call: the file cannot be completed */
    uint64_t n_written; /* entries not left out */
    pci_writer_labels rows, columns;
    bool same_labels; /* of rows and columns: columns borrows those of rows */
    char path[];
};

extern const pci_writer_format pci_format_tsv, pci_format_csv, pci_format_pairs, pci_format_mtx,
    pci_format_npy, pci_format_npz, pci_format_json;

/* Returns true when entry e is 0, and thus left out by formats of sparse matrices. */
static inline bool pci_writer_is_zero(const pc_rows *rows, uint64_t e)
{
    return rows->limbs ? pci_number_trim(pci_rows_entry(rows, e), rows->n_limbs) == 0
                       : rows->values[e] == 0;
}

/* Entry e of doubles or means. */
static inline double pci_writer_double(const pc_rows *rows, uint64_t e)
{
    return pci_rows_are_means(rows) ? pci_mean_double(rows, e)
                                    : pci_number_scale(rows->values[e], rows->exponent);
}

#endif
