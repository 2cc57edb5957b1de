/* A stream of small graphs: a row each on stdout. */
#ifndef CLI_BATCH_STREAM_H
#define CLI_BATCH_STREAM_H

#include "src/cli/batch/options.h"

/* Returns whether a path is a stream: "-", a name ending in .g6, .s6 or .d6 (packed or not), or the
 * folder of a TUDataset. */
bool cli_is_stream(const char *path);

/* Counts the stream options->paths[0]. Returns the exit code. */
int cli_stream_run(const cli_batch_options *options);

#endif
