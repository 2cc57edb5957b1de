/* The begin of a command: its context, its graph, its blocks. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "src/cli/count_options.h"
#include "src/cli/terminal.h"

#include "pathcount.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* A context that runs as options say and tells progress how far it is; *context stays NULL when
 * there is no memory for one. */
pc_status cli_open_context(const cli_running_options *options, cli_progress *progress,
                           pc_context **context);

/* Runs a command with a context that is opened as options say. Prints why that or the command
 * failed, and returns the exit code. */
int cli_run_in_context(const cli_running_options *options,
                       pc_status (*run)(pc_context *context, cli_progress *progress, void *user),
                       void *user);

/* Removes the temporary files that killed processes left in the folder of path; NULL: there is
 * none. */
void cli_clean_beside(const char *path);

/* Reads graphs: pc_graph_read, or what a program that holds them in parts has in its place
 * (src/cli/mpi). */
extern pc_status (*cli_reader)(pc_context *context, const char *path, pc_format format,
                               const pc_graph_options *options, pc_graph **graph);

/* Prepares such a program for the options before a graph is read. */
extern pc_status (*cli_begin_parts)(pc_context *context, const cli_count_options *options);

/* True when graphs are held in parts. */
static inline bool cli_has_parts(void)
{
    return cli_reader != pc_graph_read;
}

/* Reads the graph of the options. A number in the file that is too large is PC_ERR_DATA. */
pc_status cli_load_graph(pc_context *context, const cli_input_options *options, pc_graph **graph);

/* Reads the same graph and, unless is_quiet, describes it on standard error. */
pc_status cli_load_told(pc_context *context, const cli_input_options *options, bool is_quiet,
                        cli_progress *progress, pc_graph **graph);

/* Writes a graph to a file in the format of its ending, and says on standard error where its
 * labels are, if they are in a file of their own. Signals wait from then on. */
pc_status cli_write_graph(pc_context *context, const pc_graph *graph, const char *path,
                          bool is_quiet);

/* Makes the partition of graph that options->spec asks for: a number, a method or a file. */
pc_status cli_make_blocks(pc_context *context, const pc_graph *graph,
                          const cli_block_options *options, pc_partition **partition);

/* Prints "graph.txt: edge list, undirected: 5242 vertices, 14496 edges (12 loops, counted once),
 * ..." */
void cli_print_graph(FILE *out, const cli_input_options *options, const pc_graph_info *info);

#endif
