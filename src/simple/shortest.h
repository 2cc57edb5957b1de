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

/* The bits of the largest number, and hashes of the rows (pci_row_hash), which hold where numbers have one word. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_shortest_bits(const pci_shortest_work *work, uint64_t *bits, uint64_t *hashes);

/* Makes the rows n_copies times, copy[c][n_rows][n][n_words], each time anew. PC_ERR_MEMORY, PC_ERR_CANCELLED;
 * PC_ERR_CERTIFY where a number does not fit. */
pc_status pci_shortest_rows(const pci_shortest_work *work, int n_copies, uint64_t *const *copy);

/* Seconds that some rows take of one thread, made once, and the bytes of a thread, also while the bits are found. */
double pci_shortest_seconds(const pci_shortest_work *work);
double pci_shortest_bytes(const pci_shortest_work *work);

#endif
