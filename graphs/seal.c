/* The seal of a graph: checksums of all that it holds, taken when it is complete. A bit that changes in memory
 * after that changes the counts and what certifies them alike; only the seal tells. */
#include "graphs/graph.h"

#include "src/core/checksum.h"

#include <stddef.h>

/* ---- Parts of a graph: each says where the next one lies, and how long it is ------------------ */

/* The struct itself: sizes, pointers and facts, without the seal. */
static uint64_t sum_head(const pc_context *context, const pc_graph *graph)
{
    (void)context;
    return pci_checksum(graph, offsetof(pc_graph, is_sealed), 0);
}

static uint64_t sum_starts(const pc_context *context, const pc_graph *graph)
{
    const pci_names *names = &graph->labels.names;
    uint64_t sum = graph->parts
                       ? 0
                       : pci_checksum_by_threads(context, graph->row_start,
                                                 (graph->n + 1) * sizeof *graph->row_start, 1);
    return names->n ? pci_checksum(names->start, (names->n + 1) * sizeof *names->start, sum) : sum;
}

static uint64_t sum_contents(const pc_context *context, const pc_graph *graph)
{
    const pci_names *names = &graph->labels.names;
    uint64_t n_arcs = pci_graph_n_arcs(graph), sum = pci_labels_checksum(&graph->labels);
    if (graph->parts) /* which are sealed themselves */
        return names->n ? pci_checksum(names->slots, names->n_slots * sizeof *names->slots, sum)
                        : sum;
    sum = pci_checksum_by_threads(context, graph->column, n_arcs * sizeof *graph->column, sum);
    if (graph->weight)
        sum = pci_checksum_by_threads(context, graph->weight, n_arcs * sizeof *graph->weight, sum);
    return names->n ? pci_checksum(names->slots, names->n_slots * sizeof *names->slots, sum) : sum;
}

static uint64_t (*const parts[PCI_SEALED_PARTS])(const pc_context *, const pc_graph *) = {
    sum_head, sum_starts, sum_contents};

/* ---- The seal -------------------------------------------------------------------------------- */

void pci_graph_seal(pc_context *context, pc_graph *graph)
{
    for (int p = 0; p < PCI_SEALED_PARTS; p++)
        graph->seal[p] = parts[p](context, graph);
    graph->is_sealed = true;
}

pc_status pc_graph_check(pc_context *context, const pc_graph *graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    bool is_same = graph->is_sealed;
    for (int p = 0; p < PCI_SEALED_PARTS && is_same; p++)
        is_same = graph->seal[p] == parts[p](context, graph);
    if (is_same)
        return graph->parts ? graph->parts->check(graph->parts, context) : PC_OK;
    return pci_fail(
        context, PC_ERR_CERTIFY,
        "the graph in memory is no longer the one that was read: memory may be defective");
}
