/* Operands of the reduced product, summed over blocks while they are packed. */
#ifndef PCI_CPU_PACK_SUMS_H
#define PCI_CPU_PACK_SUMS_H

#include "graphs/partition.h"
#include "src/cpu/product.h"

/* What pack sums: the rows of a job's left plane over the blocks, and the columns of its right one. */
typedef struct pci_block_sums {
    const pc_partition *partition;
    const pci_layout *operand; /* of the planes that are summed */
    bool is_plain[2];          /* left, right: planes of one digit, whatever the job's modulus */
    bool mirrors;              /* the right operand is the transpose of the left one */
    size_t strip_bytes;        /* pci_strip_bytes() of the most digits of any job */
    int8_t *strips;            /* [threads][strip_bytes]; not wanted if mirrors */
} pci_block_sums;

/* A thread's room for the columns of so many digits. */
size_t pci_strip_bytes(const pci_layout *operand, uint32_t n_digits);

/* S left and right S^T modulo the modulus of a job's only output; user is a pci_block_sums. */
void pci_pack_sums(const pci_product *product, const pci_product_job *job, size_t digit,
                   const pci_workspace *work);

#endif
