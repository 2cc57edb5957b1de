/* Compressed rows that somebody else made, on their way to a graph. */
#ifndef PCI_GIVEN_ROWS_H
#define PCI_GIVEN_ROWS_H

#include "graphs/edges.h"
#include "graphs/graph.h"

typedef struct pci_given_rows {
    uint64_t first, n, n_arcs; /* rows first .. first + n - 1 of the matrix */
    pc_arcs arcs;
    /* Set by pci_given_rows_look. */
    bool is_canonical; /* columns ascend strictly within rows, and no weight is 0 */
    uint64_t n_loops, max_weight;
} pci_given_rows;

/* Looks at each arc. Of a whole matrix *bad_row gets the first row with a column out of range, or n; of a part of
 * one it means nothing. */
void pci_given_rows_look(pc_context *context, pci_given_rows *given, uint64_t *bad_row);

/* The facts of a directed graph with these rows, if they are canonical; without its arrays. */
pc_graph pci_given_rows_describe(pc_context *context, const pci_given_rows *given,
                                 const char *format);

/* The arcs as edges for the builder. PC_ERR_MEMORY. */
pc_status pci_given_rows_edges(pc_context *context, const pci_given_rows *given, pci_edges *edges);

#endif
