/* One step of a sweep over some rows of the graph: out line = sum of the in lines that its arcs name.
 *
 * A vertex has a line of words, [limb][lane]: lane v belongs to vector v. A limb holds limb_bits, so
 * few that a row's sum of limbs fits 64 bits, and is added up without a thought of carries; these are
 * passed on once a row. Entries that fit one limb of 64 bits at every step need no headroom, as sums
 * modulo 2^64 are right in the end. */
#ifndef PCI_CPU_SWEEP_ROWS_H
#define PCI_CPU_SWEEP_ROWS_H

#include "graphs/graph.h"

typedef struct pci_sweep_pass {
    const pc_graph *graph;
    uint64_t n_lanes;
    uint32_t limb_bits;
    uint32_t n_in_limbs, n_out_limbs;
    const uint64_t *in; /* [n][n_in_limbs][n_lanes] */
    uint64_t *out;      /* [n][n_out_limbs][n_lanes] */
    /* [n]: 0 for a vertex whose line is all zero and was never written; in_live NULL: none is. Then
     * out_live is not written. */
    const uint8_t *in_live;
    uint8_t *out_live;
    bool fetches_ahead; /* lines come from beyond the caches of a processor */
} pci_sweep_pass;

/* Rows first .. end - 1 of out; returns how many of them have live lines. */
typedef uint64_t (*pci_sweep_rows_fn)(const pci_sweep_pass *pass, uint64_t first, uint64_t end);

/* The same loops for each instruction set: lanes of at most 8 words. */
uint64_t pci_sweep_rows_portable(const pci_sweep_pass *pass, uint64_t first, uint64_t end);
uint64_t pci_sweep_rows_avx2(const pci_sweep_pass *pass, uint64_t first, uint64_t end);
uint64_t pci_sweep_rows_avx512(const pci_sweep_pass *pass, uint64_t first, uint64_t end);

/* Limbs of 64 bits, as many as are wanted, and weights of any size: a carry with each addition. Several
 * times slower. */
uint64_t pci_sweep_rows_plain(const pci_sweep_pass *pass, uint64_t first, uint64_t end);

#endif
