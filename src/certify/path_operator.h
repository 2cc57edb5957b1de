/* Counts of paths as a map: x -> A^length x, or x -> S A^length S^T x between blocks. */
#ifndef PCI_PATH_OPERATOR_H
#define PCI_PATH_OPERATOR_H

#include "graphs/partition.h"
#include "src/certify/certify.h"

typedef struct pci_path_operator {
    pc_context *context;
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: none */
    uint64_t length;
} pci_path_operator;

/* The map that paths describes; paths must outlive it. An application takes length sparse
 * matrix-vector products. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pci_operator pci_path_operator_map(const pci_path_operator *paths);

#endif
