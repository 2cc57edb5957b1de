/* The kinds of question, as rows of one table. Planning, counting and reading answers look at the
 * columns of a row, never at the name of a kind. */
#ifndef PCI_KINDS_H
#define PCI_KINDS_H

#include "pathcount.h"

#include <stdbool.h>

/* The numbers of an answer are read off the rows of a power, or off vectors that are sent through
 * the graph. */
typedef enum pci_reads {
    PCI_READS_ROWS,     /* every entry of a row (of a column, where vectors go along the arcs) */
    PCI_READS_ENTRIES,  /* one entry for each pair of vertices */
    PCI_READS_DIAGONAL, /* the entry of each vertex with itself */
    PCI_READS_SUMS,     /* the sum of each row, or of each column */
    PCI_READS_TOTAL     /* the sum of all entries */
} pci_reads;

typedef struct pci_question_kind {
    pci_reads reads;
    bool has_from, has_to; /* the question lists vertices where paths begin, or end */
    bool is_matrix;        /* each vertex, or each block of a partition, has a row */

    /* Vectors go along reversed arcs, X A instead of A X. Pairs take the way with fewer vectors. */
    bool reversed;

    bool is_summed; /* the rows of the answer are added up */
} pci_question_kind;

/* The row of a kind; NULL when there is no such kind. */
const pci_question_kind *pci_kind_row(pc_query_kind kind);

/* One vector that begins as all ones answers the question. */
static inline bool pci_kind_is_of_all(const pci_question_kind *kind)
{
    return kind->reads == PCI_READS_SUMS || kind->reads == PCI_READS_TOTAL;
}

/* The answer is made of single entries, which are picked from vectors and kept until all are
 * there. */
static inline bool pci_kind_has_entries(const pci_question_kind *kind)
{
    return kind->reads == PCI_READS_ENTRIES || kind->reads == PCI_READS_DIAGONAL;
}

#endif
