/* The quotient graph S A S^T: arcs between vertices become edges between their blocks. The builder
 * of all graphs adds up equal edges.
 *
 * The powers of the quotient graph are not the counts between blocks S A^k S^T. A path in the
 * quotient graph may change from one vertex of a block to any other between two arcs, so the
 * quotient graph has more paths. */
#include "graphs/partition.h"

#include "graphs/builder.h"

#include <inttypes.h>

/* An undirected edge stands in the matrix twice. When it leads to another block, one of the two is
 * taken, since the builder makes the other. Within a block both are taken, since both add to the
 * diagonal. */
static bool is_taken(const pc_graph *graph, uint32_t from, uint32_t to)
{
    return !graph->symmetric || from <= to;
}

/* Edges between blocks; edges has room for every arc. */
static void map_arcs(const pc_graph *graph, const uint32_t *block, pci_edges *edges)
{
    pci_edge_part *part = &edges->parts[0];
    uint64_t n_edges = 0;
    for (uint64_t row = 0; row < graph->n; row++) {
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            pci_edge edge = {block[row], block[graph->column[a]]};
            if (!is_taken(graph, edge.from, edge.to))
                continue;
            part->edge[n_edges] = edge;
            if (part->weight)
                part->weight[n_edges] = graph->weight[a];
            n_edges++;
        }
    }
    part->n_edges = n_edges;
}

pc_status pc_graph_quotient(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, pc_graph **quotient)
{
    if (!context || !graph || !partition || !quotient)
        return pci_fail_null(context, "graph, partition or quotient");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    if (partition->n != graph->n)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the partition is of %" PRIu64 " vertices, and the graph has %" PRIu64,
                        partition->n, graph->n);
    pci_graph_draft draft = {.multigraph = true,
                             .info = {.directed = !graph->symmetric, .format = "quotient"}};
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    pc_status status = pci_labels_select(context, &partition->labels, NULL, &draft.labels);
    if (status == PC_OK)
        status = pci_edges_create(context, 1, &n_arcs, graph->weight != NULL, &draft.edges);
    if (status) {
        pci_draft_free(context, &draft);
        return status;
    }
    map_arcs(graph, partition->block, &draft.edges);
    pc_graph *made;
    if ((status = pci_graph_build(context, &draft, &made)))
        return status;
    made->info.n_duplicates = 0; /* arcs between the same blocks were not given twice */
    pci_graph_seal(context, made);
    *quotient = made;
    return PC_OK;
}
