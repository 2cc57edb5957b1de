/* Matrices and their lines in graph6, sparse6 and digraph6, written from the specification (formats.txt
 * of nauty) bit by bit: it shares nothing with the reader. */
#ifndef TESTS_GRAPH6_LINES_H
#define TESTS_GRAPH6_LINES_H

#include "io/graph6.h"
#include "tests/support/random_graph.h"

/* entry[i * n + j] edges between i and j; symmetric unless directed. A loop is one entry. */
typedef struct line_matrix {
    uint64_t n;
    bool directed;
    unsigned char *entry; /* owned */
} line_matrix;

/* Of about so many edges in a thousand pairs; of multigraphs some more than once, some loops. */
line_matrix line_matrix_random(random_source *source, uint64_t n, unsigned per_mille, bool directed,
                               bool multigraph);
void line_matrix_free(line_matrix *matrix);
#define release_line_matrix line_matrix_free

/* A line without its end, to be freed; length is strlen. write_graph6 takes a directed matrix as
 * digraph6; a matrix that is not directed has no loops and no repeats there. */
char *write_graph6(const line_matrix *matrix);
char *write_sparse6(const line_matrix *matrix);

/* Whether what was decoded is the matrix; repeats are counted when keep_repeats, else taken as one. */
bool is_listed_as(const pci_listed *graph, const line_matrix *matrix, bool keep_repeats);

#endif
