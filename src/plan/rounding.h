/* How far doubles can be off: a relative error, proved before anything is computed. */
#ifndef PCI_ROUNDING_H
#define PCI_ROUNDING_H

#include "src/plan/route.h"

/* The relative error of every number of the answer, and of the sums over them in a summary, when the
 * route computes it; 0 of integers. PC_ERR_MEMORY. */
pc_status pci_route_relative_error(const pci_request *request, const pci_route *route,
                                   double *error);

#endif
