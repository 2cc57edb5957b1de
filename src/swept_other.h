/* Whole matrices by sweeps modulo a number and in doubles: the rows of a query from every
 * vertex. */
#ifndef PCI_SWEPT_OTHER_H
#define PCI_SWEPT_OTHER_H

#include "src/deliver.h"

/* *bytes = the memory that making rows takes, beside the graph and a result that is kept. */
pc_status pci_other_plan(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                         pc_plan *plan, double *bytes);

/* All rows. Residues are certified; doubles have an exponent a row, unless they are kept. */
pc_status pci_count_other(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pci_destination *destination, pc_plan *plan);

#endif
