/* S P and S P^T for the S of a partition: sums over blocks of vertices. Summing before multiplying
 * is what makes a reduced product cheap ("Reduced Matrix Multiplication using CUDA", 4.3.2: p
 * multiplications in place of 4 p for pairs). */
#include "gpu/sums.cuh"
#include "gpu/tile.cuh"

#include <algorithm>

enum {
    LANES = PCI_TILE / PCI_COLUMNS,     /* threads side by side */
    GROUPS = PCI_BLOCK_THREADS / LANES, /* of a thread block */
    MANY = 32,                          /* vertices of a block are for all groups, if more */
    HALF_THREADS = PCI_BLOCK_THREADS / 2,
    BATCH = 4,     /* rows that a thread loads at once */
    MOST_SUMS = 48 /* of a launch: their list is a parameter */
};

typedef struct blocks_input {
    const uint64_t *start;
    const uint32_t *vertex, *first_block;
    uint32_t n_blocks, n_padded;
    uint32_t n_own; /* blocks of a thread block: 1, or one a group */
} blocks_input;

typedef struct block_sums {
    struct {
        const int8_t *from[2]; /* wide: high and low digits; else one plane */
        pci_sum_target to;
    } sum[MOST_SUMS];
} block_sums;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Eight threads side by side sum 128 columns. Blocks of few vertices have eight threads each; those
 * of many are summed by all threads of a thread block, each group of eight every 32nd row, and the
 * groups' sums are added in shared memory. */

/* Adds rows vertex[first], vertex[first + stride], ... from column c on. Loads of several rows are
 * under way at once. */
template <int N_PLANES>
static __device__ __forceinline__ void add_rows(const blocks_input &in, const int8_t *const *plane,
                                                uint64_t first, uint64_t end, uint32_t stride,
                                                uint32_t c, int32_t sum[N_PLANES][PCI_COLUMNS])
{
    for (; first < end; first += (uint64_t)BATCH * stride) {
        uint4 quad[N_PLANES][BATCH];
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            uint64_t v = first + (uint64_t)b * stride;
            size_t at = v < end ? in.vertex[v] * (size_t)in.n_padded + c : 0;
#pragma unroll
            for (int p = 0; p < N_PLANES; p++)
                quad[p][b] = v < end ? *(const uint4 *)(plane[p] + at) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            if (first + (uint64_t)b * stride < end)
#pragma unroll
                for (int p = 0; p < N_PLANES; p++)
                    pci_add_quad(quad[p][b], 1, sum[p]);
    }
}

/* Adds the sums of all groups into those of group 0, a half of the groups to the other at a time.
 * Sum k of all threads lies side by side. */
template <int N_PLANES> static __device__ void join_groups(int32_t sum[N_PLANES][PCI_COLUMNS])
{
    __shared__ int32_t shared[N_PLANES * PCI_COLUMNS][HALF_THREADS];
    for (uint32_t half = HALF_THREADS; half >= LANES; half /= 2) {
        if (threadIdx.x >= half && threadIdx.x < 2 * half)
#pragma unroll
            for (int k = 0; k < N_PLANES * PCI_COLUMNS; k++)
                shared[k][threadIdx.x - half] = sum[k / PCI_COLUMNS][k % PCI_COLUMNS];
        __syncthreads();
        if (threadIdx.x < half)
#pragma unroll
            for (int k = 0; k < N_PLANES * PCI_COLUMNS; k++)
                sum[k / PCI_COLUMNS][k % PCI_COLUMNS] += shared[k][threadIdx.x];
        __syncthreads();
    }
}

/* Column slabs within blocks, so that whole rows are read at about the same time. Rows of the
 * result up to the end of a tile belong to no block and become zero. */
template <int N_PLANES>
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void sum_rows(blocks_input in,
                                                                     block_sums sums)
{
    const int8_t *const *from = sums.sum[blockIdx.z].from;
    const pci_sum_target &to = sums.sum[blockIdx.z].to;
    uint32_t group = threadIdx.x / LANES, first_block = blockIdx.y * in.n_own;
    uint32_t c = (blockIdx.x * LANES + threadIdx.x % LANES) * PCI_COLUMNS,
             own = first_block + group;
    bool has_own = group < in.n_own, has_vertices = has_own && own < in.n_blocks;
    uint64_t start = has_vertices ? in.start[own] : 0, end = has_vertices ? in.start[own + 1] : 0;
    bool has_many = end - start > MANY;
    if (has_own && !has_many) {
        int32_t sum[N_PLANES][PCI_COLUMNS] = {};
        add_rows<N_PLANES>(in, from, start, end, 1, c, sum);
        pci_store_sums<N_PLANES>(sum, to, (size_t)own * in.n_padded + c);
    }
    if (!__syncthreads_or(has_many))
        return;
    for (uint32_t b = first_block; b < first_block + in.n_own && b < in.n_blocks; b++) {
        start = in.start[b];
        end = in.start[b + 1];
        if (end - start <= MANY)
            continue;
        int32_t sum[N_PLANES][PCI_COLUMNS] = {};
        add_rows<N_PLANES>(in, from, start + group, end, GROUPS, c, sum);
        join_groups<N_PLANES>(sum);
        if (group == 0)
            pci_store_sums<N_PLANES>(sum, to, (size_t)b * in.n_padded + c);
    }
}

/* ---- Columns of vertices in the order of their blocks ---------------------------------------- */

/* A thread block has 128 rows of P and the blocks that begin in 128 columns. It turns that tile in
 * shared memory, where eight warps then sum rows, one a block, four columns a thread. Only the last
 * of the blocks can go on beyond the tile: its warp takes it up again in the next ones. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void sum_columns(blocks_input in,
                                                                        block_sums sums)
{
    __shared__ pci_tile_words tile;
    const int8_t *from = sums.sum[blockIdx.z].from[0];
    const pci_sum_target &to = sums.sum[blockIdx.z].to;
    uint32_t first = in.first_block[blockIdx.x], end = in.first_block[blockIdx.x + 1];
    uint32_t warp = threadIdx.x / PCI_TILE_WORDS, word = threadIdx.x % PCI_TILE_WORDS;
    uint64_t first_column = (uint64_t)blockIdx.x * PCI_TILE, row = (uint64_t)blockIdx.y * PCI_TILE;
    uint64_t last_column = in.start[min(end, in.n_blocks)];
    int32_t unfinished[PCI_ENTRIES] = {};
    for (uint64_t c = first_column; first < end; c += PCI_TILE) {
        pci_tile_read(from + row * in.n_padded + c, in.n_padded, &tile);
        __syncthreads();
        pci_tile_transpose(&tile);
        __syncthreads();
        for (uint32_t b = first + warp; b < end; b += PCI_BLOCK_THREADS / PCI_TILE_WORDS) {
            uint64_t v = in.start[min(b, in.n_blocks)], v_end = in.start[min(b + 1, in.n_blocks)];
            int32_t sum[PCI_ENTRIES] = {};
            if (c > first_column && v_end <= c)
                continue; /* done in a tile before */
            for (int k = 0; v < c && k < PCI_ENTRIES; k++)
                sum[k] = unfinished[k];
            for (v = max(v, c); v < min(v_end, c + PCI_TILE); v++)
                pci_add_word(tile.word[(v - c) * PCI_TILE_STRIDE + word], 1, sum);
            if (v_end > c + PCI_TILE) {
                for (int k = 0; k < PCI_ENTRIES; k++)
                    unfinished[k] = sum[k];
                continue;
            }
            *(uint32_t *)(to.digit[0] + b * (size_t)in.n_padded + row + PCI_ENTRIES * word) =
                pci_low_bytes(pci_reduce(sum[0], to.reduction), pci_reduce(sum[1], to.reduction),
                              pci_reduce(sum[2], to.reduction), pci_reduce(sum[3], to.reduction));
        }
        if (last_column <= c + PCI_TILE)
            break;
        __syncthreads(); /* all is read */
    }
}

/* ---- Launches -------------------------------------------------------------------------------- */

static blocks_input input_of(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout)
{
    blocks_input in = {};
    in.start = blocks->start;
    in.vertex = blocks->vertex;
    in.first_block = blocks->first_block;
    in.n_blocks = blocks->n_blocks;
    in.n_padded = layout->n_padded;
    in.n_own = layout->n / blocks->n_blocks > MANY ? 1 : GROUPS;
    return in;
}

static block_sums list_of(uint32_t n, const pci_gpu_block_sum *sums, bool from_is_wide)
{
    block_sums list = {};
    for (uint32_t s = 0; s < n; s++) {
        for (int d = 0; d < (from_is_wide ? 2 : 1); d++)
            list.sum[s].from[d] = sums[s].from[d];
        list.sum[s].to = pci_sum_target_of(sums[s].modulus, sums[s].to);
    }
    return list;
}

extern "C" cudaError_t pci_gpu_sum_rows(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                                        bool from_is_wide, uint32_t n_sums,
                                        const pci_gpu_block_sum *sums, cudaStream_t stream)
{
    blocks_input in = input_of(blocks, layout);
    uint32_t n_rows = pci_gpu_layout_of(blocks->n_blocks).n_padded;
    for (uint32_t first = 0; first < n_sums; first += MOST_SUMS) {
        uint32_t n = std::min<uint32_t>(n_sums - first, MOST_SUMS);
        block_sums list = list_of(n, sums + first, from_is_wide);
        dim3 grid(layout->n_padded / PCI_TILE, n_rows / in.n_own, n);
        if (from_is_wide)
            sum_rows<2><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, list);
        else
            sum_rows<1><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, list);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

extern "C" cudaError_t pci_gpu_sum_columns(const pci_gpu_blocks *blocks,
                                           const pci_gpu_layout *layout, uint32_t n_sums,
                                           const pci_gpu_block_sum *sums, cudaStream_t stream)
{
    blocks_input in = input_of(blocks, layout);
    uint32_t n_tiles = layout->n_padded / PCI_TILE;
    for (uint32_t first = 0; first < n_sums; first += MOST_SUMS) {
        uint32_t n = std::min<uint32_t>(n_sums - first, MOST_SUMS);
        block_sums list = list_of(n, sums + first, false);
        sum_columns<<<dim3(n_tiles, n_tiles, n), PCI_BLOCK_THREADS, 0, stream>>>(in, list);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}
