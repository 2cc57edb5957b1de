/* Edge lists: a line an edge, "from to [weight]". */
#ifndef PCI_EDGE_LIST_H
#define PCI_EDGE_LIST_H

#include "graphs/builder.h"
#include "io/input.h"

/* Parses the text from begin on. The draft is filled only on PC_OK; else PC_ERR_DATA,
 * PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no integers), PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_graph_draft *draft);

#endif
