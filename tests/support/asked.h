/* Queries asked of the library, with the answers that must come: read off powers of GMP matrices, or off
 * walks of another kind. */
#ifndef TESTS_ASKED_H
#define TESTS_ASKED_H

#include "tests/support/path_walks.h"

/* A^0 .. A^length, and the sum of all but the first. */
typedef struct powers {
    uint64_t n, length;
    integer_matrix *power; /* [length + 1] */
    integer_matrix sum;
} powers;

powers powers_of(const edge_set *edges, uint64_t length);
void powers_free(powers *made);
#define release_powers powers_free

/* A query under way, and how far its answers have come. */
typedef struct asked {
    const powers *powers;       /* what the answers are read off: these, of all paths, ... */
    const walk_matrices *walks; /* ... or these, of the query's kind; the other one is NULL */
    pc_query query;
    pc_count_options options;
    uint64_t length, row; /* of the next row that must come */
    uint64_t n_answers;   /* that are complete */
    uint64_t n_wrong;
    double relative_error, largest_error; /* of doubles: that the plan proves, and what there is */
} asked;

/* How far value * 2^exponent is off, rounded up. */
double relative_error_of(double value, int64_t exponent, const mpq_t expected);

/* A pc_answer_fn whose user is an asked. */
pc_status take_asked(void *user, uint64_t length, const pc_rows *rows);

/* Runs the query and asserts that just the right answers come. */
void check_query(pc_context *context, const pc_graph *graph, asked *a);

/* Asserts that the certificate of the query's vectors (rows of integers) lets right ones pass and none
 * with a bit turned. */
void check_query_certificate(pc_context *context, const pc_graph *graph, const asked *a,
                             random_source *source);

enum { MOST_ASKED = 200 };

typedef struct vertices {
    uint64_t from[MOST_ASKED], to[MOST_ASKED];
} vertices;

/* Random vertices, from few or from all. */
void pick_vertices(random_source *source, uint64_t n, vertices *v);

#endif
