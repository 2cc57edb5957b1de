/* Reads a graph in parts. All processes call these functions, with the status of one of them. */
#ifndef PCI_CLUSTER_READ_H
#define PCI_CLUSTER_READ_H

#include "src/cluster/command.h"

/* The facts that the processes found in a serialized graph. */
typedef struct pci_part_facts {
    bool is_canonical; /* columns ascend within rows, no weight is 0; else no part is made */
    uint64_t n_loops, max_weight;
} pci_part_facts;

/* PCI_READ: each process reads its own rows. Errors as those of pc_graph_read. */
pc_status pci_read_serialized(const pci_processes *all, pc_context *context,
                              const pci_command *command, const pci_caller *caller,
                              pci_graph_part **part);

/* PCI_READ_TEXT: an edge list or a Matrix Market file of integers, of which each process reads a range of the lines. The
 * first process gets the graph without its arcs: vertices, labels and facts. Errors as those of pc_graph_read, or, with
 * PC_ERR_DATA, *caller->is_declined. */
pc_status pci_read_text(const pci_processes *all, pc_context *context, const pci_command *command,
                        const pci_caller *caller, pci_graph_part **part);

#endif
