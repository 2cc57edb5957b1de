/* Statistics of rows of counts: exact sums, nonzero entries, the largest pairs. The statistics of
 * different rows can be merged in any order into those of all rows. */
#ifndef PCI_ROW_STATISTICS_H
#define PCI_ROW_STATISTICS_H

#include "src/rows/aggregates.h"
#include "src/core/context.h"

/* The largest counts and where they are: at most n_most pairs, ordered by count descending, then
 * from, then to. A count is known by its key, an integer of n_key_words words, the last of which
 * weighs most. */

typedef struct pci_largest {
    uint64_t n_most, n;
    uint32_t n_key_words;
    uint64_t *entries; /* [n_most][n_key_words + 2]: key, from, to; a heap, the least of them first.
                          One more, of zeros, follows */
} pci_largest;

/* n_most > 0. Memory is touched only as pairs come. PC_ERR_MEMORY without a message. */
pc_status pci_largest_init(pc_context *context, uint32_t n_key_words, uint64_t n_most,
                           pci_largest *largest);
void pci_largest_free(pc_context *context, pci_largest *largest);

/* The key that a pair must exceed to be taken in: that of the least pair, or zero while there is
 * room. Valid until the next offer. A pair with this very key is taken in if its place is before
 * that of the least pair. */
const uint64_t *pci_largest_floor(const pci_largest *largest);

/* Takes a pair in when its key is not zero and it is among the first n_most. */
void pci_largest_offer(pci_largest *largest, const uint64_t *key, uint64_t from, uint64_t to);

/* Takes the pairs of another list in, and makes that one empty. */
void pci_largest_merge(pci_largest *into, pci_largest *from);

/* Puts the pairs in order, for pci_largest_get; others may be offered later. */
void pci_largest_sort(pci_largest *largest);

/* Key, from and to of pair i < n, the largest first. */
const uint64_t *pci_largest_get(const pci_largest *largest, uint64_t i);

/* A sum of doubles that may lie beyond their range: value * 2^exponent. */
typedef struct pci_scaled {
    long double value;
    int64_t exponent;
} pci_scaled;

typedef struct pci_row_statistics {
    uint32_t n_limbs;     /* words a count; 0: doubles */
    uint32_t n_sum_limbs; /* words a sum: 64 bits more hold the sum of 2^64 counts */
    uint64_t n_nonzero;
    uint64_t next_row; /* no row from this one on was added */
    uint64_t
        largest_row; /* the first of those with the largest sum; UINT64_MAX: no row was added */
    pci_largest pairs;
    uint64_t *total; /* [n_sum_limbs], as the next two; the sums of counts that are integers */
    uint64_t *closed;
    uint64_t *largest_row_sum;
    uint64_t *row_sum;        /* [n_sum_limbs], scratch */
    unsigned __int128 *carry; /* [n_limbs], scratch: sums of the words at each place */
    void *memory;             /* holds all of the arrays */
} pci_row_statistics;

/* Empty statistics of counts of n_limbs words, 0 for doubles, with the n_most > 0 largest; no message
 * is set on PC_ERR_MEMORY. */
pc_status pci_row_statistics_init(pc_context *context, uint32_t n_limbs, uint64_t n_most,
                                  pci_row_statistics *statistics);
void pci_row_statistics_free(pc_context *context, pci_row_statistics *statistics);

/* Adds row number row of the block, of integers. When undirected, pairs with from > to are left to
 * their mirror images. */
void pci_row_statistics_add_row(pci_row_statistics *statistics, const pc_rows *rows, uint64_t row,
                                bool undirected);

/* Adds all of a row but its pairs, given by its number in the matrix and its record
 * (src/rows/aggregates.h), of counts of n_limbs words. */
void pci_row_statistics_add_record(pci_row_statistics *statistics, uint64_t row,
                                   const uint64_t *record);

/* Adds the pairs of row number row of the block alone. */
void pci_row_statistics_add_pairs(pci_row_statistics *statistics, const pc_rows *rows, uint64_t row,
                                  bool undirected);

/* The same for doubles, but for the sums, whose order must not depend on threads: it returns the
 * sum of the row, in units of 2^rows->exponent. */
long double pci_row_statistics_add_double_row(pci_row_statistics *statistics, const pc_rows *rows,
                                              uint64_t row, bool undirected);

/* Adds `from` to `into`, and makes `from` empty. */
void pci_row_statistics_merge(pci_row_statistics *into, pci_row_statistics *from);

void pci_scaled_add(pci_scaled *sum, long double value, int64_t exponent);
bool pci_scaled_exceeds(pci_scaled a, pci_scaled b);

/* The text of a sum of doubles, and of the count of pair i, the largest being 0: after
 * pci_largest_sort. */
size_t pci_scaled_text(pci_scaled sum, char *text);
size_t pci_row_statistics_pair_text(const pci_row_statistics *statistics, uint64_t i, char *text);

#endif
