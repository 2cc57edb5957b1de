/* The blocks that a command line asks for. */
#ifndef CLI_BLOCKS_H
#define CLI_BLOCKS_H

#include "src/cli/count_options.h"

/* The partition of graph by options->spec. */
pc_status cli_make_blocks(pc_context *context, const pc_graph *graph,
                          const cli_block_options *options, pc_partition **partition);

#endif
