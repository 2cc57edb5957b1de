/* Serialized graphs: ranges of their rows, reading a graph, writing one. */
#include "io/serialized.h"

#include "graphs/builder.h"
#include "graphs/graph.h"
#include "io/output.h"
#include "io/line.h"
#include "src/core/checksum.h"

#include <errno.h>
#include <endian.h>
#include <inttypes.h>
#include <string.h>

static const uint64_t MOST_VERTICES = INT32_MAX; /* a vertex is an int32 */

enum {
    HEAD_BYTES = 17,
    PIECE_BYTES = 1 << 24,
    PIECE_PAIRS = 1 << 12,
    PIECE_ARCS = 1 << 20,
    ROWS_BETWEEN_LOOKS = 4096
};

static pc_status fail(const pci_input *input, const char *sentence)
{
    return pci_fail(input->context, PC_ERR_DATA, "%s: %s", input->name, sentence);
}

/* Reads bytes that are within the file. */
static pc_status read_bytes(const pci_input *input, uint64_t offset, void *to, uint64_t n_bytes)
{
    char *next = to;
    if (offset + n_bytes <= input->n_bytes) {
        if (n_bytes > 0)
            memcpy(to, input->text + offset, n_bytes);
        return PC_OK;
    }
    for (uint64_t at = 0; at < n_bytes; at += PIECE_BYTES) {
        size_t n_piece = n_bytes - at < PIECE_BYTES ? n_bytes - at : PIECE_BYTES;
        pc_status status = pci_input_read(input, offset + at, next + at, n_piece);
        if (status)
            return pci_input_fail_read(input, status, errno);
        if ((status = pci_progress(input->context, "read", 0)))
            return status;
    }
    return PC_OK;
}

/* ---- The head -------------------------------------------------------------------------------- */

static uint64_t arc_bytes(const pci_serialized *head)
{
    return head->is_weighted ? 2 * sizeof(int32_t) : sizeof(int32_t);
}

/* The arcs on one side, with their starts. */
static uint64_t side_bytes(const pci_serialized *head)
{
    return (head->n + 1) * sizeof(int64_t) + head->n_arcs * arc_bytes(head);
}

static uint64_t file_bytes(const pci_serialized *head)
{
    static const uint64_t most = UINT64_MAX / 64;
    if (head->n > most || head->n_arcs > most)
        return UINT64_MAX;
    return HEAD_BYTES + (head->is_directed ? 2 : 1) * side_bytes(head);
}

pc_status pci_serialized_read_head(const pci_input *input, pci_serialized *head)
{
    char bytes[HEAD_BYTES];
    uint64_t numbers[2];
    if (input->n_all < sizeof bytes)
        return fail(input, "too short for a serialized graph of GAP, whose head has 17 bytes "
                           "(--format edges reads an edge list)");
    pc_status status = read_bytes(input, 0, bytes, sizeof bytes);
    if (status)
        return status;
    if (bytes[0] != 0 && bytes[0] != 1)
        return fail(input, "no serialized graph of GAP: its first byte would be 0 or 1 (--format "
                           "edges reads an edge list)");
    memcpy(numbers, bytes + 1, sizeof numbers);
    pci_serialized made = {
        .is_directed = bytes[0], .n_arcs = le64toh(numbers[0]), .n = le64toh(numbers[1])};
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    made.is_weighted = named && named->format == PC_FORMAT_SERIALIZED
                           ? named->ending[1] == 'w'
                           : file_bytes(&made) != input->n_all;
    if (made.n > MOST_VERTICES)
        return fail(input, "its head states a number of vertices that is negative or above "
                           "2^31-1: the file is damaged");
    if (file_bytes(&made) != input->n_all)
        return pci_fail(input->context, PC_ERR_DATA,
                        "%s: %" PRIu64 " bytes, which is not the length of a graph of %" PRIu64
                        " vertices and %" PRIu64 " arcs with%s weights, as its head states: the "
                        "file is cut short, damaged, or not of that format",
                        input->name, input->n_all, made.n, made.n_arcs,
                        made.is_weighted ? "" : "out");
    *head = made;
    return PC_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint64_t starts_at(const pci_serialized *head, pci_arc_side side)
{
    return HEAD_BYTES + (side == PCI_INCOMING ? side_bytes(head) : 0);
}

pc_status pci_serialized_read_starts(const pci_input *input, const pci_serialized *head,
                                     pci_arc_side side, uint64_t first, uint64_t end,
                                     uint64_t *start)
{
    uint64_t n = end - first, before = 0;
    pc_status status = read_bytes(input, starts_at(head, side) + first * sizeof *start, start,
                                  (n + 1) * sizeof *start);
    if (status)
        return status;
    for (uint64_t i = 0; i <= n; i++) {
        start[i] = le64toh(start[i]);
        bool is_good = start[i] >= before && start[i] <= head->n_arcs &&
                       (first + i > 0 || start[i] == 0) &&
                       (first + i < head->n || start[i] == head->n_arcs);
        if (!is_good)
            return pci_fail(input->context, PC_ERR_DATA,
                            "%s: the %s arcs of vertex %" PRIu64 " cannot begin at number %" PRId64
                            ": these numbers ascend from 0 to %" PRIu64,
                            input->name, side == PCI_INCOMING ? "incoming" : "outgoing", first + i,
                            (int64_t)start[i], head->n_arcs);
        before = start[i];
    }
    return PC_OK;
}

static pc_status fail_arc(const pci_input *input, pci_arc_side side, uint64_t first,
                          const uint64_t *start, uint64_t arc, uint32_t column, const char *fault)
{
    uint64_t row = 0;
    while (start[row + 1] - start[0] <= arc)
        row++;
    row += first;
    bool incoming = side == PCI_INCOMING;
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: the arc from vertex %" PRId64 " to vertex %" PRId64 " %s", input->name,
                    incoming ? (int64_t)(int32_t)column : (int64_t)row,
                    incoming ? (int64_t)row : (int64_t)(int32_t)column, fault);
}

pc_status pci_serialized_read_arcs(const pci_input *input, const pci_serialized *head,
                                   pci_arc_side side, uint64_t first, uint64_t end,
                                   const uint64_t *start, bool takes_weights, uint32_t *column,
                                   uint64_t *weight)
{
    static const char beyond[] = "leads to or from no vertex: they are numbered from 0, and the "
                                 "head states how many there are";
    uint64_t n = start[end - first] - start[0];
    uint64_t at =
        starts_at(head, side) + (head->n + 1) * sizeof *start + start[0] * arc_bytes(head);
    uint32_t pair[2 * PIECE_PAIRS]; /* columns and weights take turns */
    pc_status status =
        head->is_weighted ? PC_OK : read_bytes(input, at, column, n * sizeof *column);
    for (uint64_t i = 0; i < n && head->is_weighted && status == PC_OK; i += PIECE_PAIRS) {
        size_t n_piece = n - i < PIECE_PAIRS ? n - i : PIECE_PAIRS;
        status = read_bytes(input, at + i * sizeof *pair * 2, pair, n_piece * sizeof *pair * 2);
        for (size_t j = 0; j < n_piece && status == PC_OK; j++) {
            column[i + j] = pair[2 * j];
            weight[i + j] = (uint64_t)(int64_t)(int32_t)le32toh(pair[2 * j + 1]);
        }
    }
    if (status)
        return status;
    for (uint64_t a = 0; a < n; a++) {
        column[a] = le32toh(column[a]);
        if (column[a] >= head->n)
            return fail_arc(input, side, first, start, a, column[a], beyond);
    }
    for (uint64_t a = 0; a < n && head->is_weighted; a++) {
        if (takes_weights && (int64_t)weight[a] < 0)
            return fail_arc(input, side, first, start, a, column[a],
                            pci_weight_fault(PCI_NEGATIVE));
        weight[a] = takes_weights ? weight[a] : weight[a] != 0;
    }
    return PC_OK;
}

/* ---- Both sides of a directed graph ---------------------------------------------------------- */

uint64_t pci_serialized_sum(const pc_context *context, uint64_t seed, pci_arc_side side,
                            uint64_t first, uint64_t end, const uint64_t *start,
                            const uint32_t *column, const uint64_t *weight)
{
    uint64_t sum = 0, n_arcs = start[end - first] - start[0];
    int n_threads = pci_threads_worth(context, PCI_EDGE_SECONDS * (double)n_arcs);
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
    for (uint64_t i = 0; i < end - first; i++)
        for (uint64_t a = start[i] - start[0]; a < start[i + 1] - start[0]; a++) {
            uint64_t from = side == PCI_INCOMING ? column[a] : first + i;
            uint64_t to = side == PCI_INCOMING ? first + i : column[a];
            sum += pci_scramble(pci_scramble(seed + (from << 32 | to)) + (weight ? weight[a] : 1));
        }
    return sum;
}

pc_status pci_serialized_fail_incoming(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: the incoming arcs, which the second half lists, are not the outgoing arcs "
                    "of the first half: the file is damaged",
                    input->name);
}

/* ---- Reading a graph ------------------------------------------------------------------------- */

typedef struct reading {
    const pci_input *input;
    pc_context *context;
    const pc_graph_options *options; /* or NULL */
    bool takes_weights;
    pci_serialized head;
    pci_sparse rows;       /* of the vertices of the file, or of more that are asked for */
    pci_graph_draft draft; /* without edges */
} reading;

static pc_status read_rows(reading *r)
{
    uint64_t n = r->head.n, n_asked = r->options ? r->options->n_vertices : 0, *start;
    uint64_t n_rows = n > n_asked ? n : n_asked;
    pc_status status = pci_sparse_create(r->context, n_rows, n_rows, r->head.n_arcs,
                                         r->head.is_weighted, &r->rows);
    if (status)
        return status;
    start = r->rows.row_start;
    status = pci_serialized_read_starts(r->input, &r->head, PCI_OUTGOING, 0, n, start);
    if (status == PC_OK)
        status = pci_serialized_read_arcs(r->input, &r->head, PCI_OUTGOING, 0, n, start,
                                          r->takes_weights, r->rows.column, r->rows.limbs);
    for (uint64_t row = n + 1; status == PC_OK && row <= n_rows; row++)
        start[row] = start[n];
    return status;
}

/* Reads the incoming arcs in pieces of whole rows, of about PIECE_ARCS, and holds them against
 * the outgoing ones. */
static pc_status check_incoming(const reading *r)
{
    pc_context *context = r->context;
    uint64_t n = r->head.n, room = PIECE_ARCS, sum = 0;
    uint64_t *start = pci_alloc(context, (n + 1) * sizeof *start), *weight = NULL;
    uint32_t *column = NULL;
    pc_status status =
        start ? pci_serialized_read_starts(r->input, &r->head, PCI_INCOMING, 0, n, start)
              : pci_fail_memory(context, "the incoming arcs", (n + 1) * sizeof *start);
    if (status != PC_OK)
        goto done;
    room = start[n] < room ? start[n] : room;
    for (uint64_t row = 0; row < n; row++)
        room = start[row + 1] - start[row] > room ? start[row + 1] - start[row] : room;
    column = pci_alloc(context, room * sizeof *column);
    weight = r->rows.limbs ? pci_alloc(context, room * sizeof *weight) : NULL;
    if (!column || (r->rows.limbs && !weight))
        status = pci_fail_memory(context, "the incoming arcs", room * sizeof *weight);
    for (uint64_t first = 0, end; first < n && status == PC_OK; first = end) {
        for (end = first + 1; end < n && start[end + 1] - start[first] <= PIECE_ARCS;)
            end++;
        status = pci_serialized_read_arcs(r->input, &r->head, PCI_INCOMING, first, end,
                                          start + first, r->takes_weights, column, weight);
        if (status == PC_OK)
            sum += pci_serialized_sum(context, 0, PCI_INCOMING, first, end, start + first, column,
                                      weight);
    }
    if (status == PC_OK &&
        sum != pci_serialized_sum(context, 0, PCI_OUTGOING, 0, n, r->rows.row_start, r->rows.column,
                                  r->rows.limbs))
        status = pci_serialized_fail_incoming(r->input);
done:
    pci_free(context, start);
    pci_free(context, column);
    pci_free(context, weight);
    return status;
}

static pc_status find_labels(reading *r)
{
    pci_labels *labels = &r->draft.labels;
    *labels = pci_labels_range(0, r->head.n);
    pc_status status = r->input->path
                           ? pci_labels_file_read(r->context, r->input->path, r->head.n, labels)
                           : PC_OK;
    if (status || r->rows.n_rows == r->head.n)
        return status;
    if (labels->kind != PCI_LABELS_RANGE || labels->first != 0)
        return pci_fail(r->context, PC_ERR_ARGUMENT,
                        "a number of vertices needs the labels 0, 1, 2, ..., and %s%s has others",
                        r->input->name, PC_LABELS_ENDING);
    *labels = pci_labels_range(0, r->rows.n_rows);
    return PC_OK;
}

/* The builder makes the graph where the rows are to be sorted, joined or turned. Each edge of an undirected graph is
 * there both ways. */
static pc_status make_graph(reading *r, pc_graph **graph)
{
    pci_sparse *rows = &r->rows;
    pci_given_rows given = {.n = rows->n_rows,
                            .n_arcs = r->head.n_arcs,
                            .arcs = {rows->row_start, rows->column, rows->limbs}};
    const pc_graph_options *options = r->options;
    pci_graph_draft *draft = &r->draft;
    uint64_t bad_row, arc = 0, row = 0;
    pc_graph *made = NULL;
    pci_draft_set_direction(draft, r->head.is_directed ? PC_DIRECTED : PC_UNDIRECTED, options);
    draft->multigraph = (options && options->multigraph) || r->takes_weights;
    draft->weights_are_flags = rows->limbs && !r->takes_weights;
    draft->info.weights_ignored = draft->weights_are_flags;
    draft->info.format = "GAP";
    const bool is_directed = draft->info.directed, turns = r->head.is_directed && !is_directed;
    const bool overridden = draft->info.direction_overridden;
    pci_given_rows_look(r->context, &given, &bad_row);
    pc_status status = PC_OK;
    if (given.is_canonical && !turns) {
        if (given.max_weight <= 1) {
            pci_free(r->context, rows->limbs);
            rows->limbs = NULL;
        }
        if ((status = pci_graph_adopt(r->context, rows, &made)) == PC_OK) {
            made->info = pci_given_rows_info(&given, draft->info.format);
            made->info.weights_ignored = draft->info.weights_ignored;
            made->labels = draft->labels;
            draft->labels = (pci_labels){0};
        }
    } else if ((status = pci_given_rows_edges(r->context, &given, &draft->edges)) == PC_OK) {
        draft->info.directed = !turns;
        status = pci_graph_build(r->context, draft, &made);
    }
    if (status == PC_OK && !r->head.is_directed)
        status = pci_graph_find_one_way(r->context, made, &arc);
    if (status == PC_OK && !r->head.is_directed && arc < pci_graph_n_arcs(made)) {
        while (made->row_start[row + 1] <= arc)
            row++;
        status = pci_fail(r->context, PC_ERR_DATA,
                          "%s: the head says undirected, and the arc from vertex %" PRIu64
                          " to vertex %" PRIu32 " has no opposite one of the same weight",
                          r->input->name, row, made->column[arc]);
    }
    if (status) {
        pc_graph_free(made);
        return status;
    }
    if (!r->head.is_directed && !is_directed)
        pci_graph_set_undirected(made, true);
    made->info.direction_overridden = overridden;
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
    if ((status = pci_serialized_read_head(input, &r.head)) == PC_OK &&
        (status = read_rows(&r)) == PC_OK &&
        (!r.head.is_directed || (status = check_incoming(&r)) == PC_OK) &&
        (status = pci_input_check(input)) == PC_OK && (status = find_labels(&r)) == PC_OK)
        status = make_graph(&r, graph);
    pci_draft_free(r.context, &r.draft);
    pci_sparse_free(r.context, &r.rows);
    return status;
}

/* ---- Writing a graph ------------------------------------------------------------------------- */

/* Refuses what the format cannot have: many vertices, large weights. */
static pc_status check_graph(pc_context *context, const pc_graph *graph, const char *path,
                             bool has_weights)
{
    char from[64], to[64];
    uint64_t most = has_weights ? INT32_MAX : 1, arc = 0, row = 0;
    if (graph->n > MOST_VERTICES)
        return pci_fail(context, PC_ERR_RANGE,
                        "'%s' cannot be written: %" PRIu64
                        " vertices, and the format has at most %" PRIu64 "; write .mtx",
                        path, graph->n, MOST_VERTICES);
    if (graph->info.max_weight <= most)
        return PC_OK;
    while (graph->weight[arc] <= most)
        arc++;
    while (graph->row_start[row + 1] <= arc)
        row++;
    pc_labels_text(&graph->labels, row, from, sizeof from);
    pc_labels_text(&graph->labels, graph->column[arc], to, sizeof to);
    return pci_fail(context, PC_ERR_DATA,
                    "'%s' cannot be written: the arc from %s to %s has weight %" PRIu64
                    ", and %s; write %s",
                    path, from, to, graph->weight[arc],
                    has_weights ? "weights in .wsg are at most 2147483647" : "a .sg has no weights",
                    has_weights ? ".mtx" : ".wsg");
}

static void put_u64(pci_file *file, uint64_t number)
{
    number = htole64(number);
    pci_file_put(file, &number, sizeof number);
    pci_file_advance(file);
}

/* Writes the starts and the arcs of one side. */
static pc_status put_rows(pci_file *file, const pc_graph *graph, bool has_weights)
{
    uint32_t piece[2 * PIECE_PAIRS];
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    for (uint64_t row = 0; row <= graph->n; row++)
        put_u64(file, graph->row_start[row]);
    pc_status status = file->status;
    for (uint64_t at = 0, n; at < n_arcs && status == PC_OK; at += n) {
        size_t used = 0;
        n = n_arcs - at < PIECE_PAIRS ? n_arcs - at : PIECE_PAIRS;
        for (uint64_t a = at; a < at + n; a++) {
            piece[used++] = htole32(graph->column[a]);
            if (has_weights)
                piece[used++] = htole32(graph->weight ? (uint32_t)graph->weight[a] : 1);
        }
        pci_file_put(file, piece, used * sizeof *piece);
        status = pci_file_advance(file);
        if (status == PC_OK)
            status = pci_progress(file->context, "write", (double)at / (double)n_arcs);
    }
    return status;
}

pc_status pci_graph_write_serialized(pc_context *context, const pc_graph *graph, const char *path,
                                     const char *ending, pci_packing packing)
{
    const bool has_weights = ending[1] == 'w';
    const char directed = !graph->symmetric;
    pci_file file = {0}, labels = {0};
    pc_graph *reverse = NULL;
    pc_status status = check_graph(context, graph, path, has_weights);
    if (status)
        return status;
    char *labels_path = pci_labels_path(context, path);
    if (!labels_path)
        return PC_ERR_MEMORY;
    if ((status = pci_file_open(context, path, packing, &file)))
        goto done;
    pci_file_put(&file, &directed, 1);
    put_u64(&file, pci_graph_n_arcs(graph));
    put_u64(&file, graph->n);
    if ((status = put_rows(&file, graph, has_weights)) ||
        (directed && ((status = pci_graph_reverse(context, graph, &reverse)) ||
                      (status = put_rows(&file, reverse, has_weights)))) ||
        (status = pci_file_flush(&file)) ||
        (status = pci_labels_file_write(context, labels_path, &graph->labels, &labels)) ||
        (labels.output && (status = pci_file_commit(&labels))))
        goto done;
    status = pci_file_commit(&file);
done:
    pc_graph_free(reverse);
    pci_file_free(&labels);
    pci_file_free(&file);
    pci_free(context, labels_path);
    return status;
}
