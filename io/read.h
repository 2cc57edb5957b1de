/* Reading a graph from an input, whatever its format. */
#ifndef PCI_READ_H
#define PCI_READ_H

#include "graphs/builder.h"
#include "io/input.h"

/* As pc_graph_read with the text already in hand; the input is closed whatever the status. */
pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph);

/* Builds the graph of a file, whose name stands before a message about an edge. */
pc_status pci_graph_build_of_file(pc_context *context, const char *name, pci_graph_draft *draft,
                                  pc_graph **graph);

/* The edges in the lines of this reader, of several (input->share), of an edge list or a Matrix Market file of integers;
 * vertices, labels and facts are those of the whole text. share->is_declined, with PC_ERR_DATA: one reader must read it
 * all, because labels are no integers or large ones, some edges have weight 0, or it is another file. */
pc_status pci_graph_read_share(pci_input *input, pc_format format, const pc_graph_options *options,
                               pci_graph_draft *draft);

#endif
