/* What the library is tested against: adjacency matrices straight from edge arrays and their powers
 * by schoolbook products. Slow and simple by design; shares no code with the library. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <gmp.h>

#include "tests/support/random_graph.h"

/* An n x n matrix of GMP integers, row by row. */
typedef struct integer_matrix {
    uint64_t n;
    mpz_t *entry;
} integer_matrix;

/* A matrix of zeros. */
integer_matrix integer_matrix_zero(uint64_t n);
void integer_matrix_free(integer_matrix *matrix);
#define release_integer_matrix integer_matrix_free

/* A of the graph: loops once, or twice, edges given again dropped or added, undirected ones both ways. */
integer_matrix oracle_adjacency(const edge_set *edges);

/* left * right, by the definition. */
integer_matrix oracle_product(const integer_matrix *left, const integer_matrix *right);

/* A^k as I * A * A * ... * A. */
integer_matrix oracle_power(const integer_matrix *a, uint64_t k);

/* The same of a graph. */
integer_matrix oracle_count(const edge_set *edges, uint64_t k);

/* matrix modulo modulus, as n x n words the caller frees. */
uint64_t *oracle_reduce(const integer_matrix *matrix, uint64_t modulus);

/* left * right modulo modulus < 2^63; the caller frees it. */
uint64_t *oracle_product_modular(const uint64_t *left, const uint64_t *right, uint64_t n,
                                 uint64_t modulus);

/* A^k modulo modulus < 2^63 by square and multiply; the caller frees it. */
uint64_t *oracle_power_modular(const integer_matrix *a, uint64_t k, uint64_t modulus);

/* mantissa * 2^exponent, mantissa 0 or in [0.5, 1): never overflows. */
typedef struct scaled {
    long double mantissa;
    int64_t exponent;
} scaled;

/* A^k in long doubles, each entry with its own exponent; the caller frees it. */
scaled *oracle_power_scaled(const integer_matrix *a, uint64_t k);
#define release_scaled release_memory

#endif
