/* Single entries by halves against powers of GMP matrices; too little memory, and being told to
 * stop. */
#include <gmp.h>

#include "src/options.h"
#include "src/query_halves.h"
#include "tests/compare.h"
#include "tests/failing_allocator.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PAIRS = 40 };

typedef struct asked {
    const integer_matrix *power;
    const pc_query *query;
    uint64_t n_rows, n_wrong;
} asked;

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    asked *a = user;
    mpz_t value;
    mpz_init(value);
    CU_ASSERT_TRUE_FATAL(length == a->query->length && rows->n_columns == 1 && rows->limbs);
    CU_ASSERT_TRUE_FATAL(rows->first_row == a->n_rows);
    for (uint64_t i = 0; i < rows->n_rows; i++, a->n_rows++) {
        bool is_pair = a->query->kind == PC_QUERY_PAIRS;
        uint64_t u = is_pair ? a->query->from[a->n_rows] : a->n_rows;
        uint64_t v = is_pair ? a->query->to[a->n_rows] : a->n_rows;
        mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + i * rows->n_limbs);
        a->n_wrong += mpz_cmp(value, a->power->entry[u * a->power->n + v]) != 0;
    }
    mpz_clear(value);
    return PC_OK;
}

/* Whether halves answered, rightly. */
static bool check_query(pc_context *context, const pc_graph *graph, const integer_matrix *power,
                        const pc_query *query)
{
    asked a = {.power = power, .query = query};
    pc_plan plan = {.sweep_length = 0};
    pci_query_job job = {.context = context,
                         .graph = graph,
                         .query = query,
                         .sweeps = &pci_sweep_cpu,
                         .deliver = take,
                         .user = &a};
    CU_ASSERT_EQUAL_FATAL(pci_options_complete(context, NULL, &job.options), PC_OK);
    CU_ASSERT_TRUE_FATAL(pci_query_has_halves(&job));
    pc_status status = pci_query_halves(&job, &plan);
    if (status != PC_OK)
        print_message(context);
    CU_ASSERT_EQUAL_FATAL(status, PC_OK);
    CU_ASSERT_EQUAL_FATAL(a.n_wrong, 0);
    CU_ASSERT_EQUAL(a.n_rows, query->kind == PC_QUERY_PAIRS ? query->n_asked : power->n);
    return plan.sweep_length > 0;
}

/* Closed ones and some pairs; returns how many queries halves answered. */
static int check_graph(const edge_set *edges, uint64_t length, int n_threads, random_source *source)
{
    uint64_t n = edges->n, from[MOST_PAIRS], to[MOST_PAIRS], n_ends = 1 + random_below(source, n);
    integer_matrix power = oracle_count(edges, length);
    pc_context *context = new_context(n_threads);
    pc_graph *graph = new_graph(context, edges);
    for (int i = 0; i < MOST_PAIRS; i++) {
        from[i] = random_below(source, n_ends);
        to[i] = n - 1 - random_below(source, n_ends);
    }
    pc_query closed = {.kind = PC_QUERY_CLOSED, .length = length};
    pc_query pairs = {.kind = PC_QUERY_PAIRS,
                      .length = length,
                      .n_asked = random_below(source, MOST_PAIRS + 1),
                      .from = from,
                      .to = to};
    int n_halved = check_query(context, graph, &power, &closed);
    n_halved += check_query(context, graph, &power, &pairs);
    pairs.n_asked = 1;
    n_halved += check_query(context, graph, &power, &pairs);
    pc_graph_free(graph);
    pc_context_free(context);
    integer_matrix_free(&power);
    return n_halved;
}

static void random_graphs(void)
{
    random_source source = {1};
    int n_halved = 0;
    for (int g = 0; g < 400; g++) {
        edge_set edges = edge_set_any(&source, 1 + random_below(&source, g % 10 ? 8 : 30));
        edges.directed = edges.multigraph = false;
        for (uint64_t e = 0; e < edges.n_edges; e++) /* not both ways with different weights */
            if (edges.weight[e] > 1)
                edges.weight[e] = UINT64_MAX - (edges.from[e] + edges.to[e]);
        n_halved +=
            check_graph(&edges, 2 + random_below(&source, g % 5 ? 12 : 60), 1 + g % 4, &source);
        edge_set_free(&edges);
    }
    CU_ASSERT_TRUE(n_halved > 400);
}

/* Single pairs always go by halves, closed ones of even length from 4 on. */
static void when_halved(void)
{
    for (uint64_t length = 2; length < 20; length++) {
        random_source source = {2};
        edge_set edges = edge_set_density(&source, 60, 80, false);
        int least = 1 + (length % 2 == 0 && length > 2);
        CU_ASSERT_TRUE(check_graph(&edges, length, 2, &source) >= least);
        edge_set_free(&edges);
    }
}

/* Not when all vectors do not fit in memory. */
static void little_memory(void)
{
    enum { N = 200, LENGTH = 40, N_ENDS = 12 };
    random_source source = {3};
    uint64_t from[MOST_PAIRS], to[MOST_PAIRS];
    for (uint64_t i = 0; i < MOST_PAIRS; i++) {
        from[i] = i % N_ENDS;
        to[i] = i * 5 % N_ENDS;
    }
    edge_set edges = edge_set_density(&source, N, 30, false);
    integer_matrix power = oracle_count(&edges, LENGTH);
    pc_context *context = new_context(2);
    pc_graph *graph = new_graph(context, &edges);
    pc_query pairs = {
        .kind = PC_QUERY_PAIRS, .length = LENGTH, .n_asked = MOST_PAIRS, .from = from, .to = to};
    CU_ASSERT_TRUE(check_query(context, graph, &power, &pairs));
    pc_context_set_memory_limit(context, 80 << 10);
    CU_ASSERT_FALSE(check_query(context, graph, &power, &pairs));
    pc_graph_free(graph);
    pc_context_free(context);
    integer_matrix_free(&power);
    edge_set_free(&edges);
}

static void others(void)
{
    static const uint64_t vertex = 0;
    edge_set both[] = {edge_set_constant(2, 1), edge_set_constant(2, 1)};
    pc_context *context = new_context(1);
    both[0].directed = false;
    for (int directed = 0; directed < 2; directed++) {
        pc_graph *graph = new_graph(context, &both[directed]);
        pc_query query = {
            .kind = PC_QUERY_PAIRS, .length = 4, .n_asked = 1, .from = &vertex, .to = &vertex};
        pci_query_job job = {
            .context = context, .graph = graph, .query = &query, .sweeps = &pci_sweep_cpu};
        CU_ASSERT_EQUAL(pci_query_has_halves(&job), !directed);
        job.options.arithmetic = PC_MODULAR;
        CU_ASSERT_FALSE(pci_query_has_halves(&job));
        job.options.arithmetic = PC_EXACT;
        query.length = 1;
        CU_ASSERT_FALSE(pci_query_has_halves(&job));
        query.length = 4;
        query.each = 1;
        CU_ASSERT_FALSE(pci_query_has_halves(&job));
        query.each = 0;
        query.kind = PC_QUERY_FROM;
        CU_ASSERT_FALSE(pci_query_has_halves(&job));
        query.kind = PC_QUERY_CLOSED;
        query.paths = PC_PATHS_NON_BACKTRACKING;
        CU_ASSERT_FALSE(pci_query_has_halves(&job));
        pc_graph_free(graph);
        edge_set_free(&both[directed]);
    }
    pc_context_free(context);
}

/* ---- Halfway --------------------------------------------------------------------------------- */

typedef struct halfway_job {
    const edge_set *edges;
    pc_query query;
} halfway_job;

static pc_status count_rows(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length, (void)rows;
    return ++*(int *)user, PC_OK;
}

static pc_status ask(pc_context *context, void *user)
{
    const halfway_job *j = user;
    pc_graph *graph = NULL;
    int n_calls = 0;
    pc_plan plan = {.sweep_length = 0};
    pc_status status = edge_set_load(context, j->edges, &graph);
    pci_query_job job = {.context = context,
                         .graph = graph,
                         .query = &j->query,
                         .sweeps = &pci_sweep_cpu,
                         .deliver = count_rows,
                         .user = &n_calls};
    if (status == PC_OK)
        status = pci_options_complete(context, NULL, &job.options);
    if (status == PC_OK)
        status = pci_query_halves(&job, &plan);
    if (status == PC_OK)
        CU_ASSERT_TRUE(n_calls == 1 && plan.sweep_length > 0);
    if (status != PC_OK)
        CU_ASSERT_EQUAL(n_calls, 0);
    pc_graph_free(graph);
    return status;
}

static void halfway(void)
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    for (int i = 0; i < 4; i++) {
        random_source source = {4};
        edge_set edges = edge_set_density(&source, 20, 300, false);
        halfway_job j = {&edges,
                         {.kind = i % 2 ? PC_QUERY_PAIRS : PC_QUERY_CLOSED,
                          .length = 16 + (i > 1 ? 15 : 0),
                          .n_asked = 3,
                          .from = from,
                          .to = to}};
        CU_ASSERT_TRUE(fail_each_allocation(ask, &j) > 10);
        CU_ASSERT_TRUE(cancel_at_each_question(ask, 2, &j) > 5);
        edge_set_free(&edges);
    }
}

static const test_case cases[] = {
    {"random graphs", random_graphs},
    {"when it is halved", when_halved},
    {"little memory", little_memory},
    {"what has no halves", others},
    {"memory fails, or it is cancelled", halfway},
    {NULL, NULL},
};

const test_suite test_query_halves_suite = {"query_halves", cases};
