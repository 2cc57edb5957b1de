/* Queries of paths that never turn back, and of Markov chains, against walks and fractions made by
 * definition (tests/support/path_walks.h): every kind, for one length, for each, and added up. */
#include "src/plan/question.h"
#include "tests/support/asked.h"
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_ASKED = 80 };

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Every kind of query on the graph of the edges, whose walks are known. */
static void every_kind(const edge_set *edges, const walk_matrices *walks, pc_path_kind paths,
                       const pc_count_options *options, uint64_t memory_limit,
                       random_source *source)
{
    uint64_t from[MANY_ASKED], to[MANY_ASKED], n_asked = edges->n ? random_below(source, 6) : 0;
    if (edges->n && random_below(source, 5) == 0)
        n_asked = MANY_ASKED; /* more than are sent at once */
    for (uint64_t i = 0; i < n_asked; i++) {
        from[i] = random_below(source, edges->n);
        to[i] = random_below(source, edges->n);
    }
    OWNED(pc_context) *context = new_context(1 + (int)random_below(source, 3));
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_context_set_memory_limit(context, memory_limit);
    for (int kind = 0; kind < N_QUERY_KINDS; kind++) {
        asked a = {.walks = walks, .options = *options};
        a.query = (pc_query){.kind = (pc_query_kind)kind,
                             .paths = paths,
                             .length = walks->length,
                             .n_asked = n_asked,
                             .from = from,
                             .to = to};
        a.query.each = random_below(source, 3) == 0;
        a.query.up_to = !a.query.each && random_below(source, 2);
        check_query(context, graph, &a);
    }
}

/* A graph without weights, loops and all. */
static edge_set any_simple(random_source *source, uint64_t n)
{
    edge_set edges = edge_set_any_simple(source, n);
    for (uint64_t e = 0; e < edges.n_edges; e++)
        edges.weight[e] = 1;
    return edges;
}

static pc_count_options any_integers(random_source *source)
{
    static const uint64_t moduli[] = {2, 3, 1000003, (UINT64_C(1) << 63) - 25};
    pc_count_options options = {0};
    if (random_below(source, 3) == 0)
        options = (pc_count_options){.arithmetic = PC_MODULAR,
                                     .modulus = moduli[random_below(source, 4)]};
    else if (random_below(source, 8) == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    return options;
}

TEST("non-backtracking, walk by walk")
{
    random_source source = {1};
    for (int g = 0; g < 1200; g++) {
        OWNED(edge_set) edges = any_simple(&source, 1 + random_below(&source, 5));
        OWNED(walk_matrices) walks = walks_one_by_one(&edges, random_below(&source, 7));
        OWNED(walk_matrices) others = walks_by_arcs(&edges, walks.length);
        for (uint64_t e = 0; e < (walks.length + 1) * walks.n * walks.n; e++)
            CU_ASSERT_TRUE(mpq_equal(walks.entry[e], others.entry[e]));
        pc_count_options options = any_integers(&source);
        every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &options, 0, &source);
    }
}

/* Counts of many words. */
TEST("non-backtracking, many words")
{
    random_source source = {2};
    for (int g = 0; g < 40; g++) {
        OWNED(edge_set) edges = any_simple(&source, 1 + random_below(&source, 12));
        OWNED(walk_matrices) walks = walks_by_arcs(&edges, random_below(&source, 100));
        pc_count_options options = any_integers(&source);
        every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &options, 0, &source);
    }
}

/* So little memory that few vectors go at a time, and rows of each length start over. */
TEST("little memory")
{
    random_source source = {3};
    pc_count_options exact = {0}, doubles = {.arithmetic = PC_FLOAT};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 40, 60, directed);
        OWNED(walk_matrices) walks = walks_by_arcs(&edges, 5), chain = markov_powers(&edges, 4);
        for (int again = 0; again < 3; again++) {
            every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &exact, 40 << 10, &source);
            every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 40 << 10, &source);
        }
    }
}

/* Edges count once there, loops too; without a loop the rule says nothing. */
TEST("non-backtracking, loops that count twice")
{
    OWNED(pc_context) *context = new_context(1);
    const pc_query query = {
        .kind = PC_QUERY_TOTAL, .paths = PC_PATHS_NON_BACKTRACKING, .length = 3};
    for (int has_loop = 0; has_loop < 2; has_loop++) {
        OWNED(edge_set) edges = edge_set_empty(2, false);
        edges.loops_twice = true;
        edge_set_add(&edges, 0, 1 - (uint64_t)has_loop, 1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_plan_info info;
        pc_status status = plan_query(context, graph, &query, NULL, &info);
        CU_ASSERT(has_loop ? is_refused(context, status, PC_ERR_ARGUMENT, "whose loops count once")
                           : succeeds(context, status));
    }
}

TEST("no vertices")
{
    random_source source = {4};
    pc_count_options exact = {0}, doubles = {.arithmetic = PC_FLOAT};
    OWNED(edge_set) edges = edge_set_empty(0, true);
    OWNED(walk_matrices) walks = walks_by_arcs(&edges, 3);
    every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &exact, 0, &source);
    every_kind(&edges, &walks, PC_PATHS_MARKOV, &doubles, 0, &source);
}

/* ---- Markov chains --------------------------------------------------------------------------- */

TEST("Markov chains as fractions")
{
    random_source source = {5};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    for (int g = 0; g < 400; g++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 6));
        OWNED(walk_matrices) chain = markov_powers(&edges, random_below(&source, 9));
        every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 0, &source);
    }
}

/* Steps forward are so unlikely that products of them come near the smallest doubles. */
TEST("tiny fractions")
{
    random_source source = {9};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    OWNED(edge_set) edges = edge_set_empty(17, true);
    for (uint64_t v = 0; v + 1 < edges.n; v++) {
        edge_set_add(&edges, v, v + 1, 1);
        edge_set_add(&edges, v, 0, UINT64_C(1) << 60);
    }
    OWNED(walk_matrices) chain = markov_powers(&edges, 18);
    for (int again = 0; again < 4; again++)
        every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 0, &source);
}

/* Sums of rows, however they come. */
typedef struct row_sums {
    pc_query_kind kind;
    long double *sum;
    uint64_t n_rows;
} row_sums;

static pc_status add_rows(void *user, uint64_t length, const pc_rows *rows)
{
    row_sums *sums = user;
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        uint64_t row = rows->first_row + e / rows->n_columns, column = e % rows->n_columns;
        sums->sum[sums->kind == PC_QUERY_FROM ? row : column] += (long double)rows->values[e];
    }
    return PC_OK;
}

static void check_row_sums(const edge_set *edges, pc_query_kind kind, uint64_t n_asked,
                           uint64_t length)
{
    uint64_t *all = calloc(edges->n, sizeof *all);
    row_sums sums = {kind, calloc(edges->n, sizeof *sums.sum), n_asked};
    for (uint64_t v = 0; v < edges->n; v++)
        all[v] = v;
    pc_context *context = new_context(2);
    pc_graph *graph = new_graph(context, edges);
    pc_query query = {.kind = kind,
                      .paths = PC_PATHS_MARKOV,
                      .length = length,
                      .n_asked = n_asked,
                      .from = all,
                      .to = all};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &doubles, add_rows, &sums), PC_OK);
    for (uint64_t row = 0; row < n_asked; row++)
        CU_ASSERT_TRUE(fabsl(sums.sum[row] - 1) < 1e-12L);
    pc_graph_free(graph);
    pc_context_free(context);
    free(all);
    free(sums.sum);
}

/* After 1000 steps, with hubs and with weights that are no powers of two; and with a hub on whose sums
 * plain additions would be off by more after 200. */
TEST("rows of a Markov chain sum to 1")
{
    random_source source = {6};
    edge_set star = edge_set_empty(128755, false);
    for (uint64_t v = 1; v < star.n; v++)
        edge_set_add(&star, 0, v, 1);
    check_row_sums(&star, PC_QUERY_FROM, 1, 200);
    edge_set_free(&star);
    edge_set hubs = edge_set_preferential(&source, 2000, 3);
    check_row_sums(&hubs, PC_QUERY_FROM, 4, 1000);
    edge_set_free(&hubs);
    OWNED(edge_set) weighted = edge_set_density(&source, 60, 500, true);
    for (uint64_t e = 0; e < weighted.n_edges; e++)
        weighted.weight[e] = 1 + random_below(&source, UINT64_C(1) << 60) % 9999999999999;
    check_row_sums(&weighted, PC_QUERY_FROM, 60, 1000);
    check_row_sums(&weighted, PC_QUERY_TO, 60, 1000);
}

/* ---- Progress -------------------------------------------------------------------------------- */

typedef struct seen_steps {
    int n;
    double last;
} seen_steps;

static int note_step(void *user, const char *stage, double fraction)
{
    seen_steps *seen = user;
    if (strcmp(stage, "sweep") != 0)
        return 0;
    CU_ASSERT(fraction >= seen->last && fraction < 1);
    seen->last = fraction;
    seen->n++;
    return 0;
}

/* Before each step, the share of steps that were taken. */
TEST("progress of probabilities")
{
    enum { LENGTH = 8 };
    random_source source = {8};
    seen_steps seen = {0};
    OWNED(edge_set) edges = edge_set_density(&source, 9, 500, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    int n_calls = 0;
    pc_query query = {.kind = PC_QUERY_STARTS, .paths = PC_PATHS_MARKOV, .length = LENGTH};
    pc_count_options options = {.arithmetic = PC_FLOAT, .n_certify_rounds = PC_CERTIFY_NONE};
    pc_context_set_progress(context, note_step, &seen);
    MUST(pc_query_run(context, graph, &query, &options, count_answers, &n_calls));
    CU_ASSERT(seen.n == LENGTH && seen.last == (LENGTH - 1.0) / LENGTH);
}

/* ---- Certificates ---------------------------------------------------------------------------- */

TEST("certificates")
{
    random_source source = {7};
    for (int g = 0; g < 60; g++) {
        OWNED(edge_set) edges = any_simple(&source, 1 + random_below(&source, 8));
        OWNED(walk_matrices) walks = walks_by_arcs(&edges, random_below(&source, 10));
        uint64_t vertices[5];
        for (int i = 0; i < 5; i++)
            vertices[i] = random_below(&source, edges.n);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        asked a = {.walks = &walks,
                   .query = {.kind = g % 2 ? PC_QUERY_FROM : PC_QUERY_TO,
                             .paths = PC_PATHS_NON_BACKTRACKING,
                             .length = walks.length,
                             .n_asked = 5,
                             .from = vertices,
                             .to = vertices,
                             .each = g % 3 == 1,
                             .up_to = g % 3 == 2}};
        check_query_certificate(context, graph, &a, &source);
    }
}
