/* Reads an edge list or a Matrix Market file of integers in parts: each process a range of its lines. */
#ifndef PCI_CLUSTER_READ_TEXT_H
#define PCI_CLUSTER_READ_TEXT_H

#include "src/cluster/part.h"

/* What is read; the same in all processes. */
typedef struct pci_part_text {
    const char *path;
    pc_format format;
    pc_graph_options options; /* no columns and no separator */
    uint64_t seed;            /* of hashes of arcs, random */
} pci_part_text;

/* The part of each process, and, in each, the graph without its arcs: vertices, labels and facts. Errors as those of
 * pc_graph_read, the same in all processes, or, with PC_ERR_DATA, *is_declined: the first process must read it all. */
pc_status pci_part_read_text(const pci_processes *all, pc_context *context,
                             const pci_part_text *text, bool *is_declined, pc_graph **graph,
                             pci_graph_part **part);

#endif
