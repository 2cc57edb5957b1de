/* How a tile kernel stores its accumulators, and how it goes through the work list.
 *
 * A thread has a block of 8 rows x COLUMNS adjacent results, and its warp has 8 x 4 such blocks:
 * lane / 4 counts down, lane % 4 to the right. So the rows of the tile of a warp are whole 32-byte
 * sectors in both orientations, and results are stored from registers to global memory directly. */
#ifndef PCI_GPU_STORE_CUH
#define PCI_GPU_STORE_CUH

#include "gpu/engine/product.h"
#include "gpu/engine/reduction.cuh"

enum {
    PCI_BLOCK_ROWS = 8, /* of one thread */
    PCI_WARP_ROWS = 64  /* 8 blocks */
};

/* The first entry with a tile, at or after `entry`, of the list of this thread block;
 * product.n_entries or more when there is none. */
__device__ __forceinline__ uint32_t pci_next_entry(const pci_product &product, uint32_t entry)
{
    while (entry < product.n_entries && __ldg(product.tiles + entry) == PCI_TILE_IDLE) {
        entry += gridDim.x;
    }
    return entry;
}

__device__ __forceinline__ pci_tile pci_tile_at(const pci_product &product, uint32_t entry)
{
    return pci_tile_unpack(__ldg(product.tiles + entry));
}

__device__ __forceinline__ int8_t *pci_plane(const pci_product &product, uint32_t number)
{
    return product.arena + number * (size_t)product.layout.plane_bytes;
}

/* The address that row 0 of the matrix would have in raw, which has the rows of the strip only. */
__device__ __forceinline__ int32_t *pci_raw(const pci_product &product, uint32_t job)
{
    size_t n_rows = (size_t)product.shape.n_row_tiles * PCI_TILE;
    size_t first_row = (size_t)product.shape.first_row_tile * PCI_TILE;

    return product.raw +
           ((ptrdiff_t)(job * n_rows) - (ptrdiff_t)first_row) * (ptrdiff_t)product.layout.n_padded;
}

/* Stores N adjacent words at once. */
template <int N> __device__ __forceinline__ void pci_store_words(void *to, const uint32_t (&w)[N])
{
    static_assert(N == 2 || N == 4, "8 or 16 bytes");
    if constexpr (N == 4) {
        *static_cast<uint4 *>(to) = make_uint4(w[0], w[1], w[2], w[3]);
    } else {
        *static_cast<uint2 *>(to) = make_uint2(w[0], w[1]);
    }
}

/* Stores the residues of the block for one output, and their mirror image. */
template <int COLUMNS>
__device__ __forceinline__ void
pci_store_residues(const pci_product &product, const pci_product_output &output, uint32_t row,
                   uint32_t column, bool mirror, const int32_t (&acc)[PCI_BLOCK_ROWS][COLUMNS])
{
    const pci_reduction reduction = output.reduction;
    const size_t pitch = product.layout.n_padded;
    int8_t *plane = output.plane;
    uint32_t word[PCI_BLOCK_ROWS][COLUMNS / 4];

#pragma unroll
    for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < COLUMNS; j += 4) {
            word[i][j / 4] =
                pci_reduce4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3], reduction);
        }
        pci_store_words(plane + (row + i) * pitch + column, word[i]);
    }
    if (!mirror) {
        return;
    }
#pragma unroll
    for (int j = 0; j < COLUMNS / 4; j++) {
        uint32_t upper[4] = {word[0][j], word[1][j], word[2][j], word[3][j]};
        uint32_t lower[4] = {word[4][j], word[5][j], word[6][j], word[7][j]};

        pci_transpose4(upper);
        pci_transpose4(lower);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t pair[2] = {upper[i], lower[i]};
            pci_store_words(plane + (column + 4 * j + i) * pitch + row, pair);
        }
    }
}

/* Stores the accumulators themselves. */
template <int COLUMNS>
__device__ __forceinline__ void pci_store_raw(const pci_product &product, const pci_tile &tile,
                                              uint32_t row, uint32_t column,
                                              const int32_t (&acc)[PCI_BLOCK_ROWS][COLUMNS])
{
    const size_t pitch = product.layout.n_padded;
    int32_t *raw = pci_raw(product, tile.job);

#pragma unroll
    for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < COLUMNS; j += 4) {
            *reinterpret_cast<int4 *>(raw + (row + i) * pitch + column + j) =
                make_int4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
        }
    }
    if (!tile.mirror) {
        return;
    }
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i += 4) {
            *reinterpret_cast<int4 *>(raw + (column + j) * pitch + row + i) =
                make_int4(acc[i][j], acc[i + 1][j], acc[i + 2][j], acc[i + 3][j]);
        }
    }
}

/* Stores all outputs of the job for a block whose first entry is (row, column) of the matrix. */
template <int COLUMNS>
__device__ __forceinline__ void pci_store_block(const pci_product &product, const pci_tile &tile,
                                                uint32_t row, uint32_t column,
                                                const int32_t (&acc)[PCI_BLOCK_ROWS][COLUMNS])
{
    if (product.raw != nullptr) {
        pci_store_raw(product, tile, row, column, acc);
        return;
    }

    const pci_product_job job = product.job[tile.job];

#pragma unroll 1
    for (uint32_t o = 0; o < job.n_outputs; o++) {
        pci_store_residues(product, product.output[job.first_output + o], row, column, tile.mirror,
                           acc);
    }
}

#endif
