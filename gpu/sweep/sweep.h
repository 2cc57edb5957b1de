/* Sweeps on a GPU: vectors that are multiplied by the sparse A in device memory. src/engine/sweep.h
 * says what a sweep does. sweep.c is the host's side,
 * kernels.cu has the launches: each function puts its launches into stream and returns the error
 * of it; pointers are to device memory. */
#ifndef PCI_GPU_SWEEP_H
#define PCI_GPU_SWEEP_H

#include "gpu/engine/entrywise.h"
#include "gpu/sweep/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

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
