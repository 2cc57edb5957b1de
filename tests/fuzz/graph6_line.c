/* A line of graph6, sparse6 or digraph6, read by the library and by the plain reader of verify, which must
 * agree. */
#include "src/cli/verify/verify.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* As pc_graph_read allows it. */
enum { MOST_STATED = 2097152 };

static pc_graph *read_by_library(pc_context *context, const uint8_t *line, size_t n_bytes)
{
    pc_graph *graph = NULL;
    pc_status status =
        pc_graph_read(context, fuzz_path(line, n_bytes), PC_FORMAT_GRAPH6, NULL, &graph);
    fuzz_check_status(context, status, graph);
    return graph;
}

static pc_graph *read_plainly(pc_context *context, const uint8_t *line, size_t n_bytes)
{
    static cli_graph6 read;
    pc_graph *graph = NULL;
    if (!cli_graph6_read((const char *)line, n_bytes, MOST_STATED + n_bytes, &read))
        return NULL;
    const pc_edges edges = {.n_vertices = read.n_vertices,
                            .n_edges = read.n_edges,
                            .from = read.from,
                            .to = read.to,
                            .stated = read.is_directed ? PC_DIRECTED : PC_UNDIRECTED};
    fuzz_check_status(context, pc_graph_from_edges(context, &edges, NULL, &graph), &edges);
    return graph;
}

static void compare(const pc_graph *one, const pc_graph *other)
{
    pc_graph_info a, b;
    pc_arcs arcs_a, arcs_b;
    pc_graph_get_info(one, &a);
    pc_graph_get_info(other, &b);
    pc_graph_arcs(one, &arcs_a);
    pc_graph_arcs(other, &arcs_b);
    if (a.n_vertices != b.n_vertices || a.n_arcs != b.n_arcs || a.directed != b.directed ||
        memcmp(arcs_a.row_start, arcs_b.row_start, (a.n_vertices + 1) * sizeof *arcs_a.row_start) !=
            0 ||
        memcmp(arcs_a.column, arcs_b.column, a.n_arcs * sizeof *arcs_a.column) != 0)
        fuzz_fail("the two readers read other graphs");
}

FUZZ(graph6_line)
{
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t n_bytes = end ? (size_t)(end - data) : size;
    bool is_marked = n_bytes > 0 && data[0] > 126; /* as UTF-8, or as packed */
    is_marked = is_marked || (n_bytes >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0); /* zstd */
    if (n_bytes == 0 || is_marked || memchr(data, ' ', n_bytes) || memchr(data, '\r', n_bytes))
        return;
    pc_context *context = fuzz_context(1);
    pc_graph *graph = read_by_library(context, data, n_bytes),
             *plain = read_plainly(context, data, n_bytes);
    if (graph && plain)
        compare(graph, plain);
    else if (graph || plain)
        fuzz_fail("only %s reads it: %s", graph ? "the library" : "the plain reader",
                  pc_context_message(context));
    pc_graph_free(graph);
    pc_graph_free(plain);
    pc_context_free(context);
}
