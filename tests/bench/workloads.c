/* Random graphs from fixed seeds. */
#include "tests/bench/workloads.h"

#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static void graph_start(bench_graph *graph, uint64_t n, bool directed, uint64_t most_arcs)
{
    *graph = (bench_graph){.n = n, .directed = directed};
    graph->from = need_memory(most_arcs * sizeof *graph->from);
    graph->to = need_memory(most_arcs * sizeof *graph->to);
}

static void graph_add(bench_graph *graph, uint64_t from, uint64_t to)
{
    graph->from[graph->n_edges] = from;
    graph->to[graph->n_edges] = to;
    graph->n_edges++;
}

/* Adds the other half of an undirected graph's arcs. */
static void graph_finish(bench_graph *graph)
{
    graph->n_arcs = graph->directed ? graph->n_edges : 2 * graph->n_edges;
    for (uint64_t e = graph->n_edges; e < graph->n_arcs; e++) {
        graph->from[e] = graph->to[e - graph->n_edges];
        graph->to[e] = graph->from[e - graph->n_edges];
    }
}

void graph_free(bench_graph *graph)
{
    free(graph->from);
    free(graph->to);
}

void graph_make_random(bench_graph *graph, uint64_t n, double mean_degree, uint64_t seed)
{
    double chance = mean_degree / (double)(n - 1);
    /* Ten standard deviations of room above the mean, and some for the smallest graphs. */
    uint64_t most_edges = (uint64_t)(1.2 * mean_degree * (double)n / 2) + 10000;
    graph_start(graph, n, false, 2 * most_edges);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++)
            if (random_unit(&seed) < chance && graph->n_edges < most_edges)
                graph_add(graph, i, j);
    graph_finish(graph);
}

static void make_w1(bench_graph *graph)
{
    graph_make_random(graph, 2048, 32, 20250101);
}

static void make_w2(bench_graph *graph)
{
    const uint64_t n = 4096;
    uint64_t state = 20250102;
    graph_start(graph, n, true, n * n);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            if (i != j && random_unit(&state) < 0.25)
                graph_add(graph, i, j);
    graph_finish(graph);
}

/* m different ends of edges so far, each vertex as likely as its degree says. */
static void choose_targets(const bench_graph *graph, uint64_t *state, uint64_t m, uint64_t *target)
{
    uint64_t n_chosen = 0;
    while (n_chosen < m) {
        uint64_t place = random_next(state) % (2 * graph->n_edges);
        uint64_t vertex = place % 2 ? graph->from[place / 2] : graph->to[place / 2];
        uint64_t k = 0;
        while (k < n_chosen && target[k] != vertex)
            k++;
        if (k == n_chosen)
            target[n_chosen++] = vertex;
    }
}

/* Preferential attachment (Barabasi, Albert 1999): each new vertex joins m that are there. */
static void make_w3(bench_graph *graph)
{
    enum { m = 8 };
    const uint64_t n = 4096;
    uint64_t state = 20250103, target[m];
    graph_start(graph, n, false, 2 * n * m);
    for (uint64_t k = 0; k < m; k++)
        target[k] = k;
    for (uint64_t vertex = m; vertex < n; vertex++) {
        for (uint64_t k = 0; k < m; k++)
            graph_add(graph, vertex, target[k]);
        choose_targets(graph, &state, m, target);
    }
    graph_finish(graph);
}

const workload workloads[N_WORKLOADS] = {
    {"W1", "undirected random, n = 2048, mean degree 32", make_w1, 8},
    {"W2", "directed random, n = 4096, p = 0.25", make_w2, 4},
    {"W3", "preferential attachment, n = 4096, m = 8", make_w3, 16},
    {"W4", "undirected random, n = 2048, mean degree 32", make_w1, 64},
};

void reader_file_write(const char *path)
{
    uint64_t state = 20250106;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        bench_die("cannot create %s", path);
    for (int line = 0; line < READER_LINES; line++) {
        unsigned from = (unsigned)(random_next(&state) % READER_IDS);
        unsigned to = (unsigned)(random_next(&state) % READER_IDS);
        fprintf(file, "%u %u\n", from, to);
    }
    if (fclose(file) != 0)
        bench_die("cannot write %s", path);
}
