/* Counting: a question's plans are tried in their order, each by its method, which pushes rows into
 * a sink.
 *
 * Nobody pulls rows from a method: with a callback each method is one plain loop, where open, next
 * and close would make it a state machine. */
#ifndef PCI_COUNT_H
#define PCI_COUNT_H

#include "src/count/sink.h"
#include "src/plan/plan.h"

/* A plan on its way. */
struct pci_execution {
    const pci_question *question;
    const pci_plan *plan;
    pc_plan_info *info; /* a copy of what the plan tells, for measured times */
    pci_sink *sink;
};

/* All methods, in the order in which they are listed; NULL ends them. */
extern const pci_method *const pci_methods[];

extern const pci_method pci_by_vector, pci_by_pass, pci_by_recurrence, pci_by_polynomial;

/* Checks a question, bounds it and lists its plans by the methods of a table that ends with NULL.
 * The caller frees what plans holds, and plans must not be moved until then; graph and what query
 * points to must outlive it. Fails, for the reason of the plan that came nearest, when none can be
 * taken; plans then holds nothing. */
pc_status pci_plans_make(const pci_method *const *methods, pc_context *context,
                         const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan *plans);
void pci_plans_end(pc_plan *plans);

/* Notes in the plan the relative error of every number of the answer, and of the sums over them in
 * a summary; 0 of integers. PC_ERR_MEMORY. */
pc_status pci_relative_error(const pci_question *question, pci_plan *plan);

/* Answers what was planned: by the first plan; where its device gives up, and nobody asked for the
 * device, by the next plan of the processors, from the first length on that was not passed on. Rows
 * are added up where the kind of question says so. The info of the plans then tells what ran, with
 * measured times. */
pc_status pci_run_plans(pc_plan *plans, pci_sink *sink);

/* Turns plans of a matrix into plans of the answers that are read off it. Errors as
 * pci_vectors_answer_bits. */
pc_status pci_plan_reading(const pci_question *question, uint32_t n_plans, pci_plan **plans);

/* A query that is read off the whole matrix of each length, which the method of the plan makes. */
pc_status pci_read_off(const pci_execution *run);

/* The first n_terms numbers that obey the recurrence of a pci_recurrence_plan, user, modulo a
 * prime, counted by sweeps (a pci_terms_fn). Errors fail the check of the recurrence, so nothing is
 * computed twice. */
pc_status pci_find_terms(void *user, uint64_t prime, size_t n_terms, uint64_t *a);

#endif
