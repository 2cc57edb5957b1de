/* S P and S P^T for the S of a partition: sums over blocks of vertices. A reduced product is cheap
 * because the sums come before the multiplications ("Reduced Matrix Multiplication using CUDA",
 * 4.3.2: p multiplications in place of 4 p for pairs).
 *
 * Where vertices lie in the order of their blocks, a tile of P is read once and gives rows of S P
 * and of S P^T. Of a symmetric P only the tiles on and above the diagonal are read. In all other
 * cases rows are summed, and a directed plane is transposed first. The sums are bound by memory
 * (2.5 TB/s on an H100). With pairs, nine planes of 8192 vertices take 0.33 of the time of the
 * whole product, of which the multiplications are 0.26. The reduced product is faster from 2048
 * vertices on. */
#include "gpu/engine/sums.cuh"

#include <algorithm>

enum {
    LANES = PCI_TILE / PCI_COLUMNS,     /* neighbouring threads of a group */
    GROUPS = PCI_BLOCK_THREADS / LANES, /* of a thread block */
    MANY = 32,                          /* a block with more vertices is summed by all groups */
    HALF_THREADS = PCI_BLOCK_THREADS / 2,
    BATCH = 4,     /* rows that a thread loads at once */
    MOST_SUMS = 48 /* of a launch: their list is a parameter */
};

typedef struct blocks_input {
    const uint64_t *start;
    const uint32_t *vertex, *first_block;
    uint32_t n_blocks, n_padded;
    uint32_t n_own; /* blocks that a thread block sums: 1, or one for each group */
} blocks_input;

typedef struct block_sums {
    struct {
        const int8_t *from[2]; /* wide: high and low digits; else one plane */
        pci_sum_target to;
    } sum[MOST_SUMS];
} block_sums;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A group of eight neighbouring threads sums 128 columns. A block of few vertices is summed by one
 * group. A block of many vertices is summed by all groups of a thread block, each of them every
 * 32nd row, and the sums of the groups are added in shared memory. */

/* Adds rows vertex[first], vertex[first + stride], ... from column c on. Loads of several rows are
 * in flight at once. */
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

/* Adds the sums of all groups to those of group 0: half of the groups to the other half, again and
 * again. Shared memory has sum k of all threads one after the other. */
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

/* The x index of a block counts slabs of columns, so that whole rows are read at about the same
 * time. Rows of the result between the last block and the end of a tile become zero. */
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

/* ---- Both sides of tiles: vertices lie in the order of their blocks -------------------------- */

/* Computes S P and S P^T in one pass over P. A thread block has a tile of 128 x 128. It sums the
 * blocks that begin in the rows of the tile, then those that begin in its columns. Each warp has
 * some of these blocks, and a thread has four entries of a sum. Only the last of the blocks can
 * continue beyond the tile: its warp adds the tiles that follow.
 *
 * If P is symmetric, only the tiles on and above the diagonal are read. What a tile below the
 * diagonal would add to the rows of its blocks, its mirror image adds to the columns. */
enum {
    WARPS = PCI_BLOCK_THREADS / 32,
    TILE_QUADS = PCI_TILE / PCI_COLUMNS, /* of a row */
    THREAD_QUADS = PCI_TILE * TILE_QUADS / PCI_BLOCK_THREADS,
    TILE_WORDS = PCI_TILE / PCI_ENTRIES /* of a row: as many as threads of a warp */
};

/* Each row has one word of padding, and each 32 rows have another one. So a warp that reads a row,
 * or a word of every fourth row, has no bank conflicts. */
typedef struct sums_tile {
    uint32_t word[PCI_TILE * (TILE_WORDS + 1) + PCI_TILE / 32];
} sums_tile;

static __device__ __forceinline__ int word_at(int row, int word)
{
    return row * (TILE_WORDS + 1) + row / 32 + word;
}

static __device__ __forceinline__ void read_tile(const int8_t *from, uint32_t n_padded,
                                                 sums_tile *tile)
{
    uint4 quad[THREAD_QUADS];
    int row = threadIdx.x / TILE_QUADS, at = threadIdx.x % TILE_QUADS;
#pragma unroll
    for (int s = 0; s < THREAD_QUADS; s++)
        quad[s] = *(const uint4 *)(from + (s * GROUPS + row) * (size_t)n_padded + PCI_COLUMNS * at);
#pragma unroll
    for (int s = 0; s < THREAD_QUADS; s++) {
        uint32_t *to = tile->word + word_at(s * GROUPS + row, 4 * at);
        to[0] = quad[s].x;
        to[1] = quad[s].y;
        to[2] = quad[s].z;
        to[3] = quad[s].w;
    }
}

/* Adds rows v .. end - 1 of the tile in four columns, two rows at a time: their bytes are
 * interleaved, and one dp4a adds two of them. */
static __device__ __forceinline__ void add_tile_rows(const sums_tile &tile, int v, int end,
                                                     int32_t sum[PCI_ENTRIES])
{
    int lane = threadIdx.x % 32;
#pragma unroll 1
    for (; v + 1 < end; v += 2) {
        uint32_t a = tile.word[word_at(v, lane)], b = tile.word[word_at(v + 1, lane)];
        int low = (int)__byte_perm(a, b, 0x5140), high = (int)__byte_perm(a, b, 0x7362);
        sum[0] = __dp4a(low, 0x00000101, sum[0]);
        sum[1] = __dp4a(low, 0x01010000, sum[1]);
        sum[2] = __dp4a(high, 0x00000101, sum[2]);
        sum[3] = __dp4a(high, 0x01010000, sum[3]);
    }
    if (v < end)
        pci_add_word(tile.word[word_at(v, lane)], 1, sum);
}

/* Adds columns v .. end - 1 of the tile in four rows. */
static __device__ __forceinline__ void add_tile_columns(const sums_tile &tile, int v, int end,
                                                        int32_t sum[PCI_ENTRIES])
{
    const uint32_t *row = tile.word + word_at(PCI_ENTRIES * (threadIdx.x % 32), 0);
#pragma unroll 1
    for (int c = v - v % PCI_ENTRIES; c < end; c += PCI_ENTRIES) {
        uint32_t weights = 0x01010101u << 8 * max(v - c, 0);
        weights &= 0x01010101u >> 8 * max(c + PCI_ENTRIES - end, 0);
#pragma unroll
        for (int k = 0; k < PCI_ENTRIES; k++)
            sum[k] = __dp4a((int)row[k * (TILE_WORDS + 1) + c / PCI_ENTRIES], (int)weights, sum[k]);
    }
}

template <bool COLUMNS>
static __device__ __forceinline__ void add_lines(const sums_tile &tile, int v, int end,
                                                 int32_t sum[PCI_ENTRIES])
{
    if (COLUMNS)
        add_tile_columns(tile, v, end, sum);
    else
        add_tile_rows(tile, v, end, sum);
}

static __device__ __forceinline__ void store_sum(const int32_t sum[PCI_ENTRIES],
                                                 const pci_reduction &reduction, int8_t *to)
{
    *(uint32_t *)to = pci_reduce4(sum[0], sum[1], sum[2], sum[3], reduction);
}

/* The blocks of a warp, among those that begin in the rows, or columns, of tile t. Vertices are
 * counted from the begin of the tile. */
typedef struct own_blocks {
    uint32_t first, n; /* 32 at most: 128 that begin there, and then rows that become zero */
    int begin;         /* of the first one */
    int end_of_lane;   /* of the one that has the number of the thread */
    int last_end;      /* of all warps' blocks */
} own_blocks;

static __device__ __forceinline__ own_blocks own_blocks_of(const blocks_input &in, uint32_t t)
{
    uint32_t first = in.first_block[t], end = in.first_block[t + 1];
    uint32_t n = (end - first + WARPS - 1) / WARPS, origin = t * PCI_TILE;
    own_blocks own;
    own.first = first + threadIdx.x / 32 * n;
    own.n = own.first < end ? min(n, end - own.first) : 0;
    own.begin = own.n ? (int)((uint32_t)in.start[min(own.first, in.n_blocks)] - origin) : 0;
    own.end_of_lane =
        (int)((uint32_t)in.start[min(own.first + threadIdx.x % 32 + 1, in.n_blocks)] - origin);
    own.last_end = first < end ? (int)((uint32_t)in.start[min(end, in.n_blocks)] - origin) : 0;
    return own;
}

/* Sums the warp's blocks of rows, or columns, of the tile in shared memory, which comes from
 * `from`. `to` has the entries of the first block. Returns whether that tile is still in shared
 * memory. */
template <bool COLUMNS>
static __device__ __forceinline__ bool sum_side(const own_blocks &own, const int8_t *from,
                                                uint32_t n_padded, int8_t *to,
                                                const pci_reduction &reduction, sums_tile *tile)
{
    int32_t sum[PCI_ENTRIES];
    int v = own.begin;
    to += own.first * (size_t)n_padded + PCI_ENTRIES * (threadIdx.x % 32);
    for (uint32_t i = 0; i < own.n; i++) {
        int end = __shfl_sync(~0u, own.end_of_lane, i);
        for (int k = 0; k < PCI_ENTRIES; k++)
            sum[k] = 0;
        add_lines<COLUMNS>(*tile, v, min(end, (int)PCI_TILE), sum);
        v = end;
        if (v > PCI_TILE)
            break;
        store_sum(sum, reduction, to);
        to += n_padded;
    }
    for (int done = PCI_TILE; done < own.last_end; done += PCI_TILE) {
        from += COLUMNS ? PCI_TILE : PCI_TILE * (size_t)n_padded;
        __syncthreads(); /* all is read */
        read_tile(from, n_padded, tile);
        __syncthreads();
        if (v > PCI_TILE)
            add_lines<COLUMNS>(*tile, 0, min(own.last_end - done, (int)PCI_TILE), sum);
    }
    if (v > PCI_TILE)
        store_sum(sum, reduction, to);
    return own.last_end <= PCI_TILE;
}

typedef struct side_sums {
    struct {
        const int8_t *from;
        int8_t *rows, *columns; /* rows may be NULL; the same as columns: P is symmetric */
        pci_reduction reduction;
    } sum[MOST_SUMS];
} side_sums;

/* The tile of a thread block, of n_tiles^2 tiles. When `symmetric`, of the n_tiles (n_tiles + 1) /
 * 2 on and above the diagonal: row y of the grid has row y of the tiles, then a row of the lower
 * half, backwards. */
static __device__ __forceinline__ uint2 tile_of_block(uint32_t n_tiles, bool symmetric)
{
    uint32_t x = blockIdx.x, y = blockIdx.y, even = gridDim.x - n_tiles;
    if (!symmetric)
        return make_uint2(x, y);
    return x >= y + even ? make_uint2(x - even, y)
                         : make_uint2(n_tiles - 1 - x, n_tiles - y - even);
}

/* Every multiprocessor has threads for four of these blocks. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS, 4) void sum_sides(blocks_input in,
                                                                         side_sums sums)
{
    __shared__ sums_tile tile;
    const auto &sum = sums.sum[blockIdx.z];
    bool symmetric = sum.rows == sum.columns, has_tile = true;
    uint2 at = tile_of_block(in.n_padded / PCI_TILE, symmetric);
    size_t row = (size_t)PCI_TILE * at.y, column = (size_t)PCI_TILE * at.x;
    const int8_t *from = sum.from + row * in.n_padded + column;
    own_blocks of_rows = own_blocks_of(in, at.y), of_columns = own_blocks_of(in, at.x);
    read_tile(from, in.n_padded, &tile);
    __syncthreads();
    if (sum.rows)
        has_tile =
            sum_side<false>(of_rows, from, in.n_padded, sum.rows + column, sum.reduction, &tile);
    if (symmetric && at.x == at.y)
        return;
    if (!has_tile) {
        __syncthreads(); /* all is read */
        read_tile(from, in.n_padded, &tile);
        __syncthreads();
    }
    sum_side<true>(of_columns, from, in.n_padded, sum.columns + row, sum.reduction, &tile);
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

/* rows: NULL, or a list for the same planes. */
static cudaError_t sum_tiles(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                             uint32_t n_sums, const pci_gpu_block_sum *rows,
                             const pci_gpu_block_sum *columns, cudaStream_t stream)
{
    blocks_input in = input_of(blocks, layout);
    uint32_t n_tiles = layout->n_padded / PCI_TILE;
    bool symmetric = rows == columns;
    for (uint32_t first = 0; first < n_sums; first += MOST_SUMS) {
        uint32_t n = std::min<uint32_t>(n_sums - first, MOST_SUMS);
        dim3 grid(symmetric ? n_tiles | 1 : n_tiles, symmetric ? (n_tiles + 1) / 2 : n_tiles, n);
        side_sums list = {};
        for (uint32_t s = first; s < first + n; s++)
            list.sum[s - first] = {columns[s].from[0], rows ? rows[s].to[0] : NULL,
                                   columns[s].to[0], columns[s].modulus.reduction};
        sum_sides<<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, list);
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
    return sum_tiles(blocks, layout, n_sums, NULL, sums, stream);
}

/* Where rows are summed alone, more threads share a block of many vertices. */
extern "C" cudaError_t pci_gpu_sum_both(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                                        uint32_t n_sums, const pci_gpu_block_sum *rows,
                                        const pci_gpu_block_sum *columns, cudaStream_t stream)
{
    if (layout->n / blocks->n_blocks <= MANY)
        return sum_tiles(blocks, layout, n_sums, rows, columns, stream);
    cudaError_t error = pci_gpu_sum_rows(blocks, layout, false, n_sums, rows, stream);
    return error == cudaSuccess && rows != columns
               ? pci_gpu_sum_columns(blocks, layout, n_sums, columns, stream)
               : error;
}
