/* Matrix Market coordinate files (https://math.nist.gov/MatrixMarket/formats.html) as adjacency
 * matrices and relations. An entry is an arc from its row to its column; an entry of value 0 is no
 * arc. Entries given again add up when weights are taken, as in SciPy. */
#ifndef PCI_MATRIX_MARKET_H
#define PCI_MATRIX_MARKET_H

#include "graphs/builder.h"
#include "io/input.h"

/* Whether the text begins as such a file does. */
bool pci_matrix_market_begins(const char *text, size_t n_bytes);

typedef struct pci_shape {
    uint64_t n_rows, n_columns;
} pci_shape;

/* Parses the text from begin on. When shape is NULL the matrix must be square. Otherwise it may
 * have any shape, which shape gets; row i and column i are then both vertex i of the draft. Outputs
 * are filled only on PC_OK; else PC_ERR_DATA, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_matrix_market_parse(const pci_input *input, const char *begin,
                                  const pc_graph_options *options, pci_shape *shape,
                                  pci_graph_draft *draft);

#endif
