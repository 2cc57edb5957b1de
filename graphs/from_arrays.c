/* Graphs from arrays: their edges and labels are copied into a draft. */
#include "graphs/builder.h"

#include <inttypes.h>
#include <stdio.h>

enum { PARTS_A_THREAD = 4 };

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
        if (given->weight)
            edges->weight[e] = given->weight[e];
    }
    *bad = first_bad;
}

/* Weights as doubles, edge by edge; with decimals where there is a scale. */
static pc_status convert_weights(pc_context *context, const pc_edges *given, pci_scale *scale,
                                 uint64_t *weight)
{
    for (uint64_t e = 0; e < given->n_edges; e++)
        if (pci_weight_from_double(scale, given->real_weight[e], &weight[e]) != PCI_MULTIPLICITY)
            return pci_fail(
                context, PC_ERR_DATA,
                "the edge from vertex %" PRIu64 " to vertex %" PRIu64 " has weight %.17g: %s",
                given->from[e], given->to[e], given->real_weight[e],
                scale ? "it must be a number from 0 to 2^64-1, and of those next to which "
                        "6 of its digits count"
                      : "a multiplicity is an integer from 0 to 2^64-1");
    return PC_OK;
}

static pc_status take_real_weights(pc_context *context, const pc_edges *given,
                                   const pc_graph_options *options, pci_graph_draft *draft)
{
    pci_scale scale = {0}, *used = options && options->real_weights ? &scale : NULL;
    uint64_t *weight = draft->edges.weight;
    pc_status status = convert_weights(context, given, used, weight);
    if (status == PC_OK && pci_scale_settle(&scale, draft->multigraph))
        status = convert_weights(context, given, used, weight);
    pci_draft_set_scale(draft, &scale);
    return status;
}

static pc_status take_edges(pc_context *context, const pc_edges *given, pci_edges *edges)
{
    if (given->n_edges > 0 && (!given->from || !given->to))
        return pci_fail(context, PC_ERR_ARGUMENT, "edges without an array of their ends");
    bool has_weights = given->weight || given->real_weight;
    int n_threads = pci_threads_for(context, PCI_OPERATIONS_AN_EDGE * (double)given->n_edges);
    pc_status status = pci_edges_create_equal(context, (size_t)(PARTS_A_THREAD * n_threads),
                                              given->n_edges, has_weights, edges);
    if (status)
        return status;
    uint64_t bad;
    copy_edges(given, edges, n_threads, &bad);
    if (bad == given->n_edges)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edge %" PRIu64 " joins vertices %" PRIu64 " and %" PRIu64
                    ", and the last vertex is %" PRIi64,
                    bad, given->from[bad], given->to[bad], (int64_t)given->n_vertices - 1);
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
    pci_names names;
    uint32_t *vertex_of_name;
    pc_status status = pci_names_from_texts(context, "vertex", "vertices", given->n_vertices,
                                            given->labels, &names);
    if (status == PC_OK)
        status =
            pci_labels_from_names(context, &names, n_vertices, &draft->labels, &vertex_of_name);
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
        (edges->real_weight && (status = take_real_weights(context, edges, options, &draft))) ||
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
