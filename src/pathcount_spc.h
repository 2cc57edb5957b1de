/* pathcount: search path counts of a graph without cycles, and main paths, for citation networks (Hummon and Doreian 1989;
 * Batagelj 2003). The rules are those of pathcount.h. */
#ifndef PATHCOUNT_SPC_H
#define PATHCOUNT_SPC_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The paths that are counted; each has at least one arc. No arc leads to a source, and none from a sink. */
typedef enum pc_search_paths {
    PC_SPC = 0, /* search path count: those from a source to a sink */
    PC_SPLC,    /* search path link count: those from any vertex to a sink */
    PC_SPNP     /* search path node pairs: those from any vertex to any vertex */
} pc_search_paths;

/* The weight of an arc is the number of such paths along it; parallel arcs are one, with the weight of all. *weights is
 * m x 1, in the order of pc_graph_arcs, *total 1 x 1, the number of all such paths; both are exact, certified, and have the
 * same width. PC_ERR_DATA when there is a cycle, which the message names, or an edge of an undirected graph; PC_ERR_ARGUMENT,
 * PC_ERR_MEMORY before anything is computed, PC_ERR_CERTIFY, PC_ERR_CANCELLED. */
pc_status pc_search_path_counts(pc_context *context, const pc_graph *graph, pc_search_paths paths,
                                pc_counts **weights, pc_counts **total);

typedef enum pc_main_path_search {
    PC_MAIN_PATH_GLOBAL =
        0, /* of all paths from a source to a sink, that with the largest sum of weights */
    PC_MAIN_PATH_LOCAL /* begins with the heaviest arc from a source and goes on with the heaviest arc, again and again */
} pc_main_path_search;

/* Finds a main path by weights, m x 1 and exact, as above. *path is n x 1, the weights of its n arcs in their order; arc, with
 * room for as many as there are vertices, gets their numbers in pc_graph_arcs. The first of several such paths is taken:
 * vertices are compared one by one in their order. A graph without arcs has n = 0. Errors as above; PC_ERR_ARGUMENT for weights
 * of another shape. */
pc_status pc_main_path(pc_context *context, const pc_graph *graph, const pc_counts *weights,
                       pc_main_path_search search, uint64_t *arc, pc_counts **path);

#ifdef __cplusplus
}
#endif

#endif
