/* A serialized graph becomes a graph. Rows in canonical form, as GAP and we write them, are read into the arrays of the
 * graph; others go through the builder. What the file says twice is compared: the two arcs of an undirected edge one by one,
 * because the counting relies on it; the outgoing and incoming arcs of a directed graph, of which only the
 * first are kept, by sums of hashes. */
#include "io/read_serialized.h"

#include "graphs/builder.h"
#include "graphs/given_rows.h"
#include "io/labels_file.h"
#include "io/serialized.h"

#include <inttypes.h>

enum { PIECE_ARCS = 1 << 20 };

typedef struct reading {
    const pci_input *input;
    pc_context *context;
    const pc_graph_options *options; /* or NULL */
    bool takes_weights;
    pci_serialized head;
    uint64_t n; /* vertices: those of the file, or more that are asked for */
    uint64_t *start;
    uint32_t *column;
    uint64_t *weight;      /* NULL: there are none */
    pci_graph_draft draft; /* without edges */
} reading;

/* ---- Rows ------------------------------------------------------------------------------------ */

static pc_status allocate(reading *r)
{
    uint64_t n_arcs = r->head.n_arcs;
    bool weights = r->head.is_weighted;
    uint64_t bytes = (r->n + 1) * sizeof *r->start +
                     n_arcs * (sizeof *r->column + (weights ? sizeof *r->weight : 0));
    if (bytes > pci_memory_available(r->context))
        return pci_fail_memory(r->context, "the graph", bytes);
    r->start = pci_alloc(r->context, (r->n + 1) * sizeof *r->start);
    r->column = pci_alloc(r->context, n_arcs * sizeof *r->column);
    r->weight = weights ? pci_alloc(r->context, n_arcs * sizeof *r->weight) : NULL;
    if (!r->start || !r->column || (weights && !r->weight))
        return pci_fail_memory(r->context, "the graph", bytes);
    return PC_OK;
}

static pc_status read_rows(reading *r)
{
    uint64_t n = r->head.n, n_asked = r->options ? r->options->n_vertices : 0;
    r->n = n > n_asked ? n : n_asked;
    pc_status status = allocate(r);
    if (status == PC_OK)
        status = pci_serialized_read_starts(r->input, &r->head, PCI_OUTGOING, 0, n, r->start);
    if (status == PC_OK)
        status = pci_serialized_read_arcs(r->input, &r->head, PCI_OUTGOING, 0, n, r->start,
                                          r->takes_weights, r->column, r->weight);
    for (uint64_t row = n + 1; status == PC_OK && row <= r->n; row++)
        r->start[row] = r->start[n];
    return status;
}

/* ---- Incoming arcs --------------------------------------------------------------------------- */

/* The row after those from first on that have at most PIECE_ARCS arcs, or after first. */
static uint64_t find_end(const uint64_t *start, uint64_t first, uint64_t n)
{
    uint64_t end = first + 1;
    while (end < n && start[end + 1] - start[first] <= PIECE_ARCS)
        end++;
    return end;
}

/* Reads the incoming arcs piece by piece; the arrays have room for any of the pieces. */
static pc_status sum_incoming(const reading *r, const uint64_t *start, uint32_t *column,
                              uint64_t *weight, uint64_t *sum)
{
    uint64_t n = r->head.n;
    *sum = 0;
    for (uint64_t first = 0, end; first < n; first = end) {
        end = find_end(start, first, n);
        pc_status status =
            pci_serialized_read_arcs(r->input, &r->head, PCI_INCOMING, first, end, start + first,
                                     r->takes_weights, column, weight);
        if (status)
            return status;
        *sum += pci_serialized_sum(r->context, 0, PCI_INCOMING, first, end, start + first, column,
                                   weight);
    }
    return PC_OK;
}

static uint64_t find_room(const uint64_t *start, uint64_t n)
{
    uint64_t room = PIECE_ARCS < start[n] ? PIECE_ARCS : start[n];
    for (uint64_t row = 0; row < n; row++)
        room = start[row + 1] - start[row] > room ? start[row + 1] - start[row] : room;
    return room;
}

static pc_status check_incoming(const reading *r)
{
    pc_context *context = r->context;
    uint64_t n = r->head.n, room = 0, sum;
    uint64_t *start = pci_alloc(context, (n + 1) * sizeof *start), *weight = NULL;
    uint32_t *column = NULL;
    pc_status status =
        start ? pci_serialized_read_starts(r->input, &r->head, PCI_INCOMING, 0, n, start)
              : pci_fail_memory(context, "the incoming arcs", (n + 1) * sizeof *start);
    if (status == PC_OK) {
        room = find_room(start, n);
        column = pci_alloc(context, room * sizeof *column);
        weight = r->weight ? pci_alloc(context, room * sizeof *weight) : NULL;
        if (!column || (r->weight && !weight))
            status = pci_fail_memory(context, "the incoming arcs", room * sizeof *weight);
    }
    if (status == PC_OK)
        status = sum_incoming(r, start, column, weight, &sum);
    if (status == PC_OK &&
        sum != pci_serialized_sum(context, 0, PCI_OUTGOING, 0, n, r->start, r->column, r->weight))
        status = pci_serialized_fail_incoming(r->input);
    pci_free(context, start);
    pci_free(context, column);
    pci_free(context, weight);
    return status;
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static pc_status find_labels(reading *r)
{
    pci_labels *labels = &r->draft.labels;
    *labels = pci_labels_range(0, r->head.n);
    pc_status status = r->input->path
                           ? pci_labels_file_read(r->context, r->input->path, r->head.n, labels)
                           : PC_OK;
    bool are_numbers = labels->kind == PCI_LABELS_RANGE && labels->first == 0;
    if (status || r->n == r->head.n)
        return status;
    if (!are_numbers)
        return pci_fail(r->context, PC_ERR_ARGUMENT,
                        "a number of vertices needs the labels 0, 1, 2, ..., and %s%s has others",
                        r->input->name, PC_LABELS_ENDING);
    *labels = pci_labels_range(0, r->n);
    return PC_OK;
}

static void describe(reading *r)
{
    const pc_graph_options *options = r->options;
    pci_graph_draft *draft = &r->draft;
    pci_draft_set_direction(draft, r->head.is_directed ? PC_DIRECTED : PC_UNDIRECTED, options);
    draft->multigraph = (options && options->multigraph) || r->takes_weights;
    draft->weights_are_flags = r->weight && !r->takes_weights;
    draft->info.weights_ignored = r->weight && !r->takes_weights;
    draft->info.format = "GAP";
}

/* ---- The graph ------------------------------------------------------------------------------- */

/* A directed graph that takes over rows and labels. */
static pc_status adopt(reading *r, const pci_given_rows *given, pc_graph **graph)
{
    pc_graph *made = pci_alloc(r->context, sizeof *made);
    if (!made)
        return pci_fail_memory(r->context, "the graph", sizeof *made);
    *made = pci_given_rows_describe(r->context, given, r->draft.info.format);
    made->info.direction_overridden = r->draft.info.direction_overridden;
    made->info.weights_ignored = r->draft.info.weights_ignored;
    made->labels = r->draft.labels;
    made->row_start = r->start;
    made->column = r->column;
    made->weight = given->max_weight > 1 ? r->weight : NULL;
    r->draft.labels = (pci_labels){0};
    r->start = NULL;
    r->column = NULL;
    if (made->weight)
        r->weight = NULL;
    *graph = made;
    return PC_OK;
}

/* A graph by the builder, where the rows are to be sorted, joined or turned. */
static pc_status build(reading *r, const pci_given_rows *given, bool is_directed, pc_graph **graph)
{
    bool overridden = r->draft.info.direction_overridden;
    pc_status status = pci_given_rows_edges(r->context, given, &r->draft.edges);
    if (status)
        return status;
    r->draft.info.directed = is_directed;
    status = pci_graph_build(r->context, &r->draft, graph);
    if (status == PC_OK)
        (*graph)->info.direction_overridden = overridden;
    return status;
}

static pc_status refuse_one_way(const reading *r, const pc_graph *graph, uint64_t arc)
{
    uint64_t row = 0;
    while (graph->row_start[row + 1] <= arc)
        row++;
    return pci_fail(r->context, PC_ERR_DATA,
                    "%s: the head says undirected, and the arc from vertex %" PRIu64
                    " to vertex %" PRIu32 " has no opposite one of the same weight",
                    r->input->name, row, graph->column[arc]);
}

/* Each edge of an undirected graph is there both ways. */
static pc_status check_undirected(const reading *r, pc_graph *graph, bool is_directed)
{
    uint64_t arc;
    pc_status status = pci_graph_find_one_way(r->context, graph, &arc);
    if (status == PC_OK && arc < pci_graph_n_arcs(graph))
        status = refuse_one_way(r, graph, arc);
    if (status == PC_OK && !is_directed)
        pci_graph_set_undirected(graph, true);
    return status;
}

static pc_status make_graph(reading *r, pc_graph **graph)
{
    pci_given_rows given = {
        .n = r->n, .n_arcs = r->head.n_arcs, .arcs = {r->start, r->column, r->weight}};
    uint64_t bad_row;
    bool is_directed = r->draft.info.directed, turns = r->head.is_directed && !is_directed;
    pc_graph *made = NULL;
    pci_given_rows_look(r->context, &given, &bad_row);
    pc_status status =
        given.is_canonical && !turns ? adopt(r, &given, &made) : build(r, &given, !turns, &made);
    if (status == PC_OK && !r->head.is_directed)
        status = check_undirected(r, made, is_directed);
    if (status) {
        pc_graph_free(made);
        return status;
    }
    pci_graph_seal(r->context, made);
    *graph = made;
    return PC_OK;
}

pc_status pci_serialized_read(const pci_input *input, const pc_graph_options *options,
                              pc_graph **graph)
{
    reading r = {.input = input,
                 .context = input->context,
                 .options = options,
                 .takes_weights = options && options->weights};
    pc_status status;
    if ((status = pci_serialized_read_head(input, &r.head)) || (status = read_rows(&r)) ||
        (r.head.is_directed && (status = check_incoming(&r))) ||
        (status = pci_input_check(input)) || (status = find_labels(&r)))
        goto done;
    describe(&r);
    status = make_graph(&r, graph);
done:
    pci_draft_free(r.context, &r.draft);
    pci_free(r.context, r.start);
    pci_free(r.context, r.column);
    pci_free(r.context, r.weight);
    return status;
}
