/* Ids to vertices: edges between small integer ids become edges between vertices 0..n-1. */
#ifndef PCI_IDS_H
#define PCI_IDS_H

#include "graphs/builder.h"

/* The ends of edges are ids up to greatest_id. Numbers the ids that occur, and 0..n_vertices-1 with
 * them, in ascending order and rewrites the edges; the ids become the labels. Takes one byte and
 * a half of memory for each integer up to the greatest. */
pc_status pci_ids_to_vertices(pc_context *context, pci_edges *edges, uint32_t greatest_id,
                              uint64_t n_vertices, pci_labels *labels);

#endif
