/* Plans of commands. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "pathcount.h"

#include <stdbool.h>

/* As pc_plan_create. Where nobody has measured this machine, and the work is long enough for the choice of a
 * method and of a device to matter, the machine is measured for some milliseconds first. Unless it is to be quiet,
 * a note on standard error tells a predicted time of more than ten minutes. */
pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, bool is_quiet, pc_plan **plan);

/* Called before a plan is made where it is set: plans for other machines (src/cli/mpi), which end the command when they
 * succeed. */
extern pc_status (*cli_plan_for_others)(pc_context *context, const pc_graph *graph,
                                        const pc_query *query, const pc_count_options *options);

#endif
