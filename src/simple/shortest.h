/* Rows of the numbers of shortest paths from a vertex, or of their lengths. */
#ifndef PCI_SIMPLE_SHORTEST_H
#define PCI_SIMPLE_SHORTEST_H

#include "graphs/graph.h"

/* The distance where no path leads. */
#define PCI_NO_DISTANCE UINT64_MAX

typedef struct pci_shortest_work {
    pc_context *context;
    const pc_graph *graph;
    uint64_t n_rows;
    const uint64_t *from; /* [n_rows] */
    uint32_t n_words;     /* of a number; 0: rows are of distances */
} pci_shortest_work;

/* Finds the bits of the largest number, and hashes of the rows (pci_row_hash). n_words, 1 or 0 before, becomes as many as
 * the largest number needs. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_shortest_width(pci_shortest_work *work, uint64_t *bits, uint64_t *hashes);

/* Makes rows[n_rows][n][n_words]. PC_ERR_MEMORY, PC_ERR_CANCELLED; PC_ERR_CERTIFY where a number does not fit. */
pc_status pci_shortest_rows(const pci_shortest_work *work, uint64_t *rows);

/* Seconds that the rows take of one thread, and the bytes of a thread, also while the bits are found. */
double pci_shortest_seconds(const pci_shortest_work *work);
double pci_shortest_bytes(const pci_shortest_work *work);

#endif
