/* Answers questions that ask for less than a whole matrix. */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "src/cli/count.h"
#include "src/cli/terminal.h"

/* ---- Centralities ---------------------------------------------------------------------------- */

/* Centralities: a number for each vertex. */

/* ---- Questions ------------------------------------------------------------------------------- */

/* Answers to what asks for less than the whole matrix. */
/* Answers the query of the options and prints it. facts get the width of the largest count printed
 * and, of a total, the last one. */
pc_status cli_query_answer(pc_context *context, const pc_graph *graph,
                           const cli_count_options *options, cli_progress *progress,
                           cli_count_facts *facts);

#endif
