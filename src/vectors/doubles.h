/* Vectors of doubles that share one power of two: sparse products and sums that never overflow. */
#ifndef PCI_QUERY_DOUBLES_H
#define PCI_QUERY_DOUBLES_H

#include "graphs/graph.h"

/* y = A x. Both are in units of 2^*exponent, which grows when entries become large; no entry that is
 * not 0 becomes 0. PC_ERR_RANGE when entries differ by more than 2^500. */
pc_status pci_doubles_step(pc_context *context, const pc_graph *graph, int n_threads,
                           const double *x, double *y, int64_t *exponent);

/* sum += x, n entries each, in units of their own; exponent is at least *sum_exponent, which becomes
 * the same. PC_ERR_RANGE as above. */
pc_status pci_doubles_add(pc_context *context, uint64_t n, const double *x, int64_t exponent,
                          double *sum, int64_t *sum_exponent);

#endif
