/* A graph that igraph has in memory: the karate club is one of those that igraph knows by name.
 * Prints how many paths of length 8 lead from its vertex 0 to its vertex 33.
 *
 *     cc from_igraph.c $(pkg-config --cflags --libs pathcount_igraph) -o from_igraph
 *     ./from_igraph
 */
#include <igraph.h>
#include <pathcount_igraph.h>

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    igraph_t club;
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    pc_counts *counts = NULL;
    uint64_t n_paths;

    if (igraph_famous(&club, "Zachary") != IGRAPH_SUCCESS)
        return 1;
    if (pc_context_create(&context) != PC_OK) {
        fprintf(stderr, "from_igraph: out of memory\n");
        igraph_destroy(&club);
        return 1;
    }
    /* No attributes: vertices are called 0, 1, ... and each edge counts once. */
    int failed = pc_graph_from_igraph(context, &club, NULL, NULL, NULL, &graph) ||
                 pc_count(context, graph, 8, NULL, &counts) ||
                 pc_counts_u64(counts, 0, 33, &n_paths);
    if (failed)
        fprintf(stderr, "from_igraph: %s\n", pc_context_message(context));
    else
        printf("%" PRIu64 "\n", n_paths);

    pc_counts_free(counts);
    pc_graph_free(graph);
    pc_context_free(context);
    igraph_destroy(&club);
    return failed;
}
