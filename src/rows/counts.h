/* The result handle: a matrix of counts, rows x columns, either integers of n_limbs 64-bit words
 * (least significant first) or doubles that share one power of two. */
#ifndef PCI_COUNTS_H
#define PCI_COUNTS_H

#include "src/core/context.h"

struct pc_counts {
    pc_context *context;
    uint64_t n_rows;
    uint64_t n_columns;
    uint32_t n_limbs; /* words a count; 0: the counts are doubles */
    uint64_t *limbs;  /* [n_rows][n_columns][n_limbs]; NULL when the counts are doubles */
    double *values;   /* [n_rows][n_columns]; NULL when the counts are integers */
    int64_t exponent; /* count = values[e] * 2^exponent */
};

/* Room for the counts, 64-byte aligned and NOT cleared: whoever computes them fills all of limbs or
 * values (and exponent, 0 at first) through the struct before anyone else sees it. n_limbs 0 makes
 * doubles. PC_ERR_MEMORY, also when the size in bytes does not fit 64 bits. */
pc_status pci_counts_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint32_t n_limbs, pc_counts **counts);

/* Tells whether rows of the caller are there, with the numbers that they promise. */
static inline bool pci_rows_are_whole(const pc_rows *rows)
{
    return rows &&
           (!rows->n_rows || !rows->n_columns ||
            (rows->n_limbs ? rows->limbs != NULL : rows->values != NULL)) &&
           !rows->row_sizes == !rows->column_sizes;
}

/* Words of one entry of a row block, least significant first. */
static inline const uint64_t *pci_rows_entry(const pc_rows *rows, uint64_t e)
{
    return rows->limbs + e * rows->n_limbs;
}

/* The text of entry e without a final NUL, of at most pci_rows_entry_text_bytes bytes, all of which
 * may be written; returns its length. */
size_t pci_rows_entry_text(const pc_rows *rows, uint64_t e, char *text);
size_t pci_rows_entry_text_bytes(uint32_t n_limbs, bool means);

/* ---- Means: counts divided by the sizes that their row block carries ------------------------- */

/* Tells whether rows are to be shown as means. */
static inline bool pci_rows_are_means(const pc_rows *rows)
{
    return rows->row_sizes != NULL;
}

/* Bytes that the text of a mean of counts of n_limbs words takes more than the count's. */
enum { PCI_MEAN_TEXT_EXTRA_BYTES = 22 /* "/", 20 digits, and GMP's final NUL */ };

/* The mean of entry e as a double, off by at most two units in the last place; +infinity when it is too large. */
double pci_mean_double(const pc_rows *rows, uint64_t e);

#endif
