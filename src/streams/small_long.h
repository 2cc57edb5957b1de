/* Paths of small graphs so long that squaring beats steps. */
#ifndef PCI_SMALL_LONG_H
#define PCI_SMALL_LONG_H

#include "src/streams/small_counts.h"

/* The row of the graph in counts of PCI_SMALL_LIMBS words; false when one does not fit. Not of each
 * length. */
bool pci_small_long(const pci_small_graph *graph, const pc_stream_query *query, uint64_t *counts);

#endif
