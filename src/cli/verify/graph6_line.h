/* A graph in a line of graph6, sparse6 or digraph6 (nauty's formats), read by the definition. */
#ifndef CLI_VERIFY_GRAPH6_LINE_H
#define CLI_VERIFY_GRAPH6_LINE_H

#include "pathcount.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero at first. Edges of graph6 and sparse6 go from the larger vertex. */
typedef struct cli_graph6 {
    uint64_t n_vertices, n_edges;
    uint64_t *from, *to; /* [n_edges] */
    size_t capacity;
    bool is_directed;
} cli_graph6;

/* Reads a line without its end. PC_ERR_DATA when it is no graph, or has more than most_vertices;
 * PC_ERR_MEMORY. The next line takes the same memory; cli_graph6_free after the last one. */
pc_status cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices,
                          cli_graph6 *graph);
void cli_graph6_free(cli_graph6 *graph);

#endif
