/* Sweeps on a GPU: vectors that are multiplied by the sparse A in device memory. src/engine/sweep.h
 * says what a sweep does. sweep.c is the host's side,
 * kernels.cu has the launches: each function puts its launches into stream and returns the error
 * of it; pointers are to device memory. */
#ifndef PCI_GPU_SWEEP_H
#define PCI_GPU_SWEEP_H

#include "gpu/engine/entrywise.h"
#include "src/engine/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Lanes, widths, parts -------------------------------------------------------------------- */

/* How the vectors of a sweep lie on a device, and which threads sum which arcs. It is decided on
 * the host from numbers alone, so that it can be tested where there is no GPU.
 *
 * A vertex has a line [limb][lane] as on the processors (src/cpu/sweep_rows.h). Words have 4 bytes
 * while entries fit 32 bits, as a step is bound by memory. Sums modulo 2^32 or 2^64 of entries that
 * fit one such word are right in the end. Where entries have more limbs, each limb has headroom for
 * the largest row sum.
 *
 * The work of a step is its arcs and the ends of its rows, each a unit, row after row. It is cut
 * into parts of equal work, also within a row. So a hub is many parts, and many short rows are one
 * part. */

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

/* ---- Sweeps ---------------------------------------------------------------------------------- */

enum { PCI_SWEEP_VALUES = 1 << 15 }; /* that wait on the host before they are added */

/* On the first GPU that the context names. */
extern const pci_sweep_ops pci_gpu_sweeps;

/* ---- Launches -------------------------------------------------------------------------------- */

/* Vectors: lines of all vertices, [n][n_limbs][n_lanes] words. */
typedef struct pci_gpu_sweep_block {
    uint64_t n, n_lanes;
    uint32_t limb_bits;
    pci_gpu_sweep_width width;
    void *words;
} pci_gpu_sweep_block;

/* out = A in. Every word of out is written. */
typedef struct pci_gpu_sweep_pass {
    pci_gpu_graph graph;
    const uint32_t *first_row; /* of each part: see above */
    pci_gpu_sweep_block in, out;
    int n_sms;
} pci_gpu_sweep_pass;

/* For limbs with headroom, or entries of a single word. */
cudaError_t pci_gpu_sweep_sum(const pci_gpu_sweep_pass *pass, cudaStream_t stream);

/* For any limbs: a carry with each addition, and a thread for each entry. It is used for weights
 * that leave no headroom, and the other function is tested against it. */
cudaError_t pci_gpu_sweep_sum_plain(const pci_gpu_sweep_pass *pass, cudaStream_t stream);

/* Entries become what they are modulo a number below 2^63. */
cudaError_t pci_gpu_sweep_reduce(const pci_gpu_sweep_block *block, uint64_t modulus,
                                 cudaStream_t stream);

/* A value to add to an entry. */
typedef struct pci_gpu_sweep_value {
    uint32_t vertex, vector;
    uint64_t value;
} pci_gpu_sweep_value;

/* Values of one entry must lie one after the other. */
cudaError_t pci_gpu_sweep_add_values(const pci_gpu_sweep_block *block, uint32_t n_values,
                                     const pci_gpu_sweep_value *values, cudaStream_t stream);

/* A rectangle of entries. */
typedef struct pci_gpu_sweep_piece {
    uint64_t first_vertex, n_vertices;
    uint32_t first_vector, n_vectors;
} pci_gpu_sweep_piece;

/* Entries as integers of n_words words: words[n_vectors][n_vertices][n_words]. */
cudaError_t pci_gpu_sweep_join(const pci_gpu_sweep_block *block, const pci_gpu_sweep_piece *piece,
                               uint32_t n_words, uint64_t *words, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
