/* One step of a single vector of integers over some rows of the graph: an entry of out is the sum
 * of the entries of in that the arcs of its row name.
 *
 * Entries are whole words. Sums are held in 128 bits a word and carried on once a row: where arcs
 * are read in no order, waiting for memory leaves time for the second addition. */
#ifndef PCI_CPU_VECTOR_ROWS_H
#define PCI_CPU_VECTOR_ROWS_H

#include "graphs/graph.h"

typedef struct pci_vector_pass {
    const pc_graph *graph;
    uint32_t n_in_words, n_out_words; /* of an entry; no fewer of out, which must hold each sum */
    const uint64_t *in;               /* [n][n_in_words] */
    uint64_t *out;                    /* [n][n_out_words] */
} pci_vector_pass;

/* Rows first .. end - 1 of out; returns the bits of the largest. */
uint64_t pci_vector_rows(const pci_vector_pass *pass, uint64_t first, uint64_t end);

#endif
