/* pathcount_igraph: graphs for pathcount from igraph, and communities that igraph finds.
 *
 * This is the header of libpathcount_igraph, a library beside libpathcount (link both). igraph is
 * free software under GPL-2.0-or-later: a program that links it is distributed on its terms.
 *
 * Threads   igraph as Debian builds it may be used by one thread at a time. Calls of this library
 *           that use igraph in your process wait for one another, so contexts may work at once. They
 *           cannot wait for calls that your program makes to igraph itself in another thread
 *           meanwhile: do not make any.
 * Process   Communities are found in a process of its own: pathcount_igraph_child, a program that
 *           lies in the folder of this library, or of the program that has it linked statically.
 *           Crashes, hangs and endless memory of igraph become a status and a message. The process
 *           gets memory and CPU time in proportion to its task, and ends before the call returns. It
 *           is a child of yours: a program that waits for all its children may reap it.
 *           PATHCOUNT_IGRAPH_SECONDS in the environment, 60 by default, is its CPU time for little
 *           work, and how long it may wait without using any.
 * Manners   During a call igraph has handlers and an attribute table of this library's own, and
 *           the C locale for numbers; those in place before are in place again when the call
 *           returns. An error of igraph becomes a status and a message, never an abort.
 */
#ifndef PATHCOUNT_IGRAPH_H
#define PATHCOUNT_IGRAPH_H

#include "pathcount.h"

#include <igraph/igraph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A graph with the vertices and edges of igraph, which is copied. Each edge counts once, loops too.
 *
 * label_attribute   a vertex attribute, text or numbers, different for each vertex, that names the
 *                   vertices; NULL: vertex i is called i. Labels that are all integers
 *                   0..2^64-1 put the vertices in numerical order, so vertex i need not be i then.
 * weight_attribute  a numeric edge attribute, the multiplicities: integers 0 .. 2^53-1, with
 *                   options->real_weights any numbers; NULL: 1.
 * options           as everywhere, weights is not looked at; NULL means defaults. The direction of
 *                   the igraph_t is the one stated. PC_DIRECTED for an undirected one is refused:
 *                   igraph does not keep which end of an undirected edge came first
 *                   (igraph_to_directed() says what is meant).
 *
 * Attributes can be read when the program has set igraph_cattribute_table, which is igraph's own
 * attribute handler for C. PC_ERR_ARGUMENT for an attribute that cannot serve, PC_ERR_DATA for a
 * weight that is no multiplicity, PC_ERR_RANGE, PC_ERR_MEMORY. */
pc_status pc_graph_from_igraph(pc_context *context, const igraph_t *igraph,
                               const char *label_attribute, const char *weight_attribute,
                               const pc_graph_options *options, pc_graph **graph);

/* Communities of a graph: blocks with many edges within and few between. Arcs of a directed graph
 * are taken as edges, those both ways as two; the weight of an edge is its multiplicity.
 *
 * method        "leiden" or "multilevel" (the Louvain method); NULL: leiden
 * seed          the same seed gives the same partition, with the same version of igraph
 * resolution    1: modularity; more gives smaller communities, less gives larger ones
 * n_iterations  of leiden, each of which starts from the result before; 0 means the default of 10
 *
 * Blocks are in the order of their first vertices, and labelled "1", "2", ... A vertex without
 * edges is a block of its own. igraph's generator of random numbers is as before when the call
 * returns.
 * PC_ERR_ARGUMENT, PC_ERR_MEMORY, PC_ERR_CANCELLED, PC_ERR_ENGINE as above, PC_ERR_INTERNAL when igraph
 * crashed or ran into a limit. */
pc_status pc_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                uint64_t seed, double resolution, int n_iterations,
                                pc_partition **partition);

/* A graph that has a name in the literature, such as "Petersen" or "Zachary" (the karate club), in
 * any case of letters; vertices are 0..n-1. All are undirected. PC_ERR_ARGUMENT when igraph knows
 * none of that name: the message lists those it knows. */
pc_status pc_igraph_famous(pc_context *context, const char *name, pc_graph **graph);

#ifdef __cplusplus
}
#endif
#endif
