/* Graphs from arrays of the caller. */
#include "graphs/builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_A_THREAD = 4 };

static const double ARC_SECONDS = 1e-9; /* to look at one */

/* ---- From edges --------------------------------------------------------------------------------- */

/* Edges and labels are copied into a draft. */

static pc_status take_edges(pc_context *context, const pc_edges *given, pci_edges *edges)
{
    if (given->n_edges > 0 && (!given->from || !given->to))
        return pci_fail(context, PC_ERR_ARGUMENT, "edges without an array of their ends");
    bool has_weights = given->weight || given->real_weight;
    int n_threads = pci_threads_worth(context, PCI_EDGE_SECONDS * (double)given->n_edges);
    pc_status status = pci_edges_create_equal(context, (size_t)(PARTS_A_THREAD * n_threads),
                                              given->n_edges, has_weights, edges);
    if (status)
        return status;
    uint64_t bad = given->n_edges; /* the first one that names a vertex out of range */
#pragma omp parallel for num_threads(n_threads) reduction(min : bad)
    for (uint64_t e = 0; e < given->n_edges; e++) {
        if (given->from[e] >= given->n_vertices || given->to[e] >= given->n_vertices) {
            bad = e < bad ? e : bad;
            continue;
        }
        edges->edge[e] = (pci_edge){(uint32_t)given->from[e], (uint32_t)given->to[e]};
        if (given->weight)
            edges->weight[e] = given->weight[e];
    }
    if (bad == given->n_edges)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edge %" PRIu64 " joins vertices %" PRIu64 " and %" PRIu64
                    ", and the last vertex is %" PRIi64,
                    bad, given->from[bad], given->to[bad], (int64_t)given->n_vertices - 1);
}

/* Weights as doubles, edge by edge; with decimals where the options take them, by a second pass. */
static pc_status take_real_weights(pc_context *context, const pc_edges *given,
                                   const pc_graph_options *options, pci_graph_draft *draft)
{
    pci_scale scale = {0}, *used = options && options->real_weights ? &scale : NULL;
    uint64_t *weight = draft->edges.weight;
    do
        for (uint64_t e = 0; e < given->n_edges; e++)
            if (pci_weight_from_double(used, given->real_weight[e], &weight[e]) != PCI_MULTIPLICITY)
                return pci_fail(
                    context, PC_ERR_DATA,
                    "the edge from vertex %" PRIu64 " to vertex %" PRIu64 " has weight %.17g: %s",
                    given->from[e], given->to[e], given->real_weight[e],
                    used ? "it must be a number from 0 to 2^64-1, and of those next to which 6 of "
                           "its digits count"
                         : "a multiplicity is an integer from 0 to 2^64-1");
    while (!scale.is_settled && pci_scale_settle(&scale, draft->multigraph));
    pci_draft_set_scale(draft, &scale);
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

static pc_status make_draft(pc_context *context, const pc_edges *edges,
                            const pc_graph_options *options, pci_graph_draft *made)
{
    uint64_t n_vertices = options ? options->n_vertices : 0;
    pci_graph_draft draft = {.multigraph = options && options->multigraph,
                             .info = {.format = edges->format ? edges->format : "arrays",
                                      .weights_ignored = edges->weights_ignored}};
    pc_status status;
    if ((status = pci_check_n_vertices(context, edges->n_vertices)) ||
        (status = pci_check_n_vertices(context, n_vertices)) ||
        (status = pci_check_directions(context, edges->stated, options)))
        return status;
    snprintf(draft.note, sizeof draft.note, "%s", edges->note ? edges->note : "");
    pci_draft_set_direction(&draft, edges->stated, options);
    if ((status = take_edges(context, edges, &draft.edges)) ||
        (edges->real_weight && (status = take_real_weights(context, edges, options, &draft))) ||
        (status = take_labels(context, edges, n_vertices, &draft))) {
        pci_draft_free(context, &draft);
        return status;
    }
    *made = draft;
    return PC_OK;
}

pc_status pc_graph_from_edges(pc_context *context, const pc_edges *edges,
                              const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !edges || !graph)
        return pci_fail_null(context, "edges or graph");
    pci_graph_draft draft;
    pc_status status = make_draft(context, edges, options, &draft);
    return status ? status : pci_graph_build(context, &draft, graph);
}

pc_status pc_labelled_edges_from_edges(pc_context *context, const pc_edges *edges, uint64_t n_texts,
                                       const char *const *texts, const uint64_t *text,
                                       const pc_graph_options *options,
                                       pc_labelled_edges **labelled)
{
    if (!context || !edges || !labelled || (n_texts && !texts) || (edges->n_edges && !text))
        return pci_fail_null(context, "edges, texts or labelled");
    if (edges->real_weight && options && options->real_weights)
        return pci_fail_labelled_decimals(context);
    pci_graph_draft draft;
    pc_status status = make_draft(context, edges, options, &draft);
    if (status)
        return status;
    if ((status = pci_edges_add_texts(context, edges->n_edges, &draft.edges)) == PC_OK)
        status = pci_names_from_texts(context, "text", "texts", n_texts, texts, &draft.texts);
    for (uint64_t e = 0; e < edges->n_edges && status == PC_OK; e++) {
        draft.edges.text[e] = (uint32_t)text[e];
        if (text[e] >= n_texts)
            status = pci_fail(context, PC_ERR_ARGUMENT,
                              "edge %" PRIu64 " has text %" PRIu64 ", and there are %" PRIu64, e,
                              text[e], n_texts);
    }
    if (status == PC_OK)
        return pci_labelled_build(context, &draft, labelled);
    pci_draft_free(context, &draft);
    return status;
}

/* ---- From compressed rows ----------------------------------------------------------------------- */

/* A graph from compressed rows. Rows in canonical form, as pc_graph_arcs tells them and as most programs keep them,
 * are copied; others become edges of a draft, which the builder sorts and joins. */

void pci_given_rows_look(pc_context *context, pci_given_rows *given, uint64_t *bad_row)
{
    const pc_arcs arcs = given->arcs;
    const uint64_t n = given->n;
    uint64_t first_bad = n, n_loops = 0, max_weight = 0;
    bool is_canonical = true;
    int n_threads = pci_threads_worth(context, ARC_SECONDS * (double)(given->n_arcs + n));
#pragma omp parallel for num_threads(n_threads) reduction(min : first_bad)                         \
    reduction(+ : n_loops) reduction(max : max_weight) reduction(&& : is_canonical)
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            uint64_t weight = arcs.weight ? arcs.weight[a] : 1;
            if (arcs.column[a] >= n && row < first_bad)
                first_bad = row;
            if (weight == 0 || (a > arcs.row_start[row] && arcs.column[a] <= arcs.column[a - 1]))
                is_canonical = false;
            n_loops += arcs.column[a] == given->first + row;
            max_weight = weight > max_weight ? weight : max_weight;
        }
    given->is_canonical = is_canonical;
    given->n_loops = n_loops;
    given->max_weight = max_weight;
    *bad_row = first_bad;
}

/* Checks the arcs, and counts and looks at them. */
static pc_status check_arcs(pc_context *context, pci_given_rows *given)
{
    const pc_arcs *arcs = &given->arcs;
    const uint64_t *start = arcs->row_start;
    uint64_t row, a;
    if (given->n && start[0] != 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "row 0 starts at arc %" PRIu64 " and not at 0",
                        start[0]);
    for (row = 0; row < given->n; row++)
        if (start[row + 1] < start[row])
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "row %" PRIu64 " ends at arc %" PRIu64 ", before it starts at %" PRIu64,
                            row, start[row + 1], start[row]);
    if (arcs->decimals > PCI_MOST_DECIMALS || !(arcs->weight_error >= 0 && arcs->weight_error < 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "arcs have %" PRIu32 " decimals and the error %g: at most %d, and below 1",
                        arcs->decimals, arcs->weight_error, PCI_MOST_DECIMALS);
    given->n_arcs = given->n ? start[given->n] : 0;
    if (given->n_arcs && !arcs->column)
        return pci_fail_null(context, "column");
    pci_given_rows_look(context, given, &row);
    if (row == given->n)
        return PC_OK;
    for (a = start[row]; arcs->column[a] < given->n;)
        a++;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "arc %" PRIu64 " leads from vertex %" PRIu64 " to vertex %" PRIu32
                    ", and the last vertex is %" PRIu64,
                    a, row, arcs->column[a], given->n - 1);
}

pc_graph_info pci_given_rows_info(const pci_given_rows *given, const char *format)
{
    return (pc_graph_info){.n_vertices = given->n,
                           .n_edges = given->n_arcs,
                           .n_arcs = given->n_arcs,
                           .n_loops = given->n_loops,
                           .max_weight = given->max_weight,
                           .decimals = given->arcs.decimals,
                           .weight_error = given->arcs.weight_error,
                           .directed = 1,
                           .format = format};
}

static pc_status copy(pc_context *context, const pci_given_rows *given, bool may_be_undirected,
                      pc_graph **graph)
{
    const pc_arcs *arcs = &given->arcs;
    const size_t n_arcs = given->n_arcs;
    pci_sparse rows;
    pc_graph *made = NULL;
    pc_status status =
        pci_sparse_create(context, given->n, given->n, n_arcs, given->max_weight > 1, &rows);
    if (status)
        return status;
    if (given->n) /* the arrays may be NULL where there is nothing */
        memcpy(rows.row_start, arcs->row_start, (given->n + 1) * sizeof *rows.row_start);
    if (n_arcs)
        memcpy(rows.column, arcs->column, n_arcs * sizeof *rows.column);
    if (rows.limbs)
        memcpy(rows.limbs, arcs->weight, n_arcs * sizeof *rows.limbs);
    if ((status = pci_graph_adopt(context, &rows, &made)))
        return status;
    made->info = pci_given_rows_info(given, "arrays");
    if (may_be_undirected && (status = pci_graph_join_mutual(context, made, true))) {
        pc_graph_free(made);
        return status;
    }
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

pc_status pci_given_rows_edges(pc_context *context, const pci_given_rows *given, pci_edges *edges)
{
    const pc_arcs arcs = given->arcs;
    int n_threads = pci_threads_worth(context, PCI_EDGE_SECONDS * (double)given->n_arcs);
    pc_status status = pci_edges_create_equal(context, (size_t)(PARTS_A_THREAD * n_threads),
                                              given->n_arcs, arcs.weight != NULL, edges);
    if (status != PC_OK)
        return status;
#pragma omp parallel for num_threads(n_threads)
    for (uint64_t row = 0; row < given->n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            edges->edge[a] = (pci_edge){(uint32_t)row, arcs.column[a]};
    if (arcs.weight && given->n_arcs)
        memcpy(edges->weight, arcs.weight, given->n_arcs * sizeof *arcs.weight);
    return PC_OK;
}

pc_status pc_graph_from_arcs(pc_context *context, uint64_t n_vertices, const pc_arcs *arcs,
                             const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !arcs || !graph || (n_vertices && !arcs->row_start))
        return pci_fail_null(context, "arcs, row_start or graph");
    pci_given_rows given = {.n = n_vertices, .arcs = *arcs};
    pc_direction direction = options ? options->direction : PC_DIRECTION_OF_FORMAT;
    const bool may_be_undirected = direction == PC_DIRECTION_OF_FORMAT;
    pc_status status;
    if ((status = pci_check_n_vertices(context, n_vertices)) ||
        (status = pci_check_directions(context, PC_DIRECTION_OF_FORMAT, options)))
        return status;
    if (options && options->loops == PC_LOOPS_TWICE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "loops are to count twice, and the entries of a matrix count as they "
                        "are: double those of its diagonal");
    if ((status = check_arcs(context, &given)))
        return status;
    if (given.is_canonical && direction != PC_UNDIRECTED)
        return copy(context, &given, may_be_undirected, graph);
    pci_graph_draft draft = {.multigraph = options && options->multigraph,
                             .may_be_mutual = may_be_undirected,
                             .is_matrix = true,
                             .labels = pci_labels_range(0, n_vertices),
                             .info = {.decimals = arcs->decimals,
                                      .weight_error = arcs->weight_error,
                                      .directed = direction != PC_UNDIRECTED,
                                      .format = "arrays"}};
    status = pci_given_rows_edges(context, &given, &draft.edges);
    return status ? status : pci_graph_build(context, &draft, graph);
}
