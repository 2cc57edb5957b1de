/* Repeated squaring in floating point, on the processors of this machine. */
#ifndef PCI_POWER_FLOAT_H
#define PCI_POWER_FLOAT_H

#include "graphs/graph.h"

/* A^length = values * 2^exponent, length >= 1. The largest value is scaled to [1/2, 1) after each
 * level, so nothing overflows; an entry that is not 0 never becomes 0.
 * PC_ERR_RANGE when entries differ by more than 2^500, or the exponent passes 2^62. values
 * points into matrices, which has room for two of n x n. */
pc_status pci_power_float(pc_context *context, const pc_graph *graph, pc_plan_info *plan,
                          double *matrices, double **values, int64_t *exponent);

#endif
