/* GPU2: a thread computes 1 x 2 of C (Li, Ranka, Sahni, "GPU Matrix Multiplication", section 1.7.2,
 * Figures 1.16 to 1.18). It reads four elements of A at once as a float4, and two of B as a float2.
 *
 * What it buys over GPU1: an element of A is good for two multiply-adds, and a transaction brings more
 * of what is used: 2.5 n^3 + 4 n^2 bytes with blocks of 8 x 8, 83% of them used, against 6 n^3 and 56%
 * (Figure 1.19). What it costs: 16 registers in place of 10, on compute capability 1.3 the most with
 * which all 1024 threads of a multiprocessor can be at work; 44 bytes of shared memory. */
#include "gpu/ladder/common.cuh"

/* sum += a * two elements of B; b goes on to the row below. */
static __device__ __forceinline__ void add_row(float2 *sum, float a, const float **b,
                                               uint32_t stride)
{
    const float2 two = *(const float2 *)*b;
    sum->x += a * two.x;
    sum->y += a * two.y;
    *b += stride;
}

/* The second element may lie in the padding: its sum is made, of anything, and not stored. */
static __device__ __forceinline__ void store_two(float *c, uint32_t n_left, float2 sum)
{
    if (n_left >= 2)
        *(float2 *)c = sum;
    else
        *c = sum.x;
}

static __global__ void gpu2(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float2 sum = {0, 0};
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
    store_two(pci_ladder_row(p.c, i) + j, p.c.columns - j, sum);
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_ladder_start((const void *)gpu2, product, block, block.y, 2 * block.x, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu2;
}

const pci_ladder_kernel pci_ladder_gpu2 = {
    "GPU2",
    "Li, Ranka, Sahni, Figure 1.18",
    "1 x 2 of C",
    false,
    /* Figure 1.20 */
    {{8, 8},
     {32, 16},
     {512, 1},
     {256, 1},
     {16, 16},
     {128, 1},
     {64, 1},
     {16, 32},
     {32, 2},
     {16, 4},
     {32, 1},
     {1, 32},
     {1, 64},
     {1, 128},
     {1, 256},
     {1, 512}},
    launch,
    function,
    0,
};
