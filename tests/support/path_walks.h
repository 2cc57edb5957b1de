/* Counts other kinds of path by their definitions: walks counted one by one or arc after arc,
 * and powers of fractions. Shares no code with the library. */
#ifndef TESTS_PATH_WALKS_H
#define TESTS_PATH_WALKS_H

#include "tests/support/oracle.h"

/* Matrices of fractions for the lengths 0..length. */
typedef struct walk_matrices {
    uint64_t n, length;
    mpq_t *entry; /* [length + 1][n][n] */
} walk_matrices;

void walk_matrices_free(walk_matrices *walks);
#define release_walk_matrices walk_matrices_free

static inline mpq_t *walk_entry(const walk_matrices *walks, uint64_t length, uint64_t from,
                                uint64_t to)
{
    return &walks->entry[(length * walks->n + from) * walks->n + to];
}

/* Walks that never turn back, each walked: for short lengths. */
walk_matrices walks_one_by_one(const edge_set *edges, uint64_t length);

/* The same from counts of walks that end with each arc: an arc may follow any that ends where it begins,
 * but for its own turned round. */
walk_matrices walks_by_arcs(const edge_set *edges, uint64_t length);

/* Powers of the matrix with each row divided by its sum, rows of zeros staying where they are. */
walk_matrices markov_powers(const edge_set *edges, uint64_t length);

enum { MOST_SIMPLE_VERTICES = 12, MOST_SIMPLE_LENGTH = 13 };

/* Paths that visit no vertex twice, and cycles, of the lengths 0..length. An entry of cycles is the number through the
 * arc; on the diagonal of `through` are those through the vertex; `all` has the number of all in its first entry. */
typedef struct simple_walks {
    walk_matrices paths, cycles, through, all;
} simple_walks;

/* Each path is walked: sums are right where they are below 2^128. There are at most MOST_SIMPLE_VERTICES vertices. */
simple_walks simple_walks_of(const edge_set *edges, uint64_t length);
void simple_walks_free(simple_walks *walks);
#define release_simple_walks simple_walks_free

#endif
