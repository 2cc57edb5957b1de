/* Queries against powers of GMP matrices: every kind, for one length, for each, and added up; exact,
 * modulo a number and in doubles. */
#include <gmp.h>

#include "src/options.h"
#include "src/query_plan.h"
#include "tests/compare.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What must come out ---------------------------------------------------------------------- */

/* A^0 .. A^length, and the sum of all but the first. */
typedef struct powers {
    uint64_t n, length;
    integer_matrix *power; /* [length + 1] */
    integer_matrix sum;
} powers;

static powers powers_of(const edge_set *edges, uint64_t length)
{
    powers made = {.n = edges->n, .length = length, .sum = integer_matrix_zero(edges->n)};
    integer_matrix a = oracle_adjacency(edges);
    made.power = calloc(length + 1, sizeof *made.power);
    made.power[0] = oracle_power(&a, 0);
    for (uint64_t l = 1; l <= length; l++) {
        made.power[l] = oracle_product(&made.power[l - 1], &a);
        for (uint64_t e = 0; e < made.n * made.n; e++)
            mpz_add(made.sum.entry[e], made.sum.entry[e], made.power[l].entry[e]);
    }
    integer_matrix_free(&a);
    return made;
}

static void powers_free(powers *made)
{
    for (uint64_t l = 0; l <= made->length; l++)
        integer_matrix_free(&made->power[l]);
    free(made->power);
    integer_matrix_free(&made->sum);
}

/* A query under way, and how far its answers have come. */
typedef struct asked {
    const powers *powers;
    pc_query query;
    pc_count_options options;
    uint64_t length, row; /* of the next row that must come */
    uint64_t n_answers;   /* that are complete */
    uint64_t n_wrong;
} asked;

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

static void expect(const asked *a, uint64_t length, uint64_t row, uint64_t column, mpz_t value)
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

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
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
static void check_query(pc_context *context, const pc_graph *graph, asked *a)
{
    uint64_t n_answers = a->query.each ? a->query.length : 1;
    a->length = a->query.each ? 1 : a->query.length;
    a->row = a->n_answers = a->n_wrong = 0;
    pc_status status = pc_query_run(context, graph, &a->query, &a->options, take, a);
    if (status != PC_OK)
        print_message(context);
    if (status != PC_OK || a->n_wrong)
        printf("\n    kind %d, length %d, each %d, up to %d, arithmetic %d, n %d\n",
               (int)a->query.kind, (int)a->query.length, a->query.each, a->query.up_to,
               (int)a->options.arithmetic, (int)a->powers->n);
    CU_ASSERT_EQUAL_FATAL(status, PC_OK);
    CU_ASSERT_EQUAL_FATAL(a->n_wrong, 0);
    CU_ASSERT_EQUAL(a->n_answers, n_rows_of(a) ? n_answers : 0);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

enum { MOST_ASKED = 200, N_KINDS = PC_QUERY_CLOSED + 1 };

typedef struct vertices {
    uint64_t from[MOST_ASKED], to[MOST_ASKED];
} vertices;

/* Random vertices, from few or from all. */
static void pick_vertices(random_source *source, uint64_t n, vertices *v)
{
    uint64_t n_from = 1 + random_below(source, n), n_to = 1 + random_below(source, n);
    for (int i = 0; i < MOST_ASKED; i++) {
        v->from[i] = random_below(source, n_from);
        v->to[i] = n - 1 - random_below(source, n_to);
    }
}

static asked any_query(random_source *source, const powers *powers, const vertices *v)
{
    static const uint64_t moduli[] = {2, 3, 1000003, (UINT64_C(1) << 63) - 25};
    asked a = {.powers = powers, .query.length = powers->length};
    a.query.kind = (pc_query_kind)random_below(source, N_KINDS);
    a.query.each = random_below(source, 3) == 0;
    a.query.up_to = !a.query.each && random_below(source, 2);
    a.query.n_asked = random_below(source, 4) ? random_below(source, 5) : MOST_ASKED;
    a.query.from = v->from;
    a.query.to = v->to;
    a.options.arithmetic = (pc_arithmetic)(random_below(source, 5) / 2 % 3);
    if (a.options.arithmetic == PC_MODULAR)
        a.options.modulus = moduli[random_below(source, 4)];
    if (random_below(source, 8) == 0)
        a.options.n_certify_rounds = PC_CERTIFY_NONE;
    return a;
}

static void random_queries(uint64_t seed, int n_graphs, uint64_t most_n, uint64_t most_length)
{
    random_source source = {seed};
    for (int g = 0; g < n_graphs; g++) {
        edge_set edges = edge_set_any(&source, 1 + random_below(&source, most_n));
        edges.multigraph = false; /* so that no multiplicities add to 2^64 */
        powers all = powers_of(&edges, random_below(&source, most_length + 1));
        vertices v;
        pick_vertices(&source, edges.n, &v);
        pc_context *context = new_context(1 + g % 3);
        pc_graph *graph = new_graph(context, &edges);
        for (int q = 0; q < 6; q++) {
            asked a = any_query(&source, &all, &v);
            /* Doubles stay within their range of 2^500 with a factor of 2^64 for few lengths. */
            if (a.options.arithmetic == PC_FLOAT && all.length > 6)
                a.options.arithmetic = PC_EXACT;
            check_query(context, graph, &a);
        }
        pc_graph_free(graph);
        pc_context_free(context);
        powers_free(&all);
        edge_set_free(&edges);
    }
}

static void small_graphs(void)
{
    random_queries(1, 3000, 7, 12);
}

static void larger_graphs(void)
{
    random_queries(2, 60, 40, 60);
}

/* Every kind in every way on one graph. */
static void every_way(const edge_set *edges, uint64_t length, uint64_t memory_limit)
{
    static const pc_count_options ways[] = {
        {0}, {.arithmetic = PC_MODULAR, .modulus = 1000003}, {.arithmetic = PC_FLOAT}};
    random_source source = {edges->n};
    powers all = powers_of(edges, length);
    vertices v;
    pc_context *context = new_context(2);
    pc_graph *graph = new_graph(context, edges);
    if (edges->n)
        pick_vertices(&source, edges->n, &v);
    pc_context_set_memory_limit(context, memory_limit);
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int way = 0; way < 9; way++) {
            asked a = {.powers = &all,
                       .options = ways[way % 3],
                       .query = {.kind = (pc_query_kind)kind,
                                 .length = length,
                                 .n_asked = edges->n ? MOST_ASKED : 0,
                                 .from = v.from,
                                 .to = v.to,
                                 .each = way / 3 == 1,
                                 .up_to = way / 3 == 2}};
            check_query(context, graph, &a);
        }
    pc_graph_free(graph);
    pc_context_free(context);
    powers_free(&all);
}

static void all_ways(void)
{
    random_source source = {3};
    for (int directed = 0; directed < 2; directed++)
        for (uint64_t length = 0; length < 8; length += 1 + length / 2) {
            edge_set edges = edge_set_density(&source, 40, 100, directed);
            every_way(&edges, length, 0);
            edge_set_free(&edges);
        }
}

/* So little memory that few vectors go at a time, and rows of each length start over. */
static void little_memory(void)
{
    random_source source = {4};
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_density(&source, 90, 40, directed);
        every_way(&edges, 6, 96 << 10);
        edge_set_free(&edges);
    }
}

static void no_vertices(void)
{
    edge_set edges = edge_set_empty(0, true);
    every_way(&edges, 0, 0);
    every_way(&edges, 3, 0);
}

/* Wide counts in doubles, beyond any exponent of theirs. */
static void wide_doubles(void)
{
    edge_set edges = edge_set_constant(4, UINT64_MAX);
    every_way(&edges, 40, 0);
    edge_set_free(&edges);
}

/* Vectors with an exponent each, too far apart for one: loops that count 1, 2^600, 2^1200 ... */
static void doubles_far_apart(void)
{
    edge_set edges = edge_set_empty(5, true);
    for (uint64_t v = 0; v < edges.n; v++)
        edge_set_add(&edges, v, v, UINT64_C(1) << (15 * v));
    powers all = powers_of(&edges, 40);
    static const uint64_t some[] = {4, 0, 2, 3, 1};
    pc_context *context = new_context(1);
    pc_graph *graph = new_graph(context, &edges);
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int way = 0; way < 3; way++) {
            asked a = {.powers = &all,
                       .options.arithmetic = PC_FLOAT,
                       .query = {.kind = (pc_query_kind)kind,
                                 .length = 40,
                                 .n_asked = 5,
                                 .from = some,
                                 .to = some,
                                 .each = way == 1,
                                 .up_to = way == 2}};
            bool from_all = kind >= PC_QUERY_TOTAL && kind <= PC_QUERY_ENDS;
            a.length = a.query.each ? 1 : 40;
            if (!from_all)
                check_query(context, graph, &a);
            else
                CU_ASSERT_EQUAL(pc_query_run(context, graph, &a.query, &a.options, take, &a),
                                PC_ERR_RANGE);
        }
    pc_graph_free(graph);
    pc_context_free(context);
    powers_free(&all);
    edge_set_free(&edges);
}

/* ---- Beside whole matrices ------------------------------------------------------------------- */

static pc_status take_row(void *user, uint64_t length, const pc_rows *rows)
{
    const pc_rows *all = user;
    uint32_t n_limbs = rows->n_limbs < all->n_limbs ? rows->n_limbs : all->n_limbs;
    CU_ASSERT_EQUAL(length, 70);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        const uint64_t *a = rows->limbs + e * rows->n_limbs;
        const uint64_t *b = all->limbs + (rows->first_row * all->n_columns + e) * all->n_limbs;
        CU_ASSERT_TRUE(memcmp(a, b, n_limbs * sizeof *a) == 0);
        for (uint32_t l = n_limbs; l < rows->n_limbs; l++)
            CU_ASSERT_EQUAL(a[l], 0);
    }
    return PC_OK;
}

static void as_whole_matrix(void)
{
    enum { N = 150 };
    for (int directed = 0; directed < 2; directed++) {
        random_source source = {5};
        edge_set edges = edge_set_density(&source, N, 40, directed);
        pc_context *context = new_context(0);
        pc_graph *graph = new_graph(context, &edges);
        pc_counts *counts = new_counts(context, graph, 70);
        uint64_t all[N];
        pc_rows rows;
        for (uint64_t v = 0; v < N; v++)
            all[v] = v;
        pc_counts_rows(counts, &rows);
        pc_query query = {.kind = PC_QUERY_FROM, .length = 70, .n_asked = N, .from = all};
        CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, NULL, take_row, &rows), PC_OK);
        pc_counts_free(counts);
        pc_graph_free(graph);
        pc_context_free(context);
        edge_set_free(&edges);
    }
}

/* ---- Certificates ---------------------------------------------------------------------------- */

/* Right rows of vectors pass, a row with one bit turned does not. */
static void check_certificate(const pci_query_plan *plan, const asked *a, random_source *source)
{
    pci_operator map = pci_query_map(plan);
    pci_certificate *certificate = NULL;
    CU_ASSERT_EQUAL_FATAL(pci_certificate_create(plan->context, &map, 2, &certificate), PC_OK);
    CU_ASSERT_EQUAL_FATAL(map.n_columns, a->powers->n);
    uint64_t n = a->powers->n;
    uint32_t n_limbs = 80;
    uint64_t *limbs = calloc(n * n_limbs, sizeof *limbs);
    mpz_t value;
    mpz_init(value);
    for (uint64_t row = 0; row < map.n_rows; row++) {
        uint64_t length = a->query.each ? row / a->query.n_asked + 1 : a->query.length;
        memset(limbs, 0, n * n_limbs * sizeof *limbs);
        for (uint64_t column = 0; column < n; column++) {
            expect(a, length, row % a->query.n_asked, column, value);
            mpz_export(limbs + column * n_limbs, NULL, -1, 8, 0, 0, value);
        }
        pc_rows rows = {
            .first_row = row, .n_rows = 1, .n_columns = n, .n_limbs = n_limbs, .limbs = limbs};
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_OK);
        limbs[random_below(source, n * n_limbs)] ^= UINT64_C(1) << random_below(source, 64);
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_ERR_CERTIFY);
    }
    mpz_clear(value);
    free(limbs);
    pci_certificate_free(certificate);
}

static void certificates(void)
{
    random_source source = {6};
    for (int g = 0; g < 60; g++) {
        edge_set edges = edge_set_any(&source, 1 + random_below(&source, 8));
        edges.multigraph = false;
        powers all = powers_of(&edges, random_below(&source, 10));
        vertices v;
        pick_vertices(&source, edges.n, &v);
        pc_context *context = new_context(1);
        pc_graph *graph = new_graph(context, &edges);
        asked a = {.powers = &all,
                   .query = {.kind = g % 2 ? PC_QUERY_FROM : PC_QUERY_TO,
                             .length = all.length,
                             .n_asked = 5,
                             .from = v.from,
                             .to = v.to,
                             .each = g % 3 == 1,
                             .up_to = g % 3 == 2}};
        pci_query_plan plan;
        pci_query_job job = {.context = context, .graph = graph, .query = &a.query};
        CU_ASSERT_EQUAL_FATAL(pci_options_complete(context, NULL, &job.options), PC_OK);
        CU_ASSERT_EQUAL_FATAL(pci_query_plan_make(&job, &plan), PC_OK);
        check_certificate(&plan, &a, &source);
        pci_query_plan_free(&plan);
        pc_graph_free(graph);
        pc_context_free(context);
        powers_free(&all);
        edge_set_free(&edges);
    }
}

static const test_case cases[] = {
    {"small graphs", small_graphs},
    {"larger graphs", larger_graphs},
    {"all ways", all_ways},
    {"little memory", little_memory},
    {"no vertices", no_vertices},
    {"wide doubles", wide_doubles},
    {"doubles far apart", doubles_far_apart},
    {"as the whole matrix", as_whole_matrix},
    {"certificates", certificates},
    {NULL, NULL},
};

const test_suite test_query_suite = {"query", cases};
