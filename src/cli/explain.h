/* --explain: what it prints of a plan. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "pathcount.h"

#include <stdbool.h>
#include <stdio.h>

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
