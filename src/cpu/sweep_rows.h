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
#ifndef PCI_CPU_SWEEP_ROWS_H
#define PCI_CPU_SWEEP_ROWS_H

#include "graphs/graph.h"

#include <stddef.h>

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

/* Limbs of 64 bits, as many as are wanted, and weights of any size: a carry with each addition, a
 * division for each residue. Several times slower. */
uint64_t pci_sweep_rows_plain(const pci_sweep_pass *pass, uint64_t first, uint64_t end);

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

#endif
