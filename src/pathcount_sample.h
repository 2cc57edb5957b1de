/* pathcount: random walks, drawn uniformly. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_SAMPLE_H
#define PATHCOUNT_SAMPLE_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The walks that are wanted. Weights are numbers of parallel arcs, which a walk chooses among. */
typedef struct pc_sample_options {
    uint64_t length;           /* arcs of a walk */
    uint64_t number;           /* of walks */
    const uint64_t *from, *to; /* the vertex where all begin, and where all end; NULL: any */
    int simple;                /* 1: only walks that visit no vertex twice */
    uint64_t seed;
} pc_sample_options;

/* Receives some walks, in order: vertices[n_walks][length + 1], valid during the call. Any status but PC_OK ends
 * the call, which returns it. */
typedef pc_status (*pc_sample_fn)(void *user, uint64_t n_walks, const uint32_t *vertices);

/* Draws walks independently, each one that there is with the same probability. Probabilities are quotients of exact
 * integers, and nothing is rounded. The same options give the same walks, whatever the number of threads.
 *
 * It holds length + 1 exact integers for each vertex. Walks with a vertex twice are drawn and dropped where `simple` is
 * set. That fails with PC_ERR_RANGE when it would take more than an hour at the rate so far, or when all are dropped
 * for ten seconds.
 *
 * PC_ERR_DATA when there is no such walk, PC_ERR_ARGUMENT; PC_ERR_MEMORY, before anything large is allocated, for what
 * does not fit; PC_ERR_CERTIFY when numbers of walks, or walks that were drawn again, are not the same;
 * PC_ERR_CANCELLED. */
pc_status pc_sample(pc_context *context, const pc_graph *graph, const pc_sample_options *options,
                    pc_sample_fn deliver, void *user);

#ifdef __cplusplus
}
#endif

#endif
