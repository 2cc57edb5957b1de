/* A text in one of igraph's formats becomes edges. Called in the process of igraph only, and by tests. */
#ifndef PCI_IGRAPH_PARSE_H
#define PCI_IGRAPH_PARSE_H

#include "graphs/igraph_edges.h"
#include "graphs/igraph_format.h"

/* One reading, from text to edges. */
typedef struct pci_igraph_parsing {
    pc_context *context;
    const char *path; /* for messages */
    const pci_igraph_format *format;
    pc_graph_options options;
    /* results */
    pci_igraph_edges edges; /* to be destroyed, whatever the status */
    pc_direction stated;
    bool weights_ignored;
} pci_igraph_parsing;

/* PC_ERR_DATA, PC_ERR_MEMORY, with messages that name the file. */
pc_status pci_igraph_parse(pci_igraph_parsing *job, const char *bytes, size_t n_bytes);

#endif
