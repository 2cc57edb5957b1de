/* Vectors that answer a question: at which vertices they begin, which way they go, how wide they
 * become, how many are sent at a time.
 *
 * A question for the rows of vertices sends their unit vectors along the reversed arcs, X A; one
 * for columns sends them along the arcs, A X. */
#ifndef PCI_SWEEP_PLAN_H
#define PCI_SWEEP_PLAN_H

#include "src/certify/certify.h"
#include "src/count/methods.h"
#include "src/vectors/vectors.h"
#include "src/cpu/swept_rows.h"

typedef struct pci_vectors_plan {
    const pci_question *question;
    const pci_sweep_ops *sweeps; /* who sends exact vectors of all paths */
    bool reversed;               /* vectors go along reversed arcs, X A instead of A X */
    uint64_t n_vectors;
    bool from_all;                /* the one vector begins as all ones; else ... */
    const pc_partition *blocks;   /* ... vector b as ones in block b; or, when NULL, at a vertex: */
    uint64_t *start;              /* [n_vectors]; NULL: vector v begins at vertex v */
    uint32_t *vector_of;          /* PAIRS: [n] which vector begins at a vertex */
    const uint64_t *begin, *read; /* PAIRS: [n_asked] where its vector begins, where it is read */
    double *bits;                 /* exact: [length + 1] limits of the entries of vectors, log2 */
    uint32_t n_limbs;             /* words of an answer; 0: doubles */
    uint32_t n_block;             /* vectors sent at a time */
    int n_rounds;                 /* of the certificate; 0: there is none */
    double bytes;                 /* that answering takes, beside the graph */
    double answer_bits;           /* exact: log2 of a limit of an answer's entries */

    /* Set by pci_vectors_plan_begin, when vectors are to be sent. */
    const pc_graph *along;   /* what they are sent through: the graph or its reverse */
    pc_graph *reverse;       /* of a directed graph, when vectors or their map need it; else NULL */
    pci_path_operator paths; /* of the map that certifies them, along the other one */
} pci_vectors_plan;

/* Decides. The caller frees what plan holds, whatever the status; question must outlive it.
 * PC_ERR_RANGE, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_vectors_plan_make(const pci_question *question, const pci_sweep_ops *sweeps,
                                pci_vectors_plan *plan);
void pci_vectors_plan_free(pci_vectors_plan *plan);

/* A copy of a plan that borrows what the plan holds, with its graphs: pci_vectors_plan_end ends
 * it. PC_ERR_MEMORY. */
pc_status pci_vectors_plan_begin(const pci_vectors_plan *plan, pci_vectors_plan *begun);
void pci_vectors_plan_end(pci_vectors_plan *begun);

/* Finds log2 of a limit of the entries of exact answers, each of which adds up the vertices when
 * from_all. Errors as above. */
pc_status pci_vectors_answer_bits(const pci_question *question, bool from_all, double *bits);

/* Numbers the different vertices of a list in order of first appearance, from n_before on where others of the n vertices
 * have numbers already. Returns how many have one. */
uint64_t pci_number_vertices(uint64_t n, uint64_t n_asked, const uint64_t *vertices,
                             uint64_t n_before, uint32_t *number);

static inline uint64_t pci_vectors_start(const pci_vectors_plan *plan, uint64_t vector)
{
    return plan->start ? plan->start[vector] : vector;
}

/* Vectors without a certificate are sent twice, block by block, and hashes of the answers
 * compared. */
static inline bool pci_vectors_are_sent_twice(const pci_vectors_plan *plan)
{
    return plan->question->options.n_certify_rounds && !plan->n_rounds;
}

/* Answers are whole vectors, one a row. */
static inline bool pci_vectors_are_rows(const pci_vectors_plan *plan)
{
    return plan->question->kind->reads == PCI_READS_ROWS;
}

/* Integers and residues of all lengths are added up on the way: where a vector begins, 1 is added again after each step but the last,
 * e A + .. + e A^k = (.. (e A + e) A .. + e) A. */
static inline bool pci_vectors_add_starts(const pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    return question->query.up_to && question->query.length > 0 &&
           question->options.arithmetic != PC_FLOAT && plan->sweeps && !plan->sweeps->saves &&
           !question->graph->parts;
}

/* Answers come of rows of one power of A, or of such a sum, by sweeps of each thread's own where these pay; else of
 * vectors that are looked at on the way. */
static inline bool pci_vectors_are_swept_rows(const pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    return question->options.arithmetic != PC_FLOAT && question->query.paths == PC_PATHS_ALL &&
           !pci_vectors_are_sent_twice(plan) && !question->query.each &&
           (!question->query.up_to || pci_vectors_add_starts(plan)) && !plan->blocks &&
           (pci_vectors_are_rows(plan) || question->kind->reads == PCI_READS_DIAGONAL);
}

/* The options of sweeps that make these rows, n_block at a time. */
static inline pci_swept_options pci_vectors_swept_options(const pci_vectors_plan *plan,
                                                          const pc_graph *along, uint64_t n_block)
{
    return (pci_swept_options){.sweeps = plan->sweeps,
                               .along = along,
                               .length = plan->question->query.length,
                               .bits = plan->bits,
                               .modulus = plan->question->options.modulus,
                               .n_limbs = plan->n_limbs,
                               .adds_starts = pci_vectors_add_starts(plan),
                               .most_starts = n_block};
}

/* Rows of n_block vectors that are held at once. */
uint64_t pci_vectors_n_held(const pci_vectors_plan *plan, const pc_graph *along, uint32_t n_block);

/* The same of vectors that are looked at. */
static inline pci_vectors_options pci_vectors_plan_options(const pci_vectors_plan *plan,
                                                           uint32_t n_block)
{
    return (pci_vectors_options){.count = &plan->question->options,
                                 .sweeps = plan->sweeps,
                                 .paths = plan->question->query.paths,
                                 .turned = plan->reversed,
                                 .n_vectors = n_block,
                                 .n_limbs = plan->n_limbs,
                                 .length = plan->question->query.length,
                                 .bits = plan->bits};
}

/* Lengths that are answered. */
static inline uint64_t pci_vectors_n_answers(const pci_vectors_plan *plan)
{
    return plan->question->query.each ? plan->question->query.length : 1;
}

/* Which of them is length; UINT64_MAX: none. */
static inline uint64_t pci_vectors_answer_of(const pci_vectors_plan *plan, uint64_t length)
{
    if (plan->question->query.each)
        return length - 1;
    return length == plan->question->query.length ? 0 : UINT64_MAX;
}

/* Tells whether vectors after so many steps are part of an answer. */
static inline bool pci_vectors_take(const pci_vectors_plan *plan, uint64_t length)
{
    if (plan->question->query.up_to)
        return length > 0;
    return pci_vectors_answer_of(plan, length) != UINT64_MAX;
}

/* Sends the vectors of a plan that has its graphs, for a query of all its lengths; certified. */
pc_status pci_send_vectors(const pci_execution *run, const pci_vectors_plan *plan, pci_sink *sink);

/* The method that sends vectors: rows of a matrix, or what a query wants. Its choice is a
 * pci_vectors_plan. */
extern const pci_method pci_by_sweeps;

/* Plans for it. */
pc_status pci_sweep_plan(const pci_question *question, const pci_engine *engine, pci_plan *plan);

/* The map that certifies vectors, of a plan with its graphs: with x of any n entries, <x, A^l s> =
 * <(A^T)^l x, s>, s being what a vector begins as. Its rows are the vectors of the first answer,
 * then those of the second, and so on. */
static inline pci_operator pci_vectors_map(const pci_vectors_plan *plan)
{
    return pci_path_operator_map(&plan->paths);
}

#endif
