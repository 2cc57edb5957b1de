/* Sums over all vertices made ready: which graphs, how many steps, how wide. */
#ifndef PCI_QUERY_SUMS_PLAN_H
#define PCI_QUERY_SUMS_PLAN_H

#include "src/query.h"

typedef struct pci_sums_plan {
    pc_context *context;
    const pc_graph *graph;
    const pc_query *query;
    int n_rounds;            /* of the certificate; 0: none */
    const pc_graph *along;   /* what the vector is sent through: the graph or its reverse */
    const pc_graph *against; /* the other one; NULL where nobody asks for it */
    pc_graph *reverse;       /* of a directed graph, when one of the two; else NULL */
    bool by_halves;          /* a total as <A^a 1, A^b 1>, of an undirected graph */
    bool has_rows; /* vectors are answers, and must be as wide as the widest, or added up */
    uint64_t n_steps;
    uint64_t n_totals;    /* that are kept to be delivered as wide as the widest */
    uint32_t most_words;  /* of an entry of the vector, as the next two proved */
    uint32_t row_words;   /* of an entry of rows */
    uint32_t total_words; /* of a total */
    double answer_bits;   /* log2 of a proved limit of an answer */
    double bytes;         /* of memory that all of it takes, the graph not counted */
    int n_threads;        /* that look at all vertices */
} pci_sums_plan;

/* Decides, but for along and against, which are not set. The job must outlive the plan.
 * PC_ERR_RANGE, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_sums_plan_make(const pci_query_job *job, pci_sums_plan *plan);

/* Sets along and against. PC_ERR_MEMORY. */
pc_status pci_sums_plan_graphs(pci_sums_plan *plan);
void pci_sums_plan_free(pci_sums_plan *plan);

/* log2 of a limit of the sums of rows of A, found without a pass over its arcs: a step makes
 * entries no wider than by so much. */
double pci_sums_step_bits(const pc_graph *graph);

/* Notes what was decided. */
void pci_sums_plan_note(const pci_sums_plan *sums, pc_plan *plan);

#endif
