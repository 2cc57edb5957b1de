/* Answers to what asks for less than the whole matrix. */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "src/cli/count_options.h"
#include "src/cli/progress.h"

/* Answers the query of the options and prints it. bits gets the width of the largest count printed,
 * 0 for doubles. */
pc_status cli_query_answer(pc_context *context, const pc_graph *graph,
                           const cli_count_options *options, cli_progress *progress,
                           uint32_t *bits);

#endif
