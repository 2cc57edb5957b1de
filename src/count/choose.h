/* Chooses how a question is answered: its plans, in the order in which they are to be tried. */
#ifndef PCI_CHOOSE_H
#define PCI_CHOOSE_H

#include "src/plan/plan.h"

/* Checks a question, bounds it and lists its plans by the methods of a table that ends with NULL.
 * The caller frees what plans holds, and plans must not be moved until then; graph and what query
 * points to must outlive it. Fails, for the reason of the plan that came nearest, when none can be
 * taken; plans then holds nothing. */
pc_status pci_plans_make(const pci_method *const *methods, pc_context *context,
                         const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan *plans);
void pci_plans_end(pc_plan *plans);

#endif
