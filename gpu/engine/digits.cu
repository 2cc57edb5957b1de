/* Digits of small entries from their residues modulo 256 and 255, as a product of digits takes them, and the maps of
 * its high digits (gpu/engine/product.h). A thread block makes a block of 128 x 128 entries, so each bit of a map is
 * set by one thread. */
#include "gpu/engine/pack.cuh"
#include "gpu/engine/product.h"

namespace
{

enum {
    QUADS = PCI_TILE / 16, /* of 16 entries, in a row of a block */
    THREAD_QUADS = PCI_TILE * QUADS / PCI_BLOCK_THREADS
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
    for (uint32_t s = 0; s < THREAD_QUADS; s++) {
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
