/* A query made ready for sweeps: which vectors are sent through which graph, how many at a time,
 * how wide. */
#ifndef PCI_QUERY_PLAN_H
#define PCI_QUERY_PLAN_H

#include "src/certify.h"
#include "src/query.h"
#include "src/query_vectors.h"
#include "src/swept_rows.h"

typedef struct pci_query_plan {
    pc_context *context;
    const pc_graph *graph;
    const pc_query *query;
    pc_count_options options; /* with defaults filled in */
    const pci_sweep_ops *sweeps;
    const pc_graph *along;   /* what the vectors are sent through: the graph or its reverse */
    const pc_graph *against; /* the other one; NULL where nobody asks for it */
    pc_graph *reverse;       /* of a directed graph, when one of the two; else NULL */
    bool turned; /* vectors go along arcs turned, X A instead of A X; of a symmetric graph too */
    uint64_t n_vectors;
    bool from_all;                /* the one vector is all ones; else each begins at one vertex: */
    uint64_t *start;              /* [n_vectors]; NULL: vector v begins at vertex v */
    uint32_t *vector_of;          /* PAIRS: [n] which vector begins at a vertex */
    const uint64_t *begin, *read; /* PAIRS: [n_asked] where its vector begins, where it is read */
    double *bits;                 /* exact: [length + 1] limits of the entries of vectors, log2 */
    uint32_t n_limbs;             /* words of an answer; 0: doubles */
    uint32_t n_block;             /* vectors sent at a time */
    double bytes;                 /* that answering takes, beside the graph */
    double answer_bits;           /* exact: log2 of a limit of an answer's entries */
} pci_query_plan;

/* Decides. What plan holds is to be freed whatever the status; the job must outlive it.
 * PC_ERR_RANGE, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_query_plan_make(const pci_query_job *job, pci_query_plan *plan);
void pci_query_plan_free(pci_query_plan *plan);

/* Notes what was decided. */
void pci_query_plan_note(const pci_query_plan *query, pc_plan *plan);

/* Of a plan that knows from_all: bits, answer_bits and n_limbs of exact answers. As above. */
pc_status pci_query_limits(pc_context *context, const pc_graph *graph, const pc_query *query,
                           pci_query_plan *plan);

/* PC_ERR_MEMORY when a query needs more bytes than there are. */
pc_status pci_query_check_memory(pc_context *context, double needed);

static inline uint64_t pci_query_start(const pci_query_plan *plan, uint64_t vector)
{
    return plan->start ? plan->start[vector] : vector;
}

/* Answers are single entries of vectors: of each pair, of each vertex. */
static inline bool pci_query_picks(const pci_query_plan *plan)
{
    return plan->query->kind == PC_QUERY_PAIRS || plan->query->kind == PC_QUERY_CLOSED;
}

/* Answers are whole vectors, one a row. */
static inline bool pci_query_has_rows(const pci_query_plan *plan)
{
    return plan->query->kind == PC_QUERY_FROM || plan->query->kind == PC_QUERY_TO;
}

/* Answers come of rows of one power of A, by sweeps of each thread's own where these pay; else of
 * vectors that are looked at on the way. */
static inline bool pci_query_is_swept_rows(const pci_query_plan *plan)
{
    const pc_query *query = plan->query;
    return plan->options.arithmetic == PC_EXACT && query->paths == PC_PATHS_ALL && !query->each &&
           !query->up_to && (pci_query_has_rows(plan) || query->kind == PC_QUERY_CLOSED);
}

/* What these are asked for, n_block at a time. */
static inline pci_swept_options pci_query_swept_options(const pci_query_plan *plan,
                                                        const pc_graph *along, uint64_t n_block)
{
    return (pci_swept_options){.sweeps = plan->sweeps,
                               .along = along,
                               .length = plan->query->length,
                               .bits = plan->bits,
                               .n_limbs = plan->n_limbs,
                               .most_starts = n_block};
}

/* The same of vectors that are looked at. */
static inline pci_vectors_options pci_query_vectors_options(const pci_query_plan *plan,
                                                            uint32_t n_block)
{
    return (pci_vectors_options){.count = &plan->options,
                                 .sweeps = plan->sweeps,
                                 .paths = plan->query->paths,
                                 .turned = plan->turned,
                                 .n_vectors = n_block,
                                 .n_limbs = plan->n_limbs,
                                 .length = plan->query->length,
                                 .bits = plan->bits};
}

/* Lengths that are answered. */
static inline uint64_t pci_query_n_answers(const pci_query_plan *plan)
{
    return plan->query->each ? plan->query->length : 1;
}

/* Which of them is length; UINT64_MAX: none. */
static inline uint64_t pci_query_answer_of(const pci_query_plan *plan, uint64_t length)
{
    if (plan->query->each)
        return length - 1;
    return length == plan->query->length ? 0 : UINT64_MAX;
}

/* Whether vectors after so many steps are part of an answer. */
static inline bool pci_query_takes(const pci_query_plan *plan, uint64_t length)
{
    if (plan->query->up_to)
        return length > 0;
    return pci_query_answer_of(plan, length) != UINT64_MAX;
}

/* The map that certifies vectors: with x of any n entries, <x, A^l s> = <(A^T)^l x, s>, s being
 * what a vector begins as. Its rows are the vectors of the first answer, then those of the second
 * ... */
pci_operator pci_query_map(const pci_query_plan *plan);

#endif
