/* pathcount_igraph: graphs for pathcount from igraph, in memory or from the files igraph reads.
 *
 * This is the header of libpathcount_igraph, a library beside libpathcount (link both). igraph is
 * free software under GPL-2.0-or-later: a program that links it is distributed on its terms.
 *
 * Threads   igraph as Debian builds it may be used by one thread at a time. Calls of this library
 *           that use igraph in your process wait for one another, so contexts may work at once. They
 *           cannot wait for calls that your program makes to igraph itself in another thread
 *           meanwhile: do not make any.
 * Process   Files are read, and communities found, in a process of its own: pathcount_igraph_child, a
 *           program that lies in the folder of this library, or of the program that has it linked
 *           statically. Crashes, hangs and endless memory of igraph become a status and a message. The
 *           process gets memory and CPU time in proportion to its task, and ends before the call
 *           returns. It is a child of yours: a program that waits for all its children may reap it.
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

/* Reads a graph file in a format that igraph knows, "-" for standard input; gz, zst, xz and bz2 are
 * unpacked on the way. format is one of the names below; NULL: the ending of path says it.
 *
 *   name      endings     direction                           labels, the first that serves
 *   graphml   .graphml    edgedefault                         name, label, else the id of the node
 *   gml       .gml        directed 1; else undirected         name, label, else the id of the node
 *   pajek     .net .paj   *Arcs or *Edges; both: directed     label of the vertex line, else 1..n
 *   lgl       .lgl        none, so undirected                 names in the file
 *   ncol      .ncol       none, so undirected                 names in the file
 *   dl        .dl         directed: a line or entry, an arc   labels, else 1..n
 *
 * A label serves when every vertex has one and no two share it. Labels that are all integers
 * 0..2^64-1 are ordered numerically, any others as in the file. With options->weights the edge
 * attribute weight (GML: weight, else value) is the multiplicity, an integer 0 .. 2^53-1 that all
 * edges have; a list of edges without it is refused, with the names of the numbers that edges have.
 * Otherwise a weight is ignored with a note in the info, and an edge of weight 0 is an edge.
 *
 * When format is NULL and the text begins as another of the formats does, that one is read. A format
 * that is asked for must be that of the text. An edge of Pajek in a file with arcs is two arcs. DL
 * has the formats fullmatrix, edgelist1 and nodelist1, and one relation.
 *
 * What igraph would read wrongly without a word is refused: Pajek with
 * several relations (two numbers, or a section of arcs, edges or a matrix that comes again), GraphML
 * with two edge attributes called weight that are asked for,
 * with an edge whose directed= is not the edgedefault, with more than one graph, with hyperedges or
 * with an edge to a node that is not there, GML with more than one graph, matrices with missing
 * entries, comment lines in NCOL and LGL (they have none: such a line would become an edge),
 * comments behind data in Pajek, commas in DL data.
 *
 * PC_ERR_ARGUMENT for an unknown format, PC_ERR_NO_INPUT, PC_ERR_DATA (message "file:line: what is
 * wrong", without the line where igraph does not tell it; igraph crashed or ran into a limit),
 * PC_ERR_MEMORY, PC_ERR_IO, PC_ERR_CANCELLED, PC_ERR_ENGINE when the process cannot be started. */
pc_status pc_graph_read_igraph(pc_context *context, const char *path, const char *format,
                               const pc_graph_options *options, pc_graph **graph);

/* The name of the format that the ending of path stands for, in any case of letters, with one of
 * .gz .zst .xz .bz2 after it or not; NULL when it is none of those above. Static storage. */
const char *pc_igraph_format_of(const char *path);

/* The name of format number i, in the order above; NULL past the last. Static storage. */
const char *pc_igraph_format_name(unsigned i);

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
