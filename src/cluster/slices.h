/* Vectors of integers that lie in parts, in one of the processes: the entries of its own vertices
 * (pci_slices_call, graphs/parts.h). */
#ifndef PCI_CLUSTER_SLICES_H
#define PCI_CLUSTER_SLICES_H

#include "src/certify/step_check.h"
#include "src/cluster/part.h"

enum { PCI_MOST_SLICES = 16 };

typedef struct pci_slices {
    pci_long_vector vector[PCI_MOST_SLICES]; /* without a context where there is none */
    pci_step_check *check[PCI_MOST_SLICES];
} pci_slices;

/* The first process: the number of what is created is filled in. PC_ERR_RANGE. */
pc_status pci_slices_choose(const pci_slices *slices, pc_context *context, pci_slices_call *call);

/* caller: in the first process what is called, else NULL, and the pointers of the call mean nothing then. part is that of
 * the graph, along that of the vectors. PC_ERR_MEMORY in all processes. */
pc_status pci_slices_perform(pci_slices *slices, pc_context *context, pci_graph_part *part,
                             const pci_graph_part *along, const pci_slices_call *call,
                             const pci_slices_call *caller);

#endif
