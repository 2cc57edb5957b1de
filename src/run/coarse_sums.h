/* Rows of a power summed up between the blocks of a partition, as they come: the plain way to
 * S A^length S^T, which makes every row of the power. The reduced product is tested against it. */
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
