/* Answers that are kept. That they are right is tested with every other query: see check_query. */
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <pthread.h>

CASE_CONTEXT(context)

static pc_status collect(pc_context *of, const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_counts **answers)
{
    OWNED(pc_plan) *plan = NULL;
    pc_status status = pc_plan_create(of, graph, query, options, &plan);
    return status == PC_OK ? pc_plan_collect(plan, answers) : status;
}

TEST("answers of an empty graph, and of no length")
{
    OWNED(edge_set) none = edge_set_empty(0, false), some = edge_set_constant(3, 1);
    const pc_query of_none = {.kind = PC_QUERY_STARTS, .length = 4};
    const pc_query no_length = {.kind = PC_QUERY_STARTS, .each = 1};
    OWNED(pc_graph) *empty = new_graph(context, &none), *graph = new_graph(context, &some);
    OWNED(pc_counts) *answers = NULL;
    MUST(collect(context, empty, &of_none, NULL, &answers));
    CU_ASSERT_EQUAL(counts_n_rows(answers), 0);
    OWNED(pc_counts) *no_answers = NULL;
    MUST(collect(context, graph, &no_length, NULL, &no_answers));
    CU_ASSERT_EQUAL(counts_n_rows(no_answers), 0);
}

TEST("doubles out of their range")
{
    OWNED(edge_set) edges = edge_set_constant(4, UINT64_MAX);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const pc_count_options options = {.arithmetic = PC_FLOAT};
    const pc_query query = {.kind = PC_QUERY_STARTS, .length = 40};
    pc_counts *answers = NULL;
    CU_ASSERT(is_refused(context, collect(context, graph, &query, &options, &answers), PC_ERR_RANGE,
                         "range of doubles"));
    CU_ASSERT_PTR_NULL(answers);
}

static pc_status collect_each(pc_context *of, void *user)
{
    pc_graph *graph = NULL;
    pc_counts *answers = NULL;
    const pc_query query = {.kind = PC_QUERY_STARTS, .length = 5, .each = 1};
    pc_status status = edge_set_load(of, user, &graph);
    if (status == PC_OK)
        status = collect(of, graph, &query, NULL, &answers);
    pc_counts_free(answers);
    pc_graph_free(graph);
    return status;
}

TEST("no memory for the answers")
{
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    CU_ASSERT_TRUE(fail_each_allocation(collect_each, &edges) > 6);
    OWNED(edge_set) wide = edge_set_empty(100, true);
    OWNED(pc_graph) *graph = new_graph(context, &wide);
    const pc_query query = {.kind = PC_QUERY_STARTS, .length = 1000, .each = 1};
    pc_counts *answers = NULL;
    pc_context_set_memory_limit(context, 1 << 18);
    CU_ASSERT_EQUAL(collect(context, graph, &query, NULL, &answers), PC_ERR_MEMORY);
}

/* ---- Calls that are cancelled ---------------------------------------------------------------- */

TEST("a context that is cancelled makes no calls until it is not")
{
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_counts) *counts = NULL;
    pc_context_set_cancelled(context, 1);
    CU_ASSERT(is_refused(context, pc_count(context, graph, 8, NULL, &counts), PC_ERR_CANCELLED,
                         "cancelled"));
    pc_context_set_cancelled(context, 0);
    MUST(pc_count(context, graph, 8, NULL, &counts));
}

static void *cancel(void *of)
{
    pc_context_set_cancelled(of, 1);
    return NULL;
}

static int start_cancelling(void *user, const char *stage, double fraction)
{
    pthread_t *thread = user;
    (void)stage;
    (void)fraction;
    if (!*thread && pthread_create(thread, NULL, cancel, context) == 0)
        pthread_join(*thread, NULL);
    return 0;
}

TEST("another thread cancels a call at work")
{
    OWNED(edge_set) edges = edge_set_constant(60, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_counts *counts = NULL;
    pthread_t thread = 0;
    pc_context_set_progress(context, start_cancelling, &thread);
    CU_ASSERT_EQUAL(pc_count(context, graph, 90, NULL, &counts), PC_ERR_CANCELLED);
    CU_ASSERT_PTR_NULL(counts);
}
