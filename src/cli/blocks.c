/* Blocks by number, component, community or file. */
#include "src/cli/blocks.h"

#include "src/cli/exit_codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef PATHCOUNT_WITH_IGRAPH
#include "graphs/pathcount_igraph.h"

static pc_status find_communities(pc_context *context, const pc_graph *graph,
                                  const cli_block_options *options, pc_partition **partition)
{
    return pc_igraph_communities(context, graph, options->spec, options->seed, options->resolution,
                                 options->n_iterations, partition);
}
#else
static pc_status find_communities(pc_context *context, const pc_graph *graph,
                                  const cli_block_options *options, pc_partition **partition)
{
    (void)graph, (void)options, (void)partition;
    return pc_context_fail(context, PC_ERR_ENGINE,
                           "finding communities needs igraph, and this build is without it");
}
#endif

static bool is_number(const char *text)
{
    return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

static pc_status make_groups(pc_context *context, const pc_graph *graph, const char *spec,
                             pc_partition **partition)
{
    errno = 0;
    uint64_t size = strtoull(spec, NULL, 10);
    if (errno != 0 || size == 0)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--blocks: groups must have 1 to 2^64-1 vertices");
    return pc_partition_consecutive(context, graph, size, partition);
}

int cli_make_blocks(pc_context *context, const pc_graph *graph, const cli_block_options *options,
                    pc_partition **partition)
{
    const char *spec = options->spec;
    pc_status status;
    if (is_number(spec))
        status = make_groups(context, graph, spec, partition);
    else if (strcmp(spec, "components") == 0)
        status = pc_partition_components(context, graph, partition);
    else if (strcmp(spec, "leiden") == 0 || strcmp(spec, "multilevel") == 0)
        status = find_communities(context, graph, options, partition);
    else
        status = pc_partition_read(context, graph, spec, partition);
    return status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
}
