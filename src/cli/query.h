/* Answers questions that ask for less than a whole matrix. */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "src/cli/count.h"
#include "src/cli/terminal.h"

/* Prints the answer line by line, and notes the total paths in facts. PC_ERR_CERTIFY when the
 * text of a count did not hold. */
pc_status cli_query_answer(pc_context *context, const pc_graph *graph,
                           const cli_count_options *options, cli_progress *progress,
                           cli_count_facts *facts);

#endif
