/* The routes that answer a request, in the order in which they are to be tried. */
#ifndef PCI_ROUTES_H
#define PCI_ROUTES_H

#include "src/plan/route.h"

enum { PCI_MOST_ROUTES = 16 };

/* A question and its routes. */
struct pc_plan {
    pci_request request;
    pci_moduli moduli;
    uint32_t n_routes;                 /* at least one */
    pci_route *route[PCI_MOST_ROUTES]; /* those that can be taken, the fastest first; then others */
    uint32_t n_trace_limbs;            /* of a trace: words of an answer; 0: doubles */
    double bound_seconds;              /* that planning took, without the start of CUDA */
    uint64_t checksum;                 /* of the request, when it was made */
    pc_plan_info info;                 /* of the first route; after a run, of the one that ran */
};

/* Checks a question, bounds it and lists its routes. What plan holds is to be freed, and plan must not
 * be moved until then; graph and what query points to must outlive it. Fails, for the reason of the
 * route that came nearest, when none can be taken; plan then holds nothing. */
pc_status pci_plan_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                        const pc_count_options *options, pc_plan *plan);
void pci_plan_end(pc_plan *plan);

#endif
