/* The graph: accessors, derivations from its arcs alone, its seal; and sparse matrices. */
#include "graphs/graph.h"

#include "src/core/checksum.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void pc_graph_free(pc_graph *graph)
{
    if (!graph)
        return;
    pc_context *context = graph->context;
    if (graph->parts)
        graph->parts->free(graph->parts);
    pci_free(context, graph->row_start);
    pci_free(context, graph->column);
    pci_free(context, graph->weight);
    pci_free(context, graph->text);
    pci_labels_free(context, &graph->labels);
    pci_labels_free(context, &graph->texts);
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

void pc_graph_arcs(const pc_graph *graph, pc_arcs *arcs)
{
    if (!arcs)
        return;
    *arcs = graph ? (pc_arcs){graph->row_start, graph->column, graph->weight, graph->info.decimals,
                              graph->info.weight_error}
                  : (pc_arcs){0};
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
    if (pci_labels_find(&graph->labels, label, strlen(label), vertex))
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT, "no vertex is labelled '%.200s'", label);
}

/* ---- From the arcs --------------------------------------------------------------------------- */

pc_status pci_graph_adopt(pc_context *context, pci_sparse *matrix, pc_graph **graph)
{
    uint64_t n = matrix->n_rows, n_arcs = pci_sparse_n_entries(matrix);
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made) {
        pci_sparse_free(context, matrix);
        return pci_fail_memory(context, "the graph", sizeof *made);
    }
    *made =
        (pc_graph){.context = context,
                   .n = n,
                   .row_start = matrix->row_start,
                   .column = matrix->column,
                   .weight = matrix->limbs,
                   .labels = pci_labels_range(0, n),
                   .info = {.n_vertices = n, .n_edges = n_arcs, .n_arcs = n_arcs, .directed = 1}};
    *matrix = (pci_sparse){0};
    *graph = made;
    return PC_OK;
}

pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse)
{
    if (graph->parts)
        return graph->parts->reverse(graph->parts, context, graph, reverse);
    pci_sparse turned, matrix = pci_graph_matrix(graph);
    pc_status status = pci_sparse_transpose(context, &matrix, &turned);
    if (status == PC_OK && (status = pci_graph_adopt(context, &turned, reverse)) == PC_OK) {
        (*reverse)->symmetric = graph->symmetric;
        (*reverse)->info = graph->info;
    }
    return status;
}

/* The first of the arcs begin .. end - 1 of a row whose column is at least that. */
static uint64_t find_column(const pc_graph *graph, uint64_t begin, uint64_t end, uint64_t column)
{
    while (begin < end) {
        uint64_t middle = begin + (end - begin) / 2;
        if (graph->column[middle] < column)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

uint64_t pci_graph_find_arc(const pc_graph *graph, uint64_t from, uint64_t to)
{
    uint64_t end = graph->row_start[from + 1];
    uint64_t arc = find_column(graph, graph->row_start[from], end, to);
    return arc < end && graph->column[arc] == to ? arc : pci_graph_n_arcs(graph);
}

/* Does the work of pci_graph_find_one_way for the arcs between the vertices first .. end - 1 and higher ones. Rows are taken in order.
 * passed[j] is the arc of row j that must lead to the next row with an arc to j; one that was passed over has no
 * opposite. So each arc is looked at once. */
static uint64_t find_one_way_of(const pc_graph *graph, uint64_t first, uint64_t end,
                                uint64_t *passed)
{
    const uint64_t *start = graph->row_start;
    for (uint64_t row = first; row < end; row++)
        passed[row] = find_column(graph, start[row], start[row + 1], row + 1);
    for (uint64_t row = first + 1; row < graph->n; row++)
        for (uint64_t a = find_column(graph, start[row], start[row + 1], first);
             a < start[row + 1] && graph->column[a] < end && graph->column[a] < row; a++) {
            uint32_t column = graph->column[a];
            uint64_t back = passed[column]++;
            if (back == start[column + 1] || graph->column[back] > row)
                return a;
            if (graph->column[back] < row ||
                (graph->weight && graph->weight[back] != graph->weight[a]))
                return back;
        }
    for (uint64_t row = first; row < end; row++)
        if (passed[row] < start[row + 1])
            return passed[row];
    return pci_graph_n_arcs(graph);
}

pc_status pci_graph_find_one_way(pc_context *context, const pc_graph *graph, uint64_t *arc)
{
    enum { PARTS_A_THREAD = 4 };
    uint64_t *passed = pci_alloc(context, (graph->n + 1) * sizeof *passed);
    if (!passed)
        return pci_fail_memory(context, "the graph", (graph->n + 1) * sizeof *passed);
    uint64_t first = pci_graph_n_arcs(graph);
    int n_threads = pci_threads_worth(context, PCI_EDGE_SECONDS * (double)first);
    uint64_t n_parts = n_threads > 1 ? PARTS_A_THREAD * (uint64_t)n_threads : 1;
    uint64_t part_rows = (graph->n + n_parts - 1) / n_parts;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(min : first)
    for (uint64_t part = 0; part < n_parts; part++) {
        uint64_t begin = part * part_rows, end = begin + part_rows;
        end = end < graph->n ? end : graph->n;
        uint64_t found =
            begin < end ? find_one_way_of(graph, begin, end, passed) : pci_graph_n_arcs(graph);
        first = found < first ? found : first;
    }
    *arc = first;
    pci_free(context, passed);
    return PC_OK;
}

void pci_graph_set_undirected(pc_graph *graph, bool is_matrix)
{
    pc_graph_info *info = &graph->info;
    graph->symmetric = true;
    info->directed = 0;
    info->n_edges = (info->n_arcs + info->n_loops) / 2;
    info->n_duplicates += is_matrix ? 0 : info->n_arcs - info->n_edges;
}

pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph, bool is_matrix)
{
    uint64_t arc;
    pc_status status = pci_graph_find_one_way(context, graph, &arc);
    if (status == PC_OK && arc == pci_graph_n_arcs(graph))
        pci_graph_set_undirected(graph, is_matrix);
    return status;
}

/* ---- Longest paths ------------------------------------------------------------------------------ */

/* The longest path of a graph without cycles, in topological order (Kahn, 1962): a vertex is done when all arcs
 * into it come from vertices that are done. A vertex that is never done lies on a cycle, or behind one. */

enum { MOST_NAMED = 8, LABEL_BYTES = 48, CIRCLE_BYTES = (MOST_NAMED + 2) * (LABEL_BYTES + 8) };

/* Follows the arcs of vertices that are done. *order[n] gets the vertices that are done, in their order; *state[2 n] the
 * number of arcs into each vertex from vertices that are not, and the arcs of the longest path that ends there, of which
 * *longest is the most. Both are to be freed by pci_free. *is_whole: there is no cycle. */
static pc_status find_order(pc_context *context, const pc_graph *graph, uint32_t **order,
                            uint32_t **state, uint64_t *longest, bool *is_whole)
{
    const uint64_t n = graph->n;
    uint64_t n_done = 0;
    uint32_t *done = *order = pci_alloc_zero(context, n + 1, sizeof *done);
    uint32_t *n_into = *state = pci_alloc_zero(context, n + 1, 2 * sizeof *n_into);
    uint32_t *length = n_into + n;
    if (!done || !n_into)
        return pci_fail_memory(context, "the order of vertices", n * 12);
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph); a++)
        n_into[graph->column[a]]++;
    for (uint64_t v = 0; v < n; v++)
        if (n_into[v] == 0)
            done[n_done++] = (uint32_t)v;
    *longest = 0;
    for (uint64_t i = 0; i < n_done; i++) {
        uint32_t v = done[i];
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            uint32_t to = graph->column[a];
            if (length[to] <= length[v])
                length[to] = length[v] + 1;
            if (--n_into[to] == 0)
                done[n_done++] = to;
        }
        *longest = length[v] > *longest ? length[v] : *longest;
    }
    *is_whole = n_done == n;
    return PC_OK;
}

/* Says "a -> b -> c -> a", the middle of a long circle left out. Each vertex that is not done gets one before it that
 * is not done either; those that are walked back to from any of them come again in the end. */
static pc_status fail_cycle(pc_context *context, const pc_graph *graph, const uint32_t *n_into,
                            uint32_t *before)
{
    if (graph->symmetric)
        return pci_fail(
            context, PC_ERR_DATA,
            "each edge of an undirected graph leads there and back, so paths of any "
            "length have no end; read edges as arcs (--directed), or count paths of one "
            "length (--length K)");
    uint32_t v = 0, forward[MOST_NAMED];
    char circle[CIRCLE_BYTES];
    uint64_t n = 0;
    size_t at = 0;
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; n_into[row] > 0 && a < graph->row_start[row + 1];
             a++)
            before[graph->column[a]] = v = (uint32_t)row;
    for (uint64_t steps = 0; steps < graph->n; steps++)
        v = before[v];
    uint32_t on_cycle = v;
    do {
        v = before[v];
        n++;
    } while (v != on_cycle);
    uint64_t n_named = n < MOST_NAMED ? n : MOST_NAMED;
    for (uint64_t i = 0; i < n; i++, v = before[v])
        if (i + n_named >= n) /* the last of those that are walked back to come first */
            forward[n - 1 - i] = v;
    for (uint64_t i = 0; i <= n_named; i++) {
        char label[LABEL_BYTES] = "";
        pc_labels_text(&graph->labels, forward[i % n_named], label, sizeof label);
        at += (size_t)snprintf(circle + at, CIRCLE_BYTES - at, "%s%s%s", i > 0 ? " -> " : "",
                               i == n_named && n_named < n ? "... -> " : "", *label ? label : "?");
    }
    return pci_fail(context, PC_ERR_DATA,
                    "the arcs %s lead round in a circle, so paths of any length have no end; "
                    "remove an arc, or count paths of one length (--length K)",
                    circle);
}

pc_status pci_graph_order(pc_context *context, const pc_graph *graph, uint32_t **order,
                          uint64_t *longest)
{
    bool is_whole = false;
    uint32_t *state;
    *order = NULL;
    if (graph->symmetric && pci_graph_n_arcs(graph) > 0)
        return PC_OK;
    pc_status status = find_order(context, graph, order, &state, longest, &is_whole);
    pci_free(context, state);
    if (!is_whole) {
        pci_free(context, *order);
        *order = NULL;
    }
    return status;
}

pc_status pc_graph_longest_path(pc_context *context, const pc_graph *graph, uint64_t *length)
{
    if (!context || !graph || !length)
        return pci_fail_null(context, "pc_graph_longest_path: context, graph or length");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    uint64_t longest;
    uint32_t *order, *state;
    bool is_whole = false;
    pc_status status = find_order(context, graph, &order, &state, &longest, &is_whole);
    if (status == PC_OK && !is_whole)
        status = fail_cycle(context, graph, state, state + graph->n);
    else if (status == PC_OK)
        *length = longest;
    pci_free(context, order);
    pci_free(context, state);
    return status;
}

/* ---- The seal ----------------------------------------------------------------------------------- */

/* The seal of a graph: checksums of all that it holds, taken when it is complete. A bit that changes in memory
 * after that changes the counts and what certifies them alike; only the seal tells. */

/* The checksum of one part, in the order in which they are looked at: the struct itself, with its sizes and pointers,
 * which says where the others are; then the starts, which say how long the rest is. */
static uint64_t sum_part(const pc_context *context, const pc_graph *graph, int part)
{
    const pci_names *names = &graph->labels.names, *texts = &graph->texts.names;
    const bool is_here = !graph->parts; /* which are sealed themselves */
    uint64_t n_arcs, sum = 0;
    if (part == 0)
        return pci_checksum(graph, offsetof(pc_graph, is_sealed), 0);
    if (part == 1) {
        if (is_here)
            sum = pci_checksum_by_threads(context, graph->row_start,
                                          (graph->n + 1) * sizeof *graph->row_start, 1);
        if (texts->n)
            sum = pci_checksum(texts->start, (texts->n + 1) * sizeof *texts->start, sum);
        return names->n ? pci_checksum(names->start, (names->n + 1) * sizeof *names->start, sum)
                        : sum;
    }
    n_arcs = pci_graph_n_arcs(graph);
    sum = pci_labels_checksum(&graph->labels);
    if (is_here)
        sum = pci_checksum_by_threads(context, graph->column, n_arcs * sizeof *graph->column, sum);
    if (is_here && graph->weight)
        sum = pci_checksum_by_threads(context, graph->weight, n_arcs * sizeof *graph->weight, sum);
    if (graph->text)
        sum = pci_checksum_by_threads(context, graph->text, n_arcs * sizeof *graph->text, sum);
    if (texts->n)
        sum = pci_checksum(texts->slots, texts->n_slots * sizeof *texts->slots,
                           sum ^ pci_labels_checksum(&graph->texts));
    return names->n ? pci_checksum(names->slots, names->n_slots * sizeof *names->slots, sum) : sum;
}

void pci_graph_seal(pc_context *context, pc_graph *graph)
{
    for (int p = 0; p < PCI_SEALED_PARTS; p++)
        graph->seal[p] = sum_part(context, graph, p);
    graph->is_sealed = true;
}

pc_status pc_graph_check(pc_context *context, const pc_graph *graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    bool is_same = graph->is_sealed;
    for (int p = 0; p < PCI_SEALED_PARTS && is_same; p++)
        is_same = graph->seal[p] == sum_part(context, graph, p);
    if (is_same)
        return graph->parts ? graph->parts->check(graph->parts, context) : PC_OK;
    return pci_fail(
        context, PC_ERR_CERTIFY,
        "the graph in memory is no longer the one that was read: memory may be defective");
}

/* ---- Sparse matrices ---------------------------------------------------------------------------- */

pc_status pci_sparse_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint64_t n_entries, uint32_t n_limbs, pci_sparse *matrix)
{
    double bytes = 8.0 * ((double)n_rows + 1) + (4.0 + 8.0 * n_limbs) * (double)n_entries;
    double available = (double)pci_memory_available(context);
    if (bytes > available)
        return pci_fail(context, PC_ERR_MEMORY,
                        "the graph, or matrix, of %" PRIu64 " rows and %" PRIu64
                        " entries needs %s",
                        n_rows, n_entries, pci_memory_lack(context, bytes, available).text);
    pci_sparse made = {.n_rows = n_rows,
                       .n_columns = n_columns,
                       .row_start = pci_alloc(context, (n_rows + 1) * sizeof *made.row_start),
                       .column = pci_alloc(context, n_entries * sizeof *made.column),
                       .n_limbs = n_limbs ? n_limbs : 1};
    if (n_limbs)
        made.limbs = pci_alloc(context, n_entries * n_limbs * sizeof *made.limbs);
    if (!made.row_start || !made.column || (n_limbs && !made.limbs)) {
        pci_sparse_free(context, &made);
        return pci_fail_memory(context, "a sparse matrix", (size_t)bytes);
    }
    made.row_start[0] = 0;
    made.row_start[n_rows] = n_entries;
    *matrix = made;
    return PC_OK;
}

void pci_sparse_free(pc_context *context, pci_sparse *matrix)
{
    if (!matrix->is_borrowed) {
        pci_free(context, matrix->row_start);
        pci_free(context, matrix->column);
        pci_free(context, matrix->limbs);
    }
    *matrix = (pci_sparse){0};
}

pci_sparse pci_sparse_borrow(const pci_sparse *matrix)
{
    pci_sparse borrowed = *matrix;
    borrowed.is_borrowed = true;
    return borrowed;
}

pc_status pci_sparse_identity(pc_context *context, uint64_t n, pci_sparse *matrix)
{
    pc_status status = pci_sparse_create(context, n, n, n, 0, matrix);
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        matrix->row_start[i] = i;
        matrix->column[i] = (uint32_t)i;
    }
    return status;
}

pc_status pci_sparse_transpose(pc_context *context, const pci_sparse *matrix,
                               pci_sparse *transposed)
{
    pci_sparse made;
    uint32_t w = matrix->n_limbs;
    uint64_t n_entries = pci_sparse_n_entries(matrix), sum = 0;
    uint64_t *place = pci_alloc_zero(context, matrix->n_columns, sizeof *place);
    if (!place)
        return pci_fail_memory(context, "transposing", matrix->n_columns * sizeof *place);
    pc_status status = pci_sparse_create(context, matrix->n_columns, matrix->n_rows, n_entries,
                                         matrix->limbs ? w : 0, &made);
    if (status == PC_OK) {
        for (uint64_t e = 0; e < n_entries; e++)
            place[matrix->column[e]]++;
        for (uint64_t j = 0; j < matrix->n_columns; j++) {
            uint64_t n = place[j];
            made.row_start[j] = place[j] = sum;
            sum += n;
        }
        for (uint64_t i = 0; i < matrix->n_rows; i++)
            for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
                uint64_t at = place[matrix->column[e]]++;
                made.column[at] = (uint32_t)i;
                if (matrix->limbs)
                    memcpy(made.limbs + at * w, matrix->limbs + e * w, w * sizeof *made.limbs);
            }
        *transposed = made;
    }
    pci_free(context, place);
    return status;
}
