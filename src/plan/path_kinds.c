/* Which kinds of path go with which arithmetic, method and graph. */
#include "src/plan/path_kinds.h"

static pc_status check_non_backtracking(pc_context *context, const pc_graph *graph,
                                        const pc_count_options *options)
{
    if (options->arithmetic == PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted exactly or modulo a number, not in "
                        "doubles: their recurrence subtracts");
    if (graph->info.loops == PC_LOOPS_TWICE && graph->info.n_loops > 0)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted on graphs whose loops count once: a "
                        "loop that counts twice is two arcs, and each leads back along the other; "
                        "leave --loops out");
    if (graph->weight || (graph->parts && graph->info.max_weight > 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted on graphs whose edges count once, and "
                        "this one has weights or multiplicities above 1; leave them out");
    return PC_OK;
}

pc_status pci_query_check_paths(pc_context *context, const pc_graph *graph, const pc_query *query,
                                const pc_count_options *options)
{
    if ((unsigned)query->paths > PC_PATHS_MARKOV)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown kind of path %d", (int)query->paths);
    if (query->paths == PC_PATHS_ALL)
        return PC_OK;
    if (query->paths == PC_PATHS_NON_BACKTRACKING)
        return check_non_backtracking(context, graph, options);
    if (options->arithmetic != PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "probabilities of a Markov chain are doubles: ask for PC_FLOAT");
    return PC_OK;
}
