/* From labels, on the command line and in files, to the vertices of a query. */
#ifndef CLI_QUERY_VERTICES_H
#define CLI_QUERY_VERTICES_H

#include "src/cli/query_options.h"

/* All zero at first. */
typedef struct cli_vertices {
    uint64_t *from, *to; /* [n]; both the same where one is asked for */
    size_t n, capacity;
} cli_vertices;

/* Finds what the query names. graph_path is for messages. PC_ERR_DATA when there is no such vertex,
 * and as pc_text_read does. */
pc_status cli_vertices_find(pc_context *context, const pc_graph *graph, const char *graph_path,
                            const cli_query_options *query, cli_vertices *vertices);
void cli_vertices_free(cli_vertices *vertices);

#endif
