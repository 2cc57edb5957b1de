/* Makes plans of counts, and prints them for --explain. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "pathcount.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Plans of commands. */
/* As pc_plan_create. Where nobody has measured this machine, and the work is long enough for the choice of a
 * method and of a device to matter, the machine is measured for some milliseconds first. Unless it is to be quiet,
 * a note on standard error tells a predicted time of more than ten minutes. */
pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, bool is_quiet, pc_plan **plan);

/* Called before a plan is made where it is set: plans for other machines (src/cli/mpi), which end the command when they
 * succeed. */
extern pc_status (*cli_plan_for_others)(pc_context *context, const pc_graph *graph,
                                        const pc_query *query, const pc_count_options *options);

/* ---- Explanations ---------------------------------------------------------------------------- */

/* --explain: what it prints of a plan. */
/* Prints the plan before it runs. */
void cli_explain_plan(FILE *out, const pc_plan_info *plan);

/* Prints the measured times after it ran. */
void cli_explain_times(FILE *out, const pc_plan_info *plan);

/* Warns on stderr when the first result failed its check and was computed again. */
void cli_warn_of_recomputation(const pc_plan_info *plan);

/* What is printed after the times, where there is more to tell; NULL: nothing. */
extern void (*cli_explain_more)(FILE *out);

/* Both on stderr, after a run that succeeded; the times if they are asked for. */
void cli_tell_of_run(const pc_plan_info *plan, bool explains);

#endif
