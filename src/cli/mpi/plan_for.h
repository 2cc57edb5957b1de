/* --plan-for: what a question would take on a cluster that is not there. */
#ifndef CLI_MPI_PLAN_FOR_H
#define CLI_MPI_PLAN_FOR_H

#include "src/cli/count_options.h"

/* Reads what --plan-for describes, and has the plan of the command printed for it in place of an
 * answer. PC_ERR_ARGUMENT. */
pc_status cli_plan_for(pc_context *context, const cli_count_options *options);

#endif
