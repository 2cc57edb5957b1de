/* Shared parts of planning by different methods: guesses of work from the size and the degrees of
 * the graph alone, engines, memory, refusals. No pass over the arcs, and no limit, is wanted before
 * it is known that one pays. */
#ifndef PCI_GUESS_H
#define PCI_GUESS_H

#include "src/plan/plan.h"

/* CUDA costs a program about this long, with one GPU, from its start to the end of the process:
 * less work than that is not worth it. */
#define PCI_CUDA_START_SECONDS 0.45

/* The part of that time that is still to come: none once CUDA is started. */
static inline double pci_cuda_start_seconds(const pc_context *context)
{
    return context->cuda_start_seconds > 0 ? 0 : PCI_CUDA_START_SECONDS;
}

/* The functions that send vectors: those of the engine, or of the processors if it has none. */
static inline const pci_sweep_ops *pci_engine_sweeps(const pci_engine *engine)
{
    return engine->sweeps ? engine->sweeps : &pci_sweep_cpu;
}

/* ---- Guesses --------------------------------------------------------------------------------- */

/* Adds the work of vectors that answer a query, limits and certificate included. */
void pci_guess_sweep_work(const pci_question *question, pci_work *work);

/* About how long the processors take to square as often as the query wants. */
double pci_guess_matrix_seconds(const pci_question *question);

/* About how long the recurrence of a number takes, and its term; INFINITY when it takes too many
 * operations. */
double pci_guess_recurrence_seconds(const pci_question *question);

/* The same of a whole power as a polynomial of A, with its certificate; INFINITY where it cannot
 * pay. */
double pci_guess_polynomial_seconds(const pci_question *question);

/* Returns the number of matrices that a query takes which is read off matrices; shorter ones take
 * less time. */
double pci_guess_n_matrices(const pc_query *query);

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Tells whether a matrix may be squared: its levels are in question->dense. */
bool pci_may_square(const pci_question *question);

/* Tells whether its counts have more bits than products of residues can make. */
bool pci_is_too_wide(const pci_question *question);

/* Tells whether it will be squared on a GPU, and on nothing else. */
bool pci_is_for_device(const pci_question *question);

/* Sets the engine that sends the vectors, and predicts how long this work takes there. */
pc_status pci_plan_engine(const pci_question *question, const pci_engine *engine,
                          const pci_work *work, pci_plan *plan);

/* Sets what the plans of all queries by vectors have in common. */
pc_status pci_plan_query(const pci_question *question, const pci_engine *engine, pci_plan *plan);

/* Handles a part of a plan that failed: the plan is refused, unless no other plan would help.
 * is_too_large says that the part failed because the plan needs too much memory. */
pc_status pci_plan_settle(const pci_question *question, pc_status status, bool is_too_large,
                          pci_plan *plan);

/* Notes the memory that a query takes, and the graph's. */
void pci_plan_note_bytes(const pci_question *question, double bytes, pci_plan *plan);

/* Notes the memory that rows of a matrix take, and refuses the plan where there is less. */
void pci_plan_memory_of_rows(const pci_question *question, double bytes, pci_plan *plan);

/* PC_ERR_MEMORY when a query needs more bytes than there are. */
pc_status pci_query_check_memory(pc_context *context, uint64_t available, double needed);

#endif
