/* The graph: adjacency matrix in compressed rows (CSR), labels, and what was read. */
#ifndef PCI_GRAPH_H
#define PCI_GRAPH_H

#include "src/core/context.h"
#include "graphs/labels.h"

enum { PCI_NOTE_BYTES = 200 };

struct pc_graph {
    pc_context *context;
    uint64_t n;          /* vertices */
    uint64_t *row_start; /* [n + 1]: arcs of row i are row_start[i] .. row_start[i + 1] - 1 */
    uint32_t *column;    /* [n_arcs]: ascending within a row, no duplicates */
    uint64_t *weight;    /* [n_arcs]: entry of A, >= 1; NULL when every entry is 1 */
    bool symmetric;      /* A is its own transpose because the graph is undirected */
    pci_labels labels;
    char note[PCI_NOTE_BYTES]; /* of the info; "" for none */
    pc_graph_info info;        /* its note is set when somebody asks */
    uint64_t checksum;         /* of vertices, arcs and labels; 0: not taken */
};

static inline uint64_t pci_graph_n_arcs(const pc_graph *graph)
{
    return graph->row_start[graph->n];
}

/* The most arcs that a row has. */
static inline uint64_t pci_graph_largest_degree(const pc_graph *graph)
{
    uint64_t largest = 0;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t degree = graph->row_start[i + 1] - graph->row_start[i];
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

/* Takes the checksum, when the graph is whole. */
void pci_graph_seal(pc_graph *graph);

/* PC_ERR_CERTIFY when the graph has changed since then. A certificate cannot tell: it is computed from
 * the same graph. */
pc_status pci_graph_check(pc_context *context, const pc_graph *graph);

/* The graph with every arc reversed, columns ascending, vertices labelled by their numbers.
 * PC_ERR_MEMORY. */
pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse);

/* Makes a directed graph without weights undirected when each arc is there in both directions: then
 * the adjacency matrix is the same. The second direction of an edge counts as a duplicate.
 * PC_ERR_MEMORY. */
pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph);

#endif
