/* Reductions: what the rows of a matrix become where nobody needs the rows themselves, such as a
 * summary, the grid of a picture, sums between blocks, the entries that a query asks for, or the
 * verdict on a certificate.
 *
 * Each reduction says what it does with a block of rows; pci_reduce shares the rows among threads
 * and brings each chunk to all reductions while it is in the cache. A reduction whose result leaves the
 * library has a twin, which gets the same rows: a result leaves when both give the same, so a fault in
 * what was gathered is found. A fault in the rows is found by their certificate. Some reductions can do
 * with aggregates of all rows and a few rows (src/rows/aggregates.h), so that most rows need not leave a device. */
#ifndef PCI_REDUCTION_H
#define PCI_REDUCTION_H

#include "src/rows/aggregates.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part is what one thread gathered. Parts are made when a thread first needs one, and merged when
 * the result is wanted. */
typedef struct pci_reduction_ops {
    /* Accepts a block of rows before any of them is added, or refuses it with a message. NULL: every
     * block is accepted. */
    pc_status (*begin)(pc_reduction *reduction, const pc_rows *rows);

    /* An empty part, NULL when there is no memory; NULL: there are no parts. A part that is one block
     * of memory needs no free_part. */
    void *(*create_part)(pc_reduction *reduction);
    void (*free_part)(pc_reduction *reduction, void *part);

    /* Adds rows first .. first + n - 1 of the block to a part. Several threads do so at once, each
     * with a part of its own and ascending rows; one thread does, with the whole block, if the
     * reduction is_ordered. */
    void (*add)(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n);

    /* Ends a block, when all of its rows were added, in one thread; may be NULL. */
    pc_status (*end)(pc_reduction *reduction, const pc_rows *rows);

    /* Adds part `from` to part `into`, and makes `from` empty; NULL: nobody asks for the whole. */
    void (*merge)(pc_reduction *reduction, void *into, void *from);

    /* The next three are NULL when the reduction needs every row. Else, whether aggregates of the rows of a
     * matrix of asked->n rows, and a few of its rows, are enough. Sets the spans of cells if it needs cells. */
    bool (*can_take)(const pc_reduction *reduction, pci_aggregates *asked);

    /* Takes a copy of the aggregates of all rows into a part, in one thread, and sets is_wanted[n] to 1 for
     * the rows that it wants to see; it may see others too. */
    pc_status (*take)(pc_reduction *reduction, void *part, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted);

    /* Adds what aggregates leave out of a block of wanted rows. Each row comes once, in ascending order.
     * NULL: they leave nothing out. */
    void (*add_wanted)(pc_reduction *reduction, void *part, const pc_rows *rows);

    /* Forgets what was gathered outside of parts; may be NULL. */
    void (*clear)(pc_reduction *reduction);

    /* Frees the reduction, whose parts are freed already. */
    void (*free)(pc_reduction *reduction);
} pci_reduction_ops;

/* The first member of every reduction. Whoever makes one fills in the first four. */
struct pc_reduction {
    const pci_reduction_ops *ops;
    pc_context *context;
    double entry_operations; /* elementary operations for a word of an entry, about */
    bool is_ordered;         /* the order of the rows matters: one thread adds them all */
    pc_reduction *twin;      /* of the same kind, owned; NULL: none */
    int n_parts;
    void **part; /* [n_parts], NULL where a thread had nothing to do */
};

/* Tells whether n_rows rows of an n x n matrix are few enough to fetch them one by one; else all might as well come. */
static inline bool pci_rows_are_few(uint64_t n_rows, uint64_t n)
{
    return n_rows <= n / 8 + 2;
}

/* Adds a block of rows to each reduction. The first failure ends it; then no reduction holds
 * anything meaningful. */
pc_status pci_reduce(pc_context *context, pc_reduction *const *reductions, uint32_t n_reductions,
                     const pc_rows *rows);

/* Tells whether all reductions can do with aggregates of a matrix of asked->n rows. Sets the spans of cells if one needs
 * cells. */
bool pci_reductions_can_take(pc_reduction *const *reductions, uint32_t n_reductions,
                             pci_aggregates *asked);

/* Passes aggregates to each reduction, the second copy to twins. is_wanted[n] is set to 1 for the rows to
 * pass on to pci_reduce_wanted. Failures are those of pci_reduce. */
pc_status pci_reduce_aggregates(pc_context *context, pc_reduction *const *reductions,
                                uint32_t n_reductions, const pci_aggregates *aggregates,
                                uint8_t *is_wanted);

/* Adds rows that were wanted, in ascending order. */
void pci_reduce_wanted(pc_reduction *const *reductions, uint32_t n_reductions, const pc_rows *rows);

/* All that was gathered, as one part; NULL when there is no memory for an empty one. */
void *pci_reduction_whole(pc_reduction *reduction);

/* Forgets everything that was added. */
void pci_reduction_clear(pc_reduction *reduction);

/* Frees the twin: nothing is compared any more. */
void pci_reduction_end_twin(pc_reduction *reduction);

/* Frees the parts: for reductions that are part of something else. */
void pci_reduction_free_parts(pc_reduction *reduction);

/* One look at counts that are all needed for a summary: their sum, how many are zero, and whether there is a
 * large one among them. */

/* Tells whether a exceeds b; made for counts that hardly ever do. */
static inline bool pci_count_exceeds(const uint64_t *a, const uint64_t *b, uint32_t n_limbs)
{
    for (uint32_t l = n_limbs; l-- > 0;)
        if (a[l] != b[l])
            return a[l] > b[l];
    return false;
}

/* Adds the words at each place of n < 2^30 counts of n_limbs words to sums[n_limbs], of which 2^64 fit, and
 * the number of counts that are zero to *n_zero. Returns whether one of them exceeds floor[n_limbs]. */
bool pci_row_scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                  unsigned __int128 *sums, uint64_t *n_zero);

/* The same in plain C. */
bool pci_row_scan_plain(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero);

#endif
