/* An upper limit for the entries of a product of relations, proved before it is multiplied.
 *
 * Let m be the vector of the largest entries of the rows of the last factor. No entry in row i of
 * F1 F2 ... Fn exceeds entry i of F1 (F2 (... m)): each is a sum over the same walks, with the
 * entry of the last step replaced by one that is not smaller. */
#ifndef PCI_CHAIN_BOUND_H
#define PCI_CHAIN_BOUND_H

#include "graphs/graph.h"

/* Sets limit to a whole number that no entry of factors[0] ... factors[n - 1] exceeds, n >= 1.
 * PC_ERR_RANGE when it passes the range of long doubles, PC_ERR_MEMORY. */
pc_status pci_chain_limit(pc_context *context, uint32_t n, const pci_sparse *factors,
                          long double *limit);

/* 64-bit words for integers 0..limit. */
uint32_t pci_limit_limbs(long double limit);

#endif
