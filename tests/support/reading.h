/* The tests of the readers share these functions: text goes through a file, a graph becomes a line of text
 * that is compared with one written by hand or by the dense oracle below. */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include "src/tool.h"

#include <stdbool.h>

/* A path for a new file whose name ends in suffix; valid until the next call. */
const char *scratch_path(const char *suffix);

/* Makes a new folder, whose path goes into folder[size]. */
void scratch_folder(char *folder, size_t size);

void scratch_write(const char *path, const void *bytes, size_t n_bytes);

/* Reads text through a file of that suffix, which is removed again. */
pc_status read_text(pc_context *context, const char *suffix, const char *text, size_t n_bytes,
                    const pc_graph_options *options, pc_graph **graph);

/* "a b c | a>b b>a*2": the labels in order, the entries of A row by row; the caller frees it. Also
 * asserts what must hold of any graph: ascending columns, symmetry, counts of the info. */
char *show_graph(const pc_graph *graph);

/* Asserts that text reads as the graph shown, on 1 and on 4 threads. */
void check_read(const char *suffix, const char *text, const pc_graph_options *options,
                const char *shown, int line);
#define CHECK_READ(SUFFIX, TEXT, OPTIONS, SHOWN) check_read(SUFFIX, TEXT, OPTIONS, SHOWN, __LINE__)

/* Asserts that text is refused with the status, and with a message that holds ":place: " (unless
 * place is 0) and the words. */
void check_refusal(const char *suffix, const char *text, size_t n_bytes,
                   const pc_graph_options *options, pc_status status, int place, const char *words,
                   int line);
#define CHECK_REFUSAL(SUFFIX, TEXT, OPTIONS, STATUS, PLACE, WORDS)                                 \
    check_refusal(SUFFIX, TEXT, sizeof(TEXT) - 1, OPTIONS, STATUS, PLACE, WORDS, __LINE__)

/* ---- The oracle: labels in a list, entries in a table, every step a search ------------------- */

enum { DENSE_MAX = 400 };

typedef struct dense_graph {
    bool directed, multigraph;
    unsigned n;
    char label[DENSE_MAX][32];
    uint64_t entry[DENSE_MAX][DENSE_MAX];
    uint64_t n_duplicates;
} dense_graph;

/* Gives the vertex of a label, which is added when it is new. */
unsigned dense_vertex(dense_graph *graph, const char *label);

/* Adds an edge of weight 1 between labels. */
void dense_add(dense_graph *graph, const char *from, const char *to);

/* Reorders the vertices: integers by value when all labels are. */
void dense_sort_integers(dense_graph *graph);

/* Shows a dense graph in the words of show_graph. */
char *dense_show(const dense_graph *graph);

#endif
