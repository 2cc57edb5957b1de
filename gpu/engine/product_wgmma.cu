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
#include "gpu/engine/wgmma_frame.cuh"
#include "gpu/engine/wgmma_store.cuh"

namespace
{

enum {
    N_CONSUMERS = 2, /* warpgroups, each with 64 rows of the tile */
    THREADS = (1 + N_CONSUMERS) * WARPGROUP,
    COLUMNS = 256, /* of a full tile */
    NARROW_COLUMNS = 128,
    K_STEP = 32,  /* bytes of k in one wgmma */
    N_STAGES = 4, /* as many as fit beside the mirror */
    /* The 168 registers of each thread at the launch, 64,512 in all, are distributed anew. */
    PRODUCER_REGISTERS = 40,
    CONSUMER_REGISTERS = 232
};

/* ---- Shared memory -------------------------------------------------------------------------- */

struct alignas(1024) stage {
    int8_t left[PCI_TILE * SLICE];
    int8_t right[COLUMNS / PCI_TILE][PCI_TILE * SLICE]; /* one copy each; narrow: the first only */
};

struct shared_memory {
    stage stages[N_STAGES];
    int8_t mirror[N_CONSUMERS][COLUMNS * PART_ROWS]; /* a consumer's results, transposed */
    uint64_t full[N_STAGES];                         /* barriers: the stage's bytes have come */
    uint64_t empty[N_STAGES]; /* ... all consumers that read them are done with them */
};

__device__ __forceinline__ shared_memory &shared()
{
    return aligned_shared<shared_memory>();
}

/* ---- The pipeline --------------------------------------------------------------------------- */

template <int CLUSTER> __device__ __forceinline__ void pipeline_init()
{
    if (threadIdx.x == 0) {
        /* Both blocks of a cluster fill a stage, so both must know that it is empty. */
        ring_init(shared().full, 1, shared().empty, CLUSTER * N_CONSUMERS);
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

/* ---- The producer --------------------------------------------------------------------------- */

/* Starts the copies of one slice. left_row and right_row are rows of the arena, which the maps
 * count in blocks of 16 and of 64 (make_arguments). */
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
    place<N_STAGES> at;

    while (list.next(tile)) {
        const pci_product_job &job = product.job[tile.job];
        /* A second block below the last row multiplies that row again. */
        const uint32_t row = min(tile.row * PCI_TILE, n_padded - PCI_TILE);
        const uint32_t left_row = job.left * n_padded + row;
        const uint32_t right_row = job.right * n_padded + tile.column * PCI_TILE;

        for (uint32_t k = 0; k < n_padded; k += SLICE) {
            at.wait_until_empty(shared().empty);
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
                                         place<N_STAGES> &at)
{
    uint32_t previous = 0;
    for (uint32_t slice = 0; slice < n_slices; slice++) {
        at.wait_until_full(shared().full);
        const stage &stage = shared().stages[at.stage];
        const uint64_t left =
            pci_wgmma_operand(pci_shared_address(stage.left) + consumer * PART_ROWS * SLICE);
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

/* ---- Consumers: store ----------------------------------------------------------------------- */

template <bool RAW>
__device__ __forceinline__ void store(const pci_product &product, const pci_tile &tile,
                                      uint32_t consumer, const int32_t (&acc)[128])
{
    const uint32_t n_columns = tile.narrow ? NARROW_COLUMNS : COLUMNS;
    const part part = {tile.row * PCI_TILE + consumer * PART_ROWS,
                       tile.column * PCI_TILE,
                       n_columns / GROUP,
                       1 + consumer,
                       pci_shared_address(shared().mirror[consumer]),
                       true,
                       tile.mirror};

    if (tile.row < product.shape.first_row_tile + product.shape.n_row_tiles)
        store_part<RAW>(product, tile.job, part, acc);
    /* else this is the second block of a cluster, below the last row */
}

/* ---- The kernel ----------------------------------------------------------------------------- */

template <int CLUSTER, bool RAW>
__device__ __forceinline__ void consume(const arguments &args, uint32_t consumer)
{
    const pci_product &product = args.product;
    const uint32_t n_slices = product.layout.n_padded / SLICE;
    walk<CLUSTER> list(product);
    pci_tile tile;
    place<N_STAGES> at;
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

} // namespace

extern "C" cudaError_t pci_product_wgmma(const pci_product *product, cudaStream_t stream)
{
    const bool raw = product->raw != nullptr, paired = product->shape.cluster_size == 2;
    auto kernel = paired ? (raw ? wgmma_kernel<2, true> : wgmma_kernel<2, false>)
                         : (raw ? wgmma_kernel<1, true> : wgmma_kernel<1, false>);
    return launch<shared_memory>(kernel, THREADS, *product, stream);
}
