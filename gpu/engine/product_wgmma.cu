/* The product on Hopper: TMA loads operands, wgmma multiplies, and results are stored reduced.
 *
 * A block has three warpgroups. One thread of the first fills a ring of stages, 128 bytes of k
 * deep, for one tile after the other. The other two warpgroups multiply 64 rows each. While results
 * are stored, the ring is filled for the next tile. Blocks are persistent: they work through the
 * whole list. Two blocks can form a cluster: their tiles lie one below the other, so they share the
 * right operand, and each loads half of it for both.
 *
 * Clusters are used for symmetric planes from n = 8065 on. While a block stores a tile, the
 * operands of the next tile arrive, but nothing is multiplied. */
#include "gpu/engine/ptx.cuh"
#include "gpu/engine/store.cuh"

#include <cudaTypedefs.h>

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "this file is for sm_90a only"
#endif

namespace
{

enum {
    WARPGROUP = 128,
    N_CONSUMERS = 2, /* warpgroups, each with 64 rows of the tile */
    THREADS = (1 + N_CONSUMERS) * WARPGROUP,
    CONSUMER_ROWS = 64,
    COLUMNS = 256, /* of a full tile */
    NARROW_COLUMNS = 128,
    SLICE = 128,  /* bytes of k in a stage */
    K_STEP = 32,  /* of them in one wgmma */
    N_STAGES = 4, /* as many as fit beside the mirror */
    /* The 168 registers of each thread at the launch, 64,512 in all, are distributed anew. */
    PRODUCER_REGISTERS = 40,
    CONSUMER_REGISTERS = 232
};

struct arguments {
    CUtensorMap left, right; /* the arena, in two orders of rows */
    pci_product product;
};

/* ---- Shared memory -------------------------------------------------------------------------- */

/* Swizzling works on 1024 bytes, eight rows of a slice. */
struct alignas(1024) stage {
    int8_t left[PCI_TILE * SLICE];
    int8_t right[COLUMNS / PCI_TILE][PCI_TILE * SLICE]; /* one copy each; narrow: the first only */
};

struct shared_memory {
    stage stages[N_STAGES];
    int8_t mirror[N_CONSUMERS][COLUMNS * CONSUMER_ROWS]; /* a consumer's results, transposed */
    uint64_t full[N_STAGES];                             /* barriers: the stage's bytes have come */
    uint64_t empty[N_STAGES]; /* ... all consumers that read them are done with them */
};

enum { SHARED_BYTES = sizeof(shared_memory) + alignof(shared_memory) };
static_assert(SHARED_BYTES <= 227 * 1024, "the most for a block of compute capability 9.0");

__device__ __forceinline__ shared_memory &shared()
{
    extern __shared__ uint8_t bytes[];
    uintptr_t address = (uintptr_t)bytes + alignof(shared_memory) - 1;
    return *(shared_memory *)(address & ~(uintptr_t)(alignof(shared_memory) - 1));
}

/* ---- The pipeline --------------------------------------------------------------------------- */

/* The position of a warpgroup in the ring. The phase of the barriers of a stage changes with each
 * round. Consumers wait until phase `phase` of full is over. The producer waits until the previous
 * phase of empty is over, which it counts as in the first round. */
struct place {
    uint32_t stage = 0, phase = 0;

    __device__ __forceinline__ void advance()
    {
        if (++stage == N_STAGES) {
            stage = 0;
            phase ^= 1;
        }
    }

    __device__ __forceinline__ void wait_until_empty() const
    {
        pci_barrier_wait(pci_shared_address(&shared().empty[stage]), phase ^ 1);
    }

    __device__ __forceinline__ void wait_until_full() const
    {
        pci_barrier_wait(pci_shared_address(&shared().full[stage]), phase);
    }
};

template <int CLUSTER> __device__ __forceinline__ void pipeline_init()
{
    if (threadIdx.x == 0) {
        for (uint32_t s = 0; s < N_STAGES; s++) {
            pci_barrier_init(pci_shared_address(&shared().full[s]), 1);
            /* Both blocks of a cluster fill a stage, so both must know that it is empty. */
            pci_barrier_init(pci_shared_address(&shared().empty[s]), CLUSTER * N_CONSUMERS);
        }
        pci_barrier_init_fence();
    }
    __syncthreads();
    if (CLUSTER > 1)
        pci_cluster_sync();
}

/* A consumer is done with a stage: one thread arrives at the barrier of each block of the
 * cluster. */
template <int CLUSTER> __device__ __forceinline__ void release(uint32_t stage)
{
    const uint32_t barrier = pci_shared_address(&shared().empty[stage]);
    const uint32_t thread = threadIdx.x % WARPGROUP;
    if (CLUSTER == 1 && thread == 0)
        pci_barrier_arrive(barrier);
    if (CLUSTER > 1 && thread < CLUSTER)
        pci_barrier_arrive_at(barrier, thread);
}

/* ---- The work list -------------------------------------------------------------------------- */

/* The position of a block in the list. The next entry is read while the current tile is
 * processed. */
template <int CLUSTER> struct walk {
    const pci_product &product;
    uint32_t index, ahead; /* the index of the next entry, and the entry */

    __device__ __forceinline__ explicit walk(const pci_product &of)
        : product(of), index(blockIdx.x / CLUSTER)
    {
        read();
    }

    __device__ __forceinline__ void read()
    {
        ahead = index < product.n_entries ? __ldg(product.tiles + index) : PCI_TILE_IDLE;
    }

    /* The next tile of this block; false at the end of the list. */
    __device__ __forceinline__ bool next(pci_tile &tile)
    {
        while (index < product.n_entries) {
            const uint32_t entry = ahead;
            index += gridDim.x / CLUSTER;
            read();
            if (entry != PCI_TILE_IDLE) {
                tile = pci_tile_unpack(entry);
                tile.row += CLUSTER > 1 ? pci_cluster_rank() : 0;
                return true;
            }
        }
        return false;
    }
};

/* ---- The producer --------------------------------------------------------------------------- */

/* Starts the copies of one slice. left_row and right_row are rows of the arena, which the maps
 * count in blocks of 16 and of 64 (make_maps). */
template <int CLUSTER>
__device__ __forceinline__ void fill(const arguments &args, uint32_t s, uint32_t k,
                                     uint32_t left_row, uint32_t right_row, bool narrow)
{
    const uint32_t full = pci_shared_address(&shared().full[s]);
    const uint32_t left = pci_shared_address(shared().stages[s].left);
    const uint32_t right = pci_shared_address(shared().stages[s].right[0]);
    const uint32_t part_bytes = sizeof shared().stages[s].right[0];

    pci_barrier_expect(full, sizeof shared().stages[s].left + (narrow ? 1 : 2) * part_bytes);
    pci_tma_copy_4d(left, &args.left, full, k, left_row / 16);
    if (CLUSTER == 1) {
        pci_tma_copy_5d(right, &args.right, full, k, right_row / 64);
        if (!narrow)
            pci_tma_copy_5d(right + part_bytes, &args.right, full, k, right_row / 64 + 2);
    } else {
        const uint32_t part = pci_cluster_rank();
        if (!narrow || part == 0)
            pci_tma_copy_5d_to_both(right + part * part_bytes, &args.right, full, k,
                                    right_row / 64 + 2 * part);
    }
}

/* One thread loads all slices of all tiles of this block. */
template <int CLUSTER> __device__ __forceinline__ void produce(const arguments &args)
{
    const pci_product &product = args.product;
    const uint32_t n_padded = product.layout.n_padded;
    walk<CLUSTER> list(product);
    pci_tile tile;
    place at;

    while (list.next(tile)) {
        const pci_product_job &job = product.job[tile.job];
        /* A second block below the last row multiplies that row again. */
        const uint32_t row = min(tile.row * PCI_TILE, n_padded - PCI_TILE);
        const uint32_t left_row = job.left * n_padded + row;
        const uint32_t right_row = job.right * n_padded + tile.column * PCI_TILE;

        for (uint32_t k = 0; k < n_padded; k += SLICE) {
            at.wait_until_empty();
            fill<CLUSTER>(args, at.stage, k, left_row, right_row, tile.narrow);
            at.advance();
        }
    }
}

/* ---- Consumers: multiply -------------------------------------------------------------------- */

/* Computes the rows of this warpgroup of a tile, N_COLUMNS wide. The products of a slice are
 * started before those of the previous slice are waited for. Only then is the previous stage
 * released. */
template <int CLUSTER, int N_COLUMNS>
__device__ __forceinline__ void multiply(int32_t (&acc)[128], uint32_t consumer, uint32_t n_slices,
                                         place &at)
{
    uint32_t previous = 0;
    for (uint32_t slice = 0; slice < n_slices; slice++) {
        at.wait_until_full();
        const stage &stage = shared().stages[at.stage];
        const uint64_t left =
            pci_wgmma_operand(pci_shared_address(stage.left) + consumer * CONSUMER_ROWS * SLICE);
        const uint64_t right = pci_wgmma_operand(pci_shared_address(stage.right[0]));
        pci_wgmma_fence();
#pragma unroll
        for (uint32_t step = 0; step < SLICE / K_STEP; step++)
            pci_wgmma<N_COLUMNS>(acc, left + step * K_STEP / 16, right + step * K_STEP / 16,
                                 (slice | step) != 0);
        pci_wgmma_commit();
        pci_wgmma_wait<1>();
        if (slice > 0)
            release<CLUSTER>(previous);
        previous = at.stage;
        at.advance();
    }
    pci_wgmma_wait<0>();
    release<CLUSTER>(previous);
}

/* ---- Consumers: which results a thread has -------------------------------------------------- */

/* wgmma gives lane 4 i + c of warp w the rows 16 w + i + 8 h and columns 8 J + 2 c + e, h and e 0
 * or 1: scattered pairs of results. But the rows of an operand can lie in the stage in any order.
 * make_maps orders them so that these are rows 16 w + 2 i + h of the left operand, and columns 64 g
 * + 16 c + 2 j + e with J = 8 g + j. So a thread has two adjacent rows, and in each group g of 64
 * columns 16 adjacent bytes. */
enum { GROUP = 64, N_GROUPS = COLUMNS / GROUP, RUN = 16 };

__device__ __forceinline__ uint32_t warp_of_group()
{
    return threadIdx.x % WARPGROUP / 32;
}

__device__ __forceinline__ uint32_t own_row() /* of the warpgroup's 64: the upper one */
{
    return warp_of_group() * 16 + threadIdx.x % 32 / 4 * 2;
}

__device__ __forceinline__ uint32_t own_column() /* of a group's 64: the first one */
{
    return threadIdx.x % 4 * RUN;
}

/* The index of the accumulator of row own_row() + h, column GROUP g + own_column() + x. */
__device__ __forceinline__ constexpr int own_index(int g, int h, int x)
{
    return 32 * g + 4 * (x / 2) + 2 * h + x % 2;
}

/* ---- Consumers: store ----------------------------------------------------------------------- */

/* The 64 rows of a tile that a warpgroup stores. */
struct part {
    uint32_t row, column; /* of the matrix, the first ones */
    uint32_t n_groups;    /* of 64 columns */
    uint32_t consumer;
    bool mirror;
};

/* The 16 residues of the thread in group g and row h, as they are stored. */
__device__ __forceinline__ void reduce_run(const int32_t (&acc)[128], int g, int h,
                                           const pci_reduction &reduction, uint32_t (&word)[4])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        word[q] = pci_reduce4(acc[own_index(g, h, 4 * q)], acc[own_index(g, h, 4 * q + 1)],
                              acc[own_index(g, h, 4 * q + 2)], acc[own_index(g, h, 4 * q + 3)],
                              reduction);
}

/* The mirror in shared memory has a line of 64 bytes for each column of the part; byte r of it is
 * row r of the part. Its four chunks of 16, one from each warp, are swizzled by c, so that the
 * lines that one stmatrix writes, 16 c + constant, are in different banks. */
__device__ __forceinline__ uint32_t mirror_place(uint32_t line, uint32_t chunk)
{
    return line * CONSUMER_ROWS + 16 * (chunk ^ (line / RUN & 3));
}

/* Writes group g to the mirror. The results of rows h = 0 and 1 of one column are one 16-bit
 * element, and the elements of eight lanes are a chunk. stmatrix transposes 8 x 8 elements, here of
 * columns 16 c + 2 j + e for one j; four j at a time. */
__device__ __forceinline__ void mirror_group(uint32_t mirror, int g, const uint32_t (&upper)[4],
                                             const uint32_t (&lower)[4])
{
    /* Lane l gives the address of line l % 8 of matrix l / 8. */
    const uint32_t lane = threadIdx.x % 32, c = lane % 8 / 2, e = lane % 2;
#pragma unroll
    for (int q = 0; q < 4; q += 2) {
        const uint32_t j = 2 * q + lane / 8;
        const uint32_t line = GROUP * g + RUN * c + 2 * j + e;
        const uint32_t elements[4] = {__byte_perm(upper[q], lower[q], 0x5140),
                                      __byte_perm(upper[q], lower[q], 0x7362),
                                      __byte_perm(upper[q + 1], lower[q + 1], 0x5140),
                                      __byte_perm(upper[q + 1], lower[q + 1], 0x7362)};
        pci_store_matrices_transposed(mirror + mirror_place(line, warp_of_group()), elements);
    }
}

/* Copies the mirror to the plane, four threads a line. */
__device__ __forceinline__ void store_mirror(const part &part, uint32_t mirror, int8_t *plane,
                                             size_t pitch)
{
    const uint32_t thread = threadIdx.x % WARPGROUP, chunk = thread % 4;
    int8_t *to = plane + part.column * pitch + part.row + 16 * chunk;
#pragma unroll 4
    for (uint32_t line = thread / 4; line < part.n_groups * GROUP; line += WARPGROUP / 4)
        *(uint4 *)(to + line * pitch) = pci_load_shared(mirror + mirror_place(line, chunk));
}

/* Stores the residues of the part for one output, and their mirror image. */
__device__ __forceinline__ void store_residues(const pci_product &product,
                                               const pci_product_output &output, const part &part,
                                               const int32_t (&acc)[128])
{
    const pci_reduction reduction = output.reduction;
    const size_t pitch = product.layout.n_padded;
    const uint32_t mirror = pci_shared_address(shared().mirror[part.consumer]);
    int8_t *plane = output.plane;
    int8_t *to = plane + (part.row + own_row()) * pitch + part.column + own_column();

    if (part.mirror)
        pci_warpgroup_sync(1 + part.consumer); /* the mirror of the last output has been read */
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++) {
        if (g >= part.n_groups)
            break;
        uint32_t upper[4], lower[4];
        reduce_run(acc, g, 0, reduction, upper);
        reduce_run(acc, g, 1, reduction, lower);
        pci_store_words(to + GROUP * g, upper);
        pci_store_words(to + pitch + GROUP * g, lower);
        if (part.mirror)
            mirror_group(mirror, g, upper, lower);
    }
    if (part.mirror) {
        pci_warpgroup_sync(1 + part.consumer);
        store_mirror(part, mirror, plane, pitch);
    }
}

/* Stores the accumulators themselves. This is rare, so sectors may be written in parts. */
__device__ __forceinline__ void store_raw(const pci_product &product, uint32_t job,
                                          const part &part, const int32_t (&acc)[128])
{
    const size_t pitch = product.layout.n_padded;
    const uint32_t row = part.row + own_row(), column = part.column + own_column();
    int32_t *raw = pci_raw(product, job);
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++) {
        if (g >= part.n_groups)
            break;
#pragma unroll
        for (int x = 0; x < RUN; x += 4) {
#pragma unroll
            for (int h = 0; h < 2; h++)
                *(int4 *)(raw + (row + h) * pitch + column + GROUP * g + x) =
                    make_int4(acc[own_index(g, h, x)], acc[own_index(g, h, x + 1)],
                              acc[own_index(g, h, x + 2)], acc[own_index(g, h, x + 3)]);
        }
        if (!part.mirror)
            continue;
#pragma unroll
        for (int x = 0; x < RUN; x++)
            *(int2 *)(raw + (column + GROUP * g + x) * pitch + row) =
                make_int2(acc[own_index(g, 0, x)], acc[own_index(g, 1, x)]);
    }
}

template <bool RAW>
__device__ __forceinline__ void store(const pci_product &product, const pci_tile &tile,
                                      uint32_t consumer, const int32_t (&acc)[128])
{
    const uint32_t n_columns = tile.narrow ? NARROW_COLUMNS : COLUMNS;
    const part part = {tile.row * PCI_TILE + consumer * CONSUMER_ROWS, tile.column * PCI_TILE,
                       n_columns / GROUP, consumer, tile.mirror};

    if (tile.row >= product.shape.first_row_tile + product.shape.n_row_tiles)
        return; /* the second block of a cluster, below the last row */
    if constexpr (RAW) {
        store_raw(product, tile.job, part, acc);
    } else {
        const pci_product_job &job = product.job[tile.job];
#pragma unroll 1
        for (uint32_t o = 0; o < job.n_outputs; o++)
            store_residues(product, product.output[job.first_output + o], part, acc);
    }
}

/* ---- The kernel ----------------------------------------------------------------------------- */

template <int CLUSTER, bool RAW>
__device__ __forceinline__ void consume(const arguments &args, uint32_t consumer)
{
    const pci_product &product = args.product;
    const uint32_t n_slices = product.layout.n_padded / SLICE;
    walk<CLUSTER> list(product);
    pci_tile tile;
    place at;
    int32_t acc[128];

    while (list.next(tile)) {
        if (tile.narrow)
            multiply<CLUSTER, NARROW_COLUMNS>(acc, consumer, n_slices, at);
        else
            multiply<CLUSTER, COLUMNS>(acc, consumer, n_slices, at);
        store<RAW>(product, tile, consumer, acc);
    }
}

template <int CLUSTER, bool RAW>
__global__ void __launch_bounds__(THREADS, 1) wgmma_kernel(const __grid_constant__ arguments args)
{
    const uint32_t warpgroup = threadIdx.x / WARPGROUP;

    pipeline_init<CLUSTER>();
    if (warpgroup == 0) {
        pci_registers_give<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0)
            produce<CLUSTER>(args);
    } else {
        pci_registers_take<CONSUMER_REGISTERS>();
        consume<CLUSTER, RAW>(args, warpgroup - 1);
    }
    if (CLUSTER > 1)
        pci_cluster_sync(); /* the other block may still signal to barriers of this one */
}

/* ---- The host's side ------------------------------------------------------------------------ */

using encode_fn = PFN_cuTensorMapEncodeTiled_v12000;

/* A function of the driver, which is looked up at run time: nothing here is linked with the
 * driver. */
cudaError_t find_encode(encode_fn *encode)
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                         cudaEnableDefault, &result);
    if (error == cudaSuccess && (result != cudaDriverEntryPointSuccess || function == nullptr))
        error = cudaErrorSymbolNotFound;
    *encode = (encode_fn)function;
    return error;
}

/* A tensor of bytes; dimension 0 runs along memory, stride[i] is that of dimension i + 1. */
cudaError_t encode_map(encode_fn encode, CUtensorMap *map, int8_t *base, cuuint32_t rank,
                       const cuuint64_t *extent, const cuuint64_t *stride, const cuuint32_t *box)
{
    const cuuint32_t every[5] = {1, 1, 1, 1, 1};
    CUresult result = encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT8, rank, base, extent, stride, box,
                             every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

/* Maps of the rows of all planes of the arena, in the orders that the fragments need (own_row,
 * own_column). A box lies in shared memory with dimension 1 fastest, then 2, and so on.
 *
 * Left, in blocks of 16 rows: the eight even rows, then the eight odd ones. Dimensions: byte k; i,
 * every second row; h, even or odd; block.
 *
 * Right, in blocks of 64 rows: pairs of rows that lie 16 rows apart are consecutive. Dimensions:
 * byte k; e, in the pair; c, every 16th row; j, every second row; block. */
cudaError_t make_maps(const pci_product &product, arguments *args)
{
    const cuuint64_t n = product.layout.n_padded, rows = product.n_planes * n;
    const cuuint64_t left_extent[4] = {n, 8, 2, rows / 16}, left_stride[3] = {2 * n, n, 16 * n};
    const cuuint32_t left_box[4] = {SLICE, 8, 2, PCI_TILE / 16};
    const cuuint64_t right_extent[5] = {n, 2, 4, 8, rows / 64};
    const cuuint64_t right_stride[4] = {n, 16 * n, 2 * n, 64 * n};
    const cuuint32_t right_box[5] = {SLICE, 2, 4, 8, PCI_TILE / 64};

    encode_fn encode;
    cudaError_t error = find_encode(&encode);
    if (error == cudaSuccess)
        error =
            encode_map(encode, &args->left, product.arena, 4, left_extent, left_stride, left_box);
    if (error == cudaSuccess)
        error = encode_map(encode, &args->right, product.arena, 5, right_extent, right_stride,
                           right_box);
    return error;
}

template <int CLUSTER, bool RAW> cudaError_t launch(const arguments &args, cudaStream_t stream)
{
    auto kernel = wgmma_kernel<CLUSTER, RAW>;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    if (error != cudaSuccess)
        return error;

    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = CLUSTER;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(args.product.shape.n_blocks * CLUSTER);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = CLUSTER > 1 ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, args);
}

} // namespace

extern "C" cudaError_t pci_product_wgmma(const pci_product *product, cudaStream_t stream)
{
    arguments args;
    args.product = *product;
    cudaError_t error = make_maps(*product, &args);
    if (error != cudaSuccess)
        return error;

    const bool raw = product->raw != nullptr;
    if (product->shape.cluster_size == 2)
        return raw ? launch<2, true>(args, stream) : launch<2, false>(args, stream);
    return raw ? launch<1, true>(args, stream) : launch<1, false>(args, stream);
}
