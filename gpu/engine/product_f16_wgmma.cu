/* The product in half precision on Hopper, by wgmma. Where it runs, int8 is twice as fast, so it is taken only when
 * it is forced. What is to be said of halves and BF16 is in product_f16.cu.
 *
 * A tile is computed transposed: the 256 columns of the result are rows of the left operand of wgmma, which comes
 * from registers. So only the 128 rows of the result pass through shared memory as halves. A block has three
 * warpgroups. The first is the producer: one thread loads slices of bytes by TMA, 128 of k, and all make
 * panels of halves of the rows, 64 of k. The other two warpgroups, the consumers, have 128 columns each,
 * in two parts of 64. They make halves of the columns of one part while the products of the other go on.
 *
 * Why it is exact. A residue of -128..127 is a number of half precision. A product is in -128 * 127 .. 2^14. An
 * accumulator is FP32 and holds an integer, at most 2^23 in size before PERIOD = 512 products are added and so at
 * most 2^24 after them, up to where all integers are numbers of FP32. Then, if one of a warp's is larger than
 * 2^23, the nearest multiple of 2^24 is subtracted from each, and counted (carry). The sum of 131071 products is
 * in -127.01 * 2^24 .. 128 * 2^24, so the counts stay in -127 .. 128, and those of four accumulators are
 * bytes of one register. What is assumed of the tensor cores: that a sum of integers, all partial sums of
 * which are at most 2^24 in size, has no rounding. NVIDIA documents no order or width of these sums, so
 * gpu/engine/probe.c tries it on the GPU at hand. */
#include "gpu/engine/halves.cuh"
#include "gpu/engine/wgmma_frame.cuh"
#include "gpu/engine/wgmma_store.cuh"

namespace
{

enum {
    N_CONSUMERS = 2,
    N_CONSUMER_WARPS = N_CONSUMERS * WARPGROUP / 32,
    THREADS = (1 + N_CONSUMERS) * WARPGROUP,
    N_PRODUCER_WARPS = WARPGROUP / 32,
    PANEL = 64, /* terms */
    N_PANELS = SLICE / PANEL,
    STEP = 16, /* terms in one wgmma, and bytes of a row in one ldmatrix */
    N_STEPS = PANEL / STEP,
    N_PARTS = 2,          /* of the columns of a consumer, in a full tile */
    N_SUMS = 64,          /* of a thread in a part */
    PERIOD = 512 / SLICE, /* slices */
    N_SLICE_STAGES = 3,
    N_PANEL_STAGES = 3, /* a fourth one would fit, and was slower by a quarter */
    /* The 168 registers of each thread at the launch, 64,512 in all, are distributed anew. */
    PRODUCER_REGISTERS = 56,
    CONSUMER_REGISTERS = 224
};

/* ---- Shared memory --------------------------------------------------------------------------- */

struct alignas(1024) slice {
    int8_t columns[N_CONSUMERS][PCI_TILE * SLICE];
    int8_t rows[PCI_TILE * SLICE];
};

struct alignas(1024) panel {
    uint16_t rows[PCI_TILE * PANEL];
};

struct shared_memory {
    slice slices[N_SLICE_STAGES];
    panel panels[N_PANEL_STAGES];
    int8_t transposed[N_CONSUMERS][PCI_TILE * PART_ROWS];
    uint64_t slice_full[N_SLICE_STAGES], slice_empty[N_SLICE_STAGES]; /* barriers */
    uint64_t panel_full[N_PANEL_STAGES], panel_empty[N_PANEL_STAGES];
};

__device__ __forceinline__ shared_memory &shared()
{
    return aligned_shared<shared_memory>();
}

__device__ __forceinline__ void pipeline_init()
{
    if (threadIdx.x == 0) {
        ring_init(shared().slice_full, 1, shared().slice_empty,
                  N_PRODUCER_WARPS + N_CONSUMER_WARPS);
        ring_init(shared().panel_full, N_PRODUCER_WARPS, shared().panel_empty, N_CONSUMERS);
        pci_barrier_init_fence();
    }
    __syncthreads();
}

/* All lanes of the warp are done with what the barrier is for. */
__device__ __forceinline__ void warp_arrive(const uint64_t &barrier)
{
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        pci_barrier_arrive(pci_shared_address(&barrier));
}

/* ---- The producer: slices -------------------------------------------------------------------- */

/* How one thread loads all slices of all tiles of this block, one after the other. */
struct feed {
    const arguments &args;
    walk<1> list;
    uint32_t row;                 /* of the arena; those of the tile begin here */
    uint32_t column[N_CONSUMERS]; /* rows of the arena: the columns of each consumer */
    uint32_t k;
    bool is_done;
    place<N_SLICE_STAGES> at;

    __device__ __forceinline__ explicit feed(const arguments &of) : args(of), list(of.product)
    {
        next_tile();
    }

    __device__ __forceinline__ void next_tile()
    {
        const uint32_t n_padded = args.product.layout.n_padded;
        pci_tile tile;
        is_done = !list.next(tile);
        if (is_done)
            return;
        const pci_product_job &job = args.product.job[tile.job];
        row = job.left * n_padded + tile.row * PCI_TILE;
        column[0] = job.right * n_padded + tile.column * PCI_TILE;
        column[1] = column[0] + (tile.narrow ? 0 : PCI_TILE); /* narrow: both compute the same */
        k = 0;
    }

    __device__ __forceinline__ void load_slice()
    {
        if (is_done)
            return;
        at.wait_until_empty(shared().slice_empty);
        const uint32_t full = pci_shared_address(&shared().slice_full[at.stage]);
        slice &to = shared().slices[at.stage];

        pci_barrier_expect(full, sizeof to);
        pci_tma_copy_5d(pci_shared_address(to.rows), &args.right, full, k, row / 64);
#pragma unroll
        for (int c = 0; c < N_CONSUMERS; c++)
            pci_tma_copy_4d(pci_shared_address(to.columns[c]), &args.left, full, k, column[c] / 16);
        at.advance();
        k += SLICE;
        if (k == args.product.layout.n_padded)
            next_tile();
    }
};

/* ---- The producer: panels -------------------------------------------------------------------- */

/* Where the bytes 16 chunk .. of a row of 128 bytes are, swizzled over 128 bytes: at this address XOR 16 chunk. */
__device__ __forceinline__ uint32_t row_address(uint32_t rows, uint32_t row)
{
    return rows + row * SLICE + row % 8 * 16;
}

/* Of 16 bytes of k a wgmma takes the halves of bytes 4 c, 4 c + 1 of all four words c, and then the others. */
__device__ __forceinline__ void convert_row(uint32_t from, uint32_t to, uint32_t first_chunk)
{
    uint4 bytes[N_STEPS];
#pragma unroll
    for (uint32_t step = 0; step < N_STEPS; step++)
        bytes[step] = pci_load_shared(from ^ (first_chunk + step) * 16);
#pragma unroll
    for (uint32_t step = 0; step < N_STEPS; step++) {
        const pci_halves h[4] = {pci_halves_of(bytes[step].x), pci_halves_of(bytes[step].y),
                                 pci_halves_of(bytes[step].z), pci_halves_of(bytes[step].w)};
        const uint32_t low[4] = {h[0].low, h[1].low, h[2].low, h[3].low};
        const uint32_t high[4] = {h[0].high, h[1].high, h[2].high, h[3].high};

        pci_store_shared(to ^ 2 * step * 16, low);
        pci_store_shared(to ^ (2 * step + 1) * 16, high);
    }
}

/* Makes panels of all slices of this block. One thread loads the next slice before; the memory of that one is free
 * when the consumers are done with the slice before the last one. */
__device__ __forceinline__ void produce(const arguments &args)
{
    const uint32_t n_slices = args.product.layout.n_padded / SLICE;
    walk<1> list(args.product);
    pci_tile tile;
    place<N_SLICE_STAGES> from;
    place<N_PANEL_STAGES> to;
    feed next(args);

    if (threadIdx.x == 0)
        next.load_slice();
    while (list.next(tile)) {
#pragma unroll 1
        for (uint32_t s = 0; s < n_slices; s++) {
            if (threadIdx.x == 0)
                next.load_slice();
            from.wait_until_full(shared().slice_full);
            const uint32_t bytes = pci_shared_address(shared().slices[from.stage].rows);
#pragma unroll 1
            for (uint32_t p = 0; p < N_PANELS; p++) {
                to.wait_until_empty(shared().panel_empty);
                const uint32_t halves = pci_shared_address(shared().panels[to.stage].rows);
                convert_row(row_address(bytes, threadIdx.x), row_address(halves, threadIdx.x),
                            p * N_STEPS);
                pci_async_fence();
                warp_arrive(shared().panel_full[to.stage]);
                to.advance();
            }
            warp_arrive(shared().slice_empty[from.stage]);
            from.advance();
        }
    }
}

/* ---- Consumers: multiply --------------------------------------------------------------------- */

/* The sums of a thread for a part. */
struct sums {
    float acc[N_SUMS];
    uint32_t carried[N_SUMS / 4]; /* in units of 2^24, plus 127, four to a word */

    __device__ __forceinline__ void begin()
    {
#pragma unroll
        for (int i = 0; i < N_SUMS; i++)
            acc[i] = 0;
#pragma unroll
        for (int i = 0; i < N_SUMS / 4; i++)
            carried[i] = 0x7F7F7F7F;
    }

    /* Leaves at most 2^23 in size of each accumulator. Sums of random residues are seldom larger, and squares tell
     * in one instruction for each: a sum of them that is at most 2^46 has none that is. */
    __device__ __forceinline__ void carry()
    {
        float squares[8] = {};
#pragma unroll
        for (int i = 0; i < N_SUMS; i++)
            squares[i % 8] = __fmaf_rn(acc[i], acc[i], squares[i % 8]);
        float most = 0;
#pragma unroll
        for (int i = 0; i < 8; i++)
            most = fmaxf(most, squares[i]);
        if (__any_sync(~0u, most > 0x1p46f))
            carry_all();
    }

    __device__ __forceinline__ void carry_all()
    {
        const float rounder = 0x1.8p47f;  /* floats next to it are 2^24 apart */
        const uint32_t bits = 0x57400000; /* those of rounder */
#pragma unroll
        for (int i = 0; i < N_SUMS / 4; i++) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float rounded = __fadd_rn(acc[4 * i + j], rounder);
                acc[4 * i + j] = __fsub_rn(acc[4 * i + j], __fsub_rn(rounded, rounder));
                carried[i] += (__float_as_uint(rounded) - bits) << 8 * j;
            }
        }
    }

    __device__ __forceinline__ void total(int32_t (&total)[N_SUMS]) const
    {
#pragma unroll
        for (int i = 0; i < N_SUMS; i++) {
            const uint32_t high = (carried[i / 4] >> 8 * (i % 4) << 24) - (127u << 24);
            total[i] = (int32_t)(high + (uint32_t)__float2int_rn(acc[i]));
        }
    }
};

/* The bytes of a panel of a part: the words of step 2 q and of step 2 q + 1, an upper and a lower row each. The
 * rows lie in the slice as wgmma numbers them. */
__device__ __forceinline__ void load_part(uint32_t (&words)[2 * N_STEPS], uint32_t columns,
                                          uint32_t first_row, uint32_t first_chunk)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t row = first_row + threadIdx.x % WARPGROUP / 32 * 16 + lane % 16;
    const uint32_t from = row_address(columns, row) ^ lane / 16 * 16;
#pragma unroll
    for (uint32_t step = 0; step < N_STEPS; step += 2) {
        uint32_t loaded[4];
        pci_load_matrices(loaded, from ^ (first_chunk + step) * 16);
#pragma unroll
        for (int w = 0; w < 4; w++)
            words[2 * step + w] = loaded[w];
    }
}

__device__ __forceinline__ void halve_part(uint32_t (&left)[N_STEPS][4],
                                           const uint32_t (&words)[2 * N_STEPS])
{
#pragma unroll
    for (int step = 0; step < N_STEPS; step++) {
        const pci_halves upper = pci_halves_of(words[2 * step]);
        const pci_halves lower = pci_halves_of(words[2 * step + 1]);
        left[step][0] = upper.low;
        left[step][1] = lower.low;
        left[step][2] = upper.high;
        left[step][3] = lower.high;
    }
}

/* The places of a consumer in both rings. */
struct places {
    place<N_SLICE_STAGES> slice;
    place<N_PANEL_STAGES> panel;
};

/* All warps of the consumer are done with a panel, since its products are. */
__device__ __forceinline__ void release_panel(uint32_t stage)
{
    if (threadIdx.x % WARPGROUP == 0)
        pci_barrier_arrive(pci_shared_address(&shared().panel_empty[stage]));
}

/* Starts the products of panel p of a slice, each part when those that had its registers before are done. The products
 * of the other part go on meanwhile. */
__device__ __forceinline__ void multiply_panel(sums (&sum)[N_PARTS],
                                               uint32_t (&left)[N_PARTS][N_STEPS][4],
                                               uint32_t number, uint32_t slice, uint32_t p,
                                               places &at, uint32_t &previous)
{
    const uint32_t columns = pci_shared_address(shared().slices[at.slice.stage].columns[number]);
    const uint64_t rows =
        pci_wgmma_operand(pci_shared_address(shared().panels[at.panel.stage].rows));
#pragma unroll
    for (int part = 0; part < N_PARTS; part++) {
        uint32_t words[2 * N_STEPS];
        load_part(words, columns, part * PART_ROWS, p * N_STEPS);
        pci_wgmma_wait<N_PARTS - 1>();
        if (part == N_PARTS - 1 && (slice | p) != 0)
            release_panel(previous);
        halve_part(left[part], words);
        if (part == 0)
            at.panel.wait_until_full(shared().panel_full);
        pci_wgmma_fence();
#pragma unroll
        for (uint32_t step = 0; step < N_STEPS; step++)
            pci_wgmma_halves(sum[part].acc, left[part][step], rows + step * 2);
        pci_wgmma_commit();
    }
    previous = at.panel.stage;
    at.panel.advance();
}

__device__ __forceinline__ void multiply(sums (&sum)[N_PARTS], uint32_t number, uint32_t n_slices,
                                         places &at)
{
    uint32_t left[N_PARTS][N_STEPS][4];
    uint32_t previous = 0; /* the stage of the last panel */
#pragma unroll
    for (int part = 0; part < N_PARTS; part++)
        sum[part].begin();
    uint32_t slice = 0;
#pragma unroll 1
    while (slice < n_slices) {
        const uint32_t end = min(n_slices, slice + PERIOD);
#pragma unroll 1
        for (; slice < end; slice++) {
            at.slice.wait_until_full(shared().slice_full);
#pragma unroll
            for (uint32_t p = 0; p < N_PANELS; p++)
                multiply_panel(sum, left, number, slice, p, at, previous);
            warp_arrive(shared().slice_empty[at.slice.stage]);
            at.slice.advance();
        }
        pci_wgmma_wait<0>();
#pragma unroll
        for (int part = 0; part < N_PARTS; part++)
            sum[part].carry();
    }
    release_panel(previous);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

template <bool RAW> __device__ __forceinline__ void consume(const arguments &args, uint32_t number)
{
    const pci_product &product = args.product;
    walk<1> list(product);
    pci_tile tile;
    places at;

    while (list.next(tile)) {
        sums sum[N_PARTS];

        multiply(sum, number, product.layout.n_padded / SLICE, at);
        if (tile.narrow && number > 0)
            continue; /* the first consumer stores it */
#pragma unroll 1
        for (uint32_t p = 0; p < N_PARTS; p++) {
            const part part = {(tile.column + number) * PCI_TILE + p * PART_ROWS,
                               tile.row * PCI_TILE,
                               PCI_TILE / GROUP,
                               1 + number,
                               pci_shared_address(shared().transposed[number]),
                               tile.mirror,
                               true};
            int32_t total[N_SUMS];
            sum[0].total(total);
            store_part<RAW>(product, tile.job, part, total);
            sum[0] = sum[1];
        }
    }
}

template <bool RAW>
__global__ void __launch_bounds__(THREADS, 1)
    f16_wgmma_kernel(const __grid_constant__ arguments args)
{
    const uint32_t warpgroup = threadIdx.x / WARPGROUP;

    pipeline_init();
    if (warpgroup == 0) {
        pci_registers_give<PRODUCER_REGISTERS>();
        produce(args);
    } else {
        pci_registers_take<CONSUMER_REGISTERS>();
        consume<RAW>(args, warpgroup - 1);
    }
}

} // namespace

extern "C" cudaError_t pci_product_f16_wgmma(const pci_product *product, cudaStream_t stream)
{
    auto kernel = product->raw ? f16_wgmma_kernel<true> : f16_wgmma_kernel<false>;
    return launch<shared_memory>(kernel, THREADS, *product, stream);
}
