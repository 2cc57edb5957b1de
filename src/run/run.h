/* The executor: it tries the routes of a request in their order, and it has the sources that they
 * name.
 *
 * A source makes rows, checks them and pushes them into a sink. Nobody pulls rows from a source:
 * with a callback each source is one plain loop, where open, next and close would make it a state
 * machine. */
#ifndef PCI_RUN_H
#define PCI_RUN_H

#include "src/plan/routes.h"
#include "src/run/sink.h"

/* Answers what was planned: by the first route; where its device gives up, and nobody asked for the
 * device, by the next route of the processors, from the first length on that was not passed on.
 * The info of the plan then tells what ran, with measured times. */
pc_status pci_run_routes(pc_plan *plan, pci_sink *sink);

/* A route on its way. */
typedef struct pci_execution {
    const pci_request *request;
    const pci_route *route;
    pc_plan_info *plan; /* a copy of what the route tells, for measured times */
    pci_sink *sink;
} pci_execution;

/* Sources: each makes all rows of its route, checks them and gives them to the sink. */
pc_status pci_source_power(const pci_execution *run);   /* the identity, too */
pc_status pci_source_vectors(const pci_execution *run); /* rows of a matrix, too */
pc_status pci_source_single(const pci_execution *run);
pc_status pci_source_halves(const pci_execution *run);
pc_status pci_source_halves_of_lengths(const pci_execution *run);
pc_status pci_source_recurrence(const pci_execution *run);
pc_status pci_source_acyclic(const pci_execution *run);
pc_status pci_source_polynomial(const pci_execution *run); /* rows of a matrix */

/* A query read off the whole matrix of each length, which pci_source_power makes. */
pc_status pci_read_off(const pci_execution *run);

/* Sums between blocks of the rows of a power: where there is no reduced product. */
pc_status pci_sum_blocks(const pci_execution *run);

/* Vectors of a plan that has its graphs, for a query of all its lengths; certified. */
pc_status pci_send_vectors(const pci_execution *run, const pci_vectors_plan *plan, pci_sink *sink);

/* Delivers words[n_lengths][n_entries][n_words], put closer together, as wide as the widest. */
pc_status pci_deliver_entries(const pci_halves_plan *halves, uint64_t *words, pci_sink *sink);

#endif
