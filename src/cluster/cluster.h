/* A cluster as the first process knows it, and the graphs that it holds in parts. */
#ifndef PCI_CLUSTER_H
#define PCI_CLUSTER_H

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

/* The sums of hashes of the arcs of a graph in parts, which do not depend on the parts. PC_ERR_MEMORY. */
pc_status pci_cluster_digest(pc_context *context, const pc_graph *graph, uint64_t digest[2]);

/* The sweeps of all processes, and the engine that has them; its name is that of a cluster. */
extern const pci_sweep_ops pci_cluster_sweeps;
extern const pci_engine pci_cluster_engine;

/* All processes write their lines of such a sweep to the file, which is there, or read them from it
 * (src/cluster/lines_file.h). Writing fills in lines->sum. */
pc_status pci_cluster_save_lines(pci_sweep *sweep, const char *path, pci_lines *lines);
pc_status pci_cluster_load_lines(pci_sweep *sweep, const char *path, const pci_lines *lines);

#endif
