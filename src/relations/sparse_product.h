/* Products of sparse matrices, row by row (F. G. Gustavson, "Two fast algorithms for sparse
 * matrices", ACM TOMS 4, 1978): row i of L R is the sum of the rows of R that are columns in row i
 * of L, each times its entry.
 *
 * Everything is computed modulo 2^(64 n_limbs). This is exact when the true entries fit, whatever
 * the factors hold; negative numbers are in two's complement of that width. */
#ifndef PCI_SPARSE_PRODUCT_H
#define PCI_SPARSE_PRODUCT_H

#include "graphs/graph.h"

/* The number of multiplications that left right takes: one for each walk through both. */
double pci_sparse_n_multiplications(const pci_sparse *left, const pci_sparse *right);

/* left * right with entries of n_limbs words, columns ascending. Its entries are counted before
 * room is made for them. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_sparse_product(pc_context *context, const pci_sparse *left, const pci_sparse *right,
                             uint32_t n_limbs, pci_sparse *product);

/* Rows first .. first + n_rows - 1 of left * right as dense[n_rows][right->n_columns][n_limbs]. */
void pci_sparse_product_rows(const pci_sparse *left, const pci_sparse *right, uint64_t first,
                             uint64_t n_rows, uint32_t n_limbs, int n_threads, uint64_t *dense);

/* Entry (i, i) of left * right, in sum[n_limbs]; columns of right ascend. */
void pci_sparse_diagonal_entry(const pci_sparse *left, const pci_sparse *right, uint64_t i,
                               uint32_t n_limbs, uint64_t *sum);

/* y = matrix x modulo a prime below 2^61, x reduced; entries of one limb. */
void pci_sparse_multiply_mod(const pci_sparse *matrix, int n_threads, const uint64_t *x,
                             uint64_t prime, uint64_t *y);

#endif
