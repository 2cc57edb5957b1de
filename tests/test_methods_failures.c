/* What each method cannot do, memory that runs out and counts that are stopped. */
#include "tests/fixture.h"
#include "tests/failing_allocator.h"
#include "tests/methods.h"

#include <string.h>

enum { N_QUERY_KINDS = PC_QUERY_CLOSED + 1 };

/* ---- What cannot be -------------------------------------------------------------------------- */

static void refuse(const edge_set *edges, uint64_t length, pc_count_options options,
                   pc_status expected, const char *words)
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_plan_info plan = {.length = 77};
    CU_ASSERT_EQUAL(plan_matrix(context, graph, length, &options, 0, &plan), expected);
    CU_ASSERT_EQUAL(pc_count_rows(context, graph, length, &options, skip_rows, NULL), expected);
    CU_ASSERT_EQUAL(plan.length, 77);
    if (!strstr(pc_context_message(context), words))
        print_message(context);
    CU_ASSERT(says(context, words));
}

TEST("refused")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1),
                    heavy = edge_set_constant(2, UINT64_C(1) << 40);
    pc_count_options hybrid = options_of(PC_METHOD_HYBRID, 0);
    for (uint64_t length = 0; length < 4; length++)
        refuse(&edges, length, hybrid, PC_ERR_ARGUMENT, "too short");
    refuse(&heavy, 8, hybrid, PC_ERR_ARGUMENT, "2^63");
    for (int a = 1; a < N_ARITHMETICS; a++)
        refuse(&edges, 8, options_of(PC_METHOD_HYBRID, a), PC_ERR_ARGUMENT, "exactly");
    refuse(&edges, 8, options_of((pc_method)4, 0), PC_ERR_ARGUMENT, "method");
    for (int a = 0; a < N_ARITHMETICS; a++)
        refuse(&edges, UINT64_C(1) << 40, options_of(PC_METHOD_SWEEP, a), PC_ERR_RANGE,
               "pass over");
}

TEST("refused queries")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_count_options options = {.method = PC_METHOD_DENSE};
    pc_query query = {.kind = PC_QUERY_TOTAL, .paths = PC_PATHS_NON_BACKTRACKING, .length = 5};
    CU_ASSERT(is_refused(context,
                         pc_query_run(context, graph, &query, &options, skip_answers, NULL),
                         PC_ERR_ARGUMENT, "sweep"));
    query = (pc_query){.kind = PC_QUERY_TOTAL, .length = 3};
    options.method = PC_METHOD_HYBRID;
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &options, skip_answers, NULL),
                    PC_ERR_ARGUMENT);
    options.method = (pc_method)-1;
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &options, skip_answers, NULL),
                    PC_ERR_ARGUMENT);
}

/* Of more vertices than squaring reaches rows are swept; they are not kept. */
static pc_status first_rows(void *user, const pc_rows *rows)
{
    uint64_t *n_right = user;
    for (uint64_t i = 0; i < rows->n_rows; i++) /* a cycle: two steps on */
        *n_right += rows->limbs[i * rows->n_columns + (rows->first_row + i + 2) % 131073] == 1;
    return *n_right == rows->n_rows ? PC_ERR_IO : PC_ERR_INTERNAL;
}

TEST("many vertices")
{
    enum { N = 131073 };
    uint64_t n_right = 0;
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t v = 0; v < N; v++)
        edge_set_add(&edges, v, (v + 1) % N, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_context_set_memory_limit(context, 48 << 20);
    pc_counts *counts = NULL;
    pc_count_options dense = {.method = PC_METHOD_DENSE}, sweep = {.method = PC_METHOD_SWEEP};
    CU_ASSERT_EQUAL(pc_count_rows(context, graph, 2, NULL, first_rows, &n_right), PC_ERR_IO);
    CU_ASSERT_TRUE(n_right > 0);
    CU_ASSERT(is_refused(context, pc_count_rows(context, graph, 2, &dense, skip_rows, NULL),
                         PC_ERR_RANGE, "--method sweep"));
    CU_ASSERT_EQUAL(pc_count(context, graph, 2, &sweep, &counts), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(pc_count(context, graph, 2, NULL, &counts), PC_ERR_RANGE);
}

/* ---- Memory and patience ---------------------------------------------------------------------- */

typedef struct job {
    const edge_set *edges;
    pc_count_options options;
    bool keeps, asks;
    pc_query query;
} job;

static pc_status do_job(pc_context *context, void *user)
{
    const job *j = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = edge_set_load(context, j->edges, &graph);
    if (status == PC_OK && j->asks)
        status = pc_query_run(context, graph, &j->query, &j->options, skip_answers, NULL);
    else if (status == PC_OK && j->keeps)
        status = pc_count(context, graph, 6, &j->options, &counts);
    else if (status == PC_OK)
        status = pc_count_rows(context, graph, 6, &j->options, skip_rows, NULL);
    return status;
}

static job some_job(const edge_set *edges, int i)
{
    static const uint64_t some[] = {1, 4, 4};
    pc_method method = (pc_method)(PC_METHOD_DENSE + i % 3);
    int arithmetic = method == PC_METHOD_HYBRID ? 0 : i / 3 % N_ARITHMETICS;
    return (job){.edges = edges,
                 .options = options_of(method, arithmetic),
                 .keeps = i % 2,
                 .asks = i >= 24,
                 .query = {.kind = (pc_query_kind)(i % N_QUERY_KINDS),
                           .length = 5,
                           .n_asked = 3,
                           .from = some,
                           .to = some,
                           .each = i % 4 == 1,
                           .up_to = i % 4 == 3}};
}

enum { N_JOBS = 60 };

TEST("memory runs out")
{
    random_source source = {57};
    OWNED(edge_set) edges = edge_set_density(&source, 9, 300, true);
    for (int i = 0; i < N_JOBS; i++) {
        job j = some_job(&edges, i);
        CU_ASSERT_TRUE(fail_each_allocation(do_job, &j) > 10);
    }
}

TEST("patience runs out")
{
    random_source source = {58};
    OWNED(edge_set) edges = edge_set_density(&source, 9, 300, true);
    for (int i = 0; i < N_JOBS; i++) {
        job j = some_job(&edges, i);
        CU_ASSERT_TRUE(cancel_at_each_question(do_job, 2, &j) > 2);
    }
}
