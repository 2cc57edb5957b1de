/* Dot products of the rows of two planes: the diagonal of a product without the product. */
#include "gpu/engine/entrywise.h"

#include "gpu/engine/pack.cuh"

enum { THREADS = 256, WARP_THREADS = 32, MOST_DIGITS = 3 };

typedef struct row_dots {
    const int8_t *left[MOST_DIGITS], *right[MOST_DIGITS];
    int8_t *to[MOST_DIGITS];
    pci_wide_modulus modulus; /* of `to`; narrow ones are reduced in the same way */
    bool to_is_wide;
} row_dots;

static __device__ __forceinline__ int32_t dot_signed(int32_t a, int32_t b, int32_t sum)
{
#if __CUDA_ARCH__ >= 610
    return __dp4a(a, b, sum);
#else
    for (int k = 0; k < 32; k += 8)
        sum += (int32_t)(int8_t)(a >> k) * (int32_t)(int8_t)(b >> k);
    return sum;
#endif
}

static __device__ __forceinline__ int32_t add_warp(int32_t sum)
{
    for (int lane = WARP_THREADS / 2; lane > 0; lane /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, lane);
    return sum;
}

static __device__ void store(const row_dots &dots, size_t i, double sum)
{
    int32_t digit[3], residue = pci_reduce_wide(sum, dots.modulus);
    if (dots.to_is_wide) {
        pci_split_wide(residue, digit);
        for (int d = 0; d < 3; d++)
            dots.to[d][i] = (int8_t)digit[d];
    } else {
        dots.to[0][i] = (int8_t)residue; /* 128 modulo 256 becomes -128 */
    }
}

/* A warp works on a row. N_DIGITS 3: of a wide modulus. */
template <int N_DIGITS>
static __global__ __launch_bounds__(THREADS) void multiply_rows(row_dots dots, uint32_t n,
                                                                uint32_t n_padded)
{
    uint32_t lane = threadIdx.x % WARP_THREADS;
    for (size_t i = pci_thread_index() / WARP_THREADS; i < n;
         i += pci_n_threads_of_grid() / WARP_THREADS) {
        int32_t sum[N_DIGITS] = {};
        for (uint32_t j = 4 * lane; j < n_padded; j += 4 * WARP_THREADS)
#pragma unroll
            for (int d = 0; d < N_DIGITS; d++)
                sum[d] = dot_signed(*(const int32_t *)(dots.left[d] + i * n_padded + j),
                                    *(const int32_t *)(dots.right[d] + i * n_padded + j), sum[d]);
#pragma unroll
        for (int d = 0; d < N_DIGITS; d++)
            sum[d] = add_warp(sum[d]);
        if (lane == 0)
            store(dots, i,
                  N_DIGITS == 1 ? (double)sum[0]
                                : pci_join_products(sum[0], sum[N_DIGITS / 2], sum[N_DIGITS - 1]));
    }
}

extern "C" cudaError_t pci_gpu_multiply_planes(const pci_gpu_layout *layout, int8_t *const left[3],
                                               int8_t *const right[3], pci_gpu_modulus from,
                                               pci_gpu_modulus to, int8_t *const digit[3],
                                               cudaStream_t stream)
{
    unsigned n_blocks = pci_blocks_for((size_t)layout->n * WARP_THREADS, THREADS);
    row_dots dots = {};
    for (int d = 0; d < (from.wide ? 3 : 1); d++) {
        dots.left[d] = left[d];
        dots.right[d] = right[d];
    }
    for (int d = 0; d < (to.wide ? 3 : 1); d++)
        dots.to[d] = digit[d];
    dots.modulus = pci_wide_modulus_of(to.m);
    dots.to_is_wide = to.wide;
    if (from.wide)
        multiply_rows<3><<<n_blocks, THREADS, 0, stream>>>(dots, layout->n, layout->n_padded);
    else
        multiply_rows<1><<<n_blocks, THREADS, 0, stream>>>(dots, layout->n, layout->n_padded);
    return cudaGetLastError();
}
