/* What becomes of the answer of igraph's process. */
#ifndef PCI_IGRAPH_READ_H
#define PCI_IGRAPH_READ_H

#include "graphs/igraph_message.h"

/* The graph of an answer whose parts are there and whose contents nobody has looked at: each index and
 * size is checked. format and options are as in pc_edges and pc_graph_from_edges. PC_ERR_DATA when the
 * answer makes no sense, and as pc_graph_from_edges. */
pc_status pci_igraph_take_answer(pc_context *context, const pci_igraph_message *answer,
                                 uint64_t most_vertices, const char *format,
                                 const pc_graph_options *options, pc_graph **graph);

#endif
