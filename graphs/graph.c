/* The graph as its users see it: made from arrays, asked, freed. */
#include "graphs/graph.h"

#include "graphs/builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_A_THREAD = 4 };

/* Room for n_edges edges in equal parts, a few for each thread. */
static pc_status create_equal_parts(pc_context *context, uint64_t n_edges, bool with_weights,
                                    pci_edges *edges)
{
    uint64_t n_parts = (uint64_t)(PARTS_A_THREAD * pci_threads_for(context, PCI_OPERATIONS_AN_EDGE *
                                                                                (double)n_edges));
    uint64_t *n_edges_of = pci_alloc(context, n_parts * sizeof *n_edges_of);
    if (!n_edges_of)
        return pci_fail_memory(context, "the edges", n_parts * sizeof *n_edges_of);
    for (uint64_t part = 0; part < n_parts; part++)
        n_edges_of[part] = n_edges / n_parts + (part < n_edges % n_parts);
    pc_status status = pci_edges_create(context, n_parts, n_edges_of, with_weights, edges);
    pci_free(context, n_edges_of);
    return status;
}

/* Copies the arrays; *bad gets the first edge that names a vertex out of range, or n_edges. */
static void copy_edges(const pc_edges *given, const pci_edges *edges, int n_threads, uint64_t *bad)
{
    uint64_t first_bad = given->n_edges;
#pragma omp parallel for num_threads(n_threads) reduction(min : first_bad)
    for (uint64_t e = 0; e < given->n_edges; e++) {
        if (given->from[e] >= given->n_vertices || given->to[e] >= given->n_vertices) {
            first_bad = e < first_bad ? e : first_bad;
            continue;
        }
        edges->edge[e] = (pci_edge){(uint32_t)given->from[e], (uint32_t)given->to[e]};
        if (edges->weight)
            edges->weight[e] = given->weight[e];
    }
    *bad = first_bad;
}

static pc_status take_edges(pc_context *context, const pc_edges *given, pci_edges *edges)
{
    if (given->n_edges > 0 && (!given->from || !given->to))
        return pci_fail(context, PC_ERR_ARGUMENT, "edges without an array of their ends");
    pc_status status = create_equal_parts(context, given->n_edges, given->weight != NULL, edges);
    if (status)
        return status;
    uint64_t bad;
    copy_edges(given, edges,
               pci_threads_for(context, PCI_OPERATIONS_AN_EDGE * (double)given->n_edges), &bad);
    if (bad == given->n_edges)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edge %" PRIu64 " joins vertices %" PRIu64 " and %" PRIu64
                    ", and the last vertex is %" PRIi64,
                    bad, given->from[bad], given->to[bad], (int64_t)given->n_vertices - 1);
}

static pc_status add_names(pc_context *context, const pc_edges *given, pci_names *names)
{
    for (uint64_t v = 0; v < given->n_vertices; v++) {
        const char *label = given->labels[v];
        uint32_t number;
        if (!label)
            return pci_fail(context, PC_ERR_ARGUMENT, "the label of vertex %" PRIu64 " is NULL", v);
        pc_status status = pci_names_add(context, names, label, strlen(label), &number);
        if (status)
            return pci_fail_memory(context, "labels", given->n_vertices * sizeof number);
        if (number != v)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "vertices %" PRIu32 " and %" PRIu64 " have the same label '%.40s'",
                            number, v, label);
    }
    return PC_OK;
}

/* Labels of the draft, and its edges renumbered when the labels are integers. */
static pc_status take_labels(pc_context *context, const pc_edges *given, uint64_t n_vertices,
                             pci_graph_draft *draft)
{
    if (!given->labels) {
        uint64_t n = n_vertices > given->n_vertices ? n_vertices : given->n_vertices;
        draft->labels = pci_labels_range(0, n);
        return PC_OK;
    }
    pci_names names = {0};
    uint32_t *vertex_of_name;
    pc_status status = add_names(context, given, &names);
    if (status == PC_OK)
        status =
            pci_labels_from_names(context, &names, n_vertices, &draft->labels, &vertex_of_name);
    else
        pci_names_free(context, &names);
    if (status == PC_OK && vertex_of_name) {
        pci_edges_renumber(context, &draft->edges, vertex_of_name);
        pci_free(context, vertex_of_name);
    }
    return status;
}

pc_status pc_graph_from_edges(pc_context *context, const pc_edges *edges,
                              const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !edges || !graph)
        return pci_fail_null(context, "edges or graph");
    uint64_t n_vertices = options ? options->n_vertices : 0;
    pci_graph_draft draft = {.multigraph = options && options->multigraph,
                             .info = {.format = edges->format ? edges->format : "arrays",
                                      .weights_ignored = edges->weights_ignored}};
    pc_status status = pci_check_n_vertices(context, edges->n_vertices);
    if (status == PC_OK)
        status = pci_check_n_vertices(context, n_vertices);
    if (status == PC_OK)
        status = pci_check_directions(context, edges->stated, options);
    if (status)
        return status;
    snprintf(draft.note, sizeof draft.note, "%s", edges->note ? edges->note : "");
    pci_draft_set_direction(&draft, edges->stated, options);
    if ((status = take_edges(context, edges, &draft.edges)) ||
        (status = take_labels(context, edges, n_vertices, &draft))) {
        pci_draft_free(context, &draft);
        return status;
    }
    return pci_graph_build(context, &draft, graph);
}

pc_status pc_graph_from_arrays(pc_context *context, uint64_t n_vertices, uint64_t n_edges,
                               const uint64_t *from, const uint64_t *to, const uint64_t *weight,
                               const pc_graph_options *options, pc_graph **graph)
{
    pc_edges edges = {
        .n_vertices = n_vertices, .n_edges = n_edges, .from = from, .to = to, .weight = weight};
    return pc_graph_from_edges(context, &edges, options, graph);
}

void pc_graph_free(pc_graph *graph)
{
    if (!graph)
        return;
    pc_context *context = graph->context;
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

size_t pc_graph_label(const pc_graph *graph, uint64_t vertex, char *buffer, size_t size)
{
    return pc_labels_text(pc_graph_labels(graph), vertex, buffer, size);
}

void pc_graph_arcs(const pc_graph *graph, pc_arcs *arcs)
{
    if (!arcs)
        return;
    *arcs = graph ? (pc_arcs){graph->row_start, graph->column, graph->weight} : (pc_arcs){0};
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
    if (pci_labels_find(&graph->labels, label, vertex))
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT, "no vertex is labelled '%.200s'", label);
}
