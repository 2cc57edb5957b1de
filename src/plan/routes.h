/* The routes that answer a request, in the order in which they are to be tried. */
#ifndef PCI_ROUTES_H
#define PCI_ROUTES_H

#include "src/plan/route.h"

enum { PCI_MOST_ROUTES = 16 };

/* A question and its routes. */
typedef struct pci_planned {
    pci_request request;
    pci_moduli moduli;
    uint32_t n_routes;                 /* at least one */
    pci_route *route[PCI_MOST_ROUTES]; /* those that can be taken, the fastest first; then others */
    double bound_seconds;              /* that planning took */
} pci_planned;

/* Checks a question, bounds it and lists its routes. What planned holds is to be freed, and planned
 * must not be moved until then; graph, partition and the arrays of query must outlive it. Fails, for
 * the reason of the route that came nearest, when none can be taken; planned then holds nothing. */
pc_status pci_planned_make(pc_context *context, const pc_graph *graph,
                           const pc_partition *partition, const pc_query *query,
                           const pc_count_options *options, bool keeps, pci_planned *planned);
void pci_planned_free(pci_planned *planned);

#endif
