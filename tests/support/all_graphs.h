/* All undirected graphs of few vertices up to isomorphism, from geng of nauty. */
#ifndef TESTS_ALL_GRAPHS_H
#define TESTS_ALL_GRAPHS_H

#include "tests/support/random_graph.h"

/* Makes a graph of a line of graph6 with at most 62 vertices, which is taken apart bit by bit. */
edge_set edge_set_of_graph6(const char *line);

/* Calls check with each graph of 1 to `most` vertices, 8 at most, and asserts that there are as many as are known. The case
 * is SKIPPED where geng is not installed. */
void for_all_graphs(uint64_t most, void (*check)(const edge_set *edges));

#endif
