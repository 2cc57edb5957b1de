/* What GPU6, GPU7 and GPU8 share (Li, Ranka, Sahni, "GPU Matrix Multiplication", section 1.7.5): a
 * block of 16 x 8 threads computes 16 x 128 of C, a thread 16 x 1, one below the other. The 16 sums
 * stay in registers. A comes through shared memory, a slice of 16 rows and 32 or 64 columns at a time;
 * an element of B is wanted by one thread of the block only, which reads it for itself. */
#ifndef PCI_GPU_LADDER_LI_COLUMN_CUH
#define PCI_GPU_LADDER_LI_COLUMN_CUH

#include "gpu/ladder/common.cuh"

enum {
    PCI_LI_X = 16, /* threads of a block */
    PCI_LI_Y = 8,
    PCI_LI_THREADS = PCI_LI_X * PCI_LI_Y, /* and columns of C */
    PCI_LI_ROWS = 16,                     /* of C */
    PCI_LI_DEPTH = 32                     /* columns of A in a slice of GPU6 and GPU7 */
};

__device__ __forceinline__ uint32_t pci_li_first_row()
{
    return PCI_LI_ROWS * blockIdx.y;
}

__device__ __forceinline__ uint32_t pci_li_column()
{
    return PCI_LI_THREADS * blockIdx.x + PCI_LI_X * threadIdx.y + threadIdx.x;
}

/* Where the thread's column of B begins. A thread right of the last column has the first one: what it
 * reads is there, and it stores nothing. */
__device__ __forceinline__ const float *pci_li_b(const pci_ladder_matrix &b)
{
    const uint32_t column = pci_li_column();
    return b.element + (column < b.columns ? column : 0);
}

/* Columns of A in the slice that begins at `first`: depth, less at the end. */
__device__ __forceinline__ uint32_t pci_li_depth(const pci_ladder_matrix &a, uint32_t first,
                                                 uint32_t depth)
{
    return min(depth, a.columns - first);
}

/* A slice of 16 x 32 into shared memory, transposed: a column of A becomes a row of 17 words. A thread
 * has two neighbours in each of two rows. What lies beyond the edge is never used, whatever it is. */
__device__ __forceinline__ void pci_li_load_slice(const pci_ladder_matrix &a, uint32_t first,
                                                  float (&as)[PCI_LI_DEPTH][PCI_LI_ROWS + 1])
{
    const uint32_t x = 2 * threadIdx.x;
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t y = threadIdx.y + half * PCI_LI_Y;
        const uint32_t row = pci_li_first_row() + y;
        float2 two = {0, 0};
        if (row < a.rows && first + x < a.columns)
            two = *(const float2 *)(pci_ladder_row(a, row) + first + x);
        as[x][y] = two.x;
        as[x + 1][y] = two.y;
    }
}

/* sum[i] += b * element i of a column of A, whose elements lie STEP words apart. */
template <int STEP>
__device__ __forceinline__ void pci_li_update(const float *a, float b, float (&sum)[PCI_LI_ROWS])
{
#pragma unroll
    for (int i = 0; i < PCI_LI_ROWS; i++)
        sum[i] += a[i * STEP] * b;
}

__device__ __forceinline__ void pci_li_store(const pci_ladder_matrix &c,
                                             const float (&sum)[PCI_LI_ROWS])
{
    const uint32_t column = pci_li_column();
#pragma unroll
    for (uint32_t i = 0; i < PCI_LI_ROWS; i++) {
        const uint32_t row = pci_li_first_row() + i;
        if (row < c.rows && column < c.columns)
            pci_ladder_row(c, row)[column] = sum[i];
    }
}

static inline cudaError_t pci_li_start(const void *kernel, const pci_ladder_product *product,
                                       pci_ladder_block block, cudaStream_t stream)
{
    return pci_ladder_start(kernel, product, block, PCI_LI_ROWS, PCI_LI_THREADS, stream);
}

#endif
