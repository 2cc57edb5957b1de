/* The graph as its users see it, and what is derived from the arcs alone. */
#include "graphs/graph.h"

#include "graphs/sparse.h"

#include <string.h>

void pc_graph_free(pc_graph *graph)
{
    if (!graph)
        return;
    pc_context *context = graph->context;
    if (graph->parts)
        graph->parts->free(graph->parts);
    pci_free(context, graph->row_start);
    pci_free(context, graph->column);
    pci_free(context, graph->weight);
    pci_labels_free(context, &graph->labels);
    pci_free(context, graph);
}

void pc_graph_get_info(const pc_graph *graph, pc_graph_info *info)
{
    if (!info)
        return;
    *info = graph ? graph->info : (pc_graph_info){.format = ""};
    info->note = graph && *graph->note ? graph->note : NULL;
}

uint64_t pc_graph_n_vertices(const pc_graph *graph)
{
    return graph ? graph->n : 0;
}

void pc_graph_arcs(const pc_graph *graph, pc_arcs *arcs)
{
    if (!arcs)
        return;
    *arcs = graph ? (pc_arcs){graph->row_start, graph->column, graph->weight, graph->info.decimals,
                              graph->info.weight_error}
                  : (pc_arcs){0};
}

const pc_labels *pc_graph_labels(const pc_graph *graph)
{
    return graph ? &graph->labels : NULL;
}

pc_status pc_graph_find(pc_context *context, const pc_graph *graph, const char *label,
                        uint64_t *vertex)
{
    if (!context || !graph || !label || !vertex)
        return pci_fail_null(context, "graph, label or vertex");
    if (pci_labels_find(&graph->labels, label, strlen(label), vertex))
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT, "no vertex is labelled '%.200s'", label);
}

/* ---- From the arcs --------------------------------------------------------------------------- */

pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse)
{
    if (graph->parts)
        return graph->parts->reverse(graph->parts, context, graph, reverse);
    pci_sparse turned, matrix = {.n_rows = graph->n,
                                 .n_columns = graph->n,
                                 .row_start = graph->row_start,
                                 .column = graph->column,
                                 .limbs = graph->weight,
                                 .n_limbs = 1,
                                 .is_borrowed = true};
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the reversed graph", sizeof *made);
    pc_status status = pci_sparse_transpose(context, &matrix, &turned);
    if (status != PC_OK) {
        pci_free(context, made);
        return status;
    }
    *made = (pc_graph){.context = context,
                       .n = graph->n,
                       .row_start = turned.row_start,
                       .column = turned.column,
                       .weight = turned.limbs,
                       .symmetric = graph->symmetric,
                       .labels = pci_labels_range(0, graph->n),
                       .info = graph->info};
    *reverse = made;
    return PC_OK;
}

/* The first of the arcs begin .. end - 1 of a row whose column is at least that. */
static uint64_t find_column(const pc_graph *graph, uint64_t begin, uint64_t end, uint64_t column)
{
    while (begin < end) {
        uint64_t middle = begin + (end - begin) / 2;
        if (graph->column[middle] < column)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* As pci_graph_find_one_way, of the arcs between the vertices first .. end - 1 and higher ones. Rows are taken in order.
 * passed[j] is the arc of row j that must lead to the next row with an arc to j; one that was passed over has no
 * opposite. So each arc is looked at once. */
static uint64_t find_one_way_of(const pc_graph *graph, uint64_t first, uint64_t end,
                                uint64_t *passed)
{
    const uint64_t *start = graph->row_start;
    for (uint64_t row = first; row < end; row++)
        passed[row] = find_column(graph, start[row], start[row + 1], row + 1);
    for (uint64_t row = first + 1; row < graph->n; row++)
        for (uint64_t a = find_column(graph, start[row], start[row + 1], first);
             a < start[row + 1] && graph->column[a] < end && graph->column[a] < row; a++) {
            uint32_t column = graph->column[a];
            uint64_t back = passed[column]++;
            if (back == start[column + 1] || graph->column[back] > row)
                return a;
            if (graph->column[back] < row ||
                (graph->weight && graph->weight[back] != graph->weight[a]))
                return back;
        }
    for (uint64_t row = first; row < end; row++)
        if (passed[row] < start[row + 1])
            return passed[row];
    return pci_graph_n_arcs(graph);
}

pc_status pci_graph_find_one_way(pc_context *context, const pc_graph *graph, uint64_t *arc)
{
    enum { PARTS_A_THREAD = 4 };
    uint64_t *passed = pci_alloc(context, (graph->n + 1) * sizeof *passed);
    if (!passed)
        return pci_fail_memory(context, "the graph", (graph->n + 1) * sizeof *passed);
    uint64_t first = pci_graph_n_arcs(graph);
    int n_threads = pci_threads_for(context, 4 * (double)first);
    uint64_t n_parts = n_threads > 1 ? PARTS_A_THREAD * (uint64_t)n_threads : 1;
    uint64_t part_rows = (graph->n + n_parts - 1) / n_parts;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(min : first)
    for (uint64_t part = 0; part < n_parts; part++) {
        uint64_t begin = part * part_rows, end = begin + part_rows;
        end = end < graph->n ? end : graph->n;
        uint64_t found =
            begin < end ? find_one_way_of(graph, begin, end, passed) : pci_graph_n_arcs(graph);
        first = found < first ? found : first;
    }
    *arc = first;
    pci_free(context, passed);
    return PC_OK;
}

void pci_graph_set_undirected(pc_graph *graph, bool is_matrix)
{
    pc_graph_info *info = &graph->info;
    graph->symmetric = true;
    info->directed = 0;
    info->n_edges = (info->n_arcs + info->n_loops) / 2;
    info->n_duplicates += is_matrix ? 0 : info->n_arcs - info->n_edges;
}

pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph, bool is_matrix)
{
    uint64_t arc;
    pc_status status = pci_graph_find_one_way(context, graph, &arc);
    if (status == PC_OK && arc == pci_graph_n_arcs(graph))
        pci_graph_set_undirected(graph, is_matrix);
    return status;
}
