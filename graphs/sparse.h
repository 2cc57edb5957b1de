/* A sparse matrix of any shape in compressed rows, whose entries are integers of a fixed number of
 * words: a relation, or a product of some. */
#ifndef PCI_SPARSE_H
#define PCI_SPARSE_H

#include "src/core/context.h"

/* All zero is the matrix without rows and columns; pci_sparse_free is the only function that takes
 * it. */
typedef struct pci_sparse {
    uint64_t n_rows, n_columns; /* each below 2^32 */
    uint64_t *row_start;        /* [n_rows + 1] */
    uint32_t *column;           /* [n_entries]: all different within a row */
    uint64_t *limbs;            /* [n_entries][n_limbs]; NULL: every entry is 1 */
    uint32_t n_limbs;           /* words of an entry, least significant first */
    bool is_borrowed;           /* the arrays belong to another matrix */
} pci_sparse;

static inline uint64_t pci_sparse_n_entries(const pci_sparse *matrix)
{
    return matrix->row_start[matrix->n_rows];
}

/* Room for n_entries of n_limbs words (0: they are all 1); row_start[n_rows] is set, the rest is
 * for the caller. PC_ERR_MEMORY, before anything is allocated if that much memory is not there. */
pc_status pci_sparse_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint64_t n_entries, uint32_t n_limbs, pci_sparse *matrix);
void pci_sparse_free(pc_context *context, pci_sparse *matrix);

/* The same arrays under another name. */
pci_sparse pci_sparse_borrow(const pci_sparse *matrix);

/* Ones on the diagonal. */
pc_status pci_sparse_identity(pc_context *context, uint64_t n, pci_sparse *matrix);

/* Its columns ascend within a row. */
pc_status pci_sparse_transpose(pc_context *context, const pci_sparse *matrix,
                               pci_sparse *transposed);

#endif
