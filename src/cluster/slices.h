/* Vectors of integers that lie in parts, in one of the processes: the entries of its own vertices
 * (pci_slices_call, graphs/graph.h). */
#ifndef PCI_CLUSTER_SLICES_H
#define PCI_CLUSTER_SLICES_H

#include "src/certify/step_check.h"
#include "src/cluster/part.h"

enum { PCI_MOST_SLICES = PCI_SLICES_STRIDE };

/* Vectors that were made together: vector i of group g has number g + PCI_SLICES_STRIDE i. */
typedef struct pci_slices_group {
    pc_context *context;
    uint32_t n;
    pci_long_vector *vector; /* [n]; NULL: there is none */
} pci_slices_group;

typedef struct pci_slices {
    pci_slices_group group[PCI_MOST_SLICES];
    pci_step_check *check[PCI_MOST_SLICES];
} pci_slices;

/* NULL: there is none. */
static inline pci_long_vector *pci_slices_vector(const pci_slices *slices, uint32_t number)
{
    const pci_slices_group *group = &slices->group[number % PCI_SLICES_STRIDE];
    return group->vector ? &group->vector[number / PCI_SLICES_STRIDE] : NULL;
}

/* The first process: fills in the number of the vectors or the check that the call creates. PC_ERR_RANGE. */
pc_status pci_slices_choose(const pci_slices *slices, pc_context *context, pci_slices_call *call);

/* caller: the call of the first process, NULL in the others, where the pointers of the call mean nothing. part is that of
 * the graph, along that of the vectors. PC_ERR_MEMORY in all processes. */
pc_status pci_slices_perform(pci_slices *slices, pc_context *context, pci_graph_part *part,
                             const pci_graph_part *along, const pci_slices_call *call,
                             const pci_slices_call *caller);

#endif
