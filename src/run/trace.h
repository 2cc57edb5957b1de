/* A trace: the answers for closed paths of each length, added up. */
#ifndef PCI_TRACE_H
#define PCI_TRACE_H

#include "src/run/run.h"

/* Runs a plan of the closed paths at each vertex, and gives sink their sum, 1 x 1, of each length.
 * Errors are those of pci_run_routes. */
pc_status pci_run_trace(pc_plan *plan, pci_sink *sink);

#endif
