/* Libraries that are opened when they are needed, and the GPUs that the process lets CUDA see.
 *
 * Two parts of pathcount are libraries of their own, libpathcount_igraph and libpathcount_draw.
 * igraph and cairo load some thirty further libraries; linking these at every start took three
 * times as long as all the rest of a small count. `batch` opens them once, before it forks
 * workers. */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

#include "pathcount.h"

/* ---- Opening a library ----------------------------------------------------------------------- */

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

/* ---- Visible GPUs ---------------------------------------------------------------------------- */

/* Hides the GPUs behind the last one that the device names (as --device has it; NULL: auto).
 * Called before anything starts CUDA or another thread. */
void cli_hide_gpus(const char *device);

#endif
