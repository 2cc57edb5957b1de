/* Graphs to test with: edge arrays by hand or at random (splitmix64, fixed seeds). */
#include "tests/support/calls.h"
#include "tests/support/random_graph.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t random_u64(random_source *source)
{
    uint64_t z = source->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t random_below(random_source *source, uint64_t limit)
{
    return (uint64_t)(((unsigned __int128)random_u64(source) * limit) >> 64);
}

edge_set edge_set_empty(uint64_t n, bool directed)
{
    return (edge_set){.n = n, .directed = directed};
}

static uint64_t *resized(uint64_t *array, uint64_t n_items)
{
    uint64_t *grown = realloc(array, n_items * sizeof *grown);
    if (grown == NULL) {
        fprintf(stderr, "tests: no memory for a test graph\n");
        abort();
    }
    return grown;
}

void edge_set_add(edge_set *edges, uint64_t from, uint64_t to, uint64_t weight)
{
    if (edges->n_edges == edges->capacity) {
        edges->capacity = edges->capacity ? 2 * edges->capacity : 64;
        edges->from = resized(edges->from, edges->capacity);
        edges->to = resized(edges->to, edges->capacity);
        edges->weight = resized(edges->weight, edges->capacity);
    }
    edges->from[edges->n_edges] = from;
    edges->to[edges->n_edges] = to;
    edges->weight[edges->n_edges] = weight;
    edges->n_edges++;
}

void edge_set_free(edge_set *edges)
{
    free(edges->from);
    free(edges->to);
    free(edges->weight);
    *edges = edge_set_empty(0, false);
}

/* A weight of the given kind. It depends on the pair alone, in either order, because an edge that
 * is given again and dropped must have the weight it had before. */
static uint64_t weight_of(unsigned kind, uint64_t salt, uint64_t u, uint64_t v)
{
    random_source pair = {salt ^ ((u < v ? u : v) << 32) ^ (u < v ? v : u)};
    uint64_t bits = random_u64(&pair);
    switch (kind) {
    case 0:
        return bits % 4; /* 0 is no arc at all */
    case 1:
        return 126 + bits % 4;
    case 2:
        return 250 + bits % 10;
    case 3:
        return bits >> (bits % 64);
    case 4:
        return UINT64_MAX - bits % 3;
    default:
        return 1;
    }
}

/* The u, v of one more edge of a graph of the given shape. */
static void pick_pair(random_source *source, unsigned shape, uint64_t n, uint64_t *u, uint64_t *v)
{
    *u = random_below(source, n);
    *v = random_below(source, n);
    if (shape == 0 && *u > *v) { /* acyclic when directed, but for loops */
        uint64_t larger = *u;
        *u = *v;
        *v = larger;
    } else if (shape == 1) { /* a star */
        *u = 0;
    } else if (shape == 2) { /* a cycle */
        *v = (*u + 1) % n;
    }
}

static void add_all_pairs(edge_set *edges, unsigned kind, uint64_t salt)
{
    for (uint64_t u = 0; u < edges->n; u++)
        for (uint64_t v = 0; v < edges->n; v++)
            if (u != v)
                edge_set_add(edges, u, v, weight_of(kind, salt, u, v));
}

edge_set edge_set_any(random_source *source, uint64_t n)
{
    /* Weights of 1 most often, huge ones now and then: their counts take longest. */
    static const unsigned char kinds[32] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 5, 5, 5,
                                            5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    edge_set edges = edge_set_empty(n, random_below(source, 2));
    edges.multigraph = random_below(source, 2);
    unsigned kind = kinds[random_below(source, sizeof kinds)];
    unsigned shape = (unsigned)random_below(source, 8);
    uint64_t salt = random_u64(source);
    uint64_t densest = shape == 2 ? n : n * n;
    uint64_t n_edges = random_below(source, 2) ? random_below(source, densest + 1)
                                               : random_below(source, 2 * n + 1);
    bool has_loops = shape != 0 && random_below(source, 2);
    if (shape == 3)
        add_all_pairs(&edges, kind, salt);
    else if (random_below(source, 20) != 0) /* else empty */
        for (uint64_t e = 0; e < n_edges; e++) {
            uint64_t u, v;
            pick_pair(source, shape, n, &u, &v);
            if (u != v || has_loops)
                edge_set_add(&edges, u, v, weight_of(kind, salt, u, v));
        }
    return edges;
}

edge_set edge_set_any_simple(random_source *source, uint64_t n)
{
    edge_set edges = edge_set_any(source, n);
    edges.multigraph = false;
    return edges;
}

edge_set edge_set_density(random_source *source, uint64_t n, unsigned per_thousand, bool directed)
{
    edge_set edges = edge_set_empty(n, directed);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = directed ? 0 : u; v < n; v++)
            if (random_below(source, 1000) < per_thousand)
                edge_set_add(&edges, u, v, 1);
    return edges;
}

edge_set edge_set_preferential(random_source *source, uint64_t n, unsigned m)
{
    edge_set edges = edge_set_empty(n, false);
    for (uint64_t v = 1; v < n; v++) {
        uint64_t n_before = edges.n_edges;
        for (unsigned i = 0; i < m; i++) { /* repeats are dropped when the graph is made */
            uint64_t end = n_before ? random_below(source, 2 * n_before) : 0;
            const uint64_t *side = end % 2 ? edges.from : edges.to;
            edge_set_add(&edges, v, n_before ? side[end / 2] : 0, 1);
        }
    }
    return edges;
}

edge_set edge_set_constant(uint64_t n, uint64_t weight)
{
    edge_set edges = edge_set_empty(n, true);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++)
            edge_set_add(&edges, u, v, weight);
    return edges;
}

pc_status edge_set_load(pc_context *context, const edge_set *edges, pc_graph **graph)
{
    pc_graph_options options = {
        .direction = edges->directed ? PC_DIRECTED : PC_UNDIRECTED,
        .multigraph = edges->multigraph,
        .loops = edges->loops_twice ? PC_LOOPS_TWICE : PC_LOOPS_ONCE,
    };
    return graph_from_arrays(context, edges->n, edges->n_edges, edges->from, edges->to,
                             edges->weight, &options, graph);
}

pc_status summary_of_graph(pc_context *context, const pc_graph *graph, pc_reduction **summary)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    pc_frame frame = {.rows = pc_graph_labels(graph),
                      .columns = pc_graph_labels(graph),
                      .symmetric = !info.directed};
    return pc_summary_create(context, &frame, PC_SUMMARY_PAIRS, summary);
}
