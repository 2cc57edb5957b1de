/* Makes the graph of edges. There is one builder for all sources, so that the policies (direction,
 * duplicates, loops, weights) exist once. The caller fills a draft, and pci_graph_build takes it
 * over. */
#ifndef PCI_BUILDER_H
#define PCI_BUILDER_H

#include "graphs/graph.h"
#include "pathcount_labelled.h"
#include "graphs/multiplicity.h"

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Edges before they are a graph: in parts that threads share. Their ends are vertices, or ids or
 * numbers of names that become vertices later. */

typedef struct pci_edge {
    uint32_t from, to; /* vertices, ids or numbers of names */
} pci_edge;

/* Consecutive edges of the input. */
typedef struct pci_edge_part {
    pci_edge *edge;   /* [n_edges] */
    uint64_t *weight; /* [n_edges] multiplicities, 0 is no edge; NULL: 1 each */
    uint32_t *text;   /* [n_edges] numbers of texts; NULL: edges have none */
    uint64_t n_edges;
} pci_edge_part;

/* Edges in parts, which point into the arrays. */
typedef struct pci_edges {
    pci_edge *edge;       /* owned */
    uint64_t *weight;     /* owned; NULL: 1 each */
    uint32_t *text;       /* owned; NULL: edges have none */
    pci_edge_part *parts; /* owned */
    size_t n_parts;
} pci_edges;

uint64_t pci_edges_count(const pci_edges *edges);

/* Room for n_parts parts of n_edges[part] edges each, with weights or without; the caller fills
 * it and may lower the n_edges of a part. Threads share the work by parts: make a few for each. */
pc_status pci_edges_create(pc_context *context, size_t n_parts, const uint64_t *n_edges,
                           bool with_weights, pci_edges *edges);

/* The same for parts of equal size. */
pc_status pci_edges_create_equal(pc_context *context, size_t n_parts, uint64_t n_edges,
                                 bool with_weights, pci_edges *edges);

/* Adds room for the number of a text for each edge that there is room for. PC_ERR_MEMORY. */
pc_status pci_edges_add_texts(pc_context *context, uint64_t n_edges, pci_edges *edges);

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

/* ---- Drafts ---------------------------------------------------------------------------------- */

/* All zero is the graph without vertices. */
typedef struct pci_graph_draft {
    pci_edges edges;
    pci_labels labels;
    pci_names texts; /* of edges */
    bool multigraph;
    pc_loops loops;
    bool has_twice_loops; /* the weights of undirected loops are doubled already */
    bool has_mirrors; /* of an undirected graph: each edge but loops is given in both directions */
    bool weights_are_flags;    /* weights are 0 (no edge) or 1; an edge counts once */
    bool may_be_mutual;        /* directed, unless each arc is there in both directions */
    bool is_matrix;            /* then the second direction is no edge given again */
    char note[PCI_NOTE_BYTES]; /* for the info; "" for none */
    /* The builder takes directed, direction_overridden, weights_ignored, decimals, weight_error and format, and
     * counts the rest. */
    pc_graph_info info;
} pci_graph_draft;

/* PC_ERR_ARGUMENT when a direction, stated or of options (NULL or not), is not one of the three, or the rule
 * for loops not one of the two. */
pc_status pci_check_directions(pc_context *context, pc_direction stated,
                               const pc_graph_options *options);

/* Tells whether a source without weights is an error; options may be NULL. */
bool pci_draft_needs_weights(const pc_graph_options *options);

/* Sets directed and direction_overridden from what the source states and what the options ask for, and loops.
 * A source that states nothing (PC_DIRECTION_OF_FORMAT) is undirected; options may be NULL. */
void pci_draft_set_direction(pci_graph_draft *draft, pc_direction stated,
                             const pc_graph_options *options);

/* The graph of a draft. Edges and labels of the draft are taken over and emptied whatever the
 * status. PC_ERR_ARGUMENT when loops are to count twice and the graph is directed, PC_ERR_DATA when an
 * edge is given again with another weight and multigraph is false,
 * PC_ERR_RANGE when added or doubled multiplicities pass 2^64-1, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_graph_build(pc_context *context, pci_graph_draft *draft, pc_graph **graph);

/* Notes how the weights were made integers. */
void pci_draft_set_scale(pci_graph_draft *draft, const pci_scale *scale);

void pci_draft_free(pc_context *context, pci_graph_draft *draft);

/* ---- Compressed rows that are given ------------------------------------------------------------- */

typedef struct pci_given_rows {
    uint64_t first, n, n_arcs; /* rows first .. first + n - 1 of the matrix */
    pc_arcs arcs;
    /* Set by pci_given_rows_look. */
    bool is_canonical; /* columns ascend strictly within rows, and no weight is 0 */
    uint64_t n_loops, max_weight;
} pci_given_rows;

/* Looks at each arc. *bad_row gets the first row of a whole matrix with a column out of range, or n; for a
 * part of one it means nothing. */
void pci_given_rows_look(pc_context *context, pci_given_rows *given, uint64_t *bad_row);

/* The facts of a directed graph with these rows, if they are canonical. */
pc_graph_info pci_given_rows_info(const pci_given_rows *given, const char *format);

/* The arcs as edges for the builder. PC_ERR_MEMORY. */
pc_status pci_given_rows_edges(pc_context *context, const pci_given_rows *given, pci_edges *edges);

/* ---- Labelled edges (graphs/labelled.c) -------------------------------------------------------- */

/* They are a graph with a text beside each arc. */
struct pc_labelled_edges {
    pc_graph graph;
};

/* PC_ERR_ARGUMENT: weights that may have decimals are for graphs alone. */
static inline pc_status pci_fail_labelled_decimals(pc_context *context)
{
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edges with texts have integers as weights: none with decimals");
}

/* The labelled edges of a draft with texts, as pci_graph_build. */
static inline pc_status pci_labelled_build(pc_context *context, pci_graph_draft *draft,
                                           pc_labelled_edges **labelled)
{
    return pci_graph_build(context, draft, (pc_graph **)labelled);
}

#endif
