/* Queries, and the ways to answer them; one more is in src/query_halves.h. */
#ifndef PCI_QUERY_H
#define PCI_QUERY_H

#include "src/sweep.h"

/* A query that makes sense, and whom to tell. */
typedef struct pci_query_job {
    pc_context *context;
    const pc_graph *graph;
    const pc_query *query;
    pc_count_options options;    /* with defaults filled in */
    const pci_sweep_ops *sweeps; /* who sends exact vectors */
    pc_answer_fn deliver;
    void *user;
} pci_query_job;

/* Vectors that begin at the vertices asked for, sent through the graph. Any query, arithmetic and
 * kind of path. Notes in plan what it finds out and measures, as the others do. */
pc_status pci_query_sweeps(const pci_query_job *job, pc_plan *plan);

/* Sums over all vertices: the one vector of all ones. Of exact counts of all paths. */
pc_status pci_query_sums(const pci_query_job *job, pc_plan *plan);

static inline bool pci_query_is_sum(const pci_query_job *job)
{
    pc_query_kind kind = job->query->kind;
    return (kind == PC_QUERY_TOTAL || kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS) &&
           job->options.arithmetic == PC_EXACT && job->query->paths == PC_PATHS_ALL;
}

/* Rows of the whole matrix, read as the query wants; of each length anew. Of all paths. */
pc_status pci_query_matrix(const pci_query_job *job, pc_plan *plan);

/* What that would do, for the longest length. PC_ERR_MEMORY, PC_ERR_RANGE, ... */
pc_status pci_query_matrix_plan(const pci_query_job *job, pc_plan *plan);

#endif
