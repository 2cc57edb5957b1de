/* A graph in parts becomes whole in every process. */
#include "src/cluster/part.h"

uint64_t pci_gathered_bytes(const pc_graph *graph)
{
    uint64_t arc_bytes = sizeof *graph->column + (graph->info.max_weight > 1 ? 8 : 0);
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * arc_bytes;
}

static pc_status create_graph(pc_context *context, uint64_t n, bool is_symmetric, pc_graph **whole)
{
    pc_graph *graph = pci_alloc_zero(context, 1, sizeof *graph);
    if (!graph)
        return pci_fail_memory(context, "the graph", sizeof *graph);
    *graph = (pc_graph){
        .context = context, .n = n, .symmetric = is_symmetric, .labels = pci_labels_range(0, n)};
    *whole = graph;
    graph->row_start = pci_alloc_zero(context, n + 1, sizeof *graph->row_start);
    return graph->row_start ? PC_OK
                            : pci_fail_memory(context, "the graph", (n + 1) * sizeof(uint64_t));
}

static pc_status create_arcs(pc_graph *graph, bool is_weighted)
{
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    graph->column = pci_alloc(graph->context, (n_arcs + 1) * sizeof *graph->column);
    if (is_weighted)
        graph->weight = pci_alloc(graph->context, (n_arcs + 1) * sizeof *graph->weight);
    return graph->column && (graph->weight || !is_weighted)
               ? PC_OK
               : pci_fail_memory(graph->context, "the graph", n_arcs * (is_weighted ? 12 : 4));
}

/* Each process sends its rows to all. */
static void gather_arcs(const pci_graph_part *part, pc_graph *graph)
{
    const pci_processes *all = &part->all;
    uint64_t begin = part->first[all->rank], at = graph->row_start[begin];
    uint64_t n_arcs = pci_graph_n_arcs(part->graph);
    for (uint64_t a = 0; a < n_arcs; a++)
        graph->column[at + a] = (uint32_t)pci_part_vertex(part, part->graph->column[a]);
    for (uint64_t a = 0; a < n_arcs && graph->weight; a++)
        graph->weight[at + a] = part->graph->weight[a];
    for (int r = 0; r < all->n; r++) {
        uint64_t from = graph->row_start[part->first[r]],
                 end = graph->row_start[part->first[r + 1]];
        pci_processes_share(all, r, graph->column + from, (end - from) * sizeof *graph->column);
        if (graph->weight)
            pci_processes_share(all, r, graph->weight + from, (end - from) * sizeof *graph->weight);
    }
}

static pc_status gather(const pci_graph_part *part, pc_context *context, bool is_symmetric,
                        pc_graph **whole)
{
    const pci_processes *all = &part->all;
    uint64_t n = part->first[all->n];
    pc_status status =
        pci_processes_agree(all, context, create_graph(context, n, is_symmetric, whole));
    if (status != PC_OK)
        return status;
    pci_part_starts(part, (*whole)->row_start);
    status = pci_processes_agree(all, context, create_arcs(*whole, part->graph->weight != NULL));
    if (status == PC_OK)
        gather_arcs(part, *whole);
    return status;
}

pc_status pci_part_gather(const pci_graph_part *part, pc_context *context, bool is_symmetric,
                          pc_graph **whole)
{
    pc_graph *made = NULL;
    pc_status status = gather(part, context, is_symmetric, &made);
    if (status == PC_OK)
        *whole = made;
    else
        pc_graph_free(made);
    return status;
}
