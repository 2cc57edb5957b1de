/* How the vectors of a sweep lie on a device, and which threads sum which arcs. It is decided on
 * the host from numbers alone, so that it can be tested where there is no GPU.
 *
 * A vertex has a line [limb][lane] as on the processors (src/cpu/row_ops.h). Words have 4 bytes
 * while entries fit 32 bits, as a step is bound by memory. Sums modulo 2^32 or 2^64 of entries that
 * fit one such word are right in the end. Where entries have more limbs, each limb has headroom for
 * the largest row sum.
 *
 * The work of a step is its arcs and the ends of its rows, each a unit, row after row. It is cut
 * into parts of equal work, also within a row. So a hub is many parts, and many short rows are one
 * part. */
#ifndef PCI_GPU_SWEEP_PLAN_H
#define PCI_GPU_SWEEP_PLAN_H

#include "src/engine/sweep.h"

enum {
    PCI_SWEEP_PIECE_BYTES = 16,   /* of a line: what a thread loads at once */
    PCI_SWEEP_LANE_GROUP = 4,     /* lanes are a multiple of it, so that lines are whole pieces */
    PCI_SWEEP_PART_WORK = 32,     /* units */
    PCI_SWEEP_BLOCK_THREADS = 256 /* of a thread block */
};

/* Of the entries after a step. */
typedef struct pci_gpu_sweep_width {
    uint32_t word_bytes; /* 4 or 8; more limbs than one have 8 */
    uint32_t n_limbs;
} pci_gpu_sweep_width;

typedef struct pci_gpu_sweep_plan {
    uint64_t n_lanes;
    uint32_t limb_bits;  /* below 64: the other bits are headroom */
    bool has_headroom;   /* or needs none; else limbs have 64 bits, and each addition a carry */
    uint64_t line_bytes; /* of the widest step; UINT64_MAX when it is too large for 64 bits */
} pci_gpu_sweep_plan;

#ifdef __cplusplus
extern "C" {
#endif

pci_gpu_sweep_plan pci_gpu_sweep_plan_of(const pc_graph *graph, const pci_sweep_options *options);

/* widths[length + 1], which never get narrower in bytes of a word; of residues widths[1], for all steps. Only if
 * line_bytes can be. */
void pci_gpu_sweep_widths(const pci_gpu_sweep_plan *plan, const pc_graph *graph,
                          const pci_sweep_options *options, pci_gpu_sweep_width *widths);

static inline uint64_t pci_gpu_sweep_line_bytes(const pci_gpu_sweep_plan *plan,
                                                pci_gpu_sweep_width width)
{
    return plan->n_lanes * width.n_limbs * width.word_bytes;
}

/* Bytes of each of the two blocks of n lines; UINT64_MAX when it is too large. */
uint64_t pci_gpu_sweep_block_bytes(const pci_gpu_sweep_plan *plan, uint64_t n);

static inline uint64_t pci_gpu_sweep_n_parts(uint64_t n, uint64_t n_arcs)
{
    return (n + n_arcs + PCI_SWEEP_PART_WORK - 1) / PCI_SWEEP_PART_WORK;
}

/* The row that each part begins in, and n after the last one: first_row[n_parts + 1]. */
void pci_gpu_sweep_first_rows(const uint64_t *row_start, uint64_t n, uint32_t *first_row);

/* The launch of a step. A group of neighbouring threads has a slice of the lines and some parts of
 * the work. Blocks run slice after slice, so blocks that run at the same time read the same
 * slice. */
typedef struct pci_gpu_sweep_shape {
    uint32_t group_threads; /* a power of two, at most a warp; each has one piece */
    uint32_t n_slices;
    uint32_t group_parts;
    uint64_t n_groups;     /* of a slice */
    uint64_t slice_blocks; /* thread blocks of a slice */
} pci_gpu_sweep_shape;

/* For lines of which n_pieces are summed. */
pci_gpu_sweep_shape pci_gpu_sweep_shape_of(uint64_t n, uint64_t n_arcs, uint64_t n_pieces,
                                           int n_sms);

#ifdef __cplusplus
}
#endif

#endif
