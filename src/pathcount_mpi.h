/* Graphs that several processes hold together, each a part of the rows of A (MPI-3).
 *
 * Every process calls pc_cluster_begin. In the first process of comm it returns, and that process is the only one that
 * uses the rest of the library: it reads a graph, distributes it, and asks its questions as it does of any graph. In
 * the others pc_cluster_begin returns when the first one has ended the cluster.
 *
 * A graph in parts answers what is swept or squared: exact counts of all paths and counts modulo a number, of any kind
 * of question. Small graphs are squared by processes that share the moduli; each then holds the graph whole. Markov
 * chains, Katz and subgraph centrality are answered too, and non-backtracking paths of undirected graphs. Its arcs are not in the memory of the process that asks (pc_graph_arcs gives no columns), so whatever else
 * needs them is refused. Link libpathcount_mpi.a and libpathcount.a, with mpicc. */
#ifndef PATHCOUNT_MPI_H
#define PATHCOUNT_MPI_H

#include "pathcount.h"

#include <mpi.h>

typedef struct pc_cluster pc_cluster;

/* MPI is initialised, with MPI_THREAD_FUNNELED at least. *cluster is NULL in all processes but the first, and in it
 * when there is no memory (PC_ERR_MEMORY, and then in all). */
pc_status pc_cluster_begin(MPI_Comm comm, pc_cluster **cluster);

/* Graphs in parts were freed before. Accepts NULL. */
void pc_cluster_end(pc_cluster *cluster);

/* The arcs of graph go to the processes, in ranges of vertices with about as many arcs, and leave the memory of this
 * one. graph stays, with its labels and facts. PC_ERR_MEMORY (the graph is as it was, or in no state to be used but to
 * be freed), PC_ERR_RANGE when a process would have 2^31 vertices. */
pc_status pc_graph_distribute(pc_context *context, pc_cluster *cluster, pc_graph *graph);

/* Reads a graph into parts. Of a .sg or .wsg file in the form that GAP and pc_graph_write give it, which all processes
 * must find under path, each process reads its own rows, and none has all of them. Any other file is read by this
 * process and distributed. Errors as those of pc_graph_read and pc_graph_distribute. */
pc_status pc_cluster_read(pc_context *context, pc_cluster *cluster, const char *path,
                          pc_format format, const pc_graph_options *options, pc_graph **graph);

#endif
