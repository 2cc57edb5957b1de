/* The oracle: schoolbook matrix powers in GMP integers, modulo a word, and in scaled long
 * doubles. */
#include "tests/support/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *zeroed(uint64_t n_items, size_t item_bytes)
{
    void *memory = calloc(n_items ? n_items : 1, item_bytes);
    if (memory == NULL) {
        fprintf(stderr, "tests: no memory for the oracle\n");
        abort();
    }
    return memory;
}

integer_matrix integer_matrix_zero(uint64_t n)
{
    integer_matrix matrix = {n, zeroed(n * n, sizeof *matrix.entry)};
    for (uint64_t e = 0; e < n * n; e++)
        mpz_init(matrix.entry[e]);
    return matrix;
}

void integer_matrix_free(integer_matrix *matrix)
{
    for (uint64_t e = 0; e < matrix->n * matrix->n; e++)
        mpz_clear(matrix->entry[e]);
    free(matrix->entry);
    *matrix = (integer_matrix){0, NULL};
}

static void set_word(mpz_t value, uint64_t word)
{
    mpz_import(value, 1, 1, sizeof word, 0, 0, &word);
}

integer_matrix oracle_adjacency(const edge_set *edges)
{
    integer_matrix a = integer_matrix_zero(edges->n);
    mpz_t weight;
    mpz_init(weight);
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        uint64_t u = edges->from[e], v = edges->to[e];
        set_word(weight, edges->weight[e]);
        if (!edges->multigraph)
            mpz_set_ui(a.entry[u * edges->n + v], 0);
        mpz_add(a.entry[u * edges->n + v], a.entry[u * edges->n + v], weight);
        if (!edges->directed && u != v)
            mpz_set(a.entry[v * edges->n + u], a.entry[u * edges->n + v]);
    }
    mpz_clear(weight);
    for (uint64_t v = 0; edges->loops_twice && v < edges->n; v++)
        mpz_mul_ui(a.entry[v * edges->n + v], a.entry[v * edges->n + v], 2);
    return a;
}

integer_matrix oracle_product(const integer_matrix *left, const integer_matrix *right)
{
    uint64_t n = left->n;
    integer_matrix product = integer_matrix_zero(n);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t l = 0; l < n; l++)
            for (uint64_t j = 0; j < n && mpz_sgn(left->entry[i * n + l]) != 0; j++)
                if (mpz_sgn(right->entry[l * n + j]) != 0)
                    mpz_addmul(product.entry[i * n + j], left->entry[i * n + l],
                               right->entry[l * n + j]);
    return product;
}

integer_matrix oracle_power(const integer_matrix *a, uint64_t k)
{
    integer_matrix power = integer_matrix_zero(a->n);
    for (uint64_t i = 0; i < a->n; i++)
        mpz_set_ui(power.entry[i * a->n + i], 1);
    for (uint64_t step = 0; step < k; step++) {
        integer_matrix next = oracle_product(&power, a);
        integer_matrix_free(&power);
        power = next;
    }
    return power;
}

integer_matrix oracle_count(const edge_set *edges, uint64_t k)
{
    integer_matrix a = oracle_adjacency(edges);
    integer_matrix power = oracle_power(&a, k);
    integer_matrix_free(&a);
    return power;
}

uint64_t *oracle_reduce(const integer_matrix *matrix, uint64_t modulus)
{
    uint64_t *reduced = zeroed(matrix->n * matrix->n, sizeof *reduced);
    mpz_t m, rest;
    mpz_inits(m, rest, NULL);
    set_word(m, modulus);
    for (uint64_t e = 0; e < matrix->n * matrix->n; e++) {
        mpz_mod(rest, matrix->entry[e], m);
        mpz_export(&reduced[e], NULL, -1, sizeof *reduced, 0, 0, rest);
    }
    mpz_clears(m, rest, NULL);
    return reduced;
}

uint64_t *oracle_product_modular(const uint64_t *left, const uint64_t *right, uint64_t n,
                                 uint64_t modulus)
{
    uint64_t *product = zeroed(n * n, sizeof *product);
    unsigned __int128 *row = zeroed(n, sizeof *row);
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            row[j] = 0;
        for (uint64_t l = 0; l < n; l++)
            for (uint64_t j = 0; j < n && left[i * n + l] != 0; j++) {
                row[j] += (unsigned __int128)left[i * n + l] * right[l * n + j]; /* < 2^126 */
                if (row[j] >> 127)
                    row[j] %= modulus;
            }
        for (uint64_t j = 0; j < n; j++)
            product[i * n + j] = (uint64_t)(row[j] % modulus);
    }
    free(row);
    return product;
}

uint64_t *oracle_power_modular(const integer_matrix *a, uint64_t k, uint64_t modulus)
{
    uint64_t n = a->n;
    uint64_t *square = oracle_reduce(a, modulus); /* A^(2^t) */
    uint64_t *power = zeroed(n * n, sizeof *power);
    for (uint64_t i = 0; i < n; i++)
        power[i * n + i] = 1 % modulus;
    for (; k != 0; k >>= 1) {
        if (k & 1) {
            uint64_t *next = oracle_product_modular(power, square, n, modulus);
            free(power);
            power = next;
        }
        uint64_t *next = oracle_product_modular(square, square, n, modulus);
        free(square);
        square = next;
    }
    free(square);
    return power;
}

static scaled scaled_normal(long double mantissa, int64_t exponent)
{
    int shift;
    mantissa = frexpl(mantissa, &shift);
    return (scaled){mantissa, mantissa == 0 ? 0 : exponent + shift};
}

static scaled scaled_sum(scaled a, scaled b)
{
    if (a.mantissa == 0 || b.mantissa == 0)
        return a.mantissa == 0 ? b : a;
    scaled large = a.exponent > b.exponent ? a : b, small = a.exponent > b.exponent ? b : a;
    int64_t gap = large.exponent - small.exponent;
    int shift = gap > 1000 ? 1000 : (int)gap;
    return scaled_normal(large.mantissa + ldexpl(small.mantissa, -shift), large.exponent);
}

static scaled *product_scaled(const scaled *left, const scaled *right, uint64_t n)
{
    scaled *product = zeroed(n * n, sizeof *product);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t l = 0; l < n; l++)
            for (uint64_t j = 0; j < n; j++) {
                scaled a = left[i * n + l], b = right[l * n + j];
                scaled term = scaled_normal(a.mantissa * b.mantissa, a.exponent + b.exponent);
                product[i * n + j] = scaled_sum(product[i * n + j], term);
            }
    return product;
}

scaled *oracle_power_scaled(const integer_matrix *a, uint64_t k)
{
    uint64_t n = a->n;
    scaled *square = zeroed(n * n, sizeof *square); /* A^(2^t) */
    scaled *power = zeroed(n * n, sizeof *power);
    for (uint64_t e = 0; e < n * n; e++) {
        square[e] = scaled_normal((long double)mpz_get_ui(a->entry[e]), 0); /* below 2^64 */
        power[e] = scaled_normal(e % n == e / n ? 1 : 0, 0);
    }
    for (; k != 0; k >>= 1) {
        if (k & 1) {
            scaled *next = product_scaled(power, square, n);
            free(power);
            power = next;
        }
        scaled *next = product_scaled(square, square, n);
        free(square);
        square = next;
    }
    free(square);
    return power;
}
