/* Hashes of rows that are computed twice: evidence for rows that have no certificate, which are doubles
 * and residues of few vectors. The first time only the hashes are kept; the second time the rows are used,
 * and then compared. Rows that differ in one word have different hashes; others the same once in 2^64. */
#ifndef PCI_ROW_HASH_H
#define PCI_ROW_HASH_H

#include "src/core/context.h"

/* The hash of one row of a block: of its words, or of its doubles and their exponent. */
uint64_t pci_row_hash(const pc_rows *rows, uint64_t row);

/* hashes[rows->n_rows] */
void pci_row_hashes(pc_context *context, const pc_rows *rows, uint64_t *hashes);

/* PC_ERR_CERTIFY when a row does not have its hash. */
pc_status pci_row_hashes_check(pc_context *context, const pc_rows *rows, const uint64_t *hashes);

#endif
