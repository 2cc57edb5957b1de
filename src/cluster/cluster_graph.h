/* What the first process knows of a cluster and of the graphs that it holds in parts. */
#ifndef PCI_CLUSTER_GRAPH_H
#define PCI_CLUSTER_GRAPH_H

#include "src/cluster/member.h"
#include "src/engine/engine.h"

enum { PCI_CLUSTER_NAME_BYTES = 64 };

typedef struct pci_checkpoint pci_checkpoint;

struct pc_cluster {
    pci_member member;
    char name[PCI_CLUSTER_NAME_BYTES];
    pci_engine engine;
    pci_checkpoint *checkpoint; /* NULL: nothing is saved */
    void (*free_checkpoint)(pci_checkpoint *checkpoint);
};

/* The rest of the library knows base only. */
typedef struct pci_cluster_graph {
    pci_parts base;
    pc_context *context; /* that it was allocated in */
    struct pc_cluster *cluster;
    uint32_t number;
} pci_cluster_graph;

static inline const pci_cluster_graph *pci_cluster_graph_of(const pc_graph *graph)
{
    return (const pci_cluster_graph *)graph->parts;
}

#endif
