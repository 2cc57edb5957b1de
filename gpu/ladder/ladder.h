/* The ladder: the matrix products of the documents this project comes from, from the first naive
 * kernel on, each as its document has it and each in a file of its own. This is where to see what a
 * step buys; nothing here is used for counting.
 *
 *   C = A B, in float32, row-major; A rows x inner, B inner x columns. Any sizes.
 *   Reduced ("reduced matrix multiplication", chapter 4): C = (S A) (B S^T), where S adds neighbours
 *   2 i and 2 i + 1: C is ceil(rows / 2) x ceil(columns / 2), and a last row or column alone counts
 *   as if a zero one followed.
 *
 * Rows are padded to multiples of 4 floats, so that they may be read as float2 and float4; what is in
 * the padding is anything, and is not written. */
#ifndef PCI_GPU_LADDER_H
#define PCI_GPU_LADDER_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in device memory: 16-byte aligned, stride a multiple of 4, at least columns. */
typedef struct pci_ladder_matrix {
    float *element; /* [rows][stride] */
    uint32_t rows, columns;
    uint32_t stride; /* floats from one row to the next */
} pci_ladder_matrix;

typedef struct pci_ladder_product {
    pci_ladder_matrix a, b, c;
} pci_ladder_product;

typedef struct pci_ladder_block {
    uint32_t x, y; /* threads, as CUDA names them: x runs along a row */
} pci_ladder_block;

enum { PCI_LADDER_BLOCKS = 17 };

typedef struct pci_ladder_kernel {
    const char *name;     /* "GPU1" */
    const char *source;   /* "Li, Ranka, Sahni, Figure 1.12" */
    const char *computes; /* what a thread computes: "1 x 1 of C" */
    bool reduced;
    /* Blocks that it can be launched with, up to the first with x 0; the best of its source first. */
    pci_ladder_block blocks[PCI_LADDER_BLOCKS];
    /* Puts the product into stream. The block is one of blocks. */
    cudaError_t (*launch)(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream);
    /* The kernel that launch uses for this block, for cudaFuncGetAttributes. */
    const void *(*function)(pci_ladder_block block);
    size_t dynamic_shared_bytes; /* of a launch */
} pci_ladder_kernel;

/* All kernels, step by step. */
extern const pci_ladder_kernel *const pci_ladder[];
extern const size_t pci_ladder_n_kernels;

/* NULL when there is none of that name. */
const pci_ladder_kernel *pci_ladder_find(const char *name);

/* Li, Ranka, Sahni, "GPU Matrix Multiplication", section 1.7 */
extern const pci_ladder_kernel pci_ladder_gpu1, pci_ladder_gpu2, pci_ladder_gpu3, pci_ladder_gpu4,
    pci_ladder_gpu5, pci_ladder_gpu6, pci_ladder_gpu7, pci_ladder_gpu8;

/* Hochberg, "Matrix Multiplication with CUDA", chapters 3 and 4, made fit for any size (section 2.5,
 * question 3) */
extern const pci_ladder_kernel pci_ladder_hochberg_plain, pci_ladder_hochberg_shared;

/* Hong, "CUDA Memory Model 3" */
extern const pci_ladder_kernel pci_ladder_hong_plain, pci_ladder_hong_tiled_16,
    pci_ladder_hong_tiled_32;

/* Kindratenko, "Introduction to GPU Programming", part III */
extern const pci_ladder_kernel pci_ladder_kindratenko_strips, pci_ladder_kindratenko_shared,
    pci_ladder_kindratenko_i2, pci_ladder_kindratenko_i4, pci_ladder_kindratenko_j2,
    pci_ladder_kindratenko_j4;

/* "Reduced Matrix Multiplication using CUDA", chapter 4 */
extern const pci_ladder_kernel pci_ladder_reduced_4p, pci_ladder_reduced_p,
    pci_ladder_reduced_tiled_8, pci_ladder_reduced_tiled_16, pci_ladder_reduced_tiled_32;

#ifdef __cplusplus
}
#endif

#endif
