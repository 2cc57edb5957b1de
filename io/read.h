/* Reading a graph or relation from text in memory, whatever its format. */
#ifndef PCI_READ_H
#define PCI_READ_H

#include "io/input.h"
#include "io/matrix_market.h"

/* As pc_graph_read with the text already in hand; the input is closed whatever the status. */
pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph);

/* The draft of a graph whose arcs are the entries of a relation, rows and columns its vertices. Of
 * Matrix Market shape gets the numbers of rows and columns; of an edge list zeros, where those that
 * occur are meant. */
pc_status pci_relation_read_draft(pci_input *input, const pc_graph_options *options,
                                  pci_shape *shape, pci_graph_draft *draft);

#endif
