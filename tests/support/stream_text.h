/* Graphs as streams have them: lines of text, and folders as those of TUDataset. Written from their
 * descriptions; shares no code with the library. */
#ifndef TESTS_STREAM_TEXT_H
#define TESTS_STREAM_TEXT_H

#include "tests/support/random_graph.h"

#include <stdio.h>

/* A line of graph6, or digraph6 when directed. */
void print_graph(FILE *out, const edge_set *edges);

typedef struct folder {
    char path[256];
    FILE *entries, *indicator;
    uint64_t n_vertices, n_graphs;
} folder;

/* A new folder; a graph is added with its edges as entries. */
void folder_create(folder *f);
void folder_add(folder *f, const edge_set *edges);
void folder_close(folder *f);
void folder_remove(folder *f);

#endif
