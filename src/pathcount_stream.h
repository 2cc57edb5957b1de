/* pathcount: streams of small graphs, each counted in machine words. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_STREAM_H
#define PATHCOUNT_STREAM_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked of each graph: the columns of its row. First the totals of the lengths asked for,
 * then the closed paths; total or closed or both are to be 1. */
typedef struct pc_stream_query {
    int total;          /* how many paths the graph has */
    int closed;         /* how many of them end where they start */
    pc_path_kind paths; /* not PC_PATHS_MARKOV */
    uint64_t length;
    int each;  /* 1: a column for each length 1..length, in ascending order */
    int up_to; /* 1: the lengths 1..length added up; not with each */
} pc_stream_query;

/* Counts the paths of one graph after the other, in memory that does not grow with their number.
 * path is "-" for standard input, a file, packed or not, or the folder of a TUDataset.
 *
 * Text is a graph a line in graph6, sparse6 or digraph6 (nauty's formats, formats.txt of its
 * distribution), which may be mixed. A folder NAME holds NAME_A.txt, a line "row, column" for each
 * nonzero entry of the adjacency matrix of all graphs, vertices numbered from 1, and
 * NAME_graph_indicator.txt, a line a vertex with the number of its graph, which never falls (Morris
 * et al. 2020); its entries are held in memory. Entries are arcs there, unless the options say
 * PC_UNDIRECTED.
 *
 * Of graph_options direction, multigraph, loops and max_vertices count; PC_LOOPS_TWICE is refused for a folder, which
 * has entries of matrices. Exactly, of any width, or modulo as options say;
 * not in doubles. Graphs of at most 64 vertices have a way of their own: sums of machine words as
 * wide as a proved limit, by the processors whatever the device; larger ones are counted as by
 * pc_query_run. In place of a certificate the steps, totals and traces of small graphs are checked by a
 * second sum each, which any single wrong word changes. A graph that fails is read and counted again
 * as a larger one. PC_ERR_CERTIFY names a graph that fails that way too. n_certify_rounds PC_CERTIFY_NONE
 * ignores the checks. With PC_DIRECTED an edge of graph6 is the arc from the larger vertex.
 *
 * deliver receives rows of counts, a row a graph in their order: row g is graph g, from 0. Each block
 * of rows has as many words a count as its widest. Rows before a bad line are delivered, then
 * PC_ERR_DATA names the line. */
pc_status pc_stream_run(pc_context *context, const char *path,
                        const pc_graph_options *graph_options, const pc_stream_query *query,
                        const pc_count_options *options, pc_rows_fn deliver, void *user);

#ifdef __cplusplus
}
#endif

#endif
