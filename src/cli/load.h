/* The begin of a command: its context, its graph, its blocks, its plan, and the libraries it opens. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "src/cli/count_options.h"
#include "src/cli/terminal.h"

#include "pathcount_labelled.h"

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

/* Reads edges with a text each, from a column, and the graph of them. */
pc_status cli_load_labelled(pc_context *context, const cli_input_options *options,
                            const char *column, pc_labelled_edges **labelled, pc_graph **graph);

/* Reads the same graph and, unless is_quiet, describes it on standard error. */
pc_status cli_load_told(pc_context *context, const cli_input_options *options, bool is_quiet,
                        cli_progress *progress, pc_graph **graph);

/* Puts the name of the file before a message about its data. Returns the status. */
pc_status cli_name_input(pc_context *context, const cli_input_options *options, pc_status status);

/* Writes a graph to a file in the format of its ending, and says on standard error where its
 * labels are, if they are in a file of their own. Signals wait from then on. */
pc_status cli_write_graph(pc_context *context, const pc_graph *graph, const char *path,
                          bool is_quiet);

/* Makes the partition of graph that options->spec asks for: a number, a method or a file. */
pc_status cli_make_blocks(pc_context *context, const pc_graph *graph,
                          const cli_block_options *options, pc_partition **partition);

/* Writes a line for each vertex: its label, a tab, and that of its block. */
pc_status cli_write_members(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const char *path);

/* Prints "graph.txt: edge list, undirected: 5242 vertices, 14496 edges (12 loops, counted once),
 * ..." */
void cli_print_graph(FILE *out, const cli_input_options *options, const pc_graph_info *info);

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Makes a plan as pc_plan_create does. A machine that nobody has measured is measured for some
 * milliseconds first when the work is long enough for the choice of a method and of a device to
 * matter. A note on standard error tells a predicted time of more than ten minutes, unless the
 * command is to be quiet; --explain prints the plan. */
pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, const cli_running_options *running,
                          pc_plan **plan);

/* Called before a plan is made where it is set: plans for other machines (src/cli/mpi), which
 * end the command when they succeed. */
extern pc_status (*cli_plan_for_others)(pc_context *context, const pc_graph *graph,
                                        const pc_query *query, const pc_count_options *options);

/* Prints the plan on standard error before it runs; all: with the plans that were compared, and the levels. */
void cli_explain_plan(const pc_plan_info *plan, bool all);

/* After a run that succeeded: warns on standard error when the first result failed its check and
 * was computed again, and prints the measured time where explain is 1, the times of all stages where it is 2. */
void cli_tell_of_run(const pc_plan_info *plan, unsigned explain);

/* Prints more after the times; NULL: nothing. */
extern void (*cli_explain_more)(FILE *out);

/* ---- Libraries that are opened when they are needed ------------------------------------------- */

/* Two parts of pathcount are libraries of their own, libpathcount_igraph and libpathcount_draw.
 * igraph and cairo load some thirty further libraries; linking these at every start took three
 * times as long as all the rest of a small count. `batch` opens them once, before it forks
 * workers. */

/* Finds a function in a library file, which stays open. The file is looked for beside
 * libpathcount.so, then where the dynamic linker looks. Returns NULL when that fails; then
 * context, which may be NULL, has the message of a PC_ERR_ENGINE. task says in the message what
 * the library does: "uses igraph". */
void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function);

/* ---- Calls of libpathcount_igraph ------------------------------------------------------------ */

/* The library is opened at the first call. Without the library, and in a build without igraph,
 * the calls fail with PC_ERR_ENGINE and a message. */

/* pc_igraph_communities */
pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition);

/* pc_igraph_famous */
pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph);

#endif
