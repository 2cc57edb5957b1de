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

#endif
