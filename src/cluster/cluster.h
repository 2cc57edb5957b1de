/* What a checkpoint asks of a cluster. */
#ifndef PCI_CLUSTER_H
#define PCI_CLUSTER_H

#include "src/cluster/cluster_graph.h"

/* The sums of hashes of the arcs of a graph in parts, which do not depend on the parts. PC_ERR_MEMORY. */
pc_status pci_cluster_digest(pc_context *context, const pc_graph *graph, uint64_t digest[2]);

/* Announces a command and performs it, with the memory and messages of a context. As pci_member_call. */
static inline pc_status pci_cluster_call(pc_cluster *cluster, pc_context *context,
                                         const pci_command *command, const pci_caller *caller)
{
    cluster->member.context = context;
    return pci_member_call(&cluster->member, command, caller);
}

/* The sweeps of all processes (src/cluster/cluster_sweep.c). */
extern const pci_sweep_ops pci_cluster_sweeps;

/* All processes write their lines of such a sweep to the file, which is there, or read them from it
 * (src/cluster/lines_file.h). Fills in lines->sum of what is written. */
pc_status pci_cluster_save_lines(pci_sweep *sweep, const char *path, pci_lines *lines);
pc_status pci_cluster_load_lines(pci_sweep *sweep, const char *path, const pci_lines *lines);

#endif
