/* --explain: the plan before the count, the measured times after it. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "pathcount.h"

#include <stdio.h>

void cli_explain_plan(FILE *out, const pc_plan *plan);

/* plan is that of pc_plan_last. */
void cli_explain_times(FILE *out, const pc_plan *plan);

#endif
