/* Gathers what is printed about a finished count. */
#include "src/cli/answer.h"

#include "src/cli/explain.h"
#include "src/cli/progress.h"

pc_status cli_answer_complete(cli_answer *answer, const pc_plan *plan, const pc_graph *graph,
                              const cli_receiver *receiver, double start_seconds)
{
    answer->table = receiver->has_table ? &receiver->table : NULL;
    pc_graph_get_info(graph, &answer->info);
    answer->plan = *pc_plan_get_info(plan);
    pc_status status = pc_summary_get(receiver->summary, &answer->values);
    if (status != PC_OK)
        return status;
    answer->total_seconds = cli_now_seconds() - start_seconds;
    if (answer->options->running.explain)
        cli_explain_times(stderr, &answer->plan);
    return PC_OK;
}
