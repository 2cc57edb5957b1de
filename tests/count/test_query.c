/* Queries against powers of GMP matrices: every kind, for one length, for each, and added up; exact,
 * modulo a number and in doubles. */
#include <gmp.h>

#include "tests/support/asked.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random graphs --------------------------------------------------------------------------- */

static asked any_query(random_source *source, const powers *powers, const vertices *v)
{
    static const uint64_t moduli[] = {2, 3, 1000003, (UINT64_C(1) << 63) - 25};
    asked a = {.powers = powers, .query.length = powers->length};
    a.query.kind = (pc_query_kind)random_below(source, N_QUERY_KINDS);
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
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, most_n));
        OWNED(powers) all = powers_of(&edges, random_below(&source, most_length + 1));
        vertices v;
        pick_vertices(&source, edges.n, &v);
        OWNED(pc_context) *context = new_context(1 + g % 3);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        for (int q = 0; q < 6; q++) {
            asked a = any_query(&source, &all, &v);
            /* Doubles stay within their range of 2^500 with a factor of 2^64 for few lengths. */
            if (a.options.arithmetic == PC_FLOAT && all.length > 6)
                a.options.arithmetic = PC_EXACT;
            check_query(context, graph, &a);
        }
    }
}

TEST("small graphs")
{
    random_queries(1, 3000, 7, 12);
}

TEST("larger graphs")
{
    random_queries(2, 60, 40, 60);
}

/* Every kind in every way on one graph. */
static void every_way(const edge_set *edges, uint64_t length, uint64_t memory_limit)
{
    static const pc_count_options ways[] = {
        {0}, {.arithmetic = PC_MODULAR, .modulus = 1000003}, {.arithmetic = PC_FLOAT}};
    random_source source = {edges->n};
    OWNED(powers) all = powers_of(edges, length);
    vertices v;
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    if (edges->n)
        pick_vertices(&source, edges->n, &v);
    pc_context_set_memory_limit(context, memory_limit);
    for (int kind = 0; kind < N_QUERY_KINDS; kind++)
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
}

TEST("all ways")
{
    random_source source = {3};
    for (int directed = 0; directed < 2; directed++)
        for (uint64_t length = 0; length < 8; length += 1 + length / 2) {
            OWNED(edge_set) edges = edge_set_density(&source, 40, 100, directed);
            every_way(&edges, length, 0);
        }
}

/* Each vertex has three arcs out and three in, so each starts and ends 3^k paths. */
enum { REGULAR_N = 300, REGULAR_LENGTH = 4, REGULAR_SUM = 81 };

typedef struct regular_sums {
    uint64_t expected;
    int n_right, n_wrong;
} regular_sums;

static pc_status take_regular(void *user, uint64_t length, const pc_rows *rows)
{
    regular_sums *sums = user;
    CU_ASSERT_EQUAL(length, REGULAR_LENGTH);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        bool holds = rows->limbs[e * rows->n_limbs] == sums->expected;
        sums->n_right += holds;
        sums->n_wrong += !holds;
    }
    return PC_OK;
}

/* Sums read off a matrix whose rows are shared by threads: each thread has sums of its own, added up in
 * the end. */
TEST("sums of many rows on several threads")
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_ENDS};
    static const pc_count_options ways[] = {
        {.method = PC_METHOD_DENSE},
        {.arithmetic = PC_MODULAR, .modulus = 1000000007, .method = PC_METHOD_DENSE}};
    OWNED(edge_set) edges = edge_set_empty(REGULAR_N, true);
    for (uint64_t v = 0; v < REGULAR_N; v++)
        for (uint64_t step = 1; step < 10; step += 4)
            edge_set_add(&edges, v, (v + step) % REGULAR_N, 1);
    OWNED(pc_context) *context = new_context(4);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int i = 0; i < 6; i++) {
        bool is_total = i / 2 == 0;
        regular_sums sums = {.expected = REGULAR_SUM * (is_total ? REGULAR_N : 1)};
        pc_query query = {.kind = kinds[i / 2], .length = REGULAR_LENGTH};
        MUST(pc_query_run(context, graph, &query, &ways[i % 2], take_regular, &sums));
        CU_ASSERT_EQUAL(sums.n_right, is_total ? 1 : REGULAR_N);
        CU_ASSERT_EQUAL(sums.n_wrong, 0);
    }
}

/* So little memory that few vectors go at a time, and rows of each length start over. */
TEST("little memory")
{
    random_source source = {4};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 90, 40, directed);
        every_way(&edges, 6, 96 << 10);
    }
}

/* Rows of each length are passed on one after the other. A number for each of them, up to 3^3999, takes 1.6 MB. */
TEST("little memory for many lengths")
{
    enum { LENGTH = 4000 };
    static const uint64_t vertices[] = {0, 1};
    int n_calls = 0;
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {
        .kind = PC_QUERY_FROM, .length = LENGTH, .n_asked = 2, .from = vertices, .each = 1};
    pc_context_set_memory_limit(context, 1 << 20);
    CU_ASSERT(
        succeeds(context, pc_query_run(context, graph, &query, NULL, count_answers, &n_calls)));
    CU_ASSERT(n_calls >= LENGTH);
}

TEST("no vertices")
{
    edge_set edges = edge_set_empty(0, true);
    every_way(&edges, 0, 0);
    every_way(&edges, 3, 0);
}

/* Counts of more bits than products of residues can make. */
TEST("wider than products")
{
    OWNED(edge_set) edges = edge_set_constant(3, UINT64_MAX);
    OWNED(powers) all = powers_of(&edges, 190);
    static const uint64_t some[] = {2, 0}, others[] = {1, 0};
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int kind = 0; kind < N_QUERY_KINDS; kind++)
        for (int way = 0; way < 3; way += 2) { /* of a length, or added up */
            asked a = {.powers = &all,
                       .length = 190,
                       .query = {.kind = (pc_query_kind)kind,
                                 .length = 190,
                                 .n_asked = 2,
                                 .from = some,
                                 .to = others,
                                 .up_to = way == 2}};
            check_query(context, graph, &a);
        }
}

/* Wide counts in doubles, beyond any exponent of theirs. */
TEST("wide doubles")
{
    OWNED(edge_set) edges = edge_set_constant(4, UINT64_MAX);
    every_way(&edges, 40, 0);
}

/* Vectors with an exponent each, too far apart for one: loops that count 1, 2^600, 2^1200 ... */
TEST("doubles far apart")
{
    OWNED(edge_set) edges = edge_set_empty(5, true);
    for (uint64_t v = 0; v < edges.n; v++)
        edge_set_add(&edges, v, v, UINT64_C(1) << (15 * v));
    OWNED(powers) all = powers_of(&edges, 40);
    static const uint64_t some[] = {4, 0, 2, 3, 1};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int kind = 0; kind < N_QUERY_KINDS; kind++)
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
                CU_ASSERT_EQUAL(pc_query_run(context, graph, &a.query, &a.options, take_asked, &a),
                                PC_ERR_RANGE);
        }
}

/* ---- Certificates ---------------------------------------------------------------------------- */

TEST("certificates")
{
    random_source source = {6};
    for (int g = 0; g < 60; g++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 8));
        OWNED(powers) all = powers_of(&edges, random_below(&source, 10));
        vertices v;
        pick_vertices(&source, edges.n, &v);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        asked a = {.powers = &all,
                   .query = {.kind = g % 2 ? PC_QUERY_FROM : PC_QUERY_TO,
                             .length = all.length,
                             .n_asked = 5,
                             .from = v.from,
                             .to = v.to,
                             .each = g % 3 == 1,
                             .up_to = g % 3 == 2}};
        check_query_certificate(context, graph, &a, &source);
    }
}
