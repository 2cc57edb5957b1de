/* Graphs and counts that are written and read again. The input is a choice of options, a number of vertices,
 * and edges with weights; the labels of vertices are words of the input, or numbers. */
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 12, MOST_EDGES = 60, LABEL_BYTES = 8 };

/* Words of any bytes but those that no label can have; different, because each begins with its number. */
static void make_labels(fuzz_input *rest, char text[][LABEL_BYTES], uint64_t n)
{
    for (uint64_t v = 0; v < n; v++) {
        snprintf(text[v], LABEL_BYTES, "%c", (int)('a' + v));
        for (size_t i = 1; i < 4; i++) {
            char c = (char)fuzz_byte(rest);
            text[v][i] = c == '\n' || c == '\r' ? '_' : c;
        }
        text[v][4] = '\0';
    }
}

static pc_graph *make_graph(pc_context *context, fuzz_input *rest, uint8_t choice)
{
    uint64_t n = 1 + fuzz_byte(rest) % MOST_VERTICES, n_edges = 0;
    uint64_t from[MOST_EDGES], to[MOST_EDGES], weight[MOST_EDGES];
    char text[MOST_VERTICES][LABEL_BYTES];
    const char *labels[MOST_VERTICES];
    make_labels(rest, text, choice & 4 ? n : 0);
    for (uint64_t v = 0; v < n; v++)
        labels[v] = text[v];
    for (; n_edges < MOST_EDGES && rest->size >= 2; n_edges++) {
        from[n_edges] = fuzz_byte(rest) % n;
        to[n_edges] = fuzz_byte(rest) % n;
        weight[n_edges] = choice & 2 ? fuzz_byte(rest) : 1;
    }
    const pc_edges edges = {.n_vertices = n,
                            .labels = choice & 4 ? labels : NULL,
                            .n_edges = n_edges,
                            .from = from,
                            .to = to,
                            .weight = weight,
                            .stated = choice & 1 ? PC_DIRECTED : PC_UNDIRECTED};
    const pc_graph_options options = {.multigraph = 1};
    pc_graph *graph = NULL;
    pc_status status = pc_graph_from_edges(context, &edges, &options, &graph);
    fuzz_check_status(context, status, graph);
    return graph;
}

static void compare_arcs(const pc_graph *written, const pc_graph *read, const char *ending)
{
    pc_arcs a, b;
    uint64_t n = pc_graph_n_vertices(written);
    if (pc_graph_n_vertices(read) != n)
        fuzz_fail("%s: %" PRIu64 " vertices, not %" PRIu64, ending, pc_graph_n_vertices(read), n);
    pc_graph_arcs(written, &a);
    pc_graph_arcs(read, &b);
    for (uint64_t v = 0; v <= n; v++)
        if (a.row_start[v] != b.row_start[v])
            fuzz_fail("%s: row %" PRIu64 " has another number of arcs", ending, v);
    for (uint64_t i = 0; i < a.row_start[n]; i++)
        if (a.column[i] != b.column[i] ||
            (a.weight ? a.weight[i] : 1) != (b.weight ? b.weight[i] : 1))
            fuzz_fail("%s: arc %" PRIu64 " is another one", ending, i);
}

/* An edge list keeps labels; their order is that of the text, when they are words. */
static bool has_same_labels(const pc_graph *written, const pc_graph *read)
{
    char a[64], b[64];
    uint64_t n = pc_graph_n_vertices(written);
    bool same = pc_graph_n_vertices(read) == n;
    for (uint64_t v = 0; v < n && same; v++) {
        pc_labels_text(pc_graph_labels(written), v, a, sizeof a);
        pc_labels_text(pc_graph_labels(read), v, b, sizeof b);
        same = strcmp(a, b) == 0;
    }
    return same;
}

/* Compares by labels: vertex v of one graph is the vertex of the same label in the other. */
static void compare_by_labels(pc_context *context, const pc_graph *written, const pc_graph *read,
                              const char *ending)
{
    pc_arcs a, b;
    uint64_t n = pc_graph_n_vertices(written), place[MOST_VERTICES], n_arcs = 0;
    char label[64];
    pc_graph_arcs(written, &a);
    pc_graph_arcs(read, &b);
    for (uint64_t v = 0; v < n; v++) {
        pc_labels_text(pc_graph_labels(written), v, label, sizeof label);
        bool is_there = pc_graph_find(context, read, label, &place[v]) == PC_OK;
        if (!is_there && a.row_start[v] < a.row_start[v + 1])
            fuzz_fail("%s: the label '%s' is lost", ending, label);
    }
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t i = a.row_start[v]; i < a.row_start[v + 1]; i++) {
            uint64_t row = place[v], column = place[a.column[i]], found = 0;
            for (uint64_t j = b.row_start[row]; j < b.row_start[row + 1]; j++)
                if (b.column[j] == column)
                    found = b.weight ? b.weight[j] : 1;
            if (found != (a.weight ? a.weight[i] : 1))
                fuzz_fail("%s: an arc is lost", ending);
            n_arcs++;
        }
    if (n_arcs != b.row_start[pc_graph_n_vertices(read)])
        fuzz_fail("%s: there are other arcs", ending);
}

static void check_graph(pc_context *context, const pc_graph *graph, const char *ending)
{
    char path[160];
    pc_graph *read = NULL;
    pc_graph_info before, after;
    snprintf(path, sizeof path, "%s/g%s", fuzz_folder(), ending);
    pc_status status = pc_graph_write(context, graph, path);
    if (status == PC_OK) {
        const pc_graph_options weighted = {.weights = strncmp(ending, ".wsg", 4) == 0};
        if (pc_graph_read(context, path, PC_FORMAT_AUTO, &weighted, &read) != PC_OK)
            fuzz_fail("%s: not read again: %s", ending, pc_context_message(context));
        pc_graph_get_info(graph, &before);
        pc_graph_get_info(read, &after);
        if (before.directed != after.directed)
            fuzz_fail("%s: another direction", ending);
        if (strncmp(ending, ".mtx", 4) == 0 || has_same_labels(graph, read))
            compare_arcs(graph, read, ending);
        else
            compare_by_labels(context, graph, read, ending);
    } else {
        fuzz_check_status(context, status, NULL);
    }
    pc_graph_free(read);
    fuzz_folder_remove();
}

/* A matrix of counts below 2^64 in Matrix Market is a graph with weights. */
static void check_counts(pc_context *context, const pc_graph *graph, uint64_t length)
{
    char path[160];
    pc_counts *counts = NULL;
    pc_graph *read = NULL;
    pc_writer *writer = NULL;
    pc_rows rows;
    const pc_graph_options weighted = {.weights = 1};
    if (pc_count(context, graph, length, NULL, &counts) != PC_OK)
        fuzz_fail("not counted: %s", pc_context_message(context));
    pc_counts_rows(counts, &rows);
    const pc_labels *labels = pc_graph_labels(graph);
    const pc_frame frame = {.rows = labels, .columns = labels, .n_limbs = rows.n_limbs};
    snprintf(path, sizeof path, "%s/c.mtx", fuzz_folder());
    pc_status status = pc_writer_open(context, path, &frame, &writer);
    status = status == PC_OK ? pc_writer_add(writer, &rows) : status;
    status = status == PC_OK ? pc_writer_commit(writer) : status;
    if (status != PC_OK)
        fuzz_fail("not written: %s", pc_context_message(context));
    status = pc_graph_read(context, path, PC_FORMAT_AUTO, &weighted, &read);
    if (rows.n_limbs == 1 && status != PC_OK)
        fuzz_fail("counts are not read: %s", pc_context_message(context));
    pc_arcs arcs = {0};
    uint64_t n_nonzero = 0;
    if (read)
        pc_graph_arcs(read, &arcs);
    for (uint64_t i = 0; read && rows.n_limbs == 1 && i < rows.n_rows; i++)
        for (uint64_t j = 0; j < rows.n_columns; j++) {
            uint64_t count = 0, found = 0;
            if (pc_counts_u64(counts, i, j, &count) != PC_OK)
                fuzz_fail("count %" PRIu64 ", %" PRIu64 " cannot be had", i, j);
            for (uint64_t a = arcs.row_start[i]; a < arcs.row_start[i + 1]; a++)
                if (arcs.column[a] == j)
                    found = arcs.weight ? arcs.weight[a] : 1;
            n_nonzero += count > 0;
            if (found != count)
                fuzz_fail("count %" PRIu64 ", %" PRIu64 " is read as %" PRIu64, i, j, found);
        }
    if (read && rows.n_limbs == 1 && arcs.row_start[rows.n_rows] != n_nonzero)
        fuzz_fail("there are other counts");
    pc_graph_free(read);
    pc_counts_free(counts);
    fuzz_folder_remove();
}

FUZZ(round_trip)
{
    static const char *const endings[] = {".txt", ".csv",    ".mtx",     ".tsv",
                                          ".wsg", ".wsg.gz", ".mtx.zst", ".txt.gz"};
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    pc_context *context = fuzz_context(1);
    pc_graph *graph = make_graph(context, &rest, choice);
    if (graph && choice & 8)
        check_counts(context, graph, 1 + (choice >> 4));
    else if (graph)
        check_graph(context, graph, endings[choice >> 4 & 7]);
    pc_graph_free(graph);
    pc_context_free(context);
}
