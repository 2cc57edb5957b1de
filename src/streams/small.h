/* Paths of graphs with at most 64 vertices, whose adjacency matrix has one word for each row. The
 * sums are exact, in words of 32, 64 or 128 bits, whichever a proved limit allows. This part uses
 * no context, no memory and no threads of its own.
 *
 * A certificate with random numbers would cost more than the counts. In place of it each step is
 * checked by the sum of its vector (small_body.h), each total and trace by a second sum, and
 * the rows of bits by the number of entries that was read. A single wrong word is always found. */
#ifndef PCI_SMALL_H
#define PCI_SMALL_H

#include "io/graph6.h"

enum { PCI_SMALL_LIMBS = 2 /* words of the widest counts that are made here */ };

typedef struct pci_small_graph {
    uint32_t n_vertices; /* at most PCI_SMALL_VERTICES */
    const uint64_t *row; /* [n_vertices]: bit j of row[i] is entry (i, j) */
    bool is_symmetric;
    uint64_t n_entries; /* bits that are set, as they were counted when the graph was read */
} pci_small_graph;

/* Limbs that the counts of all paths take, 1 or 2. 0: they may be wider, and the graph must be
 * counted as larger ones are. */
uint32_t pci_small_limbs(const pci_small_graph *graph, const pc_stream_query *query);

/* The row of the graph, n_columns counts of n_limbs (from pci_small_limbs) words each. False when a
 * check fails. */
bool pci_small_count(const pci_small_graph *graph, const pc_stream_query *query, uint32_t n_limbs,
                     uint64_t *counts);

#endif
