/* The connected components of a graph, by union-find: no recursion, and one word a vertex. */
#include "graphs/partition.h"

/* The first vertex of the component of v among the arcs so far. Halves the path to it, which makes
 * later calls faster. */
static uint32_t find_first(uint32_t *before, uint32_t v)
{
    while (before[v] != v) {
        before[v] = before[before[v]];
        v = before[v];
    }
    return v;
}

/* Each vertex points to an earlier one of its component, and the first one to itself. The direction
 * of arcs does not matter. */
static void join_arcs(const pc_graph *graph, uint32_t *before)
{
    for (uint64_t row = 0; row < graph->n; row++) {
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            uint32_t from = find_first(before, (uint32_t)row);
            uint32_t to = find_first(before, graph->column[a]);
            if (from < to)
                before[to] = from;
            else
                before[from] = to;
        }
    }
}

/* Pointers become numbers of components, in place: a vertex points to an earlier one, which has its
 * number already. Returns how many components there are. */
static uint64_t number_components(uint64_t n, uint32_t *block)
{
    uint32_t n_blocks = 0;
    for (uint64_t v = 0; v < n; v++)
        block[v] = block[v] == v ? n_blocks++ : block[block[v]];
    return n_blocks;
}

pc_status pc_partition_components(pc_context *context, const pc_graph *graph,
                                  pc_partition **partition)
{
    if (!context || !graph || !partition)
        return pci_fail_null(context, "graph or partition");
    uint32_t *block = pci_alloc(context, (graph->n + 1) * sizeof *block);
    if (!block)
        return pci_fail_memory(context, "the components", graph->n * sizeof *block);
    for (uint64_t v = 0; v < graph->n; v++)
        block[v] = (uint32_t)v;
    join_arcs(graph, block);
    pci_labels labels = pci_labels_range(1, number_components(graph->n, block));
    return pci_partition_make(context, graph->n, block, &labels, partition);
}
