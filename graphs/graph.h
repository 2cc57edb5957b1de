/* The graph: adjacency matrix in compressed rows (CSR), labels, and what was read. */
#ifndef PCI_GRAPH_H
#define PCI_GRAPH_H

#include "src/core/context.h"
#include "graphs/labels.h"
#include "graphs/parts.h"

enum { PCI_NOTE_BYTES = 200, PCI_SEALED_PARTS = 3 };

struct pc_graph {
    pc_context *context;
    uint64_t n; /* vertices */
    uint64_t *
        row_start; /* [n + 1]: arcs of row i are row_start[i] .. row_start[i + 1] - 1; NULL: in parts */
    uint32_t *column; /* [n_arcs]: ascending within a row, no duplicates */
    uint64_t *weight; /* [n_arcs]: entry of A, >= 1; NULL when every entry is 1 */
    bool symmetric;   /* A is its own transpose because the graph is undirected */
    pci_parts *parts; /* where the arcs are, when there are none here; else NULL */
    uint64_t
        largest_row_sum; /* of a graph in parts, and of each part: that of the whole graph; else 0 */
    pci_labels labels;
    char note[PCI_NOTE_BYTES]; /* of the info; "" for none */
    pc_graph_info info;        /* its note is set when somebody asks */

    /* Last: see pci_graph_seal. */
    bool is_sealed;
    uint64_t seal[PCI_SEALED_PARTS];
};

static inline uint64_t pci_graph_n_arcs(const pc_graph *graph)
{
    if (graph->parts)
        return graph->parts->n_arcs;
    return graph->row_start[graph->n];
}

/* The most arcs that a row has. */
static inline uint64_t pci_graph_largest_degree(const pc_graph *graph)
{
    uint64_t largest = 0;
    if (graph->parts)
        return graph->parts->largest_degree;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t degree = graph->row_start[i + 1] - graph->row_start[i];
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

/* The squares of the arcs of all rows, added up. */
static inline double pci_graph_degree_squares(const pc_graph *graph)
{
    double squares = 0;
    if (graph->parts)
        return graph->parts->degree_squares;
    for (uint64_t i = 0; i < graph->n; i++) {
        double degree = (double)(graph->row_start[i + 1] - graph->row_start[i]);
        squares += degree * degree;
    }
    return squares;
}

/* The arc between two vertices, or the number of arcs when there is none. */
static inline uint64_t pci_graph_find_arc(const pc_graph *graph, uint64_t from, uint64_t to)
{
    uint64_t least = graph->row_start[from], end = graph->row_start[from + 1];
    while (least < end) {
        uint64_t middle = least + (end - least) / 2;
        if (graph->column[middle] < to)
            least = middle + 1;
        else
            end = middle;
    }
    bool is_found = least < graph->row_start[from + 1] && graph->column[least] == to;
    return is_found ? least : pci_graph_n_arcs(graph);
}

/* The largest sum of a row of A, 2^64 - 1 for anything above. */
static inline uint64_t pci_graph_largest_row_sum(const pc_graph *graph)
{
    uint64_t largest = 0;
    if (graph->largest_row_sum)
        return graph->largest_row_sum;
    if (!graph->weight)
        return pci_graph_largest_degree(graph);
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t sum = 0;
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
            if (__builtin_add_overflow(sum, graph->weight[a], &sum))
                return UINT64_MAX;
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* PC_ERR_ARGUMENT when the arcs lie in other processes, for what needs them here. */
static inline pc_status pci_graph_need_arcs(pc_context *context, const pc_graph *graph)
{
    if (!graph->parts)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "the graph lies in parts in several processes, and this needs all of its arcs: "
                    "do it in one process");
}

/* Notes a hash of the graph, for pc_graph_check. Whatever makes a graph for callers calls it last. */
void pci_graph_seal(pc_context *context, pc_graph *graph);

/* The vertices in topological order, *order[n], to be freed by pci_free, and the arcs of the longest path; *order is NULL
 * when there is a cycle, such as any edge of an undirected graph. PC_ERR_MEMORY. */
pc_status pci_graph_order(pc_context *context, const pc_graph *graph, uint32_t **order,
                          uint64_t *longest);

/* The graph with every arc reversed, columns ascending, vertices labelled by their numbers.
 * PC_ERR_MEMORY. */
pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse);

/* *arc becomes an arc whose opposite one is missing or has another weight, or the number of arcs when there is none.
 * PC_ERR_MEMORY. */
pc_status pci_graph_find_one_way(pc_context *context, const pc_graph *graph, uint64_t *arc);

/* A directed graph without such arcs becomes undirected, as pci_graph_join_mutual does it. */
void pci_graph_set_undirected(pc_graph *graph, bool is_matrix);

/* Makes a directed graph undirected when each arc is there in both directions: then the adjacency
 * matrix is the same. The second direction of an edge counts as a duplicate, unless the arcs are the
 * entries of a matrix. PC_ERR_MEMORY. */
pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph, bool is_matrix);

#endif
