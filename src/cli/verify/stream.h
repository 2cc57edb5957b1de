/* Answers to a stream of small graphs: a line for each. */
#ifndef CLI_VERIFY_STREAM_H
#define CLI_VERIFY_STREAM_H

#include "src/cli/verify/verify.h"

/* Certifies the answers in a file, totals, closed paths or both (options->query.beside_option), for the graphs
 * in options->input.path, a line each. PC_ERR_DATA names the line; as cli_verify_file otherwise. */
pc_status cli_verify_stream(pc_context *context, const cli_count_options *options, const char *path,
                            cli_verified *verified);

#endif
