/* Passes of formulas for simple paths on a GPU (src/simple/formula.h). passes.c is the host's side, kernels.cu has the
 * launches: each function puts its launches into stream and returns the error of it; pointers are to device memory.
 *
 * A register holds rows of n_lanes sources: number [v][lane], of 64 or 128 bits. */
#ifndef PCI_GPU_PASSES_H
#define PCI_GPU_PASSES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The GPU's functions, on the first device that the context names. */
extern const struct pci_pass_ops pci_gpu_passes;

enum { PCI_PASS_LANES = 64 /* the number of lanes is a multiple of it */ };

/* The sources of a block. */
typedef struct pci_gpu_lanes {
    uint64_t n_lanes;
    uint32_t n_sources;     /* the first lanes; the others have zeros, or anything */
    const uint32_t *source; /* [n_sources] */
    bool is_wide;           /* numbers have 128 bits */
    cudaStream_t stream;
} pci_gpu_lanes;

/* A sparse matrix: the arcs of a base, and an entry for each; NULL: ones. */
typedef struct pci_gpu_matrix {
    uint64_t n_rows, n_columns;
    const uint64_t *row_start;
    const uint32_t *column;
    const void *value;
} pci_gpu_matrix;

/* coefficient times scale at the sources times vector times from; NULL: ones. */
typedef struct pci_gpu_summand {
    int64_t coefficient;
    bool is_first; /* it replaces the numbers that are there */
    const void *scale, *vector, *from;
} pci_gpu_summand;

/* to += the arcs of the sources times a summand, entry by entry. */
cudaError_t pci_gpu_pass_add_arcs(const pci_gpu_lanes *lanes, const pci_gpu_matrix *matrix,
                                  const pci_gpu_summand *summand, void *to);

/* out[source] = the sum of that, without coefficient and scale. */
cudaError_t pci_gpu_pass_total_arcs(const pci_gpu_lanes *lanes, const pci_gpu_matrix *matrix,
                                    const pci_gpu_summand *summand, void *out);

/* to = from times the transpose of the matrix. */
cudaError_t pci_gpu_pass_along(const pci_gpu_lanes *lanes, const pci_gpu_matrix *matrix,
                               const void *from, void *to);

/* to = a times b, entry by entry, n vertices each. */
cudaError_t pci_gpu_pass_multiply(const pci_gpu_lanes *lanes, uint64_t n, const void *a,
                                  const void *b, void *to);

/* to = or += a summand, n vertices. */
cudaError_t pci_gpu_pass_add(const pci_gpu_lanes *lanes, uint64_t n, const pci_gpu_summand *summand,
                             void *to);

/* out[source] = the sum over n vertices of vector times from. */
cudaError_t pci_gpu_pass_total(const pci_gpu_lanes *lanes, uint64_t n, const void *vector,
                               const void *from, void *out);

/* out[arc] = what from has at the head of each arc of a source. */
cudaError_t pci_gpu_pass_pick(const pci_gpu_lanes *lanes, const pci_gpu_matrix *matrix,
                              const void *from, void *out);

/* rows[lane][v] = from, n vertices; without_sources: the entries of the sources become 0. */
cudaError_t pci_gpu_pass_rows(const pci_gpu_lanes *lanes, uint64_t n, bool without_sources,
                              const void *from, void *rows);

#ifdef __cplusplus
}
#endif

#endif
