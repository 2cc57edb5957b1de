/* GPU3: a thread computes 1 x 4 of C, and reads A and B and writes C as float4 (Li, Ranka, Sahni, "GPU
 * Matrix Multiplication", section 1.7.3, Figure 1.21).
 *
 * What it buys over GPU2: an element of A is good for four multiply-adds, and 16 bytes is the most that
 * a thread can ask for at once: 1.5 n^3 + 4 n^2 bytes with blocks of 4 x 16, 75% of them used, against
 * 2.5 n^3 (Figure 1.23). What it costs: 21 registers in place of 16, and with them half of the threads
 * that a multiprocessor of compute capability 1.3 could have; 44 bytes of shared memory. With wide
 * blocks, as (64, 1), it was slower than GPU2. */
#include "gpu/ladder/common.cuh"

/* sum += a * four elements of B; b goes on to the row below. */
static __device__ __forceinline__ void add_row(float4 *sum, float a, const float **b,
                                               uint32_t stride)
{
    const float4 four = *(const float4 *)*b;
    sum->x += a * four.x;
    sum->y += a * four.y;
    sum->z += a * four.z;
    sum->w += a * four.w;
    *b += stride;
}

/* The last elements may lie in the padding: their sums are made, of anything, and not stored. */
static __device__ __forceinline__ void store_four(float *c, uint32_t n_left, float4 sum)
{
    if (n_left >= 4) {
        *(float4 *)c = sum;
        return;
    }
    c[0] = sum.x;
    if (n_left > 1)
        c[1] = sum.y;
    if (n_left > 2)
        c[2] = sum.z;
}

static __global__ void gpu3(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float4 sum = {0, 0, 0, 0};
    uint32_t k = 0;
    for (; p.a.columns - k >= 4; k += 4) {
        const float4 four = *(const float4 *)(a + k);
        add_row(&sum, four.x, &b, p.b.stride);
        add_row(&sum, four.y, &b, p.b.stride);
        add_row(&sum, four.z, &b, p.b.stride);
        add_row(&sum, four.w, &b, p.b.stride);
    }
    for (; k < p.a.columns; k++)
        add_row(&sum, a[k], &b, p.b.stride);
    store_four(pci_ladder_row(p.c, i) + j, p.c.columns - j, sum);
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_ladder_start((const void *)gpu3, product, block, block.y, 4 * block.x, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu3;
}

const pci_ladder_kernel pci_ladder_gpu3 = {
    "GPU3",
    "Li, Ranka, Sahni, Figure 1.21",
    "1 x 4 of C",
    false,
    /* Figure 1.22 */
    {{4, 16}, {8, 8}, {2, 32}, {1, 32}, {16, 32}, {64, 1}},
    launch,
    function,
    0,
};
