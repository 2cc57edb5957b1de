/* Reading a serialized graph of the GAP Benchmark Suite as a whole. */
#ifndef PCI_READ_SERIALIZED_H
#define PCI_READ_SERIALIZED_H

#include "io/input.h"

/* As pc_graph_read with such a file that is open, plain or unpacked. */
pc_status pci_serialized_read(const pci_input *input, const pc_graph_options *options,
                              pc_graph **graph);

#endif
