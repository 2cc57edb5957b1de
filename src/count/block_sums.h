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
 */
#ifndef PCI_BLOCK_SUMS_H
#define PCI_BLOCK_SUMS_H

#include "graphs/partition.h"
#include "src/rows/reduction.h"

/* Sums of counts of n_limbs words; of residues modulo modulus, unless it is 0; or of doubles, when
 * n_limbs is 0. n_rows is n_blocks, unless only columns are summed. */
typedef struct pci_block_sums {
    pc_reduction base; /* adds rows of the power, whose counts have as many words as the sums */
    const pc_partition *partition;
    uint64_t n_rows;
    uint32_t n_limbs;
    uint64_t modulus;
    uint64_t *limbs; /* [n_rows][n_blocks][n_limbs], or ... */
    double *values;  /* [n_rows][n_blocks], of 2^exponent each */
    int64_t exponent;
} pci_block_sums;

/* sums[n_copies], all zero; the second of two is the twin of the first. The partition must outlive
 * them. The first is to be freed by pc_reduction_free, whatever the status. PC_ERR_MEMORY. */
pc_status pci_block_sums_create(pc_context *context, const pc_partition *partition, uint64_t n_rows,
                                uint32_t n_limbs, uint64_t modulus, int n_copies,
                                pci_block_sums *sums);

/* PC_ERR_CERTIFY when the twin, if there is one, is not the same, bit for bit. */
pc_status pci_block_sums_check(const pci_block_sums *sums);

/* The sums of the columns of rows, which are at most n_rows, take the place of what was there: rows
 * are those of blocks already. */
void pci_block_sums_of_columns(pci_block_sums *sums, const pc_rows *rows);

#endif
