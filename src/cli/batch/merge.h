/* Joining the shards of a batch. */
#ifndef CLI_BATCH_MERGE_H
#define CLI_BATCH_MERGE_H

#include "src/cli/batch/batch_options.h"

/* Makes of all shards in the folders of options->paths (none: of options->folder) what one run would have made: links
 * or copies their results into options->folder, and writes manifest.jsonl there, the last line of each job in the order of the
 * list. Returns an exit code as of the run, after a message: a shard is missing, not complete, there twice or of another
 * list of jobs, or a result is damaged or would replace a file. */
int cli_shards_merge(const cli_batch_options *options);

#endif
