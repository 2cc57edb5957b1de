/* Limits of counts, proved before anything is computed.
 *
 * With s_e the largest row sum of A^e and w the largest entry of A, no entry of A^e exceeds s_e,
 * nor w * s_(e-1), since each is a sum of at most s_(e-1) terms of at most w. The row sums cost one
 * sparse matrix-vector product a power, in doubles that are exact below 2^53 and rounded up beyond.
 * Between blocks of vertices the row sums of a block add up, and no entry exceeds the largest such
 * sum, nor w times the size of the largest block times that of s_(e-1).
 *
 * For a graph without weights w is 1, so the second limit saves the bits of one degree. */
#ifndef PCI_LIMITS_H
#define PCI_LIMITS_H

#include "graphs/partition.h"

/* Passes over the graph cost arcs + vertices each: a bound, a certificate or a query may take so
 * many such operations, a minute or two. */
#define PCI_MAX_WORK 0x1p36

/* The widest counts that are planned for: indices of their words stay below 2^32, and 8 GiB is more
 * than any memory has room for. */
#define PCI_MAX_BITS 0x1p36

/* Tells whether vectors sent for so many steps pass over the graph too often, or oftener than is
 * counted. */
static inline bool pci_too_many_passes(const pc_graph *graph, uint64_t length)
{
    double pass = (double)pci_graph_n_arcs(graph) + (double)graph->n + 1;
    return (double)length * pass > PCI_MAX_WORK || length >= UINT32_MAX;
}

/* log2 rounded up; 0 of what is below 1. */
double pci_log2_up(double value);

/* log2 of a limit of the sums of rows of A, found without a pass over its arcs: a step makes
 * entries no wider than by so much. */
double pci_step_bits(const pc_graph *graph);

/* y = A x in doubles, y no less than the product; whole: of whole numbers, which are exact below
 * 2^53. */
void pci_bound_rows(const pc_graph *graph, int n_threads, bool whole, const double *x, double *y);

/* bits[i] = log2 of a limit of the entries of A^lengths[i], 0 when that limit is 0 or 1. lengths
 * ascend, at least one; with a partition the last one is that of S A^length S^T. PC_ERR_RANGE as
 * soon as a limit passes max_bits, or when that many passes over the graph would take too long;
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_bound(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                    uint32_t n_lengths, const uint64_t *lengths, double max_bits, double *bits);

/* bits[l], 0 <= l <= length: log2 of a limit of the numbers of paths of l arcs that never turn
 * back, from a vertex to any. graph has no weights. Takes 16 bytes for each arc. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_bound_non_backtracking(pc_context *context, const pc_graph *graph, uint64_t length,
                                     double *bits);

/* The same as pci_bound of all lengths from 0 on, found one after the other: a length that was
 * reached is not bounded again, whoever asks for it. */
typedef struct pci_limits pci_limits;

/* No length is reached yet. With a partition, the limit of S A^blocks_length S^T is found too,
 * where that length is reached. graph and partition must outlive the limits. PC_ERR_MEMORY. */
pc_status pci_limits_create(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, uint64_t blocks_length, double max_bits,
                            pci_limits **limits);
void pci_limits_free(pci_limits *limits); /* accepts NULL */

/* Finds the limits of all lengths up to length. PC_ERR_RANGE where row sums pass max_bits by far;
 * otherwise errors as those of pci_bound. */
pc_status pci_limits_reach(pci_limits *limits, uint64_t length);

/* Lets go of the memory that only finding limits needs. A length that is reached later takes passes
 * from the first length on. */
void pci_limits_rest(pci_limits *limits);

/* The same as reaching, and PC_ERR_RANGE if any of these limits passes max_bits. */
pc_status pci_limits_hold(pci_limits *limits, uint64_t length);

/* Returns the limit of a length that was reached. PC_ERR_RANGE if the limit passes max_bits. */
pc_status pci_limits_of(const pci_limits *limits, uint64_t length, double *bits);
pc_status pci_limits_of_blocks(const pci_limits *limits, double *bits);

/* [length + 1] log2 of the limits of all lengths that were reached; valid until the next is. */
const double *pci_limits_bits(const pci_limits *limits);

#endif
