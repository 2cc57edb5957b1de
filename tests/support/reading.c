/* The tests of the readers share these functions. */
#include "tests/support/reading.h"

#include "graphs/graph.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *scratch_path(const char *suffix)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/pathcount-XXXXXX%s", folder ? folder : "/tmp", suffix);
    int file = mkstemps(path, (int)strlen(suffix));
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    return path;
}

void scratch_folder(char *folder, size_t size)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, size, "%s/pathcount-XXXXXX", parent ? parent : "/tmp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

void scratch_write(const char *path, const void *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(fwrite(bytes, 1, n_bytes, file), n_bytes);
    CU_ASSERT_EQUAL_FATAL(fclose(file), 0);
}

pc_status read_text(pc_context *context, const char *suffix, const char *text, size_t n_bytes,
                    const pc_graph_options *options, pc_graph **graph)
{
    const char *path = scratch_path(suffix);
    scratch_write(path, text, n_bytes);
    pc_status status = pc_graph_read(context, path, PC_FORMAT_AUTO, options, graph);
    unlink(path);
    return status;
}

/* ---- A graph as text ------------------------------------------------------------------------- */

static void show_labels(FILE *out, const pc_graph *graph)
{
    for (uint64_t v = 0; v < graph->n; v++) {
        char label[256];
        CU_ASSERT(graph_label(graph, v, label, sizeof label) < sizeof label);
        fprintf(out, "%s ", label);
    }
    fputc('|', out);
}

static uint64_t entry_of(const pc_graph *graph, uint64_t row, uint32_t column)
{
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++)
        if (graph->column[a] == column)
            return graph->weight ? graph->weight[a] : 1;
    return 0;
}

/* Asserts what holds of any graph, and that the info tells the truth about it. */
static void check_graph(const pc_graph *graph)
{
    pc_graph_info info, found = {0};
    pc_graph_get_info(graph, &info);
    bool orderly = graph->row_start[0] == 0, symmetric = true;
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            uint32_t column = graph->column[a];
            uint64_t entry = graph->weight ? graph->weight[a] : 1;
            orderly = orderly && entry > 0 && column < graph->n &&
                      (a == graph->row_start[row] || graph->column[a - 1] < column);
            symmetric = symmetric && entry_of(graph, column, (uint32_t)row) == entry;
            found.n_arcs++;
            found.n_loops += column == row;
            found.n_edges += info.directed || row <= column;
            found.max_weight = entry > found.max_weight ? entry : found.max_weight;
        }
    CU_ASSERT(orderly);
    CU_ASSERT(graph->symmetric == !info.directed && (symmetric || info.directed));
    CU_ASSERT((graph->weight != NULL) == (found.max_weight > 1));
    CU_ASSERT_EQUAL(info.n_vertices, graph->n);
    CU_ASSERT_EQUAL(info.n_vertices, pc_graph_n_vertices(graph));
    CU_ASSERT_EQUAL(info.n_arcs, found.n_arcs);
    CU_ASSERT_EQUAL(info.n_edges, found.n_edges);
    CU_ASSERT_EQUAL(info.n_loops, found.n_loops);
    CU_ASSERT_EQUAL(info.max_weight, found.max_weight);
}

char *show_graph(const pc_graph *graph)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    check_graph(graph);
    show_labels(out, graph);
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            char from[256], to[256];
            graph_label(graph, row, from, sizeof from);
            graph_label(graph, graph->column[a], to, sizeof to);
            fprintf(out, " %s>%s", from, to);
            if (graph->weight && graph->weight[a] != 1)
                fprintf(out, "*%" PRIu64, graph->weight[a]);
        }
    fclose(out);
    return text;
}

static void check_read_once(const char *suffix, const char *text, const pc_graph_options *options,
                            const char *shown, int n_threads, int line)
{
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = NULL;
    pc_status status = read_text(context, suffix, text, strlen(text), options, &graph);
    CU_ASSERT_EQUAL(status, PC_OK);
    OWNED(char) *found = status == PC_OK ? show_graph(graph) : strdup(pc_context_message(context));
    bool same = strcmp(found, shown) == 0;
    if (!same)
        printf("\n    line %d, %d threads: %s\n    expected: %s\n", line, n_threads, found, shown);
    CU_ASSERT(same);
}

/* The text is read as it is, and with a comment after it: the last bytes of a text are not parsed
 * by the quick scanner of plain lines. */
void check_read(const char *suffix, const char *text, const pc_graph_options *options,
                const char *shown, int line)
{
    char longer[1024];
    snprintf(longer, sizeof longer, "%s\n%% a comment long enough for the quick scanner", text);
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        check_read_once(suffix, text, options, shown, n_threads, line);
        check_read_once(suffix, longer, options, shown, n_threads, line);
    }
}

void check_refusal(const char *suffix, const char *text, size_t n_bytes,
                   const pc_graph_options *options, pc_status status, int place, const char *words,
                   int line)
{
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        OWNED(pc_context) *context = new_context(n_threads);
        pc_graph *const untouched = (pc_graph *)context; /* any address: outputs stay as they are */
        pc_graph *graph = untouched;
        char at[32] = ": ";
        if (place > 0)
            snprintf(at, sizeof at, ":%d: ", place);
        pc_status found = read_text(context, suffix, text, n_bytes, options, &graph);
        const char *message = pc_context_message(context);
        bool good = found == status && graph == untouched && strstr(message, words) &&
                    (place < 0 || strstr(message, at));
        if (!good)
            printf("\n    line %d, %d threads: %s: %s\n    expected %s %s\n", line, n_threads,
                   pc_status_text(found), message, at, words);
        CU_ASSERT(good);
        if (found == PC_OK)
            pc_graph_free(graph);
    }
}

/* ---- The oracle ------------------------------------------------------------------------------ */

unsigned dense_vertex(dense_graph *graph, const char *label)
{
    unsigned v = 0;
    while (v < graph->n && strcmp(graph->label[v], label) != 0)
        v++;
    if (v == graph->n) {
        CU_ASSERT_FATAL(graph->n < DENSE_MAX && strlen(label) < sizeof graph->label[v]);
        strcpy(graph->label[graph->n++], label);
    }
    return v;
}

void dense_add(dense_graph *graph, const char *from, const char *to)
{
    unsigned u = dense_vertex(graph, from), v = dense_vertex(graph, to);
    bool is_new = graph->entry[u][v] == 0;
    uint64_t entry = is_new ? 1 : graph->entry[u][v] + graph->multigraph;
    graph->n_duplicates += !is_new;
    graph->entry[u][v] = entry;
    if (!graph->directed)
        graph->entry[v][u] = entry;
}

static void swap_vertices(dense_graph *graph, unsigned a, unsigned b)
{
    char label[sizeof graph->label[0]];
    memcpy(label, graph->label[a], sizeof label);
    memcpy(graph->label[a], graph->label[b], sizeof label);
    memcpy(graph->label[b], label, sizeof label);
    for (unsigned v = 0; v < graph->n; v++) {
        uint64_t entry = graph->entry[a][v];
        graph->entry[a][v] = graph->entry[b][v];
        graph->entry[b][v] = entry;
    }
    for (unsigned v = 0; v < graph->n; v++) {
        uint64_t entry = graph->entry[v][a];
        graph->entry[v][a] = graph->entry[v][b];
        graph->entry[v][b] = entry;
    }
}

void dense_sort_integers(dense_graph *graph)
{
    for (unsigned a = 0; a < graph->n; a++)
        for (unsigned b = a + 1; b < graph->n; b++) {
            size_t length_a = strlen(graph->label[a]), length_b = strlen(graph->label[b]);
            if (length_b < length_a ||
                (length_b == length_a && strcmp(graph->label[b], graph->label[a]) < 0))
                swap_vertices(graph, a, b);
        }
}

char *dense_show(const dense_graph *graph)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (unsigned v = 0; v < graph->n; v++)
        fprintf(out, "%s ", graph->label[v]);
    fputc('|', out);
    for (unsigned u = 0; u < graph->n; u++)
        for (unsigned v = 0; v < graph->n; v++) {
            if (graph->entry[u][v] == 0)
                continue;
            fprintf(out, " %s>%s", graph->label[u], graph->label[v]);
            if (graph->entry[u][v] > 1)
                fprintf(out, "*%" PRIu64, graph->entry[u][v]);
        }
    fclose(out);
    return text;
}
