/* Products of planes: the arguments and the launches of all product kernels.
 *
 * Job j computes, for the left operand L and the right operand R (planes of the arena),
 *   acc[i][c] = sum over k of L[i][k] * R[c][k]                (int32; R holds the columns as rows)
 * which is L R^T: the tensor cores take both operands with k along memory. For a symmetric plane R
 * = L; else R is the transposed plane. The result has shape.n_tiles tiles on a side, and k goes
 * over a whole row of the layout. Each output of the job is a plane of residues of acc modulo its
 * own modulus; or acc itself is stored in raw. Operands have zero padding, so the padding of
 * results is zero too.
 *
 * A job may have several outputs: one product of a plain plane gives every plane of the next level.
 * All planes of a batch are jobs of one persistent launch.
 *
 *   kernel     instruction                 GPUs           tile       registers       shared memory
 *   plain      none, one thread an entry   any            16 x 16    32              0
 *   dp4a       dp4a, 4 products            6.1 and later  128 x 128  128             16.5 KiB
 *   f16        mma.sync, 16 x 8 x 16       8.0 and later  128 x 128  240             96 or 160 KiB
 *   mma        mma.sync, 16 x 8 x 32       8.0 and later  128 x 256  254             96, 144 or 192 KiB
 *   wgmma      wgmma, 64 x 256 x 32, TMA   9.0            128 x 256  168             226 KiB
 *
 * Tiles are those of a thread block, registers those of a thread. No kernel spills. The figures are
 * those of nvcc 13.0 (-Xptxas -v) for sm_90, and for sm_90a with wgmma. mma needs 253 registers
 * with its shortest ring. Its ring has two to four stages of 48 KiB, as many as fit in the shared
 * memory of the GPU. wgmma divides its registers: 40 for the threads that load, 232 for those that
 * multiply. */
#ifndef PCI_GPU_PRODUCT_H
#define PCI_GPU_PRODUCT_H

#include "gpu/engine/choose.h"
#include "gpu/engine/reduction.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pci_product_job {
    uint32_t left, right; /* planes of the arena, by number */
    uint32_t first_output, n_outputs;
} pci_product_job;

/* A product of digits: entries of operands are 2^7 high + low, |high| <= 64 and |low| <= 64. Its shape has one job, the first of
 * three: the products hh of high digits, ss of sums high + low, and ll of low ones. Residues of
 *   hh 2^14 + (ss - hh - ll) 2^7 + ll,
 * which is at most PCI_MAX_SUM, go to the outputs of the first job. Slices of k in which no high digit of the tile's rows
 * and columns differs from zero are multiplied once, as ll.
 *
 * A map has a bit for each block of 128 x 128 entries of an operand: whether any high digit is not zero. Row r of
 * blocks has words r * pci_high_words .., bit b % 32 of word b / 32 belongs to block b. */
typedef struct pci_product_high {
    const uint32_t *left, *right; /* maps on the device; NULL: the product is not one of digits */
} pci_product_high;

static PCI_HOST_DEVICE inline uint32_t pci_high_words(const pci_gpu_layout *layout)
{
    return (layout->n_padded / PCI_TILE + 31) / 32;
}

typedef struct pci_product_output {
    int8_t *plane; /* of the arena, or of that of another GPU */
    pci_reduction reduction;
} pci_product_output;

/* One launch. At most PCI_MAX_JOBS outputs in all. */
typedef struct pci_product {
    pci_gpu_layout layout;
    int8_t *arena;         /* planes of layout.plane_bytes one after the other */
    uint32_t n_planes;     /* in the arena */
    const uint32_t *tiles; /* list on the device (gpu/engine/choose.h); not read by the plain one */
    uint32_t n_entries;    /* of the list */
    pci_tile_shape shape;  /* that the list was made for */
    int32_t *raw;          /* NULL, or [n_jobs][n_row_tiles * 128][n_padded]: acc is stored here */
    pci_product_high high;
    pci_product_job job[PCI_MAX_JOBS];
    pci_product_output output[PCI_MAX_JOBS];
} pci_product;

/* Each puts its launch into stream and returns its error. All give the same bytes up to
 * the choice of representative of a residue (x or x - m) where |x| = m / 2. */
cudaError_t pci_product_plain(const pci_product *product, cudaStream_t stream);
cudaError_t pci_product_dp4a(const pci_product *product, cudaStream_t stream);
cudaError_t pci_product_f16(const pci_product *product, cudaStream_t stream);
cudaError_t pci_product_mma(const pci_product *product, cudaStream_t stream);
cudaError_t pci_product_wgmma(const pci_product *product, cudaStream_t stream);

/* That of the kernel; the shape of the product is one for that kernel. */
cudaError_t pci_product_launch(pci_gpu_kernel kernel, const pci_product *product,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
