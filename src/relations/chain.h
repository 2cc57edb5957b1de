/* A chain of relations: what is decided when it is made (chain.c), and its last two operands,
 * which chain_rows.c multiplies when rows are first asked for. Products of matrices that are not
 * square follow Hochberg, "Matrix Multiplication with CUDA", section 1.4.
 *
 * The steps are these. Neighbouring relations are matched by label once; after that there are only
 * numbers. The width is proved for each sub-chain (chain.c). The order of multiplication is
 * found by dynamic programming over the expected number of multiplications (chain.c). The
 * inner products are sparse, and their entries are counted before memory is allocated
 * (sparse_product.c). The last product is dense, in blocks of rows of 8 MiB. Each block is
 * certified with the map x -> F1 (F2 (... x)). Ways that visit no vertex twice and damped ways are counted by the
 * formulas for paths (chain_paths.c).
 *
 * Entries are sums modulo 2^(64 w), so the products underneath also accept signed entries. A power
 * of a square chain is a count in the graph that has the entries of the chain as multiplicities,
 * so there is no second implementation of powers. */
#ifndef PCI_CHAIN_H
#define PCI_CHAIN_H

#include "graphs/graph.h"

enum { PCI_MAX_FACTORS = 64 };

typedef struct pci_chain_order {
    uint8_t split[PCI_MAX_FACTORS][PCI_MAX_FACTORS]; /* of factors i..j, i < j: i..split times the
                                                      * rest */
    char text[512]; /* "((1 2) 3)"; 64 factors take 308 characters */
    double n_multiplications, n_left_to_right;
} pci_chain_order;

struct pc_chain {
    pc_context *context;
    uint32_t n_factors;
    int n_certify_rounds; /* at least 0 */
    pci_sparse
        *factors; /* [n_factors]: columns are numbered as the next factor's rows are, and only
                           * those of the last one ascend */
    pc_relation **turned; /* [n_factors]: factors that are read backwards; else NULL */
    const pc_relation *read[PCI_MAX_FACTORS]; /* the factors as they are given, or turned */
    pci_chain_order order;
    pc_chain_info info;
    bool is_ready;
    pci_sparse left, right; /* once it is: the product of these is what was asked for */
};

/* Sets limit to a whole number that no entry of factors[0] ... factors[n - 1] exceeds, n >= 1.
 * PC_ERR_RANGE when it passes the range of long doubles, PC_ERR_MEMORY. */
pc_status pci_chain_limit(pc_context *context, uint32_t n, const pci_sparse *factors,
                          long double *limit);

/* 64-bit words for integers 0..limit. */
uint32_t pci_limit_limbs(long double limit);

/* ---- Products of sparse matrices --------------------------------------------------------------- */

/* They are made row by row (F. G. Gustavson, "Two fast algorithms for sparse
 * matrices", ACM TOMS 4, 1978): row i of L R is the sum of the rows of R that are columns in row i
 * of L, each times its entry.
 *
 * Everything is computed modulo 2^(64 n_limbs). This is exact when the true entries fit, whatever
 * the factors hold; negative numbers are in two's complement of that width. */

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
