/* Graphs to test with: plain edge arrays, made by hand or at random from a fixed seed. The library
 * and the oracle are each given the same arrays and nothing else. */
#ifndef TESTS_RANDOM_GRAPH_H
#define TESTS_RANDOM_GRAPH_H

#include "pathcount.h"

#include <stdbool.h>

typedef struct edge_set {
    uint64_t n; /* vertices 0..n-1 */
    uint64_t n_edges;
    uint64_t capacity;
    uint64_t *from, *to, *weight; /* [n_edges] */
    bool directed;
    bool multigraph;  /* an edge given again adds its weight; else it is dropped */
    bool loops_twice; /* when undirected, a loop is an entry of twice its weight */
} edge_set;

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_u64(random_source *source);
/* 0..limit-1; limit >= 1. */
uint64_t random_below(random_source *source, uint64_t limit);

edge_set edge_set_empty(uint64_t n, bool directed);
void edge_set_add(edge_set *edges, uint64_t from, uint64_t to, uint64_t weight);
void edge_set_free(edge_set *edges);
#define release_edge_set edge_set_free

/* A graph of n vertices of any kind: empty, sparse, dense, complete, acyclic, a permutation, a
 * star; directed or not, with loops and repeated edges, weights up to 2^64-1. */
edge_set edge_set_any(random_source *source, uint64_t n);
/* The same without edges that are given again and added up: their weights might not fit. */
edge_set edge_set_any_simple(random_source *source, uint64_t n);
/* Each arc or edge, loops too, is there with probability per_thousand / 1000. */
edge_set edge_set_density(random_source *source, uint64_t n, unsigned per_thousand, bool directed);
/* Undirected preferential attachment: each new vertex joins up to m older ones, repeats dropped. */
edge_set edge_set_preferential(random_source *source, uint64_t n, unsigned m);
/* Every arc and every loop, all of the same weight: A = weight * J. */
edge_set edge_set_constant(uint64_t n, uint64_t weight);

/* Gives the edges to graph_from_arrays. */
pc_status edge_set_load(pc_context *context, const edge_set *edges, pc_graph **graph);

/* An empty summary of counts of paths in graph. */
pc_status summary_of_graph(pc_context *context, const pc_graph *graph, pc_reduction **summary);

#endif
