/* The product on Hopper: TMA loads operands, wgmma multiplies, and results are stored reduced.
 *
 * A block has three warpgroups. One thread of the first fills a ring of stages, 128 bytes of k
 * deep, for one tile after the other. The other two warpgroups multiply 64 rows each. While results
 * are stored, the ring is filled for the next tile. Blocks are persistent: they work through the
 * whole list. Two blocks can form a cluster: their tiles lie one below the other, so they share the
 * right operand, and each loads half of it for both.
 *
 * Blocks that work at the same time read the same rows of operands, which the L2 cache holds while the blocks are less
 * than about 100 slices of k apart. Long rows give them time to drift apart, and then they read from memory. So blocks
 * keep pace there: a block that is ahead of the mean of all blocks waits.
 *
 * Clusters are used for symmetric planes from n = 8065 on. While a block stores a tile, the
 * operands of the next tile arrive, but nothing is multiplied.
 *
 * A product of digits (gpu/engine/product.h) is one sum in the same accumulators: they are multiplied by a constant
 * between its terms. Modulo 2^32, with S = -128 / 127, which exists because 127 is odd,
 *   hh 2^14 + (ss - hh - ll) 2^7 + ll = -127 (S (127 hh + ss) + ll),
 * so accumulators may overflow, and the last value is right because it fits. */
#include "gpu/engine/wgmma.cuh"

namespace
{

enum {
    N_CONSUMERS = 2, /* warpgroups, each with 64 rows of the tile */
    THREADS = (1 + N_CONSUMERS) * WARPGROUP,
    COLUMNS = 256, /* of a full tile */
    NARROW_COLUMNS = 128,
    HALF_COLUMNS = 64, /* of a narrow tile, whose columns are all loaded */
    K_STEP = 32,       /* bytes of k in one wgmma */
    N_STAGES = 4,      /* as many as fit beside the mirror */
    LONG_ROWS = 128,   /* slices, from which on blocks keep pace */
    ROUND = 16,        /* slices between two looks at the other blocks */
    LEAD = 2,          /* rounds that a block may be ahead of the mean */
    MOST_LOOKS = 20000 /* about 20 ms; others do not go on, as they wait for multiprocessors */
};

enum {
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

/* ---- Digits ---------------------------------------------------------------------------------- */

/* What a kernel stores: residues, residues of a product of digits, or accumulators. */
enum results { RESIDUES, DIGITS, RAW };

/* The terms of a product of digits, in this order: term t is job min(t, 2) of the product. */
enum { HIGH, SUM, LOW_HIGH /* ll of slices with high digits */, LOW /* of the others */, N_TERMS };

/* By what the accumulators are multiplied after a term. */
__device__ __forceinline__ uint32_t factor_after(uint32_t term)
{
    static_assert(SLICE == PCI_TILE, "maps of high digits are maps of slices");
    const uint32_t s = 1u << 7 | 1u << 14 | 1u << 21 | 1u << 28; /* -127 s = 128 modulo 2^32 */
    return term == HIGH ? 127 : term == SUM ? s : 0u - 127;
}

/* The slices of the terms of a tile, the same for both blocks of a cluster. */
template <int CLUSTER> struct digit_slices {
    const uint32_t *left, *right; /* the first rows of the maps */
    uint32_t n_left, n_right, n_words, n_slices;

    __device__ __forceinline__ digit_slices(const pci_product &product, const pci_tile &tile)
    {
        const uint32_t row = CLUSTER > 1 ? tile.row - pci_cluster_rank() : tile.row;
        n_slices = product.layout.n_padded / SLICE;
        n_words = pci_high_words(&product.layout);
        n_left = min((uint32_t)CLUSTER, n_slices - row);
        n_right = tile.narrow ? 1 : 2;
        left = product.high.left + row * n_words;
        right = product.high.right + tile.column * n_words;
    }

    /* Slices 32 w .. of a term, a bit each. */
    __device__ __forceinline__ uint32_t word(uint32_t w, uint32_t term) const
    {
        uint32_t high = 0;
        for (uint32_t r = 0; r < n_left; r++)
            high |= __ldg(left + r * n_words + w);
        for (uint32_t r = 0; r < n_right; r++)
            high |= __ldg(right + r * n_words + w);
        const uint32_t n_bits = n_slices - 32 * w;
        return term < LOW ? high : ~high & (n_bits < 32 ? (1u << n_bits) - 1 : ~0u);
    }

    __device__ __forceinline__ uint32_t count(uint32_t term) const
    {
        uint32_t n = 0;
        for (uint32_t w = 0; w < n_words; w++)
            n += __popc(word(w, term));
        return n;
    }
};

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

/* Where the operands of a tile begin in the arena, counted in rows. */
struct operand_rows {
    uint32_t left, right;

    __device__ __forceinline__ operand_rows(const pci_product &product, const pci_product_job &job,
                                            const pci_tile &tile)
    {
        const uint32_t n_padded = product.layout.n_padded;
        /* A second block below the last row multiplies that row again. */
        left = job.left * n_padded + min(tile.row * PCI_TILE, n_padded - PCI_TILE);
        right = job.right * n_padded + tile.column * PCI_TILE;
    }
};

template <int CLUSTER>
__device__ __forceinline__ void load_slice(const arguments &args, const pci_tile &tile,
                                           const operand_rows &rows, uint32_t slice,
                                           place<N_STAGES> &at)
{
    at.wait_until_empty(shared().empty);
    fill<CLUSTER>(args, at.stage, slice * SLICE, rows.left, rows.right, tile.narrow);
    at.advance();
}

template <int CLUSTER>
__device__ __forceinline__ void load_digits(const arguments &args, const pci_tile &tile,
                                            place<N_STAGES> &at)
{
    const pci_product &product = args.product;
    const digit_slices<CLUSTER> slices(product, tile);

    for (uint32_t term = 0; term < N_TERMS; term++) {
        const operand_rows rows(product, product.job[min(term, (uint32_t)LOW_HIGH)], tile);
        for (uint32_t w = 0; w < slices.n_words; w++)
            for (uint32_t left = slices.word(w, term); left != 0; left &= left - 1)
                load_slice<CLUSTER>(args, tile, rows, 32 * w + __ffs(left) - 1, at);
    }
}

/* Rounds of all blocks of the launch: 0 before a launch that keeps pace. Two launches at the same time only wait longer. */
__device__ uint32_t n_rounds;

struct pace {
    uint32_t n_own;
    bool is_alone; /* it has waited in vain */

    /* Begins a round, once this block is not too far ahead. */
    __device__ __forceinline__ void begin_round()
    {
        const volatile uint32_t *n_all = &n_rounds;
        uint32_t n_looks = 0;
        atomicAdd(&n_rounds, 1);
        n_own++;
        while (n_own > LEAD && !is_alone && *n_all < (n_own - LEAD) * gridDim.x)
            is_alone = ++n_looks == MOST_LOOKS;
    }

    /* Nobody waits for a block that has had fewer rounds than others. */
    __device__ __forceinline__ void end(uint32_t n_most)
    {
        atomicAdd(&n_rounds, n_most - n_own);
    }
};

/* One thread loads all slices of all tiles of this block. */
template <int CLUSTER, results KIND> __device__ __forceinline__ void produce(const arguments &args)
{
    const pci_product &product = args.product;
    const uint32_t n_slices = product.layout.n_padded / SLICE;
    const uint32_t n_tiles = product.n_entries / (gridDim.x / CLUSTER); /* of a block, at most */
    const bool is_long = KIND != DIGITS && n_slices >= LONG_ROWS;
    walk<CLUSTER> list(product);
    pci_tile tile;
    place<N_STAGES> at;
    pace rounds = {};

    while (list.next(tile)) {
        if constexpr (KIND == DIGITS) {
            load_digits<CLUSTER>(args, tile, at);
            continue;
        }
        const operand_rows rows(product, product.job[tile.job], tile);
        for (uint32_t slice = 0; slice < n_slices; slice++) {
            if (is_long && slice % ROUND == 0)
                rounds.begin_round();
            load_slice<CLUSTER>(args, tile, rows, slice, at);
        }
    }
    if (is_long)
        rounds.end(n_tiles * ((n_slices + ROUND - 1) / ROUND));
}

/* ---- Consumers: multiply -------------------------------------------------------------------- */

/* What a warpgroup computes of a tile. */
struct position {
    uint32_t consumer;     /* its number */
    uint32_t first_column; /* of those that are loaded: not 0 in a second half */
};

/* Multiplies the next n_slices for the rows of this warpgroup of a tile, N_COLUMNS wide. acc becomes their sum, or is
 * added to. The products of a slice are started before those of the previous slice are waited for. Only then is the
 * previous stage released. */
template <int CLUSTER, int N_COLUMNS>
__device__ __forceinline__ void multiply(int32_t (&acc)[128], bool adds, position of,
                                         uint32_t n_slices, place<N_STAGES> &at)
{
    uint32_t previous = 0;
    for (uint32_t slice = 0; slice < n_slices; slice++) {
        at.wait_until_full(shared().full);
        const stage &stage = shared().stages[at.stage];
        const uint64_t left =
            pci_wgmma_operand(pci_shared_address(stage.left) + of.consumer * PART_ROWS * SLICE);
        const uint64_t right =
            pci_wgmma_operand(pci_shared_address(stage.right[0]) + of.first_column * SLICE);
        pci_wgmma_fence();
#pragma unroll
        for (uint32_t step = 0; step < SLICE / K_STEP; step++)
            pci_wgmma<N_COLUMNS>(acc, left + step * K_STEP / 16, right + step * K_STEP / 16,
                                 adds || (slice | step) != 0);
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

template <int N_COLUMNS> __device__ __forceinline__ void scale(int32_t (&acc)[128], uint32_t factor)
{
#pragma unroll
    for (int i = 0; i < N_COLUMNS / 2; i++)
        acc[i] = (int32_t)((uint32_t)acc[i] * factor);
}

/* The same for a product of digits. */
template <int CLUSTER, int N_COLUMNS>
__device__ __forceinline__ void multiply_digits(int32_t (&acc)[128],
                                                const digit_slices<CLUSTER> &slices, position of,
                                                place<N_STAGES> &at)
{
    const uint32_t n_high = slices.count(HIGH), n_low = slices.n_slices - n_high;
#pragma unroll 1
    for (uint32_t term = n_high ? HIGH : LOW; term < (n_low ? N_TERMS : LOW); term++) {
        multiply<CLUSTER, N_COLUMNS>(acc, term != HIGH && n_high, of, term < LOW ? n_high : n_low,
                                     at);
        if (term < LOW)
            scale<N_COLUMNS>(acc, factor_after(term));
    }
}

/* ---- Consumers: store ----------------------------------------------------------------------- */

template <results KIND>
__device__ __forceinline__ void store(const pci_product &product, const pci_tile &tile, position of,
                                      const int32_t (&acc)[128])
{
    const uint32_t n_columns = tile.half ? HALF_COLUMNS : tile.narrow ? NARROW_COLUMNS : COLUMNS;
    const part part = {tile.row * PCI_TILE + of.consumer * PART_ROWS,
                       tile.column * PCI_TILE + of.first_column,
                       n_columns / GROUP,
                       1 + of.consumer,
                       pci_shared_address(shared().mirror[of.consumer]),
                       true,
                       tile.mirror};

    if (tile.row < product.shape.first_row_tile + product.shape.n_row_tiles)
        store_part<KIND == RAW>(product, tile.job, part, acc);
    /* else this is the second block of a cluster, below the last row */
}

/* ---- The kernel ----------------------------------------------------------------------------- */

template <int CLUSTER, results KIND, int N_COLUMNS>
__device__ __forceinline__ void compute(const pci_product &product, const pci_tile &tile,
                                        int32_t (&acc)[128], position of, place<N_STAGES> &at)
{
    if constexpr (KIND == DIGITS)
        multiply_digits<CLUSTER, N_COLUMNS>(acc, digit_slices<CLUSTER>(product, tile), of, at);
    else
        multiply<CLUSTER, N_COLUMNS>(acc, false, of, product.layout.n_padded / SLICE, at);
}

template <int CLUSTER, results KIND>
__device__ __forceinline__ void consume(const arguments &args, uint32_t consumer)
{
    const pci_product &product = args.product;
    walk<CLUSTER> list(product);
    pci_tile tile;
    place<N_STAGES> at;
    int32_t acc[128];

    while (list.next(tile)) {
        const position of = {consumer, tile.half == 2 ? (uint32_t)HALF_COLUMNS : 0};
        if (tile.half)
            compute<CLUSTER, KIND, HALF_COLUMNS>(product, tile, acc, of, at);
        else if (tile.narrow)
            compute<CLUSTER, KIND, NARROW_COLUMNS>(product, tile, acc, of, at);
        else
            compute<CLUSTER, KIND, COLUMNS>(product, tile, acc, of, at);
        store<KIND>(product, tile, of, acc);
    }
}

template <int CLUSTER, results KIND>
__global__ void __launch_bounds__(THREADS, 1) wgmma_kernel(const __grid_constant__ arguments args)
{
    const uint32_t warpgroup = threadIdx.x / WARPGROUP;

    pipeline_init<CLUSTER>();
    if (warpgroup == 0) {
        pci_registers_give<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0)
            produce<CLUSTER, KIND>(args);
    } else {
        pci_registers_take<CONSUMER_REGISTERS>();
        consume<CLUSTER, KIND>(args, warpgroup - 1);
    }
    if (CLUSTER > 1)
        pci_cluster_sync(); /* the other block may still signal to barriers of this one */
}

} // namespace

template <int CLUSTER>
static cudaError_t launch_paired(const pci_product &product, cudaStream_t stream)
{
    auto kernel = product.high.left        ? wgmma_kernel<CLUSTER, DIGITS>
                  : product.raw != nullptr ? wgmma_kernel<CLUSTER, RAW>
                                           : wgmma_kernel<CLUSTER, RESIDUES>;
    return launch<shared_memory>(kernel, THREADS, product, stream);
}

extern "C" cudaError_t pci_product_wgmma(const pci_product *product, cudaStream_t stream)
{
    if (product->layout.n_padded / SLICE >= LONG_ROWS) {
        void *rounds = nullptr;
        cudaError_t error = cudaGetSymbolAddress(&rounds, n_rounds);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(rounds, 0, sizeof n_rounds, stream);
        if (error != cudaSuccess)
            return error;
    }
    return product->shape.cluster_size == 2 ? launch_paired<2>(*product, stream)
                                            : launch_paired<1>(*product, stream);
}
