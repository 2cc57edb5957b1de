/* Whole planes: their transposes, digits of small entries, and dot products of their rows. */
#include "gpu/engine/pack.cuh"
#include "gpu/engine/product.h"

/* ---- Transposes ------------------------------------------------------------------------------ */

/* Transposes a plane, tile by tile: a tile of 128 x 128 bytes in shared memory is transposed in
 * blocks of 4 x 4 bytes. All threads of a block take part. */

enum {
    TILE_WORDS = PCI_TILE / PCI_ENTRIES,
    TILE_STRIDE = TILE_WORDS + 1, /* words: rows begin in different banks */
    TILE_QUADS = PCI_TILE / 16,
    THREAD_QUADS = PCI_TILE * TILE_QUADS / PCI_BLOCK_THREADS,   /* of a thread */
    THREAD_BLOCKS = TILE_WORDS * TILE_WORDS / PCI_BLOCK_THREADS /* 4 x 4 blocks of a thread */
};

typedef struct tile_words {
    uint32_t word[PCI_TILE * TILE_STRIDE];
} tile_words;

static __device__ void read_tile(const int8_t *from, uint32_t n_padded, tile_words *tile)
{
    for (uint32_t s = 0; s < THREAD_QUADS; s++) {
        uint32_t q = s * PCI_BLOCK_THREADS + threadIdx.x, row = q / TILE_QUADS, at = q % TILE_QUADS;
        uint4 quad = *(const uint4 *)(from + row * (size_t)n_padded + 16 * at);
        uint32_t *to = tile->word + row * TILE_STRIDE + 4 * at;
        to[0] = quad.x;
        to[1] = quad.y;
        to[2] = quad.z;
        to[3] = quad.w;
    }
}

/* The word of row 4 * down + k and column across. A warp covers 4 x 8 blocks, so that neither reads
 * nor writes have bank conflicts. */
static __device__ __forceinline__ void block_of(uint32_t s, uint32_t *down, uint32_t *across)
{
    uint32_t b = s * PCI_BLOCK_THREADS + threadIdx.x, patch = b / 32, within = b % 32;
    *across = patch % (TILE_WORDS / 8) * 8 + within % 8;
    *down = patch / (TILE_WORDS / 8) * 4 + within / 8;
}

static __device__ void transpose_tile(tile_words *tile)
{
    uint32_t w[THREAD_BLOCKS][4], down, across;
#pragma unroll
    for (uint32_t s = 0; s < THREAD_BLOCKS; s++) {
        block_of(s, &down, &across);
        for (uint32_t k = 0; k < 4; k++)
            w[s][k] = tile->word[(4 * down + k) * TILE_STRIDE + across];
        pci_transpose4(w[s]);
    }
    __syncthreads(); /* all words are read */
#pragma unroll
    for (uint32_t s = 0; s < THREAD_BLOCKS; s++) {
        block_of(s, &down, &across);
        for (uint32_t k = 0; k < 4; k++)
            tile->word[(4 * across + k) * TILE_STRIDE + down] = w[s][k];
    }
}

static __device__ void write_tile(const tile_words *tile, int8_t *to, uint32_t n_padded)
{
    for (uint32_t s = 0; s < THREAD_QUADS; s++) {
        uint32_t q = s * PCI_BLOCK_THREADS + threadIdx.x, row = q / TILE_QUADS, at = q % TILE_QUADS;
        const uint32_t *from = tile->word + row * TILE_STRIDE + 4 * at;
        *(uint4 *)(to + row * (size_t)n_padded + 16 * at) =
            make_uint4(from[0], from[1], from[2], from[3]);
    }
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void transpose(uint32_t n_padded,
                                                                      const int8_t *from,
                                                                      int8_t *to)
{
    __shared__ tile_words tile;
    size_t row = (size_t)blockIdx.y * PCI_TILE, column = (size_t)blockIdx.x * PCI_TILE;
    read_tile(from + row * n_padded + column, n_padded, &tile);
    __syncthreads();
    transpose_tile(&tile);
    __syncthreads();
    write_tile(&tile, to + column * n_padded + row, n_padded);
}

extern "C" cudaError_t pci_gpu_transpose(const pci_gpu_layout *layout, const int8_t *from,
                                         int8_t *to, cudaStream_t stream)
{
    unsigned n_tiles = layout->n_padded / PCI_TILE; /* at most 1024 */
    transpose<<<dim3(n_tiles, n_tiles), PCI_BLOCK_THREADS, 0, stream>>>(layout->n_padded, from, to);
    return cudaGetLastError();
}

/* ---- Digits ---------------------------------------------------------------------------------- */

/* Digits of small entries from their residues modulo 256 and 255, as a product of digits takes them, and the maps of
 * its high digits (gpu/engine/product.h). A thread block makes a block of 128 x 128 entries, so each bit of a map is
 * set by one thread. */

namespace
{

enum {
    QUADS = PCI_TILE / 16, /* of 16 entries, in a row of a block */
    OWN_QUADS = PCI_TILE * QUADS / PCI_BLOCK_THREADS
};

struct digit_planes {
    const int8_t *mod_256, *mod_255;
    int8_t *digit[3]; /* high, low, high + low */
    uint32_t *left, *right;
    uint32_t n_padded, n_words;
};

/* The number below 255 * 256 that has these residues, any representatives: r + 256 t with r + t = mod_255 modulo 255. */
__device__ __forceinline__ int32_t join(int32_t mod_256, int32_t mod_255)
{
    int32_t r = mod_256 & 255, t = mod_255 - r;
    t += t < 0 ? 255 : 0;
    t += t < 0 ? 255 : 0;
    return r + 256 * t;
}

/* Four entries. Returns their high digits. */
__device__ __forceinline__ uint32_t split_word(uint32_t mod_256, uint32_t mod_255, uint32_t &low,
                                               uint32_t &sum)
{
    int32_t value[PCI_ENTRIES];
    uint32_t word[3];
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++)
        value[e] = join(pci_signed_byte(mod_256, e), pci_signed_byte(mod_255, e));
    pci_split_wide4(value, word);
    low = word[1];
    sum = word[2];
    return word[0];
}

__device__ __forceinline__ uint32_t split_quad(const digit_planes &planes, size_t at)
{
    const uint4 a = *(const uint4 *)(planes.mod_256 + at),
                b = *(const uint4 *)(planes.mod_255 + at);
    uint4 high, low, sum;
    high.x = split_word(a.x, b.x, low.x, sum.x);
    high.y = split_word(a.y, b.y, low.y, sum.y);
    high.z = split_word(a.z, b.z, low.z, sum.z);
    high.w = split_word(a.w, b.w, low.w, sum.w);
    *(uint4 *)(planes.digit[0] + at) = high;
    *(uint4 *)(planes.digit[1] + at) = low;
    *(uint4 *)(planes.digit[2] + at) = sum;
    return high.x | high.y | high.z | high.w;
}

__global__ void __launch_bounds__(PCI_BLOCK_THREADS) split(digit_planes planes)
{
    const uint32_t i = blockIdx.y, j = blockIdx.x; /* of the block */
    uint32_t high = 0;
#pragma unroll
    for (uint32_t s = 0; s < OWN_QUADS; s++) {
        const uint32_t q = s * PCI_BLOCK_THREADS + threadIdx.x;
        const size_t row = i * PCI_TILE + q / QUADS;
        high |= split_quad(planes, row * planes.n_padded + j * PCI_TILE + q % QUADS * 16);
    }
    if (__syncthreads_or(high != 0) && threadIdx.x == 0) {
        atomicOr(planes.left + i * planes.n_words + j / 32, 1u << j % 32);
        atomicOr(planes.right + j * planes.n_words + i / 32, 1u << i % 32);
    }
}

} // namespace

extern "C" cudaError_t pci_gpu_make_digits(const pci_gpu_layout *layout, const int8_t *mod_256,
                                           const int8_t *mod_255, int8_t *const digit[3],
                                           uint32_t *left, uint32_t *right, cudaStream_t stream)
{
    const uint32_t n_tiles = layout->n_padded / PCI_TILE, n_words = pci_high_words(layout);
    const size_t bytes = (size_t)n_tiles * n_words * sizeof(uint32_t);
    cudaError_t error = cudaMemsetAsync(left, 0, bytes, stream);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(right, 0, bytes, stream);
    if (error != cudaSuccess)
        return error;
    digit_planes planes = {mod_256,          mod_255, {digit[0], digit[1], digit[2]}, left, right,
                           layout->n_padded, n_words};
    split<<<dim3(n_tiles, n_tiles), PCI_BLOCK_THREADS, 0, stream>>>(planes);
    return cudaGetLastError();
}

/* ---- Diagonals -------------------------------------------------------------------------------- */

/* Dot products of the rows of two planes: the diagonal of a product without the product. */

enum { WARP_THREADS = 32, MOST_DIGITS = 3 };

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
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void multiply_rows(row_dots dots, uint32_t n,
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
    unsigned n_blocks = pci_blocks_for((size_t)layout->n * WARP_THREADS, PCI_BLOCK_THREADS);
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
        multiply_rows<3>
            <<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(dots, layout->n, layout->n_padded);
    else
        multiply_rows<1>
            <<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(dots, layout->n, layout->n_padded);
    return cudaGetLastError();
}
