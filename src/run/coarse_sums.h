/* Sums of the rows of a power between the blocks of a partition, as the rows arrive. This is the
 * plain way to compute S A^length S^T; it needs every row of the power. It serves counts modulo M,
 * counts in doubles, and lengths below 2, and the tests compare the reduced product with it. With
 * --mod it keeps lengths up to 10^18 possible.
 *
 * The reduced product computes the same matrix without A^length. With P = A^(k/2) it is (S P) (P
 * S^T): rows and columns are summed over blocks before they are multiplied. The last product is
 * the most expensive one, and it shrinks from n x n x n to blocks x n x blocks. For an odd k a
 * sparse step comes in between. The bound adds the row sums of each block, so it is as tight as
 * the bound of single entries.
 *
 * Not done yet: with few blocks, vectors sent through the sparse graph would be cheaper than any
 * product. */
#ifndef PCI_COARSE_SUMS_H
#define PCI_COARSE_SUMS_H

#include "graphs/partition.h"

/* Sums of counts of n_limbs words; of residues modulo modulus, unless it is 0; or of doubles, when
 * n_limbs is 0. */
typedef struct pci_coarse_sums {
    pc_context *context;
    const pc_partition *partition;
    uint32_t n_limbs;
    uint64_t modulus;
    uint64_t *limbs; /* [n_blocks][n_blocks][n_limbs], or ... */
    double *values;  /* [n_blocks][n_blocks], of 2^exponent each */
    int64_t exponent;
} pci_coarse_sums;

/* All zero. PC_ERR_MEMORY. */
pc_status pci_coarse_sums_create(pc_context *context, const pc_partition *partition,
                                 uint32_t n_limbs, uint64_t modulus, pci_coarse_sums *sums);
void pci_coarse_sums_free(pci_coarse_sums *sums);

/* Adds rows of the power, whose counts have as many words as the sums; a pc_rows_fn. */
pc_status pci_coarse_sums_add(void *sums, const pc_rows *rows);

#endif
