/* Reading a graph from an input, whatever its format. */
#ifndef PCI_READ_H
#define PCI_READ_H

#include "io/input.h"

/* As pc_graph_read with the text already in hand; the input is closed whatever the status. */
pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph);

#endif
