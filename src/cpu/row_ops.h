/* Work on runs of entries of a row: everything at O(n^2) that the CPU engine does to planes.
 *
 * rows.c is compiled once for each instruction set; each gives one table. n counts entries.
 * Residues are int8: for a narrow modulus one centred residue, for a wide one the digits high,
 * low and high + low, for a full one high and low, digit_bytes apart. A residue x lies in
 * -m .. m - 1. */
#ifndef PCI_CPU_ROW_OPS_H
#define PCI_CPU_ROW_OPS_H

#include "graphs/graph.h"
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

/* ---- Sums of certificates -------------------------------------------------------------------------- */

/* Sums of counts times random numbers, for certificates: sums of integers, which may be reduced modulo
 * several primes.
 *
 * A random number x = low + 2^64 high has three digits to the base 2^32, each below 2^27: two in low, one in
 * high. There are 2^81 such numbers. The products of the halves of a word and of digits are below 2^59, and
 * registers of 64 bits add up many of them. */

enum { PCI_DIGIT_BITS = 27 };

/* Bits that the words of a random number may have. */
static const uint64_t PCI_LOW_DIGITS = 0x07ffffff07ffffff, PCI_HIGH_DIGIT = 0x07ffffff;

typedef struct pci_digits {
    const uint64_t *low, *high; /* [n] each */
} pci_digits;

/* low + 2^64 high; both are below 2^125. */
typedef struct pci_digit_sum {
    unsigned __int128 low, high;
} pci_digit_sum;

/* sums[0] = sum over i < n of first[i * stride] x_i, and sums[1] of second; n < 2^32. It is fast where the
 * stride is 1, and where second is first + 1: for two rows, and for two words of the counts of a row. */
typedef void (*pci_dot_digits_fn)(size_t n, const uint64_t *first, const uint64_t *second,
                                  size_t stride, const pci_digits *x, pci_digit_sum *sums);

/* With AVX-512 IFMA. Those of other instruction sets are in pci_row_ops. */
void pci_dot_digits_ifma(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                         const pci_digits *x, pci_digit_sum *sums);

/* The fastest that runs here, or what goes with the kernel that was forced: one that is not available is reported
 * later, by the product. */
pci_dot_digits_fn pci_dot_digits_choose(pc_context *context);

/* ---- Sweeps ---------------------------------------------------------------------------------------- */

/* One step of a sweep over some rows of the graph: out line = sum of the in lines that its arcs
 * name.
 *
 * A vertex has a line of limbs, least first, [limb][lane]: lane v belongs to vector v. The low
 * limbs are words of limb_bits each, so few that a row's sum of them fits 64 bits, and are added up
 * without a thought of carries; these are passed on once a row. The topmost limb passes nothing on:
 * its lanes have 8, 16, 32 or 64 bits, as few as hold the results of the step, and so every sum on
 * the way to them. No lane ever carries into the next one, so a line is added word by word whatever
 * is in the words. Where the next step needs more, a result is stored as that one wants it.
 *
 * The narrow lanes save memory traffic: 31-bit counts of length 8 move a third of the bytes that
 * 64-bit lanes would move. */

/* The storage of lines: low limbs, and bytes of a lane of the topmost one: 1, 2, 4 or 8. Lanes
 * times top_bytes fill whole words. */
typedef struct pci_sweep_format {
    uint32_t n_low, top_bytes;
} pci_sweep_format;

/* The way in which sums of residues are reduced. */
typedef struct pci_sweep_reduction {
    uint64_t modulus; /* 0: entries are integers, which are not reduced */
    double inverse;   /* of it, a little less */
} pci_sweep_reduction;

enum { PCI_SWEEP_QUOTIENT_BITS = 48 };

/* The largest row sum whose residues are reduced by way of doubles. */
static const uint64_t PCI_SWEEP_MOST_QUOTIENT = UINT64_C(1) << PCI_SWEEP_QUOTIENT_BITS;

/* With x below 2^48 modulus, a sum of a few doubles that is x up to roundings, each by 2^-53 of x, times
 * inverse is a quotient that is too small by 2^-48 of itself at most and never too large. So its whole
 * part is right or too small by one. */
static inline pci_sweep_reduction pci_sweep_reduction_of(uint64_t modulus)
{
    return (pci_sweep_reduction){modulus, modulus ? (1 - 0x1p-49) / (double)modulus : 0};
}

typedef struct pci_sweep_pass {
    const pc_graph *graph;
    uint64_t n_lanes; /* 1, 2, 4 or a multiple of 8 */
    uint32_t limb_bits;
    pci_sweep_format in_format; /* sums are made in it */
    pci_sweep_format out_format;
    pci_sweep_reduction reduction; /* of sums; with it formats are the same */
    const uint64_t *in;            /* the line of vertex 0; ... */
    ptrdiff_t in_stride;           /* ... so many words after it the next one, or before it */
    uint64_t *out;
    ptrdiff_t out_stride;
    /* [n]: 0 for a vertex whose line is all zero and was never written; in_live NULL: none is. Then
     * out_live is not written. */
    const uint8_t *in_live;
    uint8_t *out_live;
    bool sends_live;    /* the graph is symmetric, and few arcs are those of live lines */
    bool fetches_ahead; /* lines come from beyond the caches of a processor */
} pci_sweep_pass;

static inline size_t pci_sweep_line_words(pci_sweep_format format, uint64_t n_lanes)
{
    return (size_t)(format.n_low * n_lanes + n_lanes * format.top_bytes / sizeof(uint64_t));
}

/* Lanes of the topmost limb; they lie in memory that words are written to as well. */
typedef uint16_t __attribute__((may_alias)) pci_sweep_lane16;
typedef uint32_t __attribute__((may_alias)) pci_sweep_lane32;

/* n lanes from the first one on as words; and words, which fit, to lanes. */
static inline __attribute__((always_inline)) void pci_sweep_get_lanes(const uint64_t *limb,
                                                                      uint32_t lane_bytes,
                                                                      uint64_t first, uint64_t n,
                                                                      uint64_t *words)
{
    if (lane_bytes == 1)
        for (uint64_t v = 0; v < n; v++)
            words[v] = ((const uint8_t *)limb)[first + v];
    else if (lane_bytes == 2)
        for (uint64_t v = 0; v < n; v++)
            words[v] = ((const pci_sweep_lane16 *)limb)[first + v];
    else if (lane_bytes == 4)
        for (uint64_t v = 0; v < n; v++)
            words[v] = ((const pci_sweep_lane32 *)limb)[first + v];
    else
        for (uint64_t v = 0; v < n; v++)
            words[v] = limb[first + v];
}

static inline __attribute__((always_inline)) void pci_sweep_put_lanes(uint64_t *limb,
                                                                      uint32_t lane_bytes,
                                                                      uint64_t first, uint64_t n,
                                                                      const uint64_t *words)
{
    if (lane_bytes == 1)
        for (uint64_t v = 0; v < n; v++)
            ((uint8_t *)limb)[first + v] = (uint8_t)words[v];
    else if (lane_bytes == 2)
        for (uint64_t v = 0; v < n; v++)
            ((pci_sweep_lane16 *)limb)[first + v] = (uint16_t)words[v];
    else if (lane_bytes == 4)
        for (uint64_t v = 0; v < n; v++)
            ((pci_sweep_lane32 *)limb)[first + v] = (uint32_t)words[v];
    else
        for (uint64_t v = 0; v < n; v++)
            limb[first + v] = words[v];
}

/* Rows first .. end - 1 of out; returns how many of them have live lines. */
typedef uint64_t (*pci_sweep_rows_fn)(const pci_sweep_pass *pass, uint64_t first, uint64_t end);

/* A matrix of limbs as a sweep stores it. */
typedef struct pci_sweep_block {
    uint64_t n, n_lanes;
    uint32_t limb_bits;
    pci_sweep_format format;
    const uint64_t *lines; /* as pci_sweep_pass has them */
    ptrdiff_t stride;
    const uint8_t *live; /* NULL: all lines are there */
} pci_sweep_block;

/* Entries of vertices first .. end - 1 in n_vectors lanes from first_vector on, to rows
 * [n_vectors][n][n_limbs]: copied, or added. */
typedef void (*pci_sweep_read_fn)(const pci_sweep_block *block, uint32_t first_vector,
                                  uint32_t n_vectors, uint32_t n_limbs, bool adds, uint64_t first,
                                  uint64_t end, uint64_t *rows);

/* ---- The table of an instruction set ----------------------------------------------------------------- */

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

    /* Sums of certificates and the loops of sweeps. */
    pci_dot_digits_fn dot_digits;
    pci_sweep_rows_fn sweep_rows;
    pci_sweep_read_fn sweep_read;
} pci_row_ops;

extern const pci_row_ops pci_row_ops_portable;
extern const pci_row_ops pci_row_ops_avx2;
extern const pci_row_ops pci_row_ops_avx512;

/* ---- Tables that residues are recombined with (recombine.c) ----------------------------------- */

/* Makes what residues modulo the first r moduli are recombined with. */
pc_status pci_recombination_create(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   pci_target target, uint64_t value, pci_recombination *how);

void pci_recombination_free(pc_context *context, pci_recombination *how);

#endif
