/* Transposes a plane, tile by tile: a tile of 128 x 128 bytes in shared memory is transposed in
 * blocks of 4 x 4 bytes. All threads of a block take part. */
#include "gpu/engine/pack.cuh"

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
