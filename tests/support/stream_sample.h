/* The tests of streams share these: graphs, their lines, and reading a stream beside them. */
#ifndef TESTS_STREAM_SAMPLE_H
#define TESTS_STREAM_SAMPLE_H

#include "tests/support/graph6_lines.h"

/* A text of graphs, and the graphs. */
typedef struct sample {
    char *text;
    size_t n_bytes;
    line_matrix *matrix;
    size_t n;
} sample;

/* Graphs of up to so many vertices, in the three formats by turns. */
sample make_sample(uint64_t seed, size_t n_graphs, uint64_t most_vertices);
void free_sample(sample *made);

/* Reads a stream to its end, or to its first flaw, and says how many of its graphs are those wanted;
 * wanted NULL: how many there are. */
pc_status read_stream(pc_context *context, const char *path, const sample *wanted, size_t *n_right);

/* An action for a failing allocator; user is the path. */
pc_status read_quietly(pc_context *context, void *user);

/* Asserts that a stream has the graphs wanted and no others. */
void check_stream(const char *path, const sample *wanted);

#endif
