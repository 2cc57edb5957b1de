/* Rows are passed in their order; of each row the columns that were met as rows are passed too, so one
 * look at each arc is enough. */
#include "graphs/mutual.h"

#include <string.h>

/* passed[j] is the arc of row j that has to be met next. */
static bool is_mutual(const pc_graph *graph, uint64_t *passed)
{
    memcpy(passed, graph->row_start, graph->n * sizeof *passed);
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            uint32_t column = graph->column[a];
            uint64_t back = passed[column]++;
            if (back == graph->row_start[column + 1] || graph->column[back] != row)
                return false;
        }
    return true;
}

pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph)
{
    uint64_t *passed = pci_alloc(context, (graph->n + 1) * sizeof *passed);
    if (!passed)
        return pci_fail_memory(context, "the graph", (graph->n + 1) * sizeof *passed);
    if (is_mutual(graph, passed)) {
        pc_graph_info *info = &graph->info;
        graph->symmetric = true;
        info->directed = 0;
        info->n_edges = (info->n_arcs + info->n_loops) / 2;
        info->n_duplicates += info->n_arcs - info->n_edges;
    }
    pci_free(context, passed);
    return PC_OK;
}
