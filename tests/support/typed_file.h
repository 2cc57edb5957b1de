/* Shared parts of the tests of formats of networks: a file is typed, read, and compared. The case goes on
 * after a difference, which is printed. */
#ifndef TESTS_TYPED_FILE_H
#define TESTS_TYPED_FILE_H

#include "pathcount.h"

/* A path of that name in a new folder, for remove_path to remove with the file and to free. */
char *temporary_path(const char *name);
void remove_path(char *path);

/* Reads n_bytes of text from a file of that name. */
pc_status read_bytes(pc_context *context, const char *name, const char *text, size_t n_bytes,
                     const pc_graph_options *options, pc_graph **graph);

/* The labels of graph in order, blanks between. */
void check_labels(const pc_graph *graph, const char *expected);

/* The nonzero entries of the adjacency matrix and no others: "from>to from>to*weight". */
void check_arcs(const pc_graph *graph, const char *expected);

/* A file that reads: its labels, arcs and info. */
void check_reads(const char *name, const char *text, const pc_graph_options *options,
                 const char *labels, const char *arcs, pc_graph_info *info);

/* A file that is refused with PC_ERR_DATA and the message ".../name:place ...what...", place being
 * "" or "line:". */
void check_refused(const char *name, const char *text, const pc_graph_options *options,
                   const char *place, const char *what);
void check_refused_bytes(const char *name, const char *text, size_t n_bytes,
                         const pc_graph_options *options, const char *place, const char *what);

#endif
