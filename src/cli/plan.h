/* Makes plans of counts, and prints them for --explain. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "src/cli/options.h"

#include <stdio.h>

/* Makes a plan as pc_plan_create does. A machine that nobody has measured is measured for some
 * milliseconds first when the work is long enough for the choice of a method and of a device to
 * matter. A note on standard error tells a predicted time of more than ten minutes, unless the
 * command is to be quiet; --explain prints the plan. */
pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, const cli_running_options *running,
                          pc_plan **plan);

/* Called before a plan is made where it is set: plans for other machines (src/cli/mpi), which
 * end the command when they succeed. */
extern pc_status (*cli_plan_for_others)(pc_context *context, const pc_graph *graph,
                                        const pc_query *query, const pc_count_options *options);

/* Prints the plan on standard error before it runs. */
void cli_explain_plan(const pc_plan_info *plan);

/* After a run that succeeded: warns on standard error when the first result failed its check and
 * was computed again, and prints the measured times when they are asked for. */
void cli_tell_of_run(const pc_plan_info *plan, bool explains);

/* Prints more after the times; NULL: nothing. */
extern void (*cli_explain_more)(FILE *out);

#endif
