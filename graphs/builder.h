/* Makes the graph of edges. There is one builder for all sources, so that the policies (direction,
 * duplicates, loops, weights) exist once. The caller fills a draft, and pci_graph_build takes it
 * over. */
#ifndef PCI_BUILDER_H
#define PCI_BUILDER_H

#include "graphs/edges.h"
#include "graphs/graph.h"
#include "graphs/multiplicity.h"

/* All zero is the graph without vertices. */
typedef struct pci_graph_draft {
    pci_edges edges;
    pci_labels labels;
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

/* The facts of a directed graph with these rows, if they are canonical; without its arrays. */
pc_graph pci_given_rows_describe(pc_context *context, const pci_given_rows *given,
                                 const char *format);

/* The arcs as edges for the builder. PC_ERR_MEMORY. */
pc_status pci_given_rows_edges(pc_context *context, const pci_given_rows *given, pci_edges *edges);

#endif
