/* A single vector made ready, which begins at a vertex or as all ones: which graphs, how many steps,
 * how wide. */
#ifndef PCI_SINGLE_PLAN_H
#define PCI_SINGLE_PLAN_H

#include "src/plan/request.h"

typedef struct pci_single_plan {
    const pci_request *request;
    const uint64_t *start; /* the vertex that the vector begins at; NULL: it begins as all ones */
    bool reversed;         /* the vector goes along reversed arcs, X A instead of A X */
    bool by_halves;        /* a total as <A^a 1, A^b 1>, of an undirected graph */
    bool has_rows;         /* vectors are answers, and must be as wide as the widest, or added up */
    uint64_t n_steps;
    uint64_t n_totals;    /* that are kept to be delivered as wide as the widest */
    uint32_t most_words;  /* of an entry of the vector, as the next two proved */
    uint32_t row_words;   /* of an entry of rows */
    uint32_t total_words; /* of a total */
    double answer_bits;   /* log2 of a proved limit of an answer */
    double bytes;         /* of memory that all of it takes, the graph not counted */
    int n_threads;        /* that look at all vertices */
} pci_single_plan;

/* Decides. The request must outlive the plan. PC_ERR_RANGE, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_single_plan_make(const pci_request *request, pci_single_plan *plan);

/* log2 of a limit of the sums of rows of A, found without a pass over its arcs: a step makes
 * entries no wider than by so much. */
double pci_step_bits(const pc_graph *graph);

#endif
