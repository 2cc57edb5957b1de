/* Aggregates of the rows of a square matrix of counts: the sum of each row, its largest count, its
 * entry on the diagonal, how many of its counts are not zero, and its dot products with given vectors. Also,
 * where a picture is wanted, the matrix as a grid of cells.
 *
 * An engine whose rows are in other memory computes them there (`aggregate` in src/engine/engine.h), so that
 * a few words a row leave a device in place of the row. Reductions say whether aggregates are enough for
 * them (src/rows/reduction.h). All but the dot products are computed twice: a reduction takes the first
 * copy and its twin the second one. The dot products, which certify the rows, are computed last. */
#ifndef PCI_AGGREGATES_H
#define PCI_AGGREGATES_H

#include "src/core/context.h"

/* A vector that each row is multiplied with, modulo a number. */
typedef struct pci_dot_vector {
    uint64_t modulus; /* below 2^63 */
    uint64_t *x;      /* [n columns], below the modulus */
    uint64_t *y;      /* [n rows], y_stride words apart: what the dot products must be */
    size_t y_stride;
} pci_dot_vector;

enum { PCI_AGGREGATE_COPIES = 2, PCI_KEY_FRACTION_BITS = 40 };

/* The largest count of each cell, and how many counts have how many bits. A count is known by its key: how many
 * bits it has, times 2^PCI_KEY_FRACTION_BITS, plus the bits after the first one, as many as there is room for.
 * The key of zero is 0. A larger count has no smaller key. */
typedef struct pci_cells {
    uint64_t row_span,
        column_span; /* rows and columns of a cell, less at the end; 0: no grid is wanted */
    uint32_t n_down, n_across;             /* cells */
    uint64_t *key[PCI_AGGREGATE_COPIES];   /* [n_down][n_across]: the largest key of each cell */
    uint64_t *tally[PCI_AGGREGATE_COPIES]; /* [pci_tally_words]: counts by their bits */
} pci_cells;

typedef struct pci_aggregates {
    uint64_t n;       /* rows, and columns */
    uint32_t n_limbs; /* words of a count, at least 1 */
    uint32_t n_dots;
    const pci_dot_vector *dots;             /* [n_dots]; not owned */
    uint64_t *record[PCI_AGGREGATE_COPIES]; /* [n][pci_record_words], or NULL */
    uint64_t *dot;                          /* [n_dots][n] */
    pci_cells cells;
} pci_aggregates;

static inline size_t pci_tally_words(uint32_t n_limbs)
{
    return 64 * (size_t)n_limbs + 1;
}

/* The record of a row: its sum, of n_limbs + 1 words; its largest count and its entry on the diagonal, of
 * n_limbs words; how many of its counts are not zero, one word. */
static inline size_t pci_record_words(uint32_t n_limbs)
{
    return 3 * (size_t)n_limbs + 2;
}

static inline uint64_t *pci_record(const pci_aggregates *a, int copy, uint64_t row)
{
    return a->record[copy] + row * pci_record_words(a->n_limbs);
}

static inline const uint64_t *pci_record_largest(const uint64_t *record, uint32_t n_limbs)
{
    return record + n_limbs + 1;
}

static inline const uint64_t *pci_record_diagonal(const uint64_t *record, uint32_t n_limbs)
{
    return record + 2 * (size_t)n_limbs + 1;
}

static inline uint64_t pci_record_n_nonzero(const uint64_t *record, uint32_t n_limbs)
{
    return record[3 * (size_t)n_limbs + 1];
}

/* The key of a count of one word, and of n words. */
static inline uint64_t pci_key_of_word(uint64_t word)
{
    if (word == 0)
        return 0;
    int n_before = __builtin_clzll(word);
    return (uint64_t)(64 - n_before) << PCI_KEY_FRACTION_BITS |
           (word << n_before << 1) >> (64 - PCI_KEY_FRACTION_BITS);
}

static inline uint64_t pci_key_of_words(const uint64_t *words, uint32_t n)
{
    while (n > 1 && words[n - 1] == 0)
        n--;
    uint64_t top = words[n - 1];
    if (n == 1 || top == 0)
        return pci_key_of_word(top);
    int n_before = __builtin_clzll(top);
    uint64_t leading = top << n_before | (n_before > 0 ? words[n - 2] >> (64 - n_before) : 0);
    return ((uint64_t)n * 64 - (uint64_t)n_before) << PCI_KEY_FRACTION_BITS |
           (leading << 1) >> (64 - PCI_KEY_FRACTION_BITS);
}

/* Adds room for aggregates, of which the caller filled in n, n_limbs, n_dots, dots and the spans of cells. Keys
 * and tallies are 0, the rest is not filled in. To be freed by pci_aggregates_free. PC_ERR_MEMORY. */
pc_status pci_aggregates_create(pc_context *context, pci_aggregates *aggregates);
void pci_aggregates_free(pc_context *context,
                         pci_aggregates *aggregates); /* accepts an empty one */

/* The record of row number row of a square matrix: n counts of n_limbs words. room[n_limbs]. */
void pci_record_make(uint64_t row, uint64_t n, uint32_t n_limbs, const uint64_t *counts,
                     unsigned __int128 *room, uint64_t *record);

/* Adds the same row to one copy of the cells. One thread at a time. */
void pci_cells_add_row(const pci_cells *cells, int copy, uint64_t row, uint64_t n, uint32_t n_limbs,
                       const uint64_t *counts);

/* Bytes that pci_aggregates_create takes without cells. */
uint64_t pci_aggregates_bytes(uint64_t n, uint32_t n_limbs, uint32_t n_dots);

#endif
