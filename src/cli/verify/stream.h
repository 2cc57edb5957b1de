/* Answers to a stream of small graphs, a line for each, and the graphs themselves: nauty's formats graph6, sparse6 and
 * digraph6, read by their definition. */
#ifndef CLI_VERIFY_STREAM_H
#define CLI_VERIFY_STREAM_H

#include "src/cli/verify/verify.h"

/* Certifies the answers in a file, totals, closed paths or both (options->query.beside_option), for the graphs
 * in options->input.path, a line each. PC_ERR_DATA names the line; as cli_verify_file otherwise. */
pc_status cli_verify_stream(pc_context *context, const cli_count_options *options, const char *path,
                            cli_verified *verified);

/* A graph in a line. All zero at first. Edges of graph6 and sparse6 go from the larger vertex. */
typedef struct cli_graph6 {
    uint64_t n_vertices, n_edges;
    uint64_t *from, *to; /* [n_edges] */
    size_t capacity;
    bool is_directed;
} cli_graph6;

/* Reads a line without its end. False when it is no graph, or has more than most_vertices. The next line takes the same
 * memory, which is that of cli_need; cli_graph6_free after the last one. */
bool cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices, cli_graph6 *graph);
void cli_graph6_free(cli_graph6 *graph);

#endif
