/* Edge lists: a line an edge, "from to [weight]". */
#ifndef PCI_EDGE_LIST_H
#define PCI_EDGE_LIST_H

#include "graphs/builder.h"
#include "io/edge_list_head.h"
#include "io/matrix_market.h"

/* Parses the text from begin on. shape is for a relation only. When the file states its vertices,
 * or that it is undirected, all vertices are rows and columns, and shape gets their number.
 * Otherwise shape gets zeros, and rows and columns are those that occur. The draft is filled only
 * on PC_OK; else PC_ERR_DATA, PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no
 * integers), PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_edge_list_use use,
                              pci_shape *shape, pci_graph_draft *draft);

#endif
