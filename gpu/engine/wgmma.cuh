/* The parts of the product on wgmma: rings of stages in shared memory, the way through the work list, the maps by
 * which TMA loads operands, and how a warpgroup stores 64 rows of results, reduced, upright or transposed or both.
 * They are for compute capability 9.0 alone. */
#ifndef PCI_GPU_WGMMA_CUH
#define PCI_GPU_WGMMA_CUH

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
    PART_ROWS = 64, /* of one wgmma */
    SLICE = 128     /* bytes of k in a stage that TMA fills */
};

struct arguments {
    CUtensorMap left, right; /* the arena, in two orders of rows */
    pci_product product;
};

/* The memory of a block, which begins with stages: swizzling works on 1024 bytes, eight rows of a slice. */
template <typename MEMORY> __device__ __forceinline__ MEMORY &aligned_shared()
{
    extern __shared__ uint8_t bytes[];
    uintptr_t address = (uintptr_t)bytes + alignof(MEMORY) - 1;
    return *(MEMORY *)(address & ~(uintptr_t)(alignof(MEMORY) - 1));
}

template <typename MEMORY> constexpr int shared_bytes()
{
    constexpr int bytes = sizeof(MEMORY) + alignof(MEMORY);
    static_assert(bytes <= 227 * 1024, "the most for a block of compute capability 9.0");
    return bytes;
}

/* The position of a warpgroup in a ring of N stages. The phase of the barriers of a stage changes with each
 * round. A reader waits until phase `phase` of full is over. A filler waits until the previous
 * phase of empty is over; in the first round the barrier counts it as over. */
template <int N> struct place {
    uint32_t stage = 0, phase = 0;

    __device__ __forceinline__ void advance()
    {
        if (++stage == N) {
            stage = 0;
            phase ^= 1;
        }
    }

    __device__ __forceinline__ void wait_until_empty(const uint64_t (&empty)[N]) const
    {
        pci_barrier_wait(pci_shared_address(&empty[stage]), phase ^ 1);
    }

    __device__ __forceinline__ void wait_until_full(const uint64_t (&full)[N]) const
    {
        pci_barrier_wait(pci_shared_address(&full[stage]), phase);
    }
};

/* Barriers of a ring, for one thread. */
template <int N>
__device__ __forceinline__ void ring_init(uint64_t (&full)[N], uint32_t n_fillers,
                                          uint64_t (&empty)[N], uint32_t n_readers)
{
    for (uint32_t s = 0; s < N; s++) {
        pci_barrier_init(pci_shared_address(&full[s]), n_fillers);
        pci_barrier_init(pci_shared_address(&empty[s]), n_readers);
    }
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

/* Maps of the rows of all planes of the arena, in the orders that the fragments need (own_row, own_column). A box lies in shared memory with dimension 1 fastest, then 2, and so on.
 *
 * Left, in blocks of 16 rows: the eight even rows, then the eight odd ones. Dimensions: byte k; i,
 * every second row; h, even or odd; block.
 *
 * Right, in blocks of 64 rows: pairs of rows that lie 16 rows apart are consecutive. Dimensions:
 * byte k; e, in the pair; c, every 16th row; j, every second row; block. */
cudaError_t make_arguments(const pci_product &product, arguments *args)
{
    const cuuint64_t n = product.layout.n_padded, rows = product.n_planes * n;
    const cuuint64_t left_extent[4] = {n, 8, 2, rows / 16}, left_stride[3] = {2 * n, n, 16 * n};
    const cuuint32_t left_box[4] = {SLICE, 8, 2, PCI_TILE / 16};
    const cuuint64_t right_extent[5] = {n, 2, 4, 8, rows / 64};
    const cuuint64_t right_stride[4] = {n, 16 * n, 2 * n, 64 * n};
    const cuuint32_t right_box[5] = {SLICE, 2, 4, 8, PCI_TILE / 64};

    args->product = product;
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

/* MEMORY: the shared memory of a block. */
template <typename MEMORY, typename KERNEL>
cudaError_t launch(KERNEL kernel, uint32_t n_threads, const pci_product &product,
                   cudaStream_t stream)
{
    const int bytes = shared_bytes<MEMORY>();
    const uint32_t cluster_size = product.shape.cluster_size;
    arguments args;
    cudaError_t error = make_arguments(product, &args);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error != cudaSuccess)
        return error;

    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = cluster_size;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(product.shape.n_blocks * cluster_size);
    config.blockDim = dim3(n_threads);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = cluster_size > 1 ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, args);
}

/* ---- Which results a thread has -------------------------------------------------------------- */

/* wgmma gives lane 4 i + c of warp w the rows 16 w + i + 8 h and columns 8 J + 2 c + e, h and e 0
 * or 1: scattered pairs of results. But the rows of an operand can lie in the stage in any order.
 * make_arguments orders them so that these are rows 16 w + 2 i + h of the left operand, and columns 64 g
 * + 16 c + 2 j + e with J = 8 g + j. So a thread has two adjacent rows, and in each group g of 64
 * columns 16 adjacent bytes. */
enum { GROUP = 64, RUN = 16 };

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

/* ---- Storing --------------------------------------------------------------------------------- */

/* 64 rows of results that a warpgroup stores. */
struct part {
    uint32_t row, column; /* of the matrix, the first ones */
    uint32_t n_groups;    /* of 64 columns */
    uint32_t barrier;     /* of the warpgroup */
    uint32_t transposed;  /* the address of PART_ROWS bytes of shared memory for each column */
    bool upright, mirror; /* stored as they are; and, or, transposed */
};

/* The 16 residues of the thread in group g and row h, as they are stored. */
template <int N>
__device__ __forceinline__ void reduce_run(const int32_t (&acc)[N], int g, int h,
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
    return line * PART_ROWS + 16 * (chunk ^ (line / RUN & 3));
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
__device__ __forceinline__ void store_mirror(const part &part, int8_t *plane, size_t pitch)
{
    const uint32_t thread = threadIdx.x % WARPGROUP, chunk = thread % 4;
    int8_t *to = plane + part.column * pitch + part.row + 16 * chunk;
#pragma unroll 4
    for (uint32_t line = thread / 4; line < part.n_groups * GROUP; line += WARPGROUP / 4)
        *(uint4 *)(to + line * pitch) =
            pci_load_shared(part.transposed + mirror_place(line, chunk));
}

/* Stores the residues of the part for one output, and their mirror image. */
template <int N>
__device__ __forceinline__ void store_residues(const pci_product &product,
                                               const pci_product_output &output, const part &part,
                                               const int32_t (&acc)[N])
{
    const pci_reduction reduction = output.reduction;
    const size_t pitch = product.layout.n_padded;
    int8_t *plane = output.plane;
    int8_t *to = plane + (part.row + own_row()) * pitch + part.column + own_column();

    if (part.mirror)
        pci_warpgroup_sync(part.barrier); /* the mirror of the last output has been read */
#pragma unroll
    for (int g = 0; g < N / 32; g++) {
        if (g >= part.n_groups)
            break;
        uint32_t upper[4], lower[4];
        reduce_run(acc, g, 0, reduction, upper);
        reduce_run(acc, g, 1, reduction, lower);
        if (part.upright) {
            pci_store_words(to + GROUP * g, upper);
            pci_store_words(to + pitch + GROUP * g, lower);
        }
        if (part.mirror)
            mirror_group(part.transposed, g, upper, lower);
    }
    if (part.mirror) {
        pci_warpgroup_sync(part.barrier);
        store_mirror(part, plane, pitch);
    }
}

/* Stores the accumulators themselves. This is rare, so sectors may be written in parts. */
template <int N>
__device__ __forceinline__ void store_raw(const pci_product &product, uint32_t job,
                                          const part &part, const int32_t (&acc)[N])
{
    const size_t pitch = product.layout.n_padded;
    const uint32_t row = part.row + own_row(), column = part.column + own_column();
    int32_t *raw = pci_raw(product, job);
#pragma unroll
    for (int g = 0; g < N / 32; g++) {
        if (g >= part.n_groups)
            break;
#pragma unroll
        for (int x = 0; x < RUN; x += 4) {
#pragma unroll
            for (int h = 0; part.upright && h < 2; h++)
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

/* Stores the results of the job as they are wanted: themselves, or the residues of each output. */
template <bool RAW, int N>
__device__ __forceinline__ void store_part(const pci_product &product, uint32_t job,
                                           const part &part, const int32_t (&acc)[N])
{
    if constexpr (RAW) {
        store_raw(product, job, part, acc);
    } else {
        const pci_product_job &of = product.job[job];
#pragma unroll 1
        for (uint32_t o = 0; o < of.n_outputs; o++)
            store_residues(product, product.output[of.first_output + o], part, acc);
    }
}

} // namespace

#endif
