/* Bits of graph6 and its relatives: six in each byte, the highest first, 63 added. */
#include "src/cli/verify/graph6_line.h"

#include <stdlib.h>
#include <string.h>

typedef struct bits {
    const char *at, *end;
    unsigned n_taken; /* bits of the byte at `at` */
} bits;

static size_t n_bits_left(const bits *b)
{
    return 6 * (size_t)(b->end - b->at) - b->n_taken;
}

static uint64_t take_bits(bits *b, unsigned n)
{
    uint64_t value = 0;
    for (; n > 0; n--) {
        value = value << 1 | ((unsigned)(*b->at - 63) >> (5 - b->n_taken) & 1);
        b->n_taken = (b->n_taken + 1) % 6;
        b->at += b->n_taken == 0;
    }
    return value;
}

/* One byte, or '~' and three, or '~~' and six. */
static bool take_size(bits *b, uint64_t *n)
{
    static const unsigned width[] = {6, 18, 36};
    int n_marks = 0;
    while (n_marks < 2 && b->at < b->end && *b->at == '~') {
        b->at++;
        n_marks++;
    }
    if (n_bits_left(b) < width[n_marks])
        return false;
    *n = take_bits(b, width[n_marks]);
    return true;
}

static void add_edge(cli_graph6 *graph, uint64_t from, uint64_t to)
{
    graph->from[graph->n_edges] = from;
    graph->to[graph->n_edges++] = to;
}

/* Less than six bits fill the last byte; they mean nothing. */
static bool ends(const bits *b)
{
    return n_bits_left(b) < 6;
}

static bool has_bits(const bits *b, unsigned __int128 n)
{
    return n <= n_bits_left(b);
}

/* The upper triangle, column by column. */
static bool read_graph6(bits *b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices;
    if (!has_bits(b, n > 0 ? (unsigned __int128)n * (n - 1) / 2 : 0))
        return false;
    for (uint64_t j = 1; j < n; j++)
        for (uint64_t i = 0; i < j; i++)
            if (take_bits(b, 1))
                add_edge(graph, j, i);
    return ends(b);
}

/* The whole matrix, row by row. */
static bool read_digraph6(bits *b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices;
    if (!has_bits(b, (unsigned __int128)n * n))
        return false;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            if (take_bits(b, 1))
                add_edge(graph, i, j);
    return ends(b);
}

/* Pairs of a bit, which goes to the next vertex, and a number: a larger vertex to go on with, or the other
 * end of an edge. A vertex that the graph does not have ends it, and the rest means nothing. */
static bool read_sparse6(bits *b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices, vertex = 0;
    unsigned width = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
    while (n_bits_left(b) > width) {
        vertex += take_bits(b, 1);
        uint64_t other = take_bits(b, width);
        if (vertex >= n || other >= n)
            break;
        if (other > vertex)
            vertex = other;
        else
            add_edge(graph, vertex, other);
    }
    return true;
}

static bool reserve(cli_graph6 *graph, size_t n_edges)
{
    if (n_edges <= graph->capacity)
        return true;
    cli_graph6_free(graph);
    graph->from = malloc(n_edges * sizeof *graph->from);
    graph->to = malloc(n_edges * sizeof *graph->to);
    graph->capacity = n_edges;
    return graph->from != NULL && graph->to != NULL;
}

pc_status cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices,
                          cli_graph6 *graph)
{
    static const char *const headers[] = {">>graph6<<", ">>sparse6<<", ">>digraph6<<"};
    bits b = {.at = line, .end = line + n_bytes};
    for (size_t h = 0; h < 3; h++)
        if (n_bytes >= strlen(headers[h]) && memcmp(line, headers[h], strlen(headers[h])) == 0)
            b.at = line + strlen(headers[h]);
    char kind = b.at < b.end ? *b.at : '\0';
    b.at += kind == ':' || kind == '&';
    for (const char *c = b.at; c < b.end; c++)
        if (*c < 63 || *c > 126)
            return PC_ERR_DATA;
    if (!reserve(graph, 6 * n_bytes + 1))
        return PC_ERR_MEMORY;
    graph->n_edges = 0;
    graph->is_directed = kind == '&';
    if (!take_size(&b, &graph->n_vertices) || graph->n_vertices > most_vertices)
        return PC_ERR_DATA;
    bool is_graph = kind == ':'   ? read_sparse6(&b, graph)
                    : kind == '&' ? read_digraph6(&b, graph)
                                  : read_graph6(&b, graph);
    return is_graph ? PC_OK : PC_ERR_DATA;
}

void cli_graph6_free(cli_graph6 *graph)
{
    free(graph->from);
    free(graph->to);
    *graph = (cli_graph6){0};
}
