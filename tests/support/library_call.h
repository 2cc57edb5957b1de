/* One question to the library, by the call that is made for it. */
#ifndef TESTS_LIBRARY_CALL_H
#define TESTS_LIBRARY_CALL_H

#include "tests/support/fixture.h"

typedef struct library_call {
    pc_query query; /* from, to, of the vertices asked for */
    pc_count_options options;
    uint64_t block_size; /* above 0: of a matrix, between blocks of so many consecutive vertices */
    const edge_set *edges;
} library_call;

/* Asks the question. A matrix is asked for by pc_plan_collect where the query keeps it, else by
 * pc_query_run. Asserts that no counts came when the call failed, and that some did
 * when it succeeded. n_deliveries counts calls of the receiver. */
pc_status make_call(pc_context *context, const pc_graph *graph, const library_call *call,
                    int *n_deliveries);

/* The same on a graph made for it; a failing_action whose user is a library_call. */
pc_status load_and_call(pc_context *context, void *user);

/* Has the context fail each allocation of the call, then cancels it at each question. It must make at
 * least so many of both. */
void check_halfway(library_call *call, uint64_t n_requests, int n_questions);

#endif
