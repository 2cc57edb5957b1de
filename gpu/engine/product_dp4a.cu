/* The product on dp4a, for GPUs of compute capability 6.1 and later: an instruction of a thread has
 * four multiply-adds of bytes.
 *
 * A thread block has 128 x 128 results, a thread 8 x 8. Operands go through shared memory as words
 * of four bytes along k. They are transposed there, so that the eight words that a thread needs
 * next are contiguous. There are two buffers: while one is multiplied, the next depth is loaded
 * into registers. */
#include "gpu/engine/store.cuh"

namespace
{

enum {
    THREADS = 256,
    DEPTH = 32, /* bytes of k at a time: 16 for each thread of a pair */
    WORDS = DEPTH / 4,
    PITCH = PCI_TILE + 4, /* the writes of a pair, four words apart in k, go to different banks */
    COLUMNS = 8,          /* of a thread */
    WARP_COLUMNS = 4 * COLUMNS
};

struct buffer {
    uint32_t left[WORDS][PITCH], right[WORDS][PITCH];
};

/* 16 bytes of each operand, which a thread copies from global to shared memory. */
struct portion {
    uint4 left, right;
};

__device__ __forceinline__ void put(uint32_t (&to)[WORDS][PITCH], uint4 words)
{
    const uint32_t row = threadIdx.x / 2, k = threadIdx.x % 2 * 4;

    to[k][row] = words.x;
    to[k + 1][row] = words.y;
    to[k + 2][row] = words.z;
    to[k + 3][row] = words.w;
}

__device__ __forceinline__ portion fetch(const int8_t *left, const int8_t *right)
{
    return {*reinterpret_cast<const uint4 *>(left), *reinterpret_cast<const uint4 *>(right)};
}

__device__ __forceinline__ void get(uint32_t (&to)[8], const uint32_t *from)
{
    const uint4 low = *reinterpret_cast<const uint4 *>(from);
    const uint4 high = *reinterpret_cast<const uint4 *>(from + 4);

    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

/* Adds the product of the buffer to acc, for the block of the thread at (row, column) of the
 * tile. */
__device__ __forceinline__ void multiply(const buffer &from, uint32_t row, uint32_t column,
                                         int32_t (&acc)[PCI_BLOCK_ROWS][COLUMNS])
{
#pragma unroll 2
    for (int k = 0; k < WORDS; k++) {
        uint32_t left[PCI_BLOCK_ROWS], right[COLUMNS];

        get(left, &from.left[k][row]);
        get(right, &from.right[k][column]);
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                acc[i][j] = __dp4a((int)left[i], (int)right[j], acc[i][j]);
            }
        }
    }
}

/* Computes 128 x 128 results, from the row of the tile and this column on. */
__device__ __forceinline__ void half_tile(const pci_product &product, const pci_tile &tile,
                                          uint32_t tile_column, buffer (&buffers)[2])
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint32_t row = warp % 2 * PCI_WARP_ROWS + lane / 4 * PCI_BLOCK_ROWS;
    const uint32_t column = warp / 2 * WARP_COLUMNS + lane % 4 * COLUMNS;
    const uint32_t depth = product.layout.n_padded;
    const pci_product_job &job = product.job[tile.job];
    const size_t offset = (size_t)(threadIdx.x / 2) * depth + threadIdx.x % 2 * 16;
    const int8_t *left =
        pci_plane(product, job.left) + (size_t)tile.row * PCI_TILE * depth + offset;
    const int8_t *right =
        pci_plane(product, job.right) + (size_t)tile_column * PCI_TILE * depth + offset;
    int32_t acc[PCI_BLOCK_ROWS][COLUMNS] = {};
    portion next = fetch(left, right);
    uint32_t current = 0;

    put(buffers[0].left, next.left);
    put(buffers[0].right, next.right);
    __syncthreads();
    for (uint32_t k = DEPTH; k <= depth; k += DEPTH) {
        if (k < depth) {
            next = fetch(left + k, right + k);
        }
        multiply(buffers[current], row, column, acc);
        current ^= 1;
        if (k < depth) {
            put(buffers[current].left, next.left);
            put(buffers[current].right, next.right);
        }
        __syncthreads();
    }
    pci_store_block(product, tile, tile.row * PCI_TILE + row, tile_column * PCI_TILE + column, acc);
}

__global__ void __launch_bounds__(THREADS, 2)
    dp4a_kernel(const __grid_constant__ pci_product product)
{
    __shared__ __align__(16) buffer buffers[2];

    for (uint32_t entry = pci_next_entry(product, blockIdx.x); entry < product.n_entries;
         entry = pci_next_entry(product, entry + gridDim.x)) {
        const pci_tile tile = pci_tile_at(product, entry);
        const uint32_t n_halves = tile.narrow ? 1 : 2;

        for (uint32_t half = 0; half < n_halves; half++) {
            half_tile(product, tile, tile.column + half, buffers);
        }
    }
}

} // namespace

extern "C" cudaError_t pci_product_dp4a(const pci_product *product, cudaStream_t stream)
{
    void *arguments[] = {const_cast<pci_product *>(product)};

    return cudaLaunchKernel(dp4a_kernel, dim3(product->shape.n_blocks), dim3(THREADS), arguments, 0,
                            stream);
}
