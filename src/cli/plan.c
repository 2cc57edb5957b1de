#include "src/cli/plan.h"
#include "pathcount_measure.h"

#include "src/cli/status_line.h"
#include "src/cli/twice.h"

#include <stdio.h>

/* Predicted by rates of a fast processor, so that it may take several times as long. */
static const double LONG_SECONDS = 0.05;
/* Nobody waits for so long without being told. */
static const double TOLD_SECONDS = 600;

static pc_status make_plan(pc_context *context, const pc_graph *graph, const pc_query *query,
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

pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, bool is_quiet, pc_plan **plan)
{
    char duration[32];
    pc_status status = make_plan(context, graph, query, options, plan);
    if (status != PC_OK || is_quiet || pc_plan_get_info(*plan)->predicted_seconds < TOLD_SECONDS)
        return status;
    cli_duration_text(pc_plan_get_info(*plan)->predicted_seconds, sizeof duration, duration);
    fprintf(stderr,
            "predicted time: %s (--explain says how it is spent; a smaller question, such as "
            "--total, a shorter length, or --mod M takes less)\n",
            duration);
    return status;
}
