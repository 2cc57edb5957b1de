/* igraph: its own reader of edge lists. */
#include "tests/bench/peer.h"

#include <igraph/igraph.h>
#include <stdio.h>

static const char *igraph_describe(void)
{
    return IGRAPH_VERSION;
}

static bool igraph_read(const char *path, uint64_t *n_vertices, uint64_t *n_edges)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_t graph;
    bool ok = igraph_read_graph_edgelist(&graph, file, 0, IGRAPH_UNDIRECTED) == IGRAPH_SUCCESS;
    fclose(file);
    if (ok) {
        *n_vertices = (uint64_t)igraph_vcount(&graph);
        *n_edges = (uint64_t)igraph_ecount(&graph);
        igraph_destroy(&graph);
    }
    return ok;
}

PEER_EXPORT const peer_reader peer_reader_table = {igraph_describe, igraph_read};
