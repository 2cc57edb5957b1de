/* Sweeps and digests of graphs in parts, for checkpoints. */
#ifndef PCI_CLUSTER_H
#define PCI_CLUSTER_H

#include "src/cluster/engine.h"

/* The sums of hashes of the arcs of a graph in parts, which do not depend on the parts. PC_ERR_MEMORY. */
pc_status pci_cluster_digest(pc_context *context, const pc_graph *graph, uint64_t digest[2]);

/* The sweeps of all processes. */
extern const pci_sweep_ops pci_cluster_sweeps;

/* All processes write their lines of such a sweep to the file, which is there, or read them from it
 * (src/cluster/lines_file.h). Writing fills in lines->sum. */
pc_status pci_cluster_save_lines(pci_sweep *sweep, const char *path, pci_lines *lines);
pc_status pci_cluster_load_lines(pci_sweep *sweep, const char *path, const pci_lines *lines);

#endif
