/* Graphs in parts as the rest of the library sees them, and what processes do with their parts. */
#include "src/cluster/operations.h"

#include "src/cluster/arcs.h"
#include "src/cpu/modular.h"
#include "src/plan/limits.h"
#include "src/vectors/doubles.h"
#include "src/vectors/non_backtracking.h"

#include <string.h>

/* ---- Distributed ----------------------------------------------------------------------------- */

/* The first process has all rows. The others get slices of them, and it gets its own as a copy. */
pc_status pci_op_distribute(pc_cluster *cluster, const pci_command *command)
{
    pc_context *context = cluster->context;
    const pci_processes *all = &cluster->all;
    const pc_graph *graph = command->in;
    size_t n = (size_t)all->n, rank = (size_t)all->rank, n_bytes = (n + 1) * sizeof(uint64_t);
    pci_part_rows rows = {0};
    pc_status status;
    uint64_t *arcs = NULL, *first = pci_processes_copy(all, context, command->ranges, n_bytes,
                                                       "a part of the graph", &status);
    if (status == PC_OK) {
        arcs = pci_alloc_zero(context, n + 1, sizeof *arcs); /* as first */
        for (size_t r = 0; graph && arcs && r <= n; r++)
            arcs[r] = graph->row_start[first[r]];
        status = pci_processes_agree_on_memory(all, context, arcs != NULL, "a part of the graph",
                                               n_bytes);
    }
    if (status == PC_OK) {
        pci_processes_share(all, 0, arcs, n_bytes);
        status =
            pci_cluster_agree(cluster, pci_part_rows_create(context, first[rank + 1] - first[rank],
                                                            arcs[rank + 1] - arcs[rank],
                                                            command->is_weighted, &rows));
    }
    if (status == PC_OK) {
        uint64_t n_own = first[rank + 1] - first[rank];
        pci_scatter(cluster, first, sizeof *rows.row_start, graph ? graph->row_start : NULL,
                    rows.row_start);
        for (uint64_t v = 0; v < n_own; v++)
            rows.row_start[v] -= arcs[rank];
        rows.row_start[n_own] = arcs[rank + 1] - arcs[rank];
        pci_scatter(cluster, arcs, sizeof *rows.column, graph ? graph->column : NULL, rows.column);
        if (command->is_weighted)
            pci_scatter(cluster, arcs, sizeof *rows.weight, graph ? graph->weight : NULL,
                        rows.weight);
        status = pci_part_create(all, context, first, &rows, &cluster->part[command->graph]);
    }
    pci_part_rows_free(context, &rows);
    pci_free(context, arcs);
    pci_free(context, first);
    return status;
}

pc_status pci_op_free_graph(pc_cluster *cluster, const pci_command *command)
{
    pci_part_free(cluster->part[command->graph]);
    cluster->part[command->graph] = NULL;
    return PC_OK;
}

/* ---- Products -------------------------------------------------------------------------------- */

pc_status pci_op_multiply(pc_cluster *cluster, const pci_command *command)
{
    pci_graph_part *part = cluster->part[command->graph];
    const pc_graph *graph = part->graph;
    bool is_pair = command->product == PCI_PARTS_MODULAR_PAIR;
    size_t entry_bytes = is_pair ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int n_threads = pci_threads_for(cluster->context, 2.0 * (double)pci_graph_n_arcs(graph));
    pci_scatter(cluster, part->first, entry_bytes, command->in, part->x);
    pci_part_complete(part, entry_bytes, part->x);
    switch (command->product) {
    case PCI_PARTS_MODULAR:
        pci_graph_multiply_mod(graph, n_threads, part->x, command->moduli[0], part->y);
        break;
    case PCI_PARTS_MODULAR_PAIR:
        pci_graph_multiply_mod_pair(graph, n_threads, part->x, command->moduli, part->y);
        break;
    case PCI_PARTS_WORDS:
        pci_graph_add_words(graph, n_threads, part->x, part->y);
        break;
    case PCI_PARTS_CHAIN:
        pci_chain_rows(graph, n_threads, part->x, part->y);
        break;
    case PCI_PARTS_CHAIN_SUMS:
        pci_chain_sums(graph, part->y);
        break;
    default:
        pci_bound_rows(graph, n_threads, command->product == PCI_PARTS_BOUND_WHOLE, part->x,
                       part->y);
    }
    pci_gather(cluster, part->first, entry_bytes, part->y, command->out);
    pci_note_memory(cluster);
    return PC_OK;
}

static void multiply(pci_parts *base, pci_parts_product product, const uint64_t *moduli,
                     const void *x, void *y)
{
    pci_command command = {.product = (uint32_t)product, .in = x, .out = y};
    if (moduli)
        memcpy(command.moduli, moduli,
               (product == PCI_PARTS_MODULAR_PAIR ? 2 : 1) * sizeof *moduli);
    pci_cluster_call_on(base, ((pci_cluster_graph *)base)->context, pci_op_multiply, command);
}

pc_status pci_op_prepare_pairs(pc_cluster *cluster, const pci_command *command)
{
    return pci_cluster_agree(
        cluster, pci_part_reserve(cluster->part[command->graph], 0, 2 * sizeof(uint64_t)));
}

static pc_status prepare_pairs(pci_parts *base, pc_context *context)
{
    return pci_cluster_call_on(base, context, pci_op_prepare_pairs, (pci_command){0});
}

pc_status pci_op_check(pc_cluster *cluster, const pci_command *command)
{
    return pci_cluster_agree(
        cluster, pc_graph_check(cluster->context, cluster->part[command->graph]->graph));
}

static pc_status check(pci_parts *base, pc_context *context)
{
    return pci_cluster_call_on(base, context, pci_op_check, (pci_command){0});
}

/* ---- Graphs of the first process ------------------------------------------------------------- */

static void free_graph(pci_parts *base)
{
    pc_context *context = ((pci_cluster_graph *)base)->context;
    pci_cluster_call_on(base, context, pci_op_free_graph, (pci_command){0});
    pci_free(context, base);
}

pc_status pci_op_reverse(pc_cluster *cluster, const pci_command *command)
{
    return pci_part_reverse(cluster->part[command->made], cluster->context,
                            &cluster->part[command->graph]);
}

static pc_status reverse(pci_parts *base, pc_context *context, const pc_graph *graph,
                         pc_graph **reverse)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)base;
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the reversed graph", sizeof *made);
    *made = (pc_graph){.context = context,
                       .n = graph->n,
                       .labels = pci_labels_range(0, graph->n),
                       .info = graph->info};
    pc_status status = pci_cluster_make(context, parts->cluster, pci_op_reverse,
                                        (pci_command){.made = parts->number}, &made);
    if (status == PC_OK)
        *reverse = made;
    else
        pci_free(context, made);
    return status;
}

pc_status pci_cluster_make(pc_context *context, pc_cluster *cluster, pci_operation *operation,
                           pci_command command, pc_graph **made)
{
    uint32_t number = 0;
    while (number < PCI_MOST_PARTS && cluster->part[number])
        number++;
    if (number == PCI_MOST_PARTS)
        return pci_fail(context, PC_ERR_RANGE,
                        "a cluster holds %d graphs at a time, reversed ones included: free one",
                        PCI_MOST_PARTS);
    pci_cluster_graph *parts = pci_alloc(context, sizeof *parts);
    if (!parts)
        return pci_fail_memory(context, "a part of the graph", sizeof *parts);
    command.graph = number;
    pc_status status = pci_cluster_call(cluster, context, operation, command);
    const pci_graph_part *part = cluster->part[number];
    if (status != PC_OK || !part) {
        pci_free(context, parts);
        return status;
    }
    *parts = (pci_cluster_graph){.base = {.multiply = multiply,
                                          .prepare_pairs = prepare_pairs,
                                          .slices = pci_cluster_slices,
                                          .reverse = reverse,
                                          .check = check,
                                          .free = free_graph,
                                          .engine = &cluster->engine,
                                          .n_processes = cluster->all.n,
                                          .first = part->first,
                                          .n_arcs = part->n_arcs,
                                          .largest_degree = part->largest_degree,
                                          .degree_squares = part->degree_squares},
                                 .context = context,
                                 .cluster = cluster,
                                 .number = number};
    pc_graph *graph = *made;
    pci_free(graph->context, graph->row_start);
    pci_free(graph->context, graph->column);
    pci_free(graph->context, graph->weight);
    graph->row_start = NULL;
    graph->column = NULL;
    graph->weight = NULL;
    graph->parts = &parts->base;
    graph->largest_row_sum = part->graph->largest_row_sum;
    pci_graph_seal(context, graph);
    return PC_OK;
}

uint64_t *pci_cluster_ranges(pc_context *context, const pc_cluster *cluster, const pc_graph *graph)
{
    size_t n = (size_t)cluster->all.n + 1;
    uint64_t *first = pci_alloc_zero(context, n, sizeof *first);
    if (first)
        pci_part_ranges(graph->n, graph->row_start, cluster->all.n, first);
    else
        pci_fail_memory(context, "a part of the graph", n * sizeof *first);
    return first;
}

pc_status pc_graph_distribute(pc_context *context, pc_cluster *cluster, pc_graph *graph)
{
    if (!context || !cluster || !graph)
        return pci_fail_null(context, "cluster or graph");
    if (graph->parts)
        return pci_fail(context, PC_ERR_ARGUMENT, "the graph is distributed already");
    uint64_t *first = pci_cluster_ranges(context, cluster, graph);
    if (!first)
        return PC_ERR_MEMORY;
    pc_status status = pci_cluster_make(
        context, cluster, pci_op_distribute,
        (pci_command){.is_weighted = graph->weight != NULL, .in = graph, .ranges = first}, &graph);
    pci_free(context, first);
    return status;
}
