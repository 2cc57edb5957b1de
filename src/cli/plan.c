#include "src/cli/plan.h"
#include "pathcount_measure.h"

#include "src/cli/twice.h"

/* Measuring takes some 40 ms. */
static const double LONG_SECONDS = 0.2;

pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, pc_plan **plan)
{
    pc_status status = pc_plan_create(context, graph, query, options, plan);
    if (status != PC_OK || pc_plan_get_info(*plan)->predicted_seconds < LONG_SECONDS ||
        cli_is_twice()) /* both processes must plan the same */
        return status;
    int has_measured = 0;
    pc_calibrate_quickly(context, &has_measured);
    if (!has_measured)
        return PC_OK;
    pc_plan_free(*plan);
    *plan = NULL;
    return pc_plan_create(context, graph, query, options, plan);
}
