/* How large a count can be: proved before anything is computed.
 *
 * With s_e the largest row sum of A^e and w the largest entry of A, no entry of A^e exceeds s_e,
 * nor w * s_(e-1), since each is a sum of at most s_(e-1) terms of at most w. The row sums cost one
 * sparse matrix-vector product a power, in doubles that are exact below 2^53 and rounded up
 * beyond. */
#ifndef PCI_BOUND_H
#define PCI_BOUND_H

#include "graphs/graph.h"

/* bits[i] = log2 of a limit of the entries of A^lengths[i], 0 when that limit is 0 or 1. lengths
 * ascend. PC_ERR_RANGE as soon as a limit passes max_bits, or when that many
 * passes over the graph would take too long; PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_bound(pc_context *context, const pc_graph *graph, uint32_t n_lengths,
                    const uint64_t *lengths, double max_bits, double *bits);

#endif
