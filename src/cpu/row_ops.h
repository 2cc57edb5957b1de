/* Work on runs of entries of a row: everything at O(n^2) that the CPU engine does to planes.
 *
 * rows.c is compiled once for each instruction set; each gives one table. n counts entries.
 * Residues are int8: for a narrow modulus one centred residue, for a wide one the digits high,
 * low and high + low, for a full one high and low, digit_bytes apart. A residue x lies in
 * -m .. m - 1. */
#ifndef PCI_CPU_ROW_OPS_H
#define PCI_CPU_ROW_OPS_H

#include "src/cpu/dot_digits.h"
#include "src/cpu/sweep_rows.h"
#include "src/residues/crt.h"

#include <stddef.h>
#include <stdint.h>

enum {
    PCI_CHUNK = 64,       /* entries worked on at once; rows are padded to it */
    PCI_PANEL = 32,       /* columns of a packed panel */
    PCI_TRANSPOSED = 16,  /* rows that are transposed at once */
    PCI_PACK_BIAS = 128,  /* packed entries are unsigned: residue + 128 */
    PCI_MAX_PAIRED = 240, /* moduli: see pci_pair_weights */
    PCI_MAX_PARTS = 2 * PCI_MAX_PAIRED - PCI_N_NARROW + 1,
    PCI_MAX_PAIRS = (PCI_MAX_PARTS + 1) / 2,
    PCI_PAIR_TILE = 4, /* columns of a table side by side */
    PCI_PAIR_FRACTION_BITS = 16
};

/* Weights as int16 pairs, so that one instruction multiplies and adds two. A base has parts that
 * fit: the residue x_i of a narrow modulus is one part, x_i = high 2^7 + low of a wide one is two, and q is the
 * last. With W_i = s_i M_i for s_i = M_i^-1 mod m_i, centred (src/residues/crt.h), X = sum x_i W_i - q M, so high has the
 * weight of 2^7 W_i, with 2^7 s_i modulo m_i.
 *
 * q = floor(sum x_i s_i / m_i), because X / M is what is left. fraction has each part's s_i / m_i in 16 bits, rounded,
 * and X < M / 2 leaves room for what rounding costs. PCI_MAX_PAIRED moduli have parts whose
 * limits add up to S = 49 * 128 + 2 * 191 * 64 = 30720. So the sum of fractions is wrong by at most S / 2 < 2^16 / 4,
 * |q| <= S / 2 + 1 fits 16 bits, and a sum of a column is at most 1.5 S 2^15 < 2^31. */
typedef struct pci_pair_weights {
    uint32_t n_pairs;
    int32_t *fraction; /* [n_pairs] */
    int32_t *
        pair; /* [tiles][n_pairs][PCI_PAIR_TILE]: weight of part 2p | weight of part 2p + 1 << 16 */
} pci_pair_weights;

/* One base and what to make of it. */
typedef struct pci_recombination {
    pci_crt *crt;
    uint32_t n_columns;     /* further moduli, or words of a count */
    pci_weights weights;    /* for any base without a tree */
    pci_pair_weights pairs; /* a faster way; pair NULL: not for this base */
    pci_crt_tree tree;      /* another, to limbs only; no leaves: not for this base */
} pci_recombination;

/* Entries of planes: rows of them, stride bytes apart. */
typedef struct pci_row_tile {
    size_t n_rows, n_columns, stride;
} pci_row_tile;

typedef struct pci_row_ops {
    /* out = acc mod m, centred. m = 0: out = acc, which fits. */
    void (*reduce)(size_t n, const int32_t *acc, uint32_t m, int8_t *out);

    /* The digits of (hh 2^14 + (ss - hh - ll) 2^7 + ll) mod m (Karatsuba); with hh NULL, of ll. */
    void (*reduce_wide)(size_t n, const int32_t *hh, const int32_t *ll, const int32_t *ss,
                        uint32_t m, int8_t *out, size_t digit_bytes);

    /* hh 2^14 + (ss - hh - ll) 2^7 + ll, which is not negative; with hh NULL, ll. */
    void (*join)(size_t n, const int32_t *hh, const int32_t *ll, const int32_t *ss,
                 uint64_t *words);

    /* The digits of (hh 2^16 + (hl + lh) 2^8 + ll) mod m; with hh NULL, of ll. */
    void (*reduce_full)(size_t n, const int32_t *hh, const int32_t *hl, const int32_t *lh,
                        const int32_t *ll, uint32_t m, int8_t *out, size_t digit_bytes);

    /* Sum of n entries, a multiple of PCI_CHUNK. */
    int32_t (*sum)(size_t n, const int8_t *entries);

    /* acc[e] = sum over arcs of weight * plane[column * stride + e]; weights NULL means all 1. */
    void (*sum_rows)(size_t n, const int8_t *plane, size_t stride, const uint32_t *columns,
                     const int8_t *weights, size_t n_arcs, int32_t *acc);

    /* For each of n_blocks blocks, whose vertices are vertex[start[b]] .. vertex[start[b + 1] - 1]:
     * out[b][e] = sum over them of lines[vertex * stride + e] mod m, centred, e < PCI_CHUNK. */
    void (*sum_blocks)(size_t n_blocks, const uint64_t *start, const uint32_t *vertex,
                       const int8_t *lines, size_t stride, uint32_t m, int8_t *out);

    /* n rows of PCI_CHUNK columns, n a multiple of 4, to two panels, panel_bytes apart, each
     * [n / 4][PCI_PANEL][4], biased. */
    void (*pack)(size_t n, const int8_t *rows, size_t stride, uint8_t *packed, size_t panel_bytes);

    /* PCI_PANEL rows of PCI_CHUNK, which become columns, to [PCI_CHUNK / 4][column][4], biased. */
    void (*pack_rows)(const int8_t *rows, uint8_t *packed);

    /* out[j][i] = in[i][j] for i < PCI_TRANSPOSED, j < n_columns, a multiple of PCI_TRANSPOSED. */
    void (*transpose)(size_t n_columns, const int8_t *in, size_t in_stride, int8_t *out,
                      size_t out_stride);

    /* Residues modulo the first r moduli to residues modulo further ones. in and out are where the tile begins in each
     * plane; n_columns is a multiple of PCI_CHUNK. */
    void (*extend)(const pci_recombination *how, pci_row_tile tile, const int8_t *const *in,
                   int8_t *const *out, size_t digit_bytes);

    /* Residues to integers of n_limbs words: limbs[n_columns][n_limbs], rows of which are limbs_stride words apart.
     * in is readable to the next multiple of PCI_CHUNK. */
    void (*collect)(const pci_recombination *how, pci_row_tile tile, const int8_t *const *in,
                    size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs, size_t limbs_stride);

    /* Residues to integers modulo modulus. */
    void (*collect_modular)(const pci_recombination *how, size_t n, const int8_t *const *in,
                            size_t digit_bytes, uint64_t modulus, uint64_t *words);

    /* Words below 2^63 to residues modulo m. */
    void (*split)(size_t n, const uint64_t *words, uint32_t m, pci_class class, int8_t *out,
                  size_t digit_bytes);

    /* Sums of certificates (dot_digits.h), and the loops of sweeps (sweep_rows.h). */
    pci_dot_digits_fn dot_digits;
    pci_sweep_rows_fn sweep_rows;
    pci_sweep_read_fn sweep_read;
} pci_row_ops;

extern const pci_row_ops pci_row_ops_portable;
extern const pci_row_ops pci_row_ops_avx2;
extern const pci_row_ops pci_row_ops_avx512;

/* ---- Tables that residues are recombined with (recombine.c) ----------------------------------- */

/* The results that are made of residues modulo the first r moduli. */
typedef enum pci_target {
    PCI_TARGET_MODULI, /* value: how many further moduli */
    PCI_TARGET_LIMBS,  /* value: words a count */
    PCI_TARGET_MODULUS /* value: the modulus */
} pci_target;

pc_status pci_recombination_create(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   pci_target target, uint64_t value, pci_recombination *how);

void pci_recombination_free(pc_context *context, pci_recombination *how);

#endif
