/* --explain: the plan before a count or query, the measured times after it. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "pathcount.h"

#include <stdio.h>

/* What a plan tells before it runs. */
void cli_explain_plan(FILE *out, const pc_plan_info *plan);

/* What it tells after it ran. */
void cli_explain_times(FILE *out, const pc_plan_info *plan);

#endif
