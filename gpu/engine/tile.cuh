/* A tile of 128 x 128 bytes in shared memory, and its transposition there in blocks of 4 x 4. All
 * threads of a block of PCI_BLOCK_THREADS take part. */
#ifndef PCI_GPU_TILE_CUH
#define PCI_GPU_TILE_CUH

#include "gpu/engine/pack.cuh"

enum {
    PCI_TILE_WORDS = PCI_TILE / PCI_ENTRIES,
    PCI_TILE_STRIDE = PCI_TILE_WORDS + 1, /* words: rows begin in different banks */
    PCI_TILE_QUADS = PCI_TILE / 16,
    PCI_THREAD_QUADS = PCI_TILE * PCI_TILE_QUADS / PCI_BLOCK_THREADS, /* of a thread */
    PCI_THREAD_BLOCKS =
        PCI_TILE_WORDS * PCI_TILE_WORDS / PCI_BLOCK_THREADS /* 4 x 4 blocks of a thread */
};

typedef struct pci_tile_words {
    uint32_t word[PCI_TILE * PCI_TILE_STRIDE];
} pci_tile_words;

static __device__ void pci_tile_read(const int8_t *from, uint32_t n_padded, pci_tile_words *tile)
{
    for (uint32_t s = 0; s < PCI_THREAD_QUADS; s++) {
        uint32_t q = s * PCI_BLOCK_THREADS + threadIdx.x, row = q / PCI_TILE_QUADS,
                 at = q % PCI_TILE_QUADS;
        uint4 quad = *(const uint4 *)(from + row * (size_t)n_padded + 16 * at);
        uint32_t *to = tile->word + row * PCI_TILE_STRIDE + 4 * at;
        to[0] = quad.x;
        to[1] = quad.y;
        to[2] = quad.z;
        to[3] = quad.w;
    }
}

/* Word of row 4 * down + k, column across; a warp covers 4 x 8 blocks, for both ways' banks. */
static __device__ __forceinline__ void pci_tile_block(uint32_t s, uint32_t *down, uint32_t *across)
{
    uint32_t b = s * PCI_BLOCK_THREADS + threadIdx.x, patch = b / 32, within = b % 32;
    *across = patch % (PCI_TILE_WORDS / 8) * 8 + within % 8;
    *down = patch / (PCI_TILE_WORDS / 8) * 4 + within / 8;
}

static __device__ void pci_tile_transpose(pci_tile_words *tile)
{
    uint32_t w[PCI_THREAD_BLOCKS][4], down, across;
#pragma unroll
    for (uint32_t s = 0; s < PCI_THREAD_BLOCKS; s++) {
        pci_tile_block(s, &down, &across);
        for (uint32_t k = 0; k < 4; k++)
            w[s][k] = tile->word[(4 * down + k) * PCI_TILE_STRIDE + across];
        pci_transpose4(w[s]);
    }
    __syncthreads(); /* all is read */
#pragma unroll
    for (uint32_t s = 0; s < PCI_THREAD_BLOCKS; s++) {
        pci_tile_block(s, &down, &across);
        for (uint32_t k = 0; k < 4; k++)
            tile->word[(4 * across + k) * PCI_TILE_STRIDE + down] = w[s][k];
    }
}

#endif
