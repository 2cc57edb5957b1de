/* Operands of the reduced product, summed over blocks while they are packed. */
#ifndef PCI_CPU_PACK_SUMS_H
#define PCI_CPU_PACK_SUMS_H

#include "graphs/partition.h"
#include "src/cpu/product.h"

/* The sums that are packed: the rows of left planes over the blocks, and the columns of right ones. */
typedef struct pci_operand_sums {
    const pc_partition *partition;
    const pci_row_ops *rows;
    const pci_layout *operand; /* of the planes that are summed */
    pci_layout left;           /* of summed rows */
    bool is_plain[2];          /* left, right: planes of one digit, whatever the job's modulus */
    bool mirrors;              /* the right operand is the transpose of the left one */
    size_t strip_bytes;        /* a thread's room for columns */
    int8_t *strips;            /* [threads][strip_bytes]; NULL if mirrors */
    size_t left_bytes;         /* of all summed rows */
    int8_t *summed;            /* rows, then packed columns: the digits of all jobs */
} pci_operand_sums;

/* Bytes for sums of n_digits digits in all, most_digits in one job. */
size_t pci_operand_sums_bytes(const pci_layout *operand, const pci_layout *result, bool mirrors,
                              uint32_t n_digits, uint32_t most_digits, int n_threads);

/* Fills in layouts and room of sums whose partition, rows, operand, is_plain and mirrors are set.
 * PC_ERR_MEMORY. */
pc_status pci_operand_sums_create(pc_context *context, uint32_t n_digits, uint32_t most_digits,
                                  int n_threads, pci_operand_sums *sums);

void pci_operand_sums_free(pc_context *context, pci_operand_sums *sums);

/* Sums the operands of jobs, planes, by the modulus of each job's only output; the jobs then have
 * the sums as operands, for a product whose left operands are laid out as sums->left, and is_packed. */
void pci_sum_operands(const pci_operand_sums *sums, int n_threads, uint32_t n_jobs,
                      pci_product_job *jobs);

#endif
