/* The way back from residues to wide integers, by halves.
 *
 * The sum X = sum y_i M / m_i - q M of src/residues/crt.h takes as many products as there are moduli and
 * digits. Moduli in two halves with products L and R have sums S = sum y_i L / m_i and
 * T = sum y_i R / m_i, of a quarter of the products each, and X = S R + T L - q M. These products of wide
 * integers are GMP's, which are subquadratic. Each half is halved again, until groups of moduli are left: the
 * leaves of a tree. */
#ifndef PCI_CRT_TREE_H
#define PCI_CRT_TREE_H

#include "src/residues/crt.h"

enum {
    PCI_MOST_LEAVES = 16,
    PCI_CRT_LIMBS = (16 * PCI_N_MODULI + 63) / 64,       /* of a product of all moduli */
    PCI_LEAF_LIMBS = PCI_CRT_LIMBS + 2 * PCI_MOST_LEAVES /* of the sums of all leaves */
};

typedef struct pci_crt_tree {
    uint32_t n_leaves;                   /* a power of two; 0: the moduli are too few for a tree */
    uint32_t first[PCI_MOST_LEAVES + 1]; /* leaf l has moduli first[l] .. first[l + 1] - 1 */
    uint32_t limb[PCI_MOST_LEAVES +
                  1]; /* its sum has limbs limb[l] .. limb[l + 1] - 1 of those of all */
    pci_weights
        weights[PCI_MOST_LEAVES]; /* 32-bit digits of the leaf's product without each modulus */
    uint32_t
        n_limbs[2 *
                PCI_MOST_LEAVES]; /* of the product of node i, whose halves are 2 i and 2 i + 1 */
    uint64_t *product[2 * PCI_MOST_LEAVES];
    uint64_t *memory;
} pci_crt_tree;

/* Makes the tree of the moduli of crt, which must not have one yet: all zero. */
pc_status pci_crt_tree_create(pc_context *context, const pci_crt *crt, pci_crt_tree *tree);
void pci_crt_tree_free(pc_context *context, pci_crt_tree *tree);

/* No less than the bytes of a tree of r moduli. */
uint64_t pci_crt_tree_bytes(uint32_t r);

/* X of the sums of all leaves, which are overwritten, and q. X fits in n_limbs. */
void pci_crt_tree_join(const pci_crt_tree *tree, uint32_t q, uint64_t *sums, uint32_t n_limbs,
                       uint64_t *limbs);

#endif
