/* The calls about labelled edges that make none: their graph without texts, and facts. */
#include "graphs/builder.h"

#include <string.h>

pc_status pc_labelled_edges_graph(pc_context *context, const pc_labelled_edges *labelled,
                                  pc_graph **graph)
{
    if (!context || !labelled || !graph)
        return pci_fail_null(context, "labelled or graph");
    const pc_graph *given = &labelled->graph;
    pci_given_rows rows = {.n = given->n,
                           .n_arcs = pci_graph_n_arcs(given),
                           .arcs = {given->row_start, given->column, given->weight, 0, 0}};
    pci_graph_draft draft = {.multigraph = true, .has_mirrors = true, .info = given->info};
    pc_graph *made;
    pc_status status = pci_labels_select(context, &given->labels, NULL, &draft.labels);
    if (status == PC_OK)
        status = pci_given_rows_edges(context, &rows, &draft.edges);
    if (status == PC_OK)
        status = pci_graph_build(context, &draft, &made);
    else
        pci_draft_free(context, &draft);
    if (status)
        return status;
    uint64_t most = made->info.max_weight, n_entries = made->info.n_arcs;
    made->info = given->info;
    made->info.max_weight = most;
    made->info.n_arcs = n_entries;
    memcpy(made->note, given->note, sizeof made->note);
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

void pc_labelled_edges_free(pc_labelled_edges *labelled)
{
    pc_graph_free((pc_graph *)labelled);
}

void pc_labelled_edges_get_info(const pc_labelled_edges *labelled, pc_graph_info *info)
{
    pc_graph_get_info((const pc_graph *)labelled, info);
}

const pc_labels *pc_labelled_edges_labels(const pc_labelled_edges *labelled)
{
    return pc_graph_labels((const pc_graph *)labelled);
}

const pc_labels *pc_labelled_edges_texts(const pc_labelled_edges *labelled)
{
    return labelled ? &labelled->graph.texts : NULL;
}

void pc_labelled_edges_arcs(const pc_labelled_edges *labelled, pc_arcs *arcs, const uint32_t **text)
{
    pc_graph_arcs((const pc_graph *)labelled, arcs);
    if (text)
        *text = labelled ? labelled->graph.text : NULL;
}

pc_status pc_labelled_edges_check(pc_context *context, const pc_labelled_edges *labelled)
{
    return pc_graph_check(context, (const pc_graph *)labelled);
}
