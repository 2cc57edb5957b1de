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
#include <stdbool.h>

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
 * must find under path, each process reads its own rows, and none has all of them. Of an edge list of small integer ids or
 * a Matrix Market coordinate file each process reads a range of the lines. Any other file is read by this process and
 * distributed. Errors as those of pc_graph_read and pc_graph_distribute. */
pc_status pc_cluster_read(pc_context *context, pc_cluster *cluster, const char *path,
                          pc_format format, const pc_graph_options *options, pc_graph **graph);

/* Saves the sweeps that follow; with a NULL folder no more. Every so many seconds (0: after each step) the
 * vectors as they are go to a file in the folder, which is made and which all processes must find under this path, and
 * so do those that an answer reads. With resumes a question that was asked before with this folder, of the same graph,
 * goes on from there, in any number of processes; without, a folder that has a checkpoint is refused (PC_ERR_CREATE).
 * The folder is of one question, and is not removed. Questions fail with PC_ERR_DATA when the checkpoint is that of
 * another graph or question, or damaged, and with PC_ERR_IO when it cannot be written. Markov
 * chains and non-backtracking paths are not saved. PC_ERR_CREATE, PC_ERR_IO, PC_ERR_MEMORY. */
pc_status pc_cluster_checkpoint(pc_context *context, pc_cluster *cluster, const char *folder,
                                double seconds, bool resumes);

/* A cluster that need not be there. */
typedef struct pc_machines {
    uint32_t n_processes;        /* 1 to 65536 */
    uint32_t n_threads;          /* of each process */
    uint64_t memory_bytes;       /* of each process */
    double link_bits_per_second; /* of each process, both ways at once */
} pc_machines;

/* What an exact count would take there. Where processes differ, that of the one that has most. */
typedef struct pc_cluster_forecast {
    uint64_t n_steps, n_vectors, n_together; /* vectors, of which so many are swept at once */
    uint64_t own_vertices, own_arcs;
    uint64_t outer_vertices; /* of others that arcs of a process lead to, counted */
    uint64_t given_vertices; /* own vertices, once for each process that needs them */
    double outer_part;       /* outer vertices of a process, the mean, as part of all vertices */
    uint64_t line_bytes;     /* of a vertex, at the widest step */
    double step_bytes;       /* received by a process in the widest step of a block */
    double all_bytes;        /* received by all processes in all steps of all blocks */
    double
        first_bytes; /* that the first process sends and receives beside: limits, certificates, the answer */
    uint64_t memory_bytes;       /* of a process */
    uint64_t first_memory_bytes; /* of the first one, which plans and takes the answer */
    double sweep_seconds, exchange_seconds, first_seconds, seconds; /* the last: all of it */
} pc_cluster_forecast;

/* Predicts a question, by the graph, which is whole: the vertices that each range needs are counted. Lines of a step
 * travel before it is computed; each thread computes at the rate of the context, and each message takes the link as it
 * is and 5 microseconds. PC_ERR_ARGUMENT unless counts are exact; PC_ERR_MEMORY when a process would not have the
 * memory, or there is none here; errors of pc_plan_create. */
pc_status pc_cluster_predict(pc_context *context, const pc_graph *graph, const pc_query *query,
                             const pc_count_options *options, const pc_machines *machines,
                             pc_cluster_forecast *forecast);

/* What a process did and holds, counted by itself since the cluster began. What it sends in a step are lines: the
 * entries of a vertex in all vectors that are sent together, to each process whose arcs lead to the vertex. */
typedef struct pc_process_count {
    uint64_t n_steps, step_bytes;       /* of blocks of vectors; lines that it sent in them */
    uint64_t n_products, product_bytes; /* of single vectors: of answers, limits and certificates */
    uint64_t vector_bytes;              /* of vectors and rows, from the first process and to it */
    uint64_t
        held_bytes; /* most memory after a step or a product, without what was there before the cluster
                            began; 0 where the C library does not tell */
} pc_process_count;

int pc_cluster_n_processes(const pc_cluster *cluster);

/* counts[n processes] is filled in. */
void pc_cluster_count(pc_cluster *cluster, pc_process_count *counts);

#endif
