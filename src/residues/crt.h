/* The way back from residues: constants of the Chinese remainder theorem for the first r moduli.
 *
 * With M the product of the moduli and M_i = M / m_i, let y_i = x_i * (M_i^-1 mod m_i) mod m_i.
 * Then X = sum y_i M_i - q M with q = floor(sum y_i / m_i), because X/M is what is left of
 * sum y_i / m_i. q must be exact. It is found in fixed point: f_i = floor(2^s / m_i) makes
 * T = sum y_i f_i too small by less than 2^s / 4, and X < M / 2 leaves room for that, so
 * q = (T + 2^s / 4) >> s with no doubt left. Every y_i is independent of the others, so the sums
 * are products of small integers that vector units do 8 to 32 at a time; Garner's mixed radix
 * needs r (r - 1) / 2 dependent modular steps instead.
 *
 * The same sum modulo another m_j is the base extension that adds planes between levels. */
#ifndef PCI_CRT_H
#define PCI_CRT_H

#include "src/core/context.h"
#include "src/residues/residues.h"

enum {
    PCI_NARROW_FRACTION_BITS = 22, /* 49 * 255 / 2^22 < 1/4 and 49 * 255 * f < 2^31 */
    PCI_WIDE_FRACTION_BITS = 32    /* 6516 * 2^16 / 2^32 < 1/4 */
};

typedef struct pci_crt {
    uint32_t r;
    const uint16_t *m;      /* [r] */
    uint32_t fraction_bits; /* s */
    uint32_t *scale;        /* [r]: M_i^-1 mod m_i */
    uint32_t *fraction;     /* [r]: f_i */
} pci_crt;

enum { PCI_CRT_TILE = 4 /* columns of a table side by side */ };

/* Columns to weigh the y_i with: value_c = sum_i weight[i][c] y_i + weight[r][c] q, where
 * weight[r] stands for -M. The maker of the table decides what a column is. Sums are below 2^61:
 * 6516 products of 16 bits and 32. */
typedef struct pci_weights {
    uint32_t n_columns;
    uint32_t n_rows; /* r + 1 */
    uint32_t *
        weight; /* [n_columns / PCI_CRT_TILE, rounded up][n_rows][PCI_CRT_TILE]; 0 beyond the last */
} pci_weights;

static inline size_t pci_weights_bytes(uint32_t n_columns, uint32_t n_rows)
{
    return (n_columns + (size_t)PCI_CRT_TILE - 1) / PCI_CRT_TILE * PCI_CRT_TILE * n_rows *
           sizeof(uint32_t);
}

/* The tile that column c is in; row i is at [i * PCI_CRT_TILE + c % PCI_CRT_TILE]. */
static inline uint32_t *pci_weights_tile(const pci_weights *weights, uint32_t c)
{
    return weights->weight + (size_t)(c / PCI_CRT_TILE) * weights->n_rows * PCI_CRT_TILE;
}

static inline void pci_weights_put(const pci_weights *weights, uint32_t i, uint32_t c,
                                   uint32_t value)
{
    pci_weights_tile(weights, c)[(size_t)i * PCI_CRT_TILE + c % PCI_CRT_TILE] = value;
}

pc_status pci_crt_create(pc_context *context, const pci_moduli *moduli, uint32_t r, pci_crt **crt);
void pci_crt_free(pc_context *context, pci_crt *crt);

typedef enum pci_target {
    PCI_TARGET_MODULI, /* value: how many further moduli */
    PCI_TARGET_LIMBS,  /* value: words a count */
    PCI_TARGET_MODULUS /* value: the modulus */
} pci_target;

/* For further moduli, column c is for two of them: the residues of M_i and of -M modulo m[r + 2 c] m[r + 2 c + 1]. The last
 * modulus may be alone. For words it is 32-bit digit c, least significant first, of M_i and of -M in so many words. Columns 0
 * and 1 are the low and high half of M_i and of -M modulo a modulus of up to 64 bits. */
pc_status pci_weights_create(pc_context *context, const pci_crt *crt, pci_target target,
                             uint64_t value, pci_weights *weights);

void pci_weights_free(pc_context *context, pci_weights *weights);

/* ---- The way back to wide integers, by halves --------------------------------------------------
 *
 * The sum X = sum y_i M / m_i - q M takes as many products as there are moduli and
 * digits. Moduli in two halves with products L and R have sums S = sum y_i L / m_i and
 * T = sum y_i R / m_i, of a quarter of the products each, and X = S R + T L - q M. These products of wide
 * integers are GMP's, which are subquadratic. Each half is halved again, until groups of moduli are left: the
 * leaves of a tree. */

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
