/* GPU8: GPU7 with slices of A of 16 x 64, read as float4 (Li, Ranka, Sahni, "GPU Matrix
 * Multiplication", section 1.7.5, Figures 1.33 to 1.35).
 *
 * A slice is seen as 16 x 16 vectors of four elements, and it is this matrix of vectors that is
 * transposed: vector (y, x) goes to words 4 y to 4 y + 3 of row x. So the elements of a column of A lie
 * four words apart, and rows of 65 words keep the writes of 16 neighbouring threads in different banks.
 *
 * What it buys over GPU7: half as many reads of A, each twice as wide, and half as many waits of the
 * threads for each other; 22.97 s against 23.26 at n = 16384 (Figure 1.40), in the end 14 times as fast
 * as GPU1 and 2% faster than the CUBLAS of its time. Traffic with device memory is the same. What it
 * costs: 4204 bytes of shared memory; registers stay at 38.
 *
 * The figure writes a vector to shared memory as one float4. Rows of 65 words do not begin at
 * multiples of 16 bytes, so today's GPUs stop the kernel there: here they are four floats. */
#include "gpu/ladder/li_column.cuh"

enum {
    VECTOR = 4,
    N_VECTORS = 16,             /* across a slice */
    DEPTH = N_VECTORS * VECTOR, /* columns of A in a slice */
    STRIDE = 16 * VECTOR + 1,   /* words of a row in shared memory */
    AHEAD = 4                   /* elements of B under way */
};

static __device__ __forceinline__ void load_slice(const pci_ladder_matrix &a, uint32_t first,
                                                  float (&as)[N_VECTORS][STRIDE])
{
    const uint32_t x = threadIdx.x;
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t y = threadIdx.y + half * PCI_LI_Y;
        const uint32_t row = pci_li_first_row() + y;
        float4 four = {0, 0, 0, 0};
        if (row < a.rows && first + VECTOR * x < a.columns)
            four = *(const float4 *)(pci_ladder_row(a, row) + first + VECTOR * x);
        float *to = &as[x][VECTOR * y];
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    }
}

/* Where column k of the slice begins; its next element is VECTOR words further on. */
static __device__ __forceinline__ const float *column_of(const float (&as)[N_VECTORS][STRIDE],
                                                         uint32_t k)
{
    return &as[k / VECTOR][k % VECTOR];
}

/* A whole slice; b is its first element of B. */
static __device__ __forceinline__ void multiply_slice(const float (&as)[N_VECTORS][STRIDE],
                                                      const float *b, uint32_t stride,
                                                      float (&sum)[PCI_LI_ROWS])
{
    float ahead[AHEAD];
#pragma unroll
    for (uint32_t q = 0; q < AHEAD; q++)
        ahead[q] = b[(size_t)q * stride];
#pragma unroll
    for (uint32_t k = 0; k < DEPTH; k += AHEAD) {
        b += (size_t)AHEAD * stride;
#pragma unroll
        for (uint32_t q = 0; q < AHEAD; q++) {
            pci_li_update<VECTOR>(column_of(as, k + q), ahead[q], sum);
            if (k + AHEAD < DEPTH)
                ahead[q] = b[(size_t)q * stride];
        }
    }
}

static __global__ void __launch_bounds__(PCI_LI_THREADS) gpu8(const pci_ladder_product p)
{
    __shared__ float as[N_VECTORS][STRIDE];
    const float *b = pci_li_b(p.b);
    float sum[PCI_LI_ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += DEPTH) {
        const uint32_t depth = pci_li_depth(p.a, first, DEPTH);
        load_slice(p.a, first, as);
        __syncthreads(); /* the slice is there */
        if (depth == DEPTH) {
            multiply_slice(as, b, p.b.stride, sum);
            b += (size_t)DEPTH * p.b.stride;
        } else {
            for (uint32_t k = 0; k < depth; k++, b += p.b.stride)
                pci_li_update<VECTOR>(column_of(as, k), *b, sum);
        }
        __syncthreads(); /* nobody reads it any more */
    }
    pci_li_store(p.c, sum);
}

static cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block,
                          cudaStream_t stream)
{
    return pci_li_start((const void *)gpu8, product, block, stream);
}

static const void *function(pci_ladder_block)
{
    return (const void *)gpu8;
}

const pci_ladder_kernel pci_ladder_gpu8 = {
    "GPU8",
    "Li, Ranka, Sahni, Figure 1.34",
    "16 x 1 of C",
    false,
    {{PCI_LI_X, PCI_LI_Y}},
    launch,
    function,
    0,
};
