/* A chain of relations: what is decided when it is made (chain.c), and its two last operands, which
 * chain_rows.c multiplies when rows are first wanted. Products of matrices that are not square are
 * those of Hochberg, "Matrix Multiplication with CUDA", section 1.4. */
#ifndef PCI_CHAIN_H
#define PCI_CHAIN_H

#include "graphs/relation.h"
#include "src/relations/chain_order.h"

struct pc_chain {
    pc_context *context;
    uint32_t n_factors;
    int n_certify_rounds; /* at least 0 */
    pci_sparse
        *factors; /* [n_factors]: columns are numbered as the next factor's rows are, and only
                           * those of the last one ascend */
    pci_chain_order order;
    pc_chain_info info;
    bool is_ready;
    pci_sparse left, right; /* once it is: the product of these is what was asked for */
};

#endif
