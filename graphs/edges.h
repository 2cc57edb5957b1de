/* Edges before they are a graph: in parts that threads share. Their ends are vertices, or ids or
 * numbers of names that become vertices later. */
#ifndef PCI_EDGES_H
#define PCI_EDGES_H

#include "graphs/labels.h"

typedef struct pci_edge {
    uint32_t from, to; /* vertices, ids or numbers of names */
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

enum { PCI_OPERATIONS_AN_EDGE = 4 }; /* of the least that is done to each: see pci_threads_for */

uint64_t pci_edges_count(const pci_edges *edges);

/* Room for n_parts parts of n_edges[part] edges each, with weights or without; the caller fills
 * it and may lower the n_edges of a part. Threads share the work by parts: make a few for each. */
pc_status pci_edges_create(pc_context *context, size_t n_parts, const uint64_t *n_edges,
                           bool with_weights, pci_edges *edges);

/* The same for parts of equal size. */
pc_status pci_edges_create_equal(pc_context *context, size_t n_parts, uint64_t n_edges,
                                 bool with_weights, pci_edges *edges);

void pci_edges_free(pc_context *context, pci_edges *edges);

/* Every edge has weight 1: the array of weights is freed. */
void pci_edges_drop_weights(pc_context *context, pci_edges *edges);

/* Replaces each vertex v of the edges by vertex_of[v]. */
void pci_edges_renumber(pc_context *context, pci_edges *edges, const uint32_t *vertex_of);

/* Several processes may have edges of one graph. This makes a set of ids (id % 64 is a bit of word id / 64) that of all
 * processes. It is also called where there is no set, with why. Returns PC_OK, or why there is none in some process. */
typedef struct pci_ids_join {
    pc_status (*join)(void *user, pc_status status, uint64_t *words, uint64_t n_words);
    void *user;
} pci_ids_join;

/* Replaces ids, which are at most greatest_id, by vertices. The ids that occur, and
 * first..first+n_vertices-1, are numbered in ascending order and become the labels. Takes one byte and a half
 * of memory for each integer up to the greatest. join: NULL where one process has all edges. */
pc_status pci_edges_from_ids(pc_context *context, pci_edges *edges, uint32_t greatest_id,
                             uint64_t first, uint64_t n_vertices, const pci_ids_join *join,
                             pci_labels *labels);

#endif
