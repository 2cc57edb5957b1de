/* Questions to the library, each by the call that is made for it. */
#include "tests/support/library_call.h"

#include "tests/support/failing_allocator.h"

/* A matrix of another kind of path. */
static pc_status keep_answers(pc_context *context, const pc_graph *graph, const pc_query *query,
                              const pc_count_options *options)
{
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = pc_plan_create(context, graph, query, options, &plan);
    if (status == PC_OK)
        status = pc_plan_collect(plan, &counts);
    CU_ASSERT_EQUAL(counts != NULL, status == PC_OK);
    return status;
}

static pc_status keep_matrix(pc_context *context, const pc_graph *graph, const library_call *call,
                             const pc_partition *blocks)
{
    OWNED(pc_counts) *counts = NULL;
    uint64_t length = call->query.length;
    pc_status status = blocks ? coarsen(context, graph, blocks, length, &call->options, &counts)
                              : pc_count(context, graph, length, &call->options, &counts);
    CU_ASSERT_EQUAL(counts != NULL, status == PC_OK);
    return status;
}

static pc_status pass_rows_on(pc_context *context, const pc_graph *graph, const library_call *call,
                              const pc_partition *blocks, int *n_deliveries)
{
    uint64_t length = call->query.length;
    return blocks ? coarsen_rows(context, graph, blocks, length, &call->options, count_rows,
                                 n_deliveries)
                  : stream_counts(context, graph, length, &call->options, count_rows, n_deliveries);
}

pc_status make_call(pc_context *context, const pc_graph *graph, const library_call *call,
                    int *n_deliveries)
{
    OWNED(pc_partition) *blocks = NULL;
    pc_status status = PC_OK;
    *n_deliveries = 0;
    if (call->block_size)
        status = pci_partition_consecutive(context, graph, call->block_size, &blocks);
    if (status != PC_OK)
        return status;
    pc_query query = call->query;
    query.partition = blocks;
    bool is_matrix = query.kind == PC_QUERY_MATRIX && query.paths == PC_PATHS_ALL;
    if (is_matrix && query.keeps)
        return keep_matrix(context, graph, call, blocks);
    if (query.keeps)
        return keep_answers(context, graph, &query, &call->options);
    status = is_matrix ? pass_rows_on(context, graph, call, blocks, n_deliveries)
                       : pc_query_run(context, graph, &query, &call->options, count_answers,
                                      n_deliveries);
    CU_ASSERT_TRUE(status != PC_OK || *n_deliveries > 0);
    return status;
}

pc_status load_and_call(pc_context *context, void *user)
{
    const library_call *call = user;
    OWNED(pc_graph) *graph = NULL;
    int n_deliveries;
    pc_status status = edge_set_load(context, call->edges, &graph);
    return status == PC_OK ? make_call(context, graph, call, &n_deliveries) : status;
}

void check_halfway(library_call *call, uint64_t n_requests, int n_questions)
{
    CU_ASSERT_TRUE(fail_each_allocation(load_and_call, call) >= n_requests);
    CU_ASSERT_TRUE(cancel_at_each_question(load_and_call, 2, call) >= n_questions);
}
