/* The ladder: the matrix products of five documents, from the first naive kernel on, each as its
 * document has it. A document is one source, gpu/ladder/NAME.cu. Nothing here is used for counting.
 *
 *   C = A B, in float32, row-major; A rows x inner, B inner x columns. Any sizes.
 *   Reduced ("Reduced Matrix Multiplication using CUDA", chapter 4): C = (S A) (B S^T), where S
 *   adds neighbours 2 i and 2 i + 1: C is ceil(rows / 2) x ceil(columns / 2). A last row or column
 *   without a neighbour counts as if a zero one followed.
 *
 * Rows are padded to multiples of 4 floats, so that they can be read as float2 and float4. The
 * padding may hold anything, and is not written. */
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

/* What every kernel takes, by value. */
typedef struct pci_ladder_product {
    pci_ladder_matrix a, b, c;
} pci_ladder_product;

typedef struct pci_ladder_block {
    uint32_t x, y; /* threads, as CUDA names them: x runs along a row */
} pci_ladder_block;

/* How the blocks of a launch share C. */
typedef enum pci_ladder_grid {
    PCI_LADDER_TILES = 0,    /* a tile each, in two dimensions */
    PCI_LADDER_LISTED_TILES, /* a tile each, numbered row by row: one dimension */
    PCI_LADDER_ENTRIES       /* an entry for each thread, numbered row by row: one dimension */
} pci_ladder_grid;

enum { PCI_LADDER_BLOCKS = 17 };

typedef struct pci_ladder_kernel {
    const char *name;       /* "GPU1" */
    const char *source;     /* "Li, Ranka, Sahni, Figure 1.12" */
    const char *computes;   /* what a thread computes: "1 x 1 of C" */
    const void *function;   /* the kernel, as CUDA's runtime takes it */
    uint32_t rows, columns; /* a block of (x, y) threads has a tile of rows y by columns x of C */
    /* Blocks that it can be launched with, up to the first with x 0; the best of its source
     * first. */
    pci_ladder_block blocks[PCI_LADDER_BLOCKS];
    pci_ladder_grid grid;
    bool reduced;
} pci_ladder_kernel;

/* All kernels, in the order of the documents and of their steps. */
extern const pci_ladder_kernel *const pci_ladder[];
extern const size_t pci_ladder_n_kernels;

/* Puts the product into stream and returns its error. The block is one of the
 * kernel's. */
cudaError_t pci_ladder_launch(const pci_ladder_kernel *kernel, const pci_ladder_product *product,
                              pci_ladder_block block, cudaStream_t stream);

/* The kernels of each document. */
extern const pci_ladder_kernel pci_ladder_li[8], pci_ladder_hochberg[2], pci_ladder_hong[3],
    pci_ladder_kindratenko[6], pci_ladder_reduced[5];

#ifdef __cplusplus
}
#endif

#endif
