/* --explain: the plan before a count or query, the measured times after it. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "pathcount.h"

#include <stdio.h>

/* plan is that of pc_plan_make, pc_plan_coarsen or pc_plan_query. */
void cli_explain_plan(FILE *out, const pc_plan *plan);

/* plan is that of pc_plan_last. */
void cli_explain_times(FILE *out, const pc_plan *plan);

#endif
