/* A graph file that holds one graph in graph6, sparse6 or digraph6. */
#include "io/graph6.h"

#include <inttypes.h>
#include <string.h>

/* The end of the line at begin, '\n' or the end of the text. */
static const char *find_line_end(const char *begin, const char *end)
{
    const char *line_end = memchr(begin, '\n', (size_t)(end - begin));
    return line_end ? line_end : end;
}

/* What follows the graph may be blank lines only. */
static pc_status check_rest(const pci_input *input, const char *at)
{
    const char *end = input->text + input->n_bytes;
    while (at < end) {
        const char *line_end = find_line_end(at, end);
        if (!pci_graph6_is_blank(at, (size_t)(line_end - at)))
            return pci_input_fail(
                input, at,
                "more than one graph: 'pathcount batch FILE --length K --total' counts "
                "each of them");
        at = line_end < end ? line_end + 1 : end;
    }
    return PC_OK;
}

static pc_status fill_draft(const pci_listed *graph, const pc_graph_options *options,
                            pci_graph_draft *draft)
{
    pci_graph_draft made = {.multigraph = options && options->multigraph};
    uint64_t n_added = options ? options->n_vertices : 0;
    pc_status status = pci_edges_create(graph->context, 1, &graph->n_edges, false, &made.edges);
    if (status)
        return status;
    for (uint64_t e = 0; e < graph->n_edges; e++)
        made.edges.edge[e] = (pci_edge){(uint32_t)graph->from[e], (uint32_t)graph->to[e]};
    made.labels = pci_labels_range(0, graph->n_vertices > n_added ? graph->n_vertices : n_added);
    pci_draft_set_direction(&made, graph->is_directed ? PC_DIRECTED : PC_UNDIRECTED, options);
    *draft = made;
    return PC_OK;
}

/* The line from begin to end as a graph whose edges are listed; repeated ones are kept, for the
 * builder to count. */
static pc_status list_line(const pci_input *input, const char *begin, const char *end,
                           const pc_graph_options *options, pci_listed *graph)
{
    const char *flaw = NULL;
    pc_status status = pci_graph6_decode(begin, (size_t)(end - begin), true, graph, &flaw);
    if (status == PC_ERR_DATA)
        return pci_input_fail(input, begin, "%s", flaw);
    if (status == PC_OK && graph->is_small)
        status = pci_listed_from_rows(graph);
    if (status)
        return pci_fail(input->context, status, "%s: no memory for its edges", input->name);
    if ((status = pci_input_check_stated(input, (uint64_t)(begin - input->text), graph->n_vertices,
                                         options)))
        return status;
    return pci_check_n_vertices(input->context, graph->n_vertices);
}

pc_status pci_graph6_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    pci_listed graph = {.context = input->context};
    const char *end = input->text + input->n_bytes, *line_end = find_line_end(begin, end);
    pc_status status = list_line(input, begin, line_end, options, &graph);
    if (status == PC_OK)
        status = check_rest(input, line_end < end ? line_end + 1 : end);
    if (status == PC_OK)
        status = fill_draft(&graph, options, draft);
    if (status == PC_OK)
        draft->info.format = pci_graph6_kind(begin, (size_t)(line_end - begin));
    pci_listed_free(&graph);
    return status;
}
