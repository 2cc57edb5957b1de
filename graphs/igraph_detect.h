/* Communities of the edges of a task. Called in the process of igraph only: Leiden of igraph 0.10 crashes when
 * it gets no memory. */
#ifndef PCI_IGRAPH_DETECT_H
#define PCI_IGRAPH_DETECT_H

#include "graphs/igraph_guard.h"
#include "graphs/igraph_message.h"

/* block [n_vertices] gets the community of each vertex. PC_ERR_MEMORY, PC_ERR_INTERNAL. */
pc_status pci_igraph_detect(pc_context *context, const pci_igraph_message *task, uint64_t *block);

#endif
