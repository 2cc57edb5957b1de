/* The edges of an igraph_t with their labels and weights. They are copied to containers of igraph,
 * so that the graph can be built after the guard is left. */
#ifndef PCI_IGRAPH_EDGES_H
#define PCI_IGRAPH_EDGES_H

#include "graphs/igraph_guard.h"

/* All zero: destroying it does nothing. */
typedef struct pci_igraph_edges {
    igraph_vector_int_t ends;  /* [2][n_edges]: from, then to */
    igraph_vector_t weights;   /* [n_edges] if has_weights */
    igraph_strvector_t labels; /* [n_vertices] if has_labels; else the vertices are 0, 1, ... */
    bool has_weights, has_labels;
    uint64_t n_vertices, n_edges;
    char note[160]; /* for pc_graph_info */
} pci_igraph_edges;

/* All but pci_igraph_edges_build and pci_igraph_edges_destroy need the guard that is entered. */
pc_status pci_igraph_edges_init(const pci_igraph_guard *guard, pci_igraph_edges *edges);
void pci_igraph_edges_destroy(pci_igraph_edges *edges);

pc_status pci_igraph_edges_take(const pci_igraph_guard *guard, const igraph_t *igraph,
                                pci_igraph_edges *edges);

/* Labels from a vertex attribute. When it cannot serve, *fault says why and edges has no labels;
 * otherwise *fault is NULL. */
pc_status pci_igraph_edges_label(const pci_igraph_guard *guard, const igraph_t *igraph,
                                 const char *attribute, pci_igraph_edges *edges,
                                 const char **fault);

/* Labels first, first + 1, ... */
pc_status pci_igraph_edges_number(const pci_igraph_guard *guard, uint64_t first,
                                  pci_igraph_edges *edges);

/* Weights from an edge attribute; PC_ERR_DATA when one is no multiplicity, nor takes_decimals and
 * a number >= 0. where is put before the message: "" or "file: ". */
pc_status pci_igraph_edges_weigh(const pci_igraph_guard *guard, const igraph_t *igraph,
                                 const char *attribute, bool takes_decimals, const char *where,
                                 pci_igraph_edges *edges);

/* The graph. */
pc_status pci_igraph_edges_build(pc_context *context, const pci_igraph_edges *edges,
                                 pc_direction stated, bool weights_ignored, const char *format,
                                 const pc_graph_options *options, pc_graph **graph);

#endif
