/* A graph from compressed rows. Rows in canonical form, as pc_graph_arcs tells them and as most programs keep them,
 * are copied; others become edges of a draft, which the builder sorts and joins. */
#include "graphs/builder.h"
#include "graphs/given_rows.h"

#include <inttypes.h>
#include <string.h>

/* ---- What is given --------------------------------------------------------------------------- */

static pc_status check_starts(pc_context *context, const pci_given_rows *given)
{
    const uint64_t *start = given->arcs.row_start;
    if (given->n && start[0] != 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "row 0 starts at arc %" PRIu64 " and not at 0",
                        start[0]);
    for (uint64_t row = 0; row < given->n; row++)
        if (start[row + 1] < start[row])
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "row %" PRIu64 " ends at arc %" PRIu64 ", before it starts at %" PRIu64,
                            row, start[row + 1], start[row]);
    return PC_OK;
}

void pci_given_rows_look(pc_context *context, pci_given_rows *given, uint64_t *bad_row)
{
    const pc_arcs arcs = given->arcs;
    const uint64_t n = given->n;
    uint64_t first_bad = n, n_loops = 0, max_weight = 0;
    bool is_canonical = true;
    int n_threads = pci_threads_for(context, (double)(given->n_arcs + n));
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

static pc_status check_columns(pc_context *context, pci_given_rows *given)
{
    uint64_t row, a;
    pci_given_rows_look(context, given, &row);
    if (row == given->n)
        return PC_OK;
    for (a = given->arcs.row_start[row]; given->arcs.column[a] < given->n;)
        a++;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "arc %" PRIu64 " leads from vertex %" PRIu64 " to vertex %" PRIu32
                    ", and the last vertex is %" PRIu64,
                    a, row, given->arcs.column[a], given->n - 1);
}

/* ---- Copied ---------------------------------------------------------------------------------- */

pc_graph pci_given_rows_describe(pc_context *context, const pci_given_rows *given,
                                 const char *format)
{
    return (pc_graph){.context = context,
                      .n = given->n,
                      .labels = pci_labels_range(0, given->n),
                      .info = {.n_vertices = given->n,
                               .n_edges = given->n_arcs,
                               .n_arcs = given->n_arcs,
                               .n_loops = given->n_loops,
                               .max_weight = given->max_weight,
                               .directed = 1,
                               .format = format}};
}

static pc_status copy_rows(pc_context *context, const pci_given_rows *given, pc_graph *graph)
{
    size_t n_arcs = given->n_arcs;
    bool weights = given->max_weight > 1;
    uint64_t bytes = 8 * (given->n + 1) + (weights ? 12 : 4) * given->n_arcs;
    if (!pci_memory_has(context, (double)bytes))
        return pci_fail_memory(context, "the graph", bytes);
    graph->row_start = pci_alloc(context, (given->n + 1) * sizeof *graph->row_start);
    graph->column = pci_alloc(context, n_arcs * sizeof *graph->column);
    graph->weight = weights ? pci_alloc(context, n_arcs * sizeof *graph->weight) : NULL;
    if (!graph->row_start || !graph->column || (weights && !graph->weight))
        return pci_fail_memory(context, "the graph", bytes);
    graph->row_start[0] = 0; /* row_start may be NULL where there is no vertex */
    if (given->n)
        memcpy(graph->row_start, given->arcs.row_start, (given->n + 1) * sizeof *graph->row_start);
    if (n_arcs)
        memcpy(graph->column, given->arcs.column, n_arcs * sizeof *graph->column);
    if (weights)
        memcpy(graph->weight, given->arcs.weight, n_arcs * sizeof *graph->weight);
    return PC_OK;
}

static pc_status copy(pc_context *context, const pci_given_rows *given, bool may_be_undirected,
                      pc_graph **graph)
{
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the graph", sizeof *made);
    *made = pci_given_rows_describe(context, given, "arrays");
    pc_status status = copy_rows(context, given, made);
    if (status == PC_OK && may_be_undirected)
        status = pci_graph_join_mutual(context, made, true);
    if (status != PC_OK) {
        pc_graph_free(made);
        return status;
    }
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

/* ---- Sorted ---------------------------------------------------------------------------------- */

enum { PARTS_A_THREAD = 4 };

pc_status pci_given_rows_edges(pc_context *context, const pci_given_rows *given, pci_edges *edges)
{
    const pc_arcs arcs = given->arcs;
    int n_threads = pci_threads_for(context, PCI_OPERATIONS_AN_EDGE * (double)given->n_arcs);
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

static pc_status sort(pc_context *context, const pci_given_rows *given,
                      const pc_graph_options *options, bool may_be_undirected, pc_graph **graph)
{
    pci_graph_draft draft = {
        .multigraph = options && options->multigraph,
        .may_be_mutual = may_be_undirected,
        .is_matrix = true,
        .info = {.directed = !options || options->direction != PC_UNDIRECTED, .format = "arrays"}};
    pc_status status = pci_given_rows_edges(context, given, &draft.edges);
    if (status != PC_OK)
        return status;
    draft.labels = pci_labels_range(0, given->n);
    return pci_graph_build(context, &draft, graph);
}

pc_status pc_graph_from_arcs(pc_context *context, uint64_t n_vertices, const pc_arcs *arcs,
                             const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !arcs || !graph || (n_vertices && !arcs->row_start))
        return pci_fail_null(context, "arcs, row_start or graph");
    pci_given_rows given = {.n = n_vertices, .arcs = *arcs};
    pc_direction direction = options ? options->direction : PC_DIRECTION_OF_FORMAT;
    pc_status status = pci_check_n_vertices(context, n_vertices);
    if (status == PC_OK)
        status = pci_check_directions(context, PC_DIRECTION_OF_FORMAT, options);
    if (status == PC_OK && options && options->loops == PC_LOOPS_TWICE)
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "loops are to count twice, and the entries of a matrix count as they "
                          "are: double those of its diagonal");
    if (status == PC_OK)
        status = check_starts(context, &given);
    if (status != PC_OK)
        return status;
    given.n_arcs = n_vertices ? arcs->row_start[n_vertices] : 0;
    if (given.n_arcs && !arcs->column)
        return pci_fail_null(context, "column");
    if ((status = check_columns(context, &given)) != PC_OK)
        return status;
    bool may_be_undirected = direction == PC_DIRECTION_OF_FORMAT;
    if (given.is_canonical && direction != PC_UNDIRECTED)
        return copy(context, &given, may_be_undirected, graph);
    return sort(context, &given, options, may_be_undirected, graph);
}
