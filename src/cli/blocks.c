/* Blocks by number, component, community or file. */
#include "src/cli/blocks.h"

#include "src/cli/igraph_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static pc_status find_communities(pc_context *context, const pc_graph *graph,
                                  const cli_block_options *options, pc_partition **partition)
{
    return cli_igraph_communities(context, graph, options->spec, options->seed, options->resolution,
                                  options->n_iterations, partition);
}

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

pc_status cli_make_blocks(pc_context *context, const pc_graph *graph,
                          const cli_block_options *options, pc_partition **partition)
{
    const char *spec = options->spec;
    if (is_number(spec))
        return make_groups(context, graph, spec, partition);
    if (strcmp(spec, "components") == 0)
        return pc_partition_components(context, graph, partition);
    if (strcmp(spec, "leiden") == 0 || strcmp(spec, "multilevel") == 0)
        return find_communities(context, graph, options, partition);
    return pc_partition_read(context, graph, spec, partition);
}
