/* Finds the functions of libpathcount_igraph by their names. */
#include "src/cli/igraph_module.h"

#include "src/cli/module.h"
#include "src/cli/text.h"

#include <stdio.h>
#include <string.h>

#ifdef PATHCOUNT_WITH_IGRAPH
#include "graphs/pathcount_igraph.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
#define IGRAPH_FILE     "libpathcount_igraph.so." TEXT(PATHCOUNT_SOVERSION)

/* The function of that name, with its declared type; NULL, and a message, when it cannot be
 * found. */
#define FIND(context, name)                                                                        \
    ((__typeof__(&(name)))cli_module_function(context, IGRAPH_FILE, "uses igraph", #name))

void cli_igraph_open(void)
{
    (void)FIND(NULL, pc_graph_read_igraph);
}

pc_status cli_igraph_read(pc_context *context, const char *path, const char *format,
                          const pc_graph_options *options, pc_graph **graph)
{
    __typeof__(&pc_graph_read_igraph) read = FIND(context, pc_graph_read_igraph);
    return read != NULL ? read(context, path, format, options, graph) : PC_ERR_ENGINE;
}

pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition)
{
    __typeof__(&pc_igraph_communities) find = FIND(context, pc_igraph_communities);
    return find != NULL ? find(context, graph, method, seed, resolution, n_iterations, partition)
                        : PC_ERR_ENGINE;
}

pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    __typeof__(&pc_igraph_famous) make = FIND(context, pc_igraph_famous);
    return make != NULL ? make(context, name, graph) : PC_ERR_ENGINE;
}
#else
void cli_igraph_open(void)
{
}

pc_status cli_igraph_read(pc_context *context, const char *path, const char *format,
                          const pc_graph_options *options, pc_graph **graph)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s: reading %s needs igraph, and this build is without it",
             cli_shown_path(path), format != NULL ? format : pc_file_format_of(path, NULL)->name);
    (void)options, (void)graph;
    return pc_context_fail(context, PC_ERR_ENGINE, sentence);
}

pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition)
{
    (void)graph, (void)method, (void)seed, (void)resolution, (void)n_iterations, (void)partition;
    return pc_context_fail(context, PC_ERR_ENGINE,
                           "finding communities needs igraph, and this build is without it");
}

pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    (void)name, (void)graph;
    return pc_context_fail(context, PC_ERR_ENGINE,
                           "famous graphs need igraph, and this build is without it");
}
#endif
