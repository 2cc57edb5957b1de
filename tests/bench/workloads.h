/* The graphs that are counted, the same on every machine. */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#include <stdbool.h>
#include <stdint.h>

/* Arcs (from[a], to[a]), none twice, no loops. Undirected: the first n_edges arcs are the edges,
 * the other half the same edges turned round. */
typedef struct bench_graph {
    uint64_t n, n_edges, n_arcs;
    uint64_t *from, *to;
    bool directed;
} bench_graph;

typedef struct workload {
    const char *name;
    const char *text; /* what it is, for the table's heading */
    void (*make)(bench_graph *graph);
    unsigned length;
} workload;

#define N_WORKLOADS 4
extern const workload workloads[N_WORKLOADS]; /* W1..W4 */

/* The next of splitmix64 (Steele, Lea, Flood 2014). */
uint64_t random_next(uint64_t *state);

/* Undirected random graph: each of the pairs is an edge with the chance that gives mean_degree. */
void graph_make_random(bench_graph *graph, uint64_t n, double mean_degree, uint64_t seed);
void graph_free(bench_graph *graph);

#define READER_LINES 5000000
#define READER_IDS   262144

/* Writes the file of the reader's benchmark; ends the program when it cannot. */
void reader_file_write(const char *path);

#endif
