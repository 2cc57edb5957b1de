/* A cluster and its graphs as the first process knows them, and the engine of such a graph.
 *
 * Operations on planes are commands, which all processes perform on the moduli that they share (src/cluster/power.h). There
 * are none for blocks, diagonals and words of residues, and one run at a time. */
#ifndef PCI_CLUSTER_ENGINE_H
#define PCI_CLUSTER_ENGINE_H

#include "src/cluster/member.h"

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

/* The engine of all clusters, which give it their name and their sweeps. */
extern const pci_engine pci_cluster_engine;

#endif
