/* Plans that are looked at and not run. */
#include "tests/plans.h"
#include "tests/fixture.h"

pc_status plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                     const pc_count_options *options, pc_plan_info *info)
{
    OWNED(pc_plan) *plan = NULL;
    pc_status status = pc_plan_create(context, graph, query, options, &plan);
    if (status == PC_OK)
        *info = *pc_plan_get_info(plan);
    return status;
}

pc_status plan_blocks(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, int keeps,
                      pc_plan_info *info)
{
    pc_query query = {
        .kind = PC_QUERY_MATRIX, .length = length, .partition = partition, .keeps = keeps};
    return plan_query(context, graph, &query, options, info);
}

pc_status plan_matrix(pc_context *context, const pc_graph *graph, uint64_t length,
                      const pc_count_options *options, int keeps, pc_plan_info *info)
{
    return plan_blocks(context, graph, NULL, length, options, keeps, info);
}

pc_status plan_last(const pc_context *context, pc_plan_info *info)
{
    const pc_plan_info *last = pc_plan_last(context);
    if (!last)
        return PC_ERR_ARGUMENT;
    *info = *last;
    return PC_OK;
}
