/* How wide the entries of a sweep are, wherever it runs.
 *
 * Processors and devices use the same rule. */
#ifndef PCI_SWEEP_WIDTHS_H
#define PCI_SWEEP_WIDTHS_H

#include "src/engine/sweep.h"

#include <math.h>

enum {
    PCI_SWEEP_WORD_BITS = 64,
    PCI_SWEEP_LEAST_LIMB_BITS = 32 /* less headroom than weights ask for costs too many limbs */
};

/* Bits of the largest integer whose limit has this log2, which is below 0 when it is 0. */
static inline double pci_sweep_whole_bits(double log2_limit)
{
    return fmax(1, floor(log2_limit) + 1);
}

/* Bits of the largest sum of a row of residues. A row sum of UINT64_MAX stands for a larger one, which is below
 * 2^96: a row has fewer than 2^32 arcs. */
static inline double pci_sweep_sum_bits(const pc_graph *graph, uint64_t modulus)
{
    uint64_t largest = pci_graph_largest_row_sum(graph);
    unsigned __int128 most = (unsigned __int128)(modulus - 1) * (largest ? largest : 1);
    double bits = 1;
    while (most >>= 1)
        bits++;
    return largest == UINT64_MAX ? 63 + 96 : bits;
}

/* Steps that differ in width: all sums of residues have the same. */
static inline uint64_t pci_sweep_n_widths(const pci_sweep_options *options)
{
    return options->modulus ? 1 : options->length + 1;
}

/* Bits of an entry after a step, and of the sum that it was made of. */
static inline double pci_sweep_bits_after(const pc_graph *graph, const pci_sweep_options *options,
                                          uint64_t step)
{
    return options->modulus ? pci_sweep_sum_bits(graph, options->modulus)
                            : pci_sweep_whole_bits(options->bits[step]);
}

/* The bits of the widest step. */
static inline double pci_sweep_widest(const pc_graph *graph, const pci_sweep_options *options)
{
    double widest = 1;
    for (uint64_t s = 0; s < pci_sweep_n_widths(options); s++)
        widest = fmax(widest, pci_sweep_bits_after(graph, options, s));
    return widest;
}

/* Bits of a limb, for entries of up to widest bits. With R the largest row sum and limbs below 2^b,
 * R 2^b <= 2^64: a sum is at most R (2^b - 1), and what is carried into it at most R - 1. 64 when
 * no headroom is wanted, or none can be had. */
static inline uint32_t pci_sweep_limb_bits(const pc_graph *graph, double widest)
{
    if (widest <= PCI_SWEEP_WORD_BITS)
        return PCI_SWEEP_WORD_BITS;
    uint64_t largest = pci_graph_largest_row_sum(graph);
    uint32_t headroom = 1, most = PCI_SWEEP_WORD_BITS - PCI_SWEEP_LEAST_LIMB_BITS;
    while (headroom < most && UINT64_C(1) << headroom < largest)
        headroom++;
    return UINT64_C(1) << headroom < largest ? PCI_SWEEP_WORD_BITS : PCI_SWEEP_WORD_BITS - headroom;
}

/* Whether sums of limbs of so many bits carry nothing before a row is done. */
static inline bool pci_sweep_has_headroom(double widest, uint32_t limb_bits)
{
    return widest <= PCI_SWEEP_WORD_BITS || limb_bits < PCI_SWEEP_WORD_BITS;
}

#endif
