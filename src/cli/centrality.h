/* Centralities: a number for each vertex. */
#ifndef CLI_CENTRALITY_H
#define CLI_CENTRALITY_H

#include "src/cli/count_options.h"
#include "src/cli/progress.h"

/* Prints the centrality that the options ask for. */
pc_status cli_centrality_answer(pc_context *context, const pc_graph *graph,
                                const cli_count_options *options, cli_progress *progress);

#endif
