/* From edges to the graph: one builder for every source, so that the policies (direction,
 * duplicates, loops, weights) exist once. Fill a draft, then pci_graph_build takes it over. */
#ifndef PCI_BUILDER_H
#define PCI_BUILDER_H

#include "graphs/graph.h"

typedef struct pci_edge {
    uint32_t from, to; /* vertices, below labels.n */
} pci_edge;

/* Consecutive edges of the input. */
typedef struct pci_edge_part {
    pci_edge *edge;   /* [n_edges] */
    uint64_t *weight; /* [n_edges] multiplicities, 0 is no edge; NULL: 1 each */
    uint64_t n_edges;
} pci_edge_part;

/* Edges in parts, which point into the two arrays. */
typedef struct pci_edges {
    pci_edge *edge;       /* owned */
    uint64_t *weight;     /* owned; NULL: 1 each */
    pci_edge_part *parts; /* owned */
    size_t n_parts;
} pci_edges;

/* All zero is the graph without vertices. */
typedef struct pci_graph_draft {
    pci_edges edges;
    pci_labels labels;
    bool multigraph;
    bool weights_are_marks; /* 0 where an edge is none, 1 elsewhere: the others count once */
    bool
        may_be_mutual; /* directed; but if each arc is there in both directions, it is undirected */
    char note[PCI_NOTE_BYTES]; /* for the info; "" for none */
    pc_graph_info info; /* directed, direction_overridden, weights_ignored and format are taken;
                         * the builder counts the rest */
} pci_graph_draft;

enum { PCI_OPERATIONS_AN_EDGE = 4 }; /* of the least that is done to each: see pci_threads_for */

uint64_t pci_edges_count(const pci_edges *edges);

/* Room for n_parts parts of n_edges[part] edges each, with weights or without; the caller fills
 * it and may lower the n_edges of a part. Threads share the work by parts: make a few for each. */
pc_status pci_edges_create(pc_context *context, size_t n_parts, const uint64_t *n_edges,
                           bool with_weights, pci_edges *edges);
void pci_edges_free(pc_context *context, pci_edges *edges);

/* Every edge has weight 1: the array of weights is freed. */
void pci_edges_drop_weights(pc_context *context, pci_edges *edges);

/* PC_ERR_ARGUMENT for a direction, stated or of options (NULL or not), that there is not. */
pc_status pci_check_directions(pc_context *context, pc_direction stated,
                               const pc_graph_options *options);

/* Sets directed and direction_overridden from what the source states (PC_DIRECTION_OF_FORMAT: it
 * states nothing, so undirected) and what the options ask for; options may be NULL. */
void pci_draft_set_direction(pci_graph_draft *draft, pc_direction stated,
                             const pc_graph_options *options);

/* Replaces each vertex v of the edges by vertex_of[v]. */
void pci_edges_renumber(pc_context *context, pci_edges *edges, const uint32_t *vertex_of);

/* The graph of a draft. Edges and labels of the draft are taken over and emptied whatever the
 * status. PC_ERR_DATA when an edge is given again with another weight and multigraph is false,
 * PC_ERR_RANGE when added multiplicities pass 2^64-1, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_graph_build(pc_context *context, pci_graph_draft *draft, pc_graph **graph);

void pci_draft_free(pc_context *context, pci_graph_draft *draft);

#endif
