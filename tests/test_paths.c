/* Queries of paths that never turn back, and of Markov chains, against walks and fractions made by
 * definition (tests/path_walks.h): every kind, for one length, for each, and added up. */
#include "tests/path_walks.h"

#include "src/options.h"
#include "src/query_plan.h"
#include "tests/compare.h"
#include "tests/failing_allocator.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KINDS = PC_QUERY_CLOSED + 1, MOST_ASKED = 80 };

/* ---- What must come out ---------------------------------------------------------------------- */

/* A query under way, and how far its answers have come. */
typedef struct asked {
    const walk_matrices *walks;
    pc_query query;
    pc_count_options options;
    uint64_t length, row; /* of the next row that must come */
    uint64_t n_answers;   /* that are complete */
    uint64_t n_wrong;
} asked;

static bool has_rows(const pc_query *query)
{
    return query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO;
}

static uint64_t n_rows_of(const asked *a)
{
    if (has_rows(&a->query) || a->query.kind == PC_QUERY_PAIRS)
        return a->query.n_asked;
    return a->query.kind == PC_QUERY_TOTAL ? 1 : a->walks->n;
}

/* A range of vertices. */
typedef struct range {
    uint64_t first, end;
} range;

static range one(uint64_t vertex)
{
    return (range){vertex, vertex + 1};
}

/* Where the walks of an entry of the answer begin and end. */
static void ends_of(const asked *a, uint64_t row, uint64_t column, range *from, range *to)
{
    range all = {0, a->walks->n};
    *from = *to = all;
    switch (a->query.kind) {
    case PC_QUERY_FROM:
        *from = one(a->query.from[row]);
        *to = one(column);
        return;
    case PC_QUERY_TO:
        *from = one(column);
        *to = one(a->query.to[row]);
        return;
    case PC_QUERY_PAIRS:
        *from = one(a->query.from[row]);
        *to = one(a->query.to[row]);
        return;
    case PC_QUERY_STARTS:
        *from = one(row);
        return;
    case PC_QUERY_ENDS:
        *to = one(row);
        return;
    case PC_QUERY_CLOSED:
        *from = *to = one(row);
        return;
    case PC_QUERY_TOTAL:
        return;
    }
}

static void expect(const asked *a, uint64_t length, uint64_t row, uint64_t column, mpq_t value)
{
    range from, to;
    ends_of(a, row, column, &from, &to);
    mpq_set_ui(value, 0, 1);
    for (uint64_t l = a->query.up_to ? 1 : length; l <= length; l++)
        for (uint64_t u = from.first; u < from.end; u++)
            for (uint64_t v = to.first; v < to.end; v++)
                mpq_add(value, value, *walk_entry(a->walks, l, u, v));
}

static bool entry_holds(const asked *a, const pc_rows *rows, uint64_t e, const mpq_t expected)
{
    mpz_t value, whole;
    if (a->options.arithmetic == PC_FLOAT) {
        double exact = mpq_get_d(expected);
        return rows->values && rows->exponent == 0 &&
               fabs(rows->values[e] - exact) <= 1e-13 * exact;
    }
    if (!rows->limbs || rows->n_limbs == 0)
        return false;
    mpz_inits(value, whole, NULL);
    mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + e * rows->n_limbs);
    mpz_set(whole, mpq_numref(expected));
    if (a->options.arithmetic == PC_MODULAR)
        mpz_mod_ui(whole, whole, a->options.modulus);
    bool holds = mpz_cmp(value, whole) == 0;
    mpz_clears(value, whole, NULL);
    return holds;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    asked *a = user;
    mpq_t expected;
    mpq_init(expected);
    CU_ASSERT_TRUE_FATAL(length == a->length && rows->first_row == a->row && rows->n_rows > 0);
    CU_ASSERT_EQUAL_FATAL(rows->n_columns, has_rows(&a->query) ? a->walks->n : 1);
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
    mpq_clear(expected);
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
               (int)a->options.arithmetic, (int)a->walks->n);
    CU_ASSERT_EQUAL_FATAL(status, PC_OK);
    CU_ASSERT_EQUAL_FATAL(a->n_wrong, 0);
    CU_ASSERT_EQUAL(a->n_answers, n_rows_of(a) ? n_answers : 0);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Every kind of query on the graph of the edges, whose walks are known. */
static void every_kind(const edge_set *edges, const walk_matrices *walks, pc_path_kind paths,
                       const pc_count_options *options, uint64_t memory_limit,
                       random_source *source)
{
    uint64_t from[MOST_ASKED], to[MOST_ASKED], n_asked = edges->n ? random_below(source, 6) : 0;
    if (edges->n && random_below(source, 5) == 0)
        n_asked = MOST_ASKED; /* more than are sent at once */
    for (uint64_t i = 0; i < n_asked; i++) {
        from[i] = random_below(source, edges->n);
        to[i] = random_below(source, edges->n);
    }
    pc_context *context = new_context(1 + (int)random_below(source, 3));
    pc_graph *graph = new_graph(context, edges);
    pc_context_set_memory_limit(context, memory_limit);
    for (int kind = 0; kind < N_KINDS; kind++) {
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
    pc_graph_free(graph);
    pc_context_free(context);
}

/* A graph without weights, loops and all. */
static edge_set any_simple(random_source *source, uint64_t n)
{
    edge_set edges = edge_set_any(source, n);
    edges.multigraph = false;
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

static void short_walks(void)
{
    random_source source = {1};
    for (int g = 0; g < 1200; g++) {
        edge_set edges = any_simple(&source, 1 + random_below(&source, 5));
        walk_matrices walks = walks_one_by_one(&edges, random_below(&source, 7));
        walk_matrices others = walks_by_arcs(&edges, walks.length);
        for (uint64_t e = 0; e < (walks.length + 1) * walks.n * walks.n; e++)
            CU_ASSERT_TRUE(mpq_equal(walks.entry[e], others.entry[e]));
        pc_count_options options = any_integers(&source);
        every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &options, 0, &source);
        walk_matrices_free(&walks);
        walk_matrices_free(&others);
        edge_set_free(&edges);
    }
}

/* Counts of many words. */
static void long_walks(void)
{
    random_source source = {2};
    for (int g = 0; g < 40; g++) {
        edge_set edges = any_simple(&source, 1 + random_below(&source, 12));
        walk_matrices walks = walks_by_arcs(&edges, random_below(&source, 100));
        pc_count_options options = any_integers(&source);
        every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &options, 0, &source);
        walk_matrices_free(&walks);
        edge_set_free(&edges);
    }
}

/* So little memory that few vectors go at a time, and rows of each length start over. */
static void little_memory(void)
{
    random_source source = {3};
    pc_count_options exact = {0}, doubles = {.arithmetic = PC_FLOAT};
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_density(&source, 40, 60, directed);
        walk_matrices walks = walks_by_arcs(&edges, 5), chain = markov_powers(&edges, 4);
        for (int again = 0; again < 3; again++) {
            every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &exact, 40 << 10, &source);
            every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 40 << 10, &source);
        }
        walk_matrices_free(&walks);
        walk_matrices_free(&chain);
        edge_set_free(&edges);
    }
}

static void no_vertices(void)
{
    random_source source = {4};
    pc_count_options exact = {0}, doubles = {.arithmetic = PC_FLOAT};
    edge_set edges = edge_set_empty(0, true);
    walk_matrices walks = walks_by_arcs(&edges, 3);
    every_kind(&edges, &walks, PC_PATHS_NON_BACKTRACKING, &exact, 0, &source);
    every_kind(&edges, &walks, PC_PATHS_MARKOV, &doubles, 0, &source);
    walk_matrices_free(&walks);
    edge_set_free(&edges);
}

/* ---- Markov chains --------------------------------------------------------------------------- */

static void fractions(void)
{
    random_source source = {5};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    for (int g = 0; g < 400; g++) {
        edge_set edges = edge_set_any(&source, 1 + random_below(&source, 6));
        edges.multigraph = false;
        walk_matrices chain = markov_powers(&edges, random_below(&source, 9));
        every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 0, &source);
        walk_matrices_free(&chain);
        edge_set_free(&edges);
    }
}

/* Steps forward are so unlikely that products of them come near the smallest doubles. */
static void tiny_fractions(void)
{
    random_source source = {9};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    edge_set edges = edge_set_empty(17, true);
    for (uint64_t v = 0; v + 1 < edges.n; v++) {
        edge_set_add(&edges, v, v + 1, 1);
        edge_set_add(&edges, v, 0, UINT64_C(1) << 60);
    }
    walk_matrices chain = markov_powers(&edges, 18);
    for (int again = 0; again < 4; again++)
        every_kind(&edges, &chain, PC_PATHS_MARKOV, &doubles, 0, &source);
    walk_matrices_free(&chain);
    edge_set_free(&edges);
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
static void rows_sum_to_one(void)
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
    edge_set weighted = edge_set_density(&source, 60, 500, true);
    for (uint64_t e = 0; e < weighted.n_edges; e++)
        weighted.weight[e] = 1 + random_below(&source, UINT64_C(1) << 60) % 9999999999999;
    check_row_sums(&weighted, PC_QUERY_FROM, 60, 1000);
    check_row_sums(&weighted, PC_QUERY_TO, 60, 1000);
    edge_set_free(&weighted);
}

/* ---- Certificates ---------------------------------------------------------------------------- */

/* Right rows of vectors pass, a row with one bit turned does not. */
static void check_certificate(const pci_query_plan *plan, const asked *a, random_source *source)
{
    enum { N_LIMBS = 4 };
    pci_operator map = pci_query_map(plan);
    pci_certificate *certificate = NULL;
    CU_ASSERT_EQUAL_FATAL(pci_certificate_create(plan->context, &map, 2, &certificate), PC_OK);
    uint64_t n = a->walks->n, *limbs = calloc(n * N_LIMBS, sizeof *limbs);
    mpq_t value;
    mpq_init(value);
    for (uint64_t row = 0; row < map.n_rows; row++) {
        uint64_t length = a->query.each ? row / a->query.n_asked + 1 : a->query.length;
        memset(limbs, 0, n * N_LIMBS * sizeof *limbs);
        for (uint64_t column = 0; column < n; column++) {
            expect(a, length, row % a->query.n_asked, column, value);
            mpz_export(limbs + column * N_LIMBS, NULL, -1, 8, 0, 0, mpq_numref(value));
        }
        pc_rows rows = {
            .first_row = row, .n_rows = 1, .n_columns = n, .n_limbs = N_LIMBS, .limbs = limbs};
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_OK);
        limbs[random_below(source, n * N_LIMBS)] ^= UINT64_C(1) << random_below(source, 64);
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_ERR_CERTIFY);
    }
    mpq_clear(value);
    free(limbs);
    pci_certificate_free(certificate);
}

static void certificates(void)
{
    random_source source = {7};
    for (int g = 0; g < 60; g++) {
        edge_set edges = any_simple(&source, 1 + random_below(&source, 8));
        walk_matrices walks = walks_by_arcs(&edges, random_below(&source, 10));
        uint64_t vertices[5];
        for (int i = 0; i < 5; i++)
            vertices[i] = random_below(&source, edges.n);
        pc_context *context = new_context(1);
        pc_graph *graph = new_graph(context, &edges);
        asked a = {.walks = &walks,
                   .query = {.kind = g % 2 ? PC_QUERY_FROM : PC_QUERY_TO,
                             .paths = PC_PATHS_NON_BACKTRACKING,
                             .length = walks.length,
                             .n_asked = 5,
                             .from = vertices,
                             .to = vertices,
                             .each = g % 3 == 1,
                             .up_to = g % 3 == 2}};
        pci_query_plan plan;
        pci_query_job job = {
            .context = context, .graph = graph, .query = &a.query, .sweeps = &pci_sweep_cpu};
        CU_ASSERT_EQUAL_FATAL(pci_options_complete(context, NULL, &job.options), PC_OK);
        CU_ASSERT_EQUAL_FATAL(pci_query_plan_make(&job, &plan), PC_OK);
        check_certificate(&plan, &a, &source);
        pci_query_plan_free(&plan);
        pc_graph_free(graph);
        pc_context_free(context);
        walk_matrices_free(&walks);
        edge_set_free(&edges);
    }
}

/* ---- Refused, without memory, stopped -------------------------------------------------------- */

typedef struct job {
    const edge_set *edges;
    pc_query query;
    pc_count_options options;
    int n_calls;
} job;

static pc_status count_calls(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length, (void)rows;
    ++*(int *)user;
    return PC_OK;
}

static pc_status ask(pc_context *context, void *user)
{
    job *j = user;
    pc_graph *graph = NULL;
    pc_status status = edge_set_load(context, j->edges, &graph);
    if (status == PC_OK)
        status = pc_query_run(context, graph, &j->query, &j->options, count_calls, &j->n_calls);
    pc_graph_free(graph);
    return status;
}

static void refuse(const edge_set *edges, pc_path_kind paths, pc_count_options options,
                   const char *words)
{
    pc_context *context = new_context(1);
    job j = {edges, {.kind = PC_QUERY_CLOSED, .paths = paths, .length = 2}, options, 0};
    CU_ASSERT_EQUAL(ask(context, &j), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(j.n_calls, 0);
    if (!strstr(pc_context_message(context), words))
        print_message(context);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), words));
    pc_context_free(context);
}

static void refused(void)
{
    const pc_path_kind turning = PC_PATHS_NON_BACKTRACKING, markov = PC_PATHS_MARKOV;
    pc_count_options exact = {0}, modular = {.arithmetic = PC_MODULAR, .modulus = 7};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    pc_count_options hybrid = {.method = PC_METHOD_HYBRID};
    pc_count_options dense = {.arithmetic = PC_FLOAT, .method = PC_METHOD_DENSE};
    edge_set plain = edge_set_constant(3, 1), heavy = edge_set_constant(3, 2);
    refuse(&plain, turning, doubles, "not in doubles");
    refuse(&heavy, turning, exact, "weights");
    refuse(&heavy, turning, modular, "weights");
    refuse(&plain, turning, dense, "not in doubles");
    refuse(&plain, markov, dense, "powers");
    refuse(&plain, turning, hybrid, "powers");
    refuse(&plain, markov, exact, "PC_FLOAT");
    refuse(&plain, markov, modular, "PC_FLOAT");
    refuse(&plain, (pc_path_kind)3, exact, "kind of path 3");
    edge_set_free(&plain);
    edge_set_free(&heavy);
}

static job some_job(const edge_set *edges, int number)
{
    static const uint64_t vertices[] = {3, 0, 3};
    static const pc_count_options options[] = {
        {0}, {.arithmetic = PC_MODULAR, .modulus = 1000003}, {.arithmetic = PC_FLOAT}};
    int kind = number % N_KINDS, way = number / N_KINDS % 3;
    return (job){edges,
                 {.kind = (pc_query_kind)kind,
                  .paths = way == 2 ? PC_PATHS_MARKOV : PC_PATHS_NON_BACKTRACKING,
                  .length = 4,
                  .n_asked = 3,
                  .from = vertices,
                  .to = vertices,
                  .each = number % 2,
                  .up_to = !(number % 2)},
                 options[way],
                 0};
}

static void without_memory_or_time(void)
{
    random_source source = {8};
    for (int i = 0; i < 3 * N_KINDS; i++) {
        edge_set edges = edge_set_density(&source, 12, 300, i % 3 != 0);
        job j = some_job(&edges, i);
        CU_ASSERT_TRUE(fail_each_allocation(ask, &j) > 10);
        CU_ASSERT_TRUE(cancel_at_each_question(ask, 2, &j) > 4);
        edge_set_free(&edges);
    }
}

/* What is held at most stays within the limit that was set, but for a little. */
static void memory_as_foretold(void)
{
    enum { LIMIT = 600 << 10, ROOM = 64 << 10, N = 600 };
    for (int number = 0; number < 3 * N_KINDS; number++) {
        random_source source = {10};
        failing_allocator allocator;
        failing_allocator_init(&allocator);
        pc_context *context = failing_context(&allocator, 2);
        edge_set edges = edge_set_density(&source, N, 10, number % 3 > 0);
        pc_graph *graph = new_graph(context, &edges);
        uint64_t asked[MOST_ASKED], before = allocator.peak_bytes = allocator.live_bytes;
        for (int i = 0; i < MOST_ASKED; i++)
            asked[i] = random_below(&source, N);
        job j = some_job(&edges, number);
        j.query.n_asked = MOST_ASKED;
        j.query.from = j.query.to = asked;
        j.query.length = 15;
        pc_context_set_memory_limit(context, LIMIT);
        pc_status status =
            pc_query_run(context, graph, &j.query, &j.options, count_calls, &j.n_calls);
        if (status != PC_OK)
            print_message(context);
        if (allocator.peak_bytes > before + LIMIT + ROOM)
            printf("\n    number %d: %d bytes\n", number, (int)(allocator.peak_bytes - before));
        CU_ASSERT_TRUE(status == PC_OK || status == PC_ERR_MEMORY);
        CU_ASSERT_TRUE((status == PC_OK) == (j.n_calls > 0));
        CU_ASSERT_TRUE(allocator.peak_bytes <= before + LIMIT + ROOM);
        pc_graph_free(graph);
        pc_context_free(context);
        edge_set_free(&edges);
    }
}

static const test_case cases[] = {
    {"non-backtracking, walk by walk", short_walks},
    {"non-backtracking, many words", long_walks},
    {"Markov chains as fractions", fractions},
    {"tiny fractions", tiny_fractions},
    {"rows of a Markov chain sum to 1", rows_sum_to_one},
    {"little memory", little_memory},
    {"no vertices", no_vertices},
    {"certificates", certificates},
    {"refused", refused},
    {"memory as foretold", memory_as_foretold},
    {"memory fails, cancelled", without_memory_or_time},
    {NULL, NULL},
};

const test_suite test_paths_suite = {"paths", cases};
