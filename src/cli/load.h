/* Reads the graph of a command line and says what was read. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "src/cli/options.h"

#include <stdio.h>

/* The graph, or an exit code other than CLI_DONE after an error message. */
int cli_load_graph(pc_context *context, const cli_input_options *options, pc_graph **graph);

/* "graph.txt: edge list, undirected: 5242 vertices, 14496 edges (12 loops), ..." */
void cli_print_graph(FILE *out, const cli_input_options *options, const pc_graph_info *info);

#endif
