/* pathcount: random graphs. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_GENERATE_H
#define PATHCOUNT_GENERATE_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Models of random graphs of vertices 0..n-1, without loops and without an edge given twice. */
typedef enum pc_model_kind {
    /* Recursive matrix: 2^scale vertices, numbered at random. edge_factor * 2^scale edges are drawn, each by choosing
     * scale times a quadrant of the adjacency matrix. Loops and edges drawn again are dropped: n_duplicates of
     * pc_graph_info says how many came again. */
    PC_MODEL_RMAT,
    PC_MODEL_ERDOS_RENYI, /* n_edges edges, every such graph equally likely */
    PC_MODEL_GILBERT, /* each edge is there with the given probability, independently of all others */
    /* Preferential attachment: each vertex from number edges_per_vertex on joins as many different older ones, chosen
     * in proportion to their degrees; the first of them joins all before it. Arcs lead from the newer vertex to the
     * older. One thread makes it. */
    PC_MODEL_BARABASI_ALBERT
} pc_model_kind;

/* A random graph. Fields of other models are not looked at. */
typedef struct pc_model {
    pc_model_kind kind;
    int directed; /* 1: edges are arcs */
    uint64_t seed;
    uint64_t n_vertices; /* of all models but R-MAT */
    uint64_t n_edges;
    double probability;
    uint64_t edges_per_vertex;
    uint32_t scale;       /* 0..31 */
    uint64_t edge_factor; /* 0..2^32 */
    /* The probabilities of the quadrants upper left, upper right and lower left; all 0: 0.57, 0.19 and 0.19, those of
     * Graph500. */
    double a, b, c;
} pc_model;

/* The same model gives the same graph, whatever the number of threads. PC_ERR_ARGUMENT; PC_ERR_MEMORY, before
 * anything large is allocated, for what does not fit. */
pc_status pc_generate(pc_context *context, const pc_model *model, pc_graph **graph);

#ifdef __cplusplus
}
#endif

#endif
