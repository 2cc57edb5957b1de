/* Writing of graphs in formats of other programs. */
#ifndef PCI_WRITE_GRAPH_MARKED_H
#define PCI_WRITE_GRAPH_MARKED_H

#include "io/pack.h"

/* Writes a graph as GraphML, GML or Pajek, which ending says: ".graphml", ".gml" or ".net". As
 * pc_graph_write. */
pc_status pci_graph_write_marked(pc_context *context, const pc_graph *graph, const char *path,
                                 const char *ending, pci_packing packing);

#endif
