/* Directed graphs that are undirected ones written out: each arc is there in both directions. */
#ifndef PCI_MUTUAL_H
#define PCI_MUTUAL_H

#include "graphs/graph.h"

/* Makes a directed graph without weights undirected when each arc is there in both directions: then the
 * adjacency matrix is the same. The second direction of an edge counts as a duplicate. PC_ERR_MEMORY. */
pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph);

#endif
