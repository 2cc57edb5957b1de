/* The canonical digest of a graph: SHA-256, as 64 hexadecimal digits, of this text.
 *
 *     pathcount graph
 *     N                     the number of vertices
 *     LABEL                 a line for each vertex, in their order
 *     I J W                 a line for each nonzero entry of the adjacency matrix, row by row, columns
 *                           ascending: row and column from 0, and the multiplicity
 *
 * Each line ends with a line feed. In labels, tab, line feed, carriage return and backslash are \t, \n, \r
 * and \\, as in .tsv. */
#ifndef CLI_VERIFY_GRAPH_DIGEST_H
#define CLI_VERIFY_GRAPH_DIGEST_H

#include "pathcount.h"
#include "src/cli/files.h"

/* False when there is no memory. */
bool cli_digest_graph(const pc_graph *graph, char digest[CLI_DIGEST_SIZE]);

#endif
