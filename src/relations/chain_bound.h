/* How large an entry of a product of relations can get: proved before it is multiplied.
 *
 * With m the vector of the largest entries of the rows of the last factor, no entry in row i of F1 F2
 * ... Fn exceeds entry i of F1 (F2 (... m)): each is a sum over the same ways with the last step
 * replaced by one at least as large. */
#ifndef PCI_CHAIN_BOUND_H
#define PCI_CHAIN_BOUND_H

#include "graphs/sparse.h"

/* limit >= every entry of factors[0] ... factors[n - 1], n >= 1, a whole number. PC_ERR_RANGE when it
 * passes the range of long doubles, PC_ERR_MEMORY. */
pc_status pci_chain_limit(pc_context *context, uint32_t n, const pci_sparse *factors,
                          long double *limit);

/* 64-bit words for integers 0..limit. */
uint32_t pci_limit_limbs(long double limit);

#endif
