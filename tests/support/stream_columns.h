/* The row that a stream must have for a graph, read off powers of GMP matrices, or off walks that
 * never turn back. */
#ifndef TESTS_STREAM_COLUMNS_H
#define TESTS_STREAM_COLUMNS_H

#include "tests/support/asked.h"

typedef struct columns {
    uint64_t n;
    mpz_t *count; /* [n] */
} columns;

/* modulus 0: exact. */
columns columns_of(const edge_set *edges, const pc_stream_query *query, uint64_t modulus);
void columns_free(columns *made);

/* Returns whether n counts of n_limbs words each are those. */
bool columns_are(const columns *expected, uint64_t n, uint32_t n_limbs, const uint64_t *counts);

/* Words that the widest takes, at least 1. */
uint32_t columns_words(const columns *made);

#endif
