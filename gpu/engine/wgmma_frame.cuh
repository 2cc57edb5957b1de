/* What the kernels on wgmma have in common: rings of stages in shared memory, the way through the work list, and
 * the maps by which TMA loads operands. They are for compute capability 9.0 alone. */
#ifndef PCI_GPU_WGMMA_FRAME_CUH
#define PCI_GPU_WGMMA_FRAME_CUH

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

/* Maps of the rows of all planes of the arena, in the orders that the fragments need (wgmma_store.cuh). A box lies in shared memory with dimension 1 fastest, then 2, and so on.
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

} // namespace

#endif
