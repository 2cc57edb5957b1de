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

/* ---- No vertex twice ------------------------------------------------------------------------- */

typedef unsigned __int128 wide;

enum { N_SIMPLE = MOST_SIMPLE_VERTICES };

typedef wide simple_counts[MOST_SIMPLE_LENGTH + 1][N_SIMPLE][N_SIMPLE];

typedef struct simple_walker {
    uint64_t n, length;
    bool directed;
    wide arc[N_SIMPLE][N_SIMPLE];
    uint64_t path[N_SIMPLE];
    bool is_visited[N_SIMPLE];
    simple_counts paths, cycles, through, all;
} simple_walker;

/* Notes the cycle that the path and the arc to its first vertex make. Each is met at its smallest vertex, and an
 * undirected one in both directions. */
static void note_cycle(simple_walker *w, uint64_t length, wide product)
{
    bool is_first = w->directed || w->path[1] < w->path[length - 1];
    w->all[length][0][0] += is_first ? product : 0;
    for (uint64_t i = 0; i < length; i++) {
        w->cycles[length][w->path[i]][w->path[(i + 1) % length]] += product;
        w->through[length][w->path[i]][w->path[i]] += is_first ? product : 0;
    }
}

static void walk_simply(simple_walker *w, uint64_t length, wide product)
{
    uint64_t from = w->path[0], at = w->path[length], smallest = from;
    w->paths[length][from][at] += product;
    for (uint64_t i = 0; i <= length; i++)
        smallest = w->path[i] < smallest ? w->path[i] : smallest;
    if (smallest == from && length + 1 >= (w->directed ? 2 : 3) && length < w->length &&
        w->arc[at][from] > 0)
        note_cycle(w, length + 1, product * w->arc[at][from]);
    w->is_visited[at] = true;
    for (uint64_t next = 0; next < w->n && length < w->length; next++)
        if (!w->is_visited[next] && w->arc[at][next] > 0) {
            w->path[length + 1] = next;
            walk_simply(w, length + 1, product * w->arc[at][next]);
        }
    w->is_visited[at] = false;
}

static walk_matrices to_matrices(const simple_walker *w, simple_counts counts)
{
    walk_matrices made = zero_matrices(w->n, w->length);
    for (uint64_t l = 0; l <= w->length; l++)
        for (uint64_t e = 0; e < w->n * w->n; e++) {
            mpz_ptr count = mpq_numref(*walk_entry(&made, l, e / w->n, e % w->n));
            mpz_import(count, 1, -1, sizeof(wide), 0, 0, &counts[l][e / w->n][e % w->n]);
        }
    return made;
}

simple_walks simple_walks_of(const edge_set *edges, uint64_t length)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    simple_walker *w = calloc(1, sizeof *w);
    if (!w || edges->n > MOST_SIMPLE_VERTICES || length > MOST_SIMPLE_LENGTH)
        abort();
    *w = (simple_walker){.n = edges->n, .length = length, .directed = edges->directed};
    for (uint64_t e = 0; e < w->n * w->n; e++)
        w->arc[e / w->n][e % w->n] = mpz_get_ui(a.entry[e]);
    for (w->path[0] = 0; w->path[0] < w->n; w->path[0]++)
        walk_simply(w, 0, 1);
    simple_walks made = {to_matrices(w, w->paths), to_matrices(w, w->cycles),
                         to_matrices(w, w->through), to_matrices(w, w->all)};
    free(w);
    return made;
}

void simple_walks_free(simple_walks *walks)
{
    walk_matrices_free(&walks->paths);
    walk_matrices_free(&walks->cycles);
    walk_matrices_free(&walks->through);
    walk_matrices_free(&walks->all);
}
