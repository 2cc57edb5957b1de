/* Gathers what is printed about a finished count. */
#include "src/cli/result.h"

#include "src/cli/explain.h"
#include "src/cli/progress.h"
#include "src/cli/twice.h"

pc_status cli_result_complete(cli_result *result, const pc_plan *plan, const pc_graph *graph,
                              const cli_outputs *outputs, double start_seconds)
{
    result->table = outputs->has_table ? &outputs->table : NULL;
    pc_graph_get_info(graph, &result->info);
    result->plan = *pc_plan_get_info(plan);
    pc_status status = pc_summary_get(outputs->summary, &result->values);
    if (status != PC_OK)
        return status;
    result->total_seconds = cli_now_seconds() - start_seconds;
    cli_warn_of_recomputation(&result->plan);
    cli_twice_measured(&result->plan.seconds, sizeof result->plan.seconds);
    cli_twice_measured(&result->total_seconds, sizeof result->total_seconds);
    cli_twice_measured(&result->read_seconds, sizeof result->read_seconds);
    if (result->options->running.explain)
        cli_explain_times(stderr, &result->plan);
    return PC_OK;
}
