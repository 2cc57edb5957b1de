/* Walks by their definitions. */
#include "tests/support/path_walks.h"
#include "tests/support/fixture.h"

#include <stdbool.h>
#include <stdlib.h>

static walk_matrices zero_matrices(uint64_t n, uint64_t length)
{
    uint64_t n_entries = (length + 1) * n * n;
    walk_matrices made = {n, length, calloc(n_entries + 1, sizeof *made.entry)};
    if (!made.entry)
        abort();
    for (uint64_t e = 0; e < n_entries; e++)
        mpq_init(made.entry[e]);
    for (uint64_t v = 0; v < n; v++)
        mpq_set_ui(*walk_entry(&made, 0, v, v), 1, 1);
    return made;
}

void walk_matrices_free(walk_matrices *walks)
{
    for (uint64_t e = 0; e < (walks->length + 1) * walks->n * walks->n; e++)
        mpq_clear(walks->entry[e]);
    free(walks->entry);
}

/* ---- One by one ------------------------------------------------------------------------------ */

typedef struct walker {
    walk_matrices *walks;
    const integer_matrix *a;
    uint64_t from;
} walker;

/* Goes on from vertex `at`, where the walk came from `before`. */
static void walk_on(const walker *w, uint64_t before, uint64_t at, uint64_t length)
{
    uint64_t n = w->walks->n;
    mpz_ptr count = mpq_numref(*walk_entry(w->walks, length, w->from, at));
    if (length > 0)
        mpz_add_ui(count, count, 1);
    for (uint64_t next = 0; next < n && length < w->walks->length; next++)
        if (next != before && mpz_sgn(w->a->entry[at * n + next]) != 0)
            walk_on(w, at, next, length + 1);
}

walk_matrices walks_one_by_one(const edge_set *edges, uint64_t length)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    walk_matrices walks = zero_matrices(edges->n, length);
    for (uint64_t v = 0; v < edges->n; v++)
        walk_on(&(walker){&walks, &a, v}, edges->n, v, 0);
    return walks;
}

/* ---- Arc after arc --------------------------------------------------------------------------- */

/* next[u][v] walks end with the arc u v, where last[u][v] did one arc earlier. */
static void follow(const integer_matrix *a, const integer_matrix *last, integer_matrix *next)
{
    uint64_t n = a->n;
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++) {
            mpz_t *sum = &next->entry[u * n + v];
            mpz_set_ui(*sum, 0);
            for (uint64_t before = 0; before < n && mpz_sgn(a->entry[u * n + v]) != 0; before++)
                if (before != v)
                    mpz_add(*sum, *sum, last->entry[before * n + u]);
        }
}

static void add_ends(const integer_matrix *last, uint64_t length, uint64_t from,
                     walk_matrices *walks)
{
    uint64_t n = walks->n;
    for (uint64_t e = 0; e < n * n; e++) {
        mpq_t *end = walk_entry(walks, length, from, e % n);
        mpz_add(mpq_numref(*end), mpq_numref(*end), last->entry[e]);
    }
}

walk_matrices walks_by_arcs(const edge_set *edges, uint64_t length)
{
    uint64_t n = edges->n;
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    walk_matrices walks = zero_matrices(n, length);
    for (uint64_t from = 0; from < n; from++) {
        integer_matrix last = integer_matrix_zero(n), next = integer_matrix_zero(n);
        for (uint64_t v = 0; v < n; v++)
            mpz_set(last.entry[from * n + v], a.entry[from * n + v]);
        for (uint64_t l = 1; l <= length; l++) {
            add_ends(&last, l, from, &walks);
            follow(&a, &last, &next);
            integer_matrix swap = last;
            last = next;
            next = swap;
        }
        integer_matrix_free(&last);
        integer_matrix_free(&next);
    }
    return walks;
}

/* ---- Fractions ------------------------------------------------------------------------------- */

/* Row `from` of P. */
static void fill_row(const integer_matrix *a, uint64_t from, mpq_t *row)
{
    uint64_t n = a->n;
    OWNED(mpz_t) sum;
    mpz_init(sum);
    for (uint64_t v = 0; v < n; v++)
        mpz_add(sum, sum, a->entry[from * n + v]);
    for (uint64_t v = 0; v < n; v++)
        if (mpz_sgn(sum) == 0) {
            mpq_set_ui(row[v], v == from, 1);
        } else {
            mpz_set(mpq_numref(row[v]), a->entry[from * n + v]);
            mpz_set(mpq_denref(row[v]), sum);
            mpq_canonicalize(row[v]);
        }
}

walk_matrices markov_powers(const edge_set *edges, uint64_t length)
{
    uint64_t n = edges->n;
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    walk_matrices chain = zero_matrices(n, 1), powers = zero_matrices(n, length);
    OWNED(mpq_t) term;
    mpq_init(term);
    for (uint64_t v = 0; v < n; v++)
        fill_row(&a, v, walk_entry(&chain, 1, v, 0));
    for (uint64_t l = 1; l <= length; l++)
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t m = 0; m < n; m++)
                for (uint64_t j = 0; j < n; j++) {
                    mpq_t *sum = walk_entry(&powers, l, i, j);
                    mpq_mul(term, *walk_entry(&powers, l - 1, i, m), *walk_entry(&chain, 1, m, j));
                    mpq_add(*sum, *sum, term);
                }
    walk_matrices_free(&chain);
    return powers;
}
