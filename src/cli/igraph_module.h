/* Calls of libpathcount_igraph, which is opened at the first one. Where it is missing, and in a
 * build without igraph, the calls fail with PC_ERR_ENGINE and a message that says so. */
#ifndef CLI_IGRAPH_MODULE_H
#define CLI_IGRAPH_MODULE_H

#include "pathcount.h"

/* Opens the library before it is needed. When that fails, the calls below report it. */
void cli_igraph_open(void);

/* pc_graph_read_igraph; format is NULL where only the name of the file tells it */
pc_status cli_igraph_read(pc_context *context, const char *path, const char *format,
                          const pc_graph_options *options, pc_graph **graph);

/* pc_igraph_communities */
pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition);

/* pc_igraph_famous */
pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph);

#endif
