/* What queries must answer. */
#include <gmp.h>

#include "tests/asked.h"
#include "tests/compare.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static powers powers_begin(const edge_set *edges, uint64_t length)
{
    powers made = {.n = edges->n, .length = length, .sum = integer_matrix_zero(edges->n)};
    integer_matrix a = oracle_adjacency(edges);
    made.power = calloc(length + 1, sizeof *made.power);
    made.power[0] = oracle_power(&a, 0);
    integer_matrix_free(&a);
    return made;
}

static void powers_add(powers *made, uint64_t length)
{
    for (uint64_t e = 0; e < made->n * made->n; e++)
        mpz_add(made->sum.entry[e], made->sum.entry[e], made->power[length].entry[e]);
}

powers powers_of(const edge_set *edges, uint64_t length)
{
    powers made = powers_begin(edges, length);
    integer_matrix a = oracle_adjacency(edges);
    for (uint64_t l = 1; l <= length; l++) {
        made.power[l] = oracle_product(&made.power[l - 1], &a);
        powers_add(&made, l);
    }
    integer_matrix_free(&a);
    return made;
}

/* An arc of the adjacency matrix, with how many paths of the length under way end with it. */
typedef struct last_arc {
    uint64_t from, to;
    mpz_t n_paths, n_longer;
} last_arc;

/* Paths from one vertex: each longer one goes on with an arc that does not lead back. */
static void not_turning_from(powers *made, uint64_t vertex, uint64_t n_arcs, last_arc *arcs)
{
    for (uint64_t a = 0; a < n_arcs; a++)
        mpz_set_ui(arcs[a].n_paths, arcs[a].from == vertex);
    for (uint64_t l = 1; l <= made->length; l++) {
        for (uint64_t a = 0; a < n_arcs; a++) {
            mpz_t *end = &made->power[l].entry[vertex * made->n + arcs[a].to];
            mpz_add(*end, *end, arcs[a].n_paths);
            mpz_set_ui(arcs[a].n_longer, 0);
        }
        for (uint64_t b = 0; b < n_arcs; b++)
            for (uint64_t a = 0; a < n_arcs; a++)
                if (arcs[a].to == arcs[b].from && arcs[a].from != arcs[b].to)
                    mpz_add(arcs[b].n_longer, arcs[b].n_longer, arcs[a].n_paths);
        for (uint64_t a = 0; a < n_arcs; a++)
            mpz_swap(arcs[a].n_paths, arcs[a].n_longer);
    }
}

powers powers_not_turning(const edge_set *edges, uint64_t length)
{
    powers made = powers_begin(edges, length);
    integer_matrix a = oracle_adjacency(edges);
    last_arc *arcs = calloc(made.n * made.n + 1, sizeof *arcs);
    uint64_t n_arcs = 0;
    for (uint64_t e = 0; e < made.n * made.n; e++)
        if (mpz_sgn(a.entry[e]) != 0) {
            arcs[n_arcs].from = e / made.n;
            arcs[n_arcs].to = e % made.n;
            mpz_inits(arcs[n_arcs].n_paths, arcs[n_arcs].n_longer, NULL);
            n_arcs++;
        }
    for (uint64_t l = 1; l <= length; l++)
        made.power[l] = integer_matrix_zero(made.n);
    for (uint64_t v = 0; v < made.n; v++)
        not_turning_from(&made, v, n_arcs, arcs);
    for (uint64_t l = 1; l <= length; l++)
        powers_add(&made, l);
    for (uint64_t e = 0; e < n_arcs; e++)
        mpz_clears(arcs[e].n_paths, arcs[e].n_longer, NULL);
    free(arcs);
    integer_matrix_free(&a);
    return made;
}

void powers_free(powers *made)
{
    for (uint64_t l = 0; l <= made->length; l++)
        integer_matrix_free(&made->power[l]);
    free(made->power);
    integer_matrix_free(&made->sum);
}

static uint64_t n_rows_of(const asked *a)
{
    switch (a->query.kind) {
    case PC_QUERY_FROM:
    case PC_QUERY_TO:
    case PC_QUERY_PAIRS:
        return a->query.n_asked;
    case PC_QUERY_TOTAL:
        return 1;
    default:
        return a->powers->n;
    }
}

static uint64_t n_columns_of(const asked *a)
{
    return a->query.kind == PC_QUERY_FROM || a->query.kind == PC_QUERY_TO ? a->powers->n : 1;
}

/* The sum of the entries first, first + step, ... of m, n of them. */
static void add_up(const integer_matrix *m, uint64_t first, uint64_t step, uint64_t n, mpz_t sum)
{
    mpz_set_ui(sum, 0);
    for (uint64_t i = 0; i < n; i++)
        mpz_add(sum, sum, m->entry[first + i * step]);
}

void expect(const asked *a, uint64_t length, uint64_t row, uint64_t column, mpz_t value)
{
    const integer_matrix *m = a->query.up_to ? &a->powers->sum : &a->powers->power[length];
    uint64_t n = m->n;
    switch (a->query.kind) {
    case PC_QUERY_FROM:
        mpz_set(value, m->entry[a->query.from[row] * n + column]);
        break;
    case PC_QUERY_TO:
        mpz_set(value, m->entry[column * n + a->query.to[row]]);
        break;
    case PC_QUERY_PAIRS:
        mpz_set(value, m->entry[a->query.from[row] * n + a->query.to[row]]);
        break;
    case PC_QUERY_TOTAL:
        add_up(m, 0, 1, n * n, value);
        break;
    case PC_QUERY_STARTS:
        add_up(m, row * n, 1, n, value);
        break;
    case PC_QUERY_ENDS:
        add_up(m, row, n, n, value);
        break;
    case PC_QUERY_CLOSED:
        mpz_set(value, m->entry[row * (n + 1)]);
        break;
    }
}

static bool is_close(double value, int64_t exponent, const mpz_t expected)
{
    long int expected_exponent;
    double mantissa = mpz_get_d_2exp(&expected_exponent, expected);
    if (mantissa == 0 || value == 0)
        return mantissa == 0 && value == 0;
    return fabs(ldexp(value, (int)(exponent - expected_exponent)) - mantissa) < 1e-10 * mantissa;
}

static bool entry_holds(const asked *a, const pc_rows *rows, uint64_t e, const mpz_t expected)
{
    mpz_t value, residue;
    if (a->options.arithmetic == PC_FLOAT)
        return rows->values && is_close(rows->values[e], rows->exponent, expected);
    if (!rows->limbs || rows->n_limbs == 0)
        return false;
    mpz_inits(value, residue, NULL);
    mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + e * rows->n_limbs);
    mpz_set(residue, expected);
    if (a->options.arithmetic == PC_MODULAR)
        mpz_mod_ui(residue, residue, a->options.modulus);
    bool holds = mpz_cmp(value, residue) == 0;
    mpz_clears(value, residue, NULL);
    return holds;
}

pc_status take_asked(void *user, uint64_t length, const pc_rows *rows)
{
    asked *a = user;
    mpz_t expected;
    mpz_init(expected);
    CU_ASSERT_TRUE_FATAL(length == a->length && rows->first_row == a->row && rows->n_rows > 0);
    CU_ASSERT_TRUE_FATAL(rows->n_columns == n_columns_of(a));
    CU_ASSERT_TRUE_FATAL(rows->first_row + rows->n_rows <= n_rows_of(a));
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        expect(a, length, a->row + e / rows->n_columns, e % rows->n_columns, expected);
        a->n_wrong += !entry_holds(a, rows, e, expected);
    }
    a->row += rows->n_rows;
    if (a->row == n_rows_of(a)) {
        a->row = 0;
        a->length++;
        a->n_answers++;
    }
    mpz_clear(expected);
    return PC_OK;
}

/* Runs the query and asserts that just the right answers come. */
void check_query(pc_context *context, const pc_graph *graph, asked *a)
{
    uint64_t n_answers = a->query.each ? a->query.length : 1;
    a->length = a->query.each ? 1 : a->query.length;
    a->row = a->n_answers = a->n_wrong = 0;
    pc_status status = pc_query_run(context, graph, &a->query, &a->options, take_asked, a);
    if (status != PC_OK)
        print_message(context);
    if (status != PC_OK || a->n_wrong)
        printf("\n    kind %d, paths %d, length %d, each %d, up to %d, arithmetic %d, method %d, n "
               "%d\n",
               (int)a->query.kind, (int)a->query.paths, (int)a->query.length, a->query.each,
               a->query.up_to, (int)a->options.arithmetic, (int)a->options.method,
               (int)a->powers->n);
    CU_ASSERT_EQUAL_FATAL(status, PC_OK);
    CU_ASSERT_EQUAL_FATAL(a->n_wrong, 0);
    CU_ASSERT_EQUAL(a->n_answers, n_rows_of(a) ? n_answers : 0);
}

/* Random vertices, from few or from all. */
void pick_vertices(random_source *source, uint64_t n, vertices *v)
{
    uint64_t n_from = 1 + random_below(source, n), n_to = 1 + random_below(source, n);
    for (int i = 0; i < MOST_ASKED; i++) {
        v->from[i] = random_below(source, n_from);
        v->to[i] = n - 1 - random_below(source, n_to);
    }
}
