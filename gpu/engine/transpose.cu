/* A plane transposed, tile by tile. */
#include "gpu/engine/tile.cuh"

static __device__ void write_tile(const pci_tile_words *tile, int8_t *to, uint32_t n_padded)
{
    for (uint32_t s = 0; s < PCI_THREAD_QUADS; s++) {
        uint32_t q = s * PCI_BLOCK_THREADS + threadIdx.x, row = q / PCI_TILE_QUADS,
                 at = q % PCI_TILE_QUADS;
        const uint32_t *from = tile->word + row * PCI_TILE_STRIDE + 4 * at;
        *(uint4 *)(to + row * (size_t)n_padded + 16 * at) =
            make_uint4(from[0], from[1], from[2], from[3]);
    }
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void transpose(uint32_t n_padded,
                                                                      const int8_t *from,
                                                                      int8_t *to)
{
    __shared__ pci_tile_words tile;
    size_t row = (size_t)blockIdx.y * PCI_TILE, column = (size_t)blockIdx.x * PCI_TILE;
    pci_tile_read(from + row * n_padded + column, n_padded, &tile);
    __syncthreads();
    pci_tile_transpose(&tile);
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
