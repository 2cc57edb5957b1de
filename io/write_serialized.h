/* Writing of serialized graphs of the GAP Benchmark Suite. */
#ifndef PCI_WRITE_SERIALIZED_H
#define PCI_WRITE_SERIALIZED_H

#include "io/pack.h"

/* Writes a graph as .wsg, or as .sg, which has no weights: ending says which. As pc_graph_write. */
pc_status pci_graph_write_serialized(pc_context *context, const pc_graph *graph, const char *path,
                                     const char *ending, pci_packing packing);

#endif
