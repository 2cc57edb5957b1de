/* Products on mma.sync, of int8 and of halves: how operands come to the registers of a warp, for GPUs of compute capability 8.0 and later.
 *
 * A tile of 128 x 256 or 128 x 128 results is computed by 8 warps, 64 x 64 or 64 x 32 each. Operands come through
 * a ring of stages in shared memory, 128 bytes of k deep, which cp.async fills. The ring continues from tile
 * to tile: the first stages of the next tile arrive while results are stored.
 *
 * ldmatrix reads each row from the address that a lane gives. So the order of rows in the fragments
 * of a warp is free. It is chosen so that a thread has 8 adjacent rows x 16 adjacent columns of the
 * result (gpu/engine/store.cuh), and not the scattered pairs of mma. What is done with the fragments differs
 * between the two kernels, and comes last. */
#include "gpu/engine/ptx.cuh"
#include "gpu/engine/store.cuh"

namespace
{

enum {
    THREADS = 256,
    DEPTH = 128, /* bytes of k in a stage */
    STEP = 32,   /* of them for one round of mma */
    N_STEPS = DEPTH / STEP,
    WIDE = 16,                        /* columns of a thread in a full tile ... */
    NARROW = 8,                       /* ... and in a narrow one */
    LEFT_BYTES = PCI_TILE * DEPTH,    /* a stage has 128 rows of left, and then those of right */
    COPY_ROWS = THREADS * 16 / DEPTH, /* that one copy of each thread fills */
    N_PARTS = PCI_TILE / COPY_ROWS    /* of a stage: its copies are spread over the steps */
};

/* ---- A stage: where bytes 16 chunk .. of a row lie ------------------------------------------- */

/* Swizzling: the number of a chunk is combined with a number, 0..7, that differs between the eight
 * rows that a fragment reads at once, so that they come from different banks. In left these are
 * rows 8 j + constant. */
__device__ __forceinline__ uint32_t left_place(uint32_t row, uint32_t chunk)
{
    return row * DEPTH + ((chunk ^ (row / 8 & 7)) * 16);
}

/* In right they are rows COLUMNS * (j / 2) + j % 2 + constant, the constant even and below
 * COLUMNS. */
template <int COLUMNS> __device__ __forceinline__ uint32_t right_place(uint32_t row, uint32_t chunk)
{
    return LEFT_BYTES + row * DEPTH + ((chunk ^ ((row & 1) | (row / COLUMNS & 3) << 1)) * 16);
}

/* ---- Filling the ring ------------------------------------------------------------------------ */

/* The stage that is copied next, for one thread. */
struct feed {
    const int8_t *left, *right; /* the 16 bytes of the thread in the first rows */
    uint32_t entry;             /* of the tile; n_entries or more: all is copied */
    uint32_t depth;             /* bytes of k before the stage */
    uint32_t stage;             /* its address */
    bool narrow;
};

__device__ __forceinline__ void feed_tile(feed &to, const pci_product &product, uint32_t entry)
{
    to.entry = pci_next_entry(product, entry);
    to.depth = 0;
    if (to.entry >= product.n_entries) {
        return;
    }

    const pci_tile tile = pci_tile_at(product, to.entry);
    const pci_product_job &job = product.job[tile.job];
    const size_t pitch = product.layout.n_padded;
    const size_t row = threadIdx.x / 8, byte = threadIdx.x % 8 * 16;

    to.left = pci_plane(product, job.left) + (tile.row * PCI_TILE + row) * pitch + byte;
    to.right = pci_plane(product, job.right) + (tile.column * PCI_TILE + row) * pitch + byte;
    to.narrow = tile.narrow;
}

/* Starts the copies of one part: 32 rows of left, 64 (narrow: 32) of right. */
__device__ __forceinline__ void feed_part(const feed &from, const pci_product &product, int part)
{
    const size_t pitch = product.layout.n_padded;
    const uint32_t chunk = threadIdx.x % 8, first_row = threadIdx.x / 8;
    const uint32_t rows = part * COPY_ROWS;

    if (from.entry >= product.n_entries) {
        return;
    }
    pci_copy_16(from.stage + left_place(rows + first_row, chunk), from.left + rows * pitch);
    if (from.narrow) {
        pci_copy_16(from.stage + right_place<NARROW>(rows + first_row, chunk),
                    from.right + rows * pitch);
        return;
    }
#pragma unroll
    for (uint32_t r = 2 * rows; r < 2 * rows + 2 * COPY_ROWS; r += COPY_ROWS) {
        pci_copy_16(from.stage + right_place<WIDE>(r + first_row, chunk), from.right + r * pitch);
    }
}

/* The stage is complete: goes on to the next stage of the tile, or to the next tile. */
__device__ __forceinline__ void feed_end(feed &of, const pci_product &product)
{
    pci_copy_commit();
    if (of.entry >= product.n_entries) {
        return;
    }
    of.depth += DEPTH;
    of.left += DEPTH;
    of.right += DEPTH;
    if (of.depth == product.layout.n_padded) {
        feed_tile(of, product, of.entry + gridDim.x);
    }
}

/* A ring of STAGES stages of STAGE_BYTES. While stage s is multiplied, stages s + 1 .. are copied. The memory of
 * stage s is free for stage s + STAGES from its last step on, when all warps have its bytes in
 * registers. */
template <int STAGES, int STAGE_BYTES> struct ring {
    uint32_t base;    /* address */
    uint32_t current; /* address of the stage to multiply */
    feed next;        /* the stage to copy */

    /* A short ring is filled as soon as possible, a longer one evenly. */
    static constexpr int parts_per_step = STAGES > 2 ? 1 : 2;

    __device__ __forceinline__ uint32_t after(uint32_t stage) const
    {
        return stage == base + (STAGES - 1) * STAGE_BYTES ? base : stage + STAGE_BYTES;
    }

    /* Starts the copies of a step. The first copies of a stage belong to the last step, when memory
     * is free. */
    __device__ __forceinline__ void copy(const pci_product &product, int step)
    {
        const int first = (step + 1) % N_STEPS * parts_per_step;

#pragma unroll
        for (int part = first; part < first + parts_per_step && part < N_PARTS; part++) {
            feed_part(next, product, part);
            if (part == N_PARTS - 1) {
                feed_end(next, product);
                next.stage = after(next.stage);
            }
        }
    }

    /* Waits until the oldest stage that is copied has arrived, and all warps are done with the one
     * before. */
    __device__ __forceinline__ void wait() const
    {
        pci_copy_wait<STAGES - 2>();
        __syncthreads();
    }

    __device__ __forceinline__ void start(const pci_product &product, uint32_t address)
    {
        base = current = next.stage = address;
        feed_tile(next, product, blockIdx.x);
#pragma unroll 1
        for (int stage = 0; stage < STAGES - 1; stage++) {
#pragma unroll
            for (int step = -1; step < N_STEPS - 1; step++) {
                copy(product, step);
            }
        }
        copy(product, N_STEPS - 1);
        wait();
    }
};

/* ---- Multiplying ----------------------------------------------------------------------------- */

/* The operands of a warp in a step: 64 rows x 32 bytes, and 4 COLUMNS columns x 32 bytes. */
template <int COLUMNS> struct fragments {
    uint32_t left[4][4]; /* of rows 2 i + h of each eight, h = 0, 1; two 16-byte halves */
    uint32_t right[COLUMNS / 4][4]; /* halves of one pair of columns a thread, then of the next */
};

/* The addresses that a lane gives to ldmatrix: the offset, in a stage, of its row of left[0] and
 * right[0] in step 0. The other rows are at fixed distances, because the swizzle does not depend on
 * these, and a step flips bits of the number of the chunk. */
struct lane_rows {
    uint32_t left, right;
};

template <int COLUMNS> __device__ __forceinline__ lane_rows rows_of_lane()
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint32_t j = lane % 8, odd = lane / 8 % 2, high = lane / 16;
    const uint32_t row = warp % 2 * PCI_WARP_ROWS + j * PCI_BLOCK_ROWS + odd;
    const uint32_t column = warp / 2 * 4 * COLUMNS + j / 2 * COLUMNS + j % 2 + 2 * high;

    return {left_place(row, high), right_place<COLUMNS>(column, odd)};
}

template <int COLUMNS>
__device__ __forceinline__ void load(fragments<COLUMNS> &to, uint32_t stage, lane_rows rows,
                                     int step)
{
    const uint32_t left = stage + (rows.left ^ step * STEP);
    const uint32_t right = stage + (rows.right ^ step * STEP);

#pragma unroll
    for (int i = 0; i < 4; i++) {
        pci_load_matrices(to.left[i], left + i * 2 * DEPTH);
    }
#pragma unroll
    for (int j = 0; j < COLUMNS / 4; j++) {
        pci_load_matrices(to.right[j], right + j * 4 * DEPTH);
    }
}

/* SUMS<COLUMNS> has the sums of a thread: multiply(fragments) adds to them, end_stage(depth) is told after each
 * stage how many bytes of k were multiplied, and total, int32[8][COLUMNS], is right after the last one. */
template <template <int> class SUMS, int COLUMNS, int STAGES, int STAGE_BYTES>
__device__ __forceinline__ void compute_tile(const pci_product &product, const pci_tile &tile,
                                             ring<STAGES, STAGE_BYTES> &stages)
{
    const lane_rows rows = rows_of_lane<COLUMNS>();
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    fragments<COLUMNS> fragment[2]; /* one is multiplied while the other is loaded */
    SUMS<COLUMNS> sums;

    load(fragment[0], stages.current, rows, 0);
#pragma unroll 1
    for (uint32_t depth = DEPTH; depth <= product.layout.n_padded; depth += DEPTH) {
#pragma unroll
        for (int step = 0; step < N_STEPS; step++) {
            if (step < N_STEPS - 1) {
                load(fragment[(step + 1) % 2], stages.current, rows, step + 1);
            } else {
                stages.wait();
                stages.current = stages.after(stages.current);
                if (depth < product.layout.n_padded) {
                    load(fragment[0], stages.current, rows, 0);
                }
            }
            stages.copy(product, step);
            sums.multiply(fragment[step % 2]);
        }
        sums.end_stage(depth, product.layout.n_padded);
    }
    pci_store_block(product, tile,
                    tile.row * PCI_TILE + warp % 2 * PCI_WARP_ROWS + lane / 4 * PCI_BLOCK_ROWS,
                    tile.column * PCI_TILE + (warp / 2 * 4 + lane % 4) * COLUMNS, sums.total);
}

template <int RIGHT_ROWS> constexpr int stage_bytes = LEFT_BYTES + RIGHT_ROWS *DEPTH;

/* All tiles of this block. A stage has RIGHT_ROWS of the right operand: 256, or 128, and then all tiles of the
 * list are narrow. */
template <template <int> class SUMS, int RIGHT_ROWS, int STAGES>
__global__ void __launch_bounds__(THREADS, 1)
    tile_kernel(const __grid_constant__ pci_product product)
{
#if __CUDA_ARCH__ >= 800
    extern __shared__ __align__(128) int8_t shared_stages[];
    ring<STAGES, stage_bytes<RIGHT_ROWS>> stages;

    stages.start(product, pci_shared_address(shared_stages));
    for (uint32_t entry = pci_next_entry(product, blockIdx.x); entry < product.n_entries;
         entry = pci_next_entry(product, entry + gridDim.x)) {
        const pci_tile tile = pci_tile_at(product, entry);

        if (RIGHT_ROWS == PCI_TILE || tile.narrow) {
            compute_tile<SUMS, NARROW>(product, tile, stages);
        } else {
            compute_tile<SUMS, WIDE>(product, tile, stages);
        }
    }
#endif
}

/* The most shared memory of a block on the current device, which decides how long the ring is: 227 KB on 9.0 and
 * 10.0, 163 on 8.0, 99 on GPUs for graphics. */
inline cudaError_t most_shared_bytes(int *bytes)
{
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    return error == cudaSuccess
               ? cudaDeviceGetAttribute(bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)
               : error;
}

template <template <int> class SUMS, int RIGHT_ROWS, int STAGES>
cudaError_t launch_tiles(const pci_product *product, cudaStream_t stream)
{
    const void *kernel = (const void *)tile_kernel<SUMS, RIGHT_ROWS, STAGES>;
    const int bytes = STAGES * stage_bytes<RIGHT_ROWS>;
    void *arguments[] = {const_cast<pci_product *>(product)};
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    return error == cudaSuccess ? cudaLaunchKernel(kernel, dim3(product->shape.n_blocks),
                                                   dim3(THREADS), arguments, bytes, stream)
                                : error;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

enum { INT8_ROWS = 2 * PCI_TILE /* of right in a stage */ };

template <int COLUMNS> struct int8_sums {
    int32_t total[PCI_BLOCK_ROWS][COLUMNS] = {};

    __device__ __forceinline__ void multiply(const fragments<COLUMNS> &from)
    {
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i += 2) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                const uint32_t(&right)[4] = from.right[j / 4];

                pci_multiply_add(total[i][j], total[i][j + 1], total[i + 1][j], total[i + 1][j + 1],
                                 from.left[i / 2], right[j & 2], right[(j & 2) + 1]);
            }
        }
    }

    __device__ __forceinline__ void end_stage(uint32_t, uint32_t)
    {
    }
};

/* ---- Halves ---------------------------------------------------------------------------------- */

/* In half precision, for GPUs of compute capability 8.0 and later whose int8 instructions
 * are slow (B300: a thirtieth of those of B200). Operands stay bytes in memory and in shared memory.
 *
 * Why it is exact. A residue of -128..127 is a number of half precision. A product is at most 2^14 in size,
 * and the sum of 256 products at most 2^22. The sums are FP32 and begin at 1.5 * 2^23, so they stay between 2^23
 * and 2^24, where the numbers of FP32 are the integers. After 256 terms a sum, whose bits are those of
 * 1.5 * 2^23 plus the integer, goes to int32, and the next one begins. What is assumed of the tensor cores: that a
 * sum of integers, all partial sums of which are below 2^24 in size, has no rounding. NVIDIA documents no order or
 * width of these sums, so gpu/engine/device.c tries it on the GPU at hand.
 *
 * Half precision and not BF16: both have the same rate on every GPU since 8.0, and making halves of bytes takes five
 * instructions for four bytes, BF16 eight, since 1024 + u is exact for u = 0..255 in the one and not in the other. */

enum {
    F16_ROWS =
        PCI_TILE, /* of right in a stage: twice the accumulators leave room for half a tile */
    MOST_TERMS = 256,
    START_BITS = 0x4B400000 /* those of START */
};

constexpr float START = 12582912.0f; /* 1.5 * 2^23 */

/* Four bytes, signed, as two pairs of halves: the bytes 0 and 1, then 2 and 3. */
struct halves {
    uint32_t low, high;
};

__device__ __forceinline__ uint32_t subtract_halves(uint32_t a, uint32_t b)
{
    uint32_t difference;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}

__device__ __forceinline__ halves halves_of(uint32_t bytes)
{
    const uint32_t exponent = 0x64646464;       /* 0x6400 | u is 1024 + u */
    const uint32_t offset = 0x64806480;         /* 1024 + 128 */
    const uint32_t biased = bytes ^ 0x80808080; /* each plus 128 */
    return {subtract_halves(__byte_perm(biased, exponent, 0x4140), offset),
            subtract_halves(__byte_perm(biased, exponent, 0x4342), offset)};
}

template <int COLUMNS> struct f16_sums {
    int32_t total[PCI_BLOCK_ROWS][COLUMNS] = {};
    float part[PCI_BLOCK_ROWS][COLUMNS];

    __device__ __forceinline__ f16_sums()
    {
        begin();
    }

    __device__ __forceinline__ void begin()
    {
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                part[i][j] = START;
            }
        }
    }

    /* Each half of 16 bytes of a fragment is one product of 16 terms. Its order of terms is the same on the left
     * and on the right, and is of no importance. */
    __device__ __forceinline__ void multiply(const fragments<COLUMNS> &from)
    {
        halves right[COLUMNS / 4][4];
#pragma unroll
        for (int j = 0; j < COLUMNS / 4; j++) {
#pragma unroll
            for (int w = 0; w < 4; w++) {
                right[j][w] = halves_of(from.right[j][w]);
            }
        }
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i += 2) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const halves upper = halves_of(from.left[i / 2][2 * half]);
                const halves lower = halves_of(from.left[i / 2][2 * half + 1]);
#pragma unroll
                for (int j = 0; j < COLUMNS; j += 2) {
                    const halves &column = right[j / 4][(j & 2) + half];

                    pci_multiply_add_halves(part[i][j], part[i][j + 1], part[i + 1][j],
                                            part[i + 1][j + 1], upper.low, lower.low, upper.high,
                                            lower.high, column.low, column.high);
                }
            }
        }
    }

    __device__ __forceinline__ void end_stage(uint32_t depth, uint32_t n_terms)
    {
        if (depth % MOST_TERMS != 0 && depth != n_terms) {
            return;
        }
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                total[i][j] += __float_as_int(part[i][j]) - START_BITS;
            }
        }
        begin();
    }
};

} // namespace

extern "C" cudaError_t pci_product_mma(const pci_product *product, cudaStream_t stream)
{
    int bytes = 0;
    cudaError_t error = most_shared_bytes(&bytes);

    if (error != cudaSuccess) {
        return error;
    }
    if (bytes >= 4 * stage_bytes<INT8_ROWS>) {
        return launch_tiles<int8_sums, INT8_ROWS, 4>(product, stream);
    }
    if (bytes >= 3 * stage_bytes<INT8_ROWS>) {
        return launch_tiles<int8_sums, INT8_ROWS, 3>(product, stream);
    }
    return launch_tiles<int8_sums, INT8_ROWS, 2>(product, stream);
}

extern "C" cudaError_t pci_product_f16(const pci_product *product, cudaStream_t stream)
{
    int bytes = 0;
    cudaError_t error = most_shared_bytes(&bytes);

    if (error != cudaSuccess) {
        return error;
    }
    return bytes >= 5 * stage_bytes<F16_ROWS>
               ? launch_tiles<f16_sums, F16_ROWS, 5>(product, stream)
               : launch_tiles<f16_sums, F16_ROWS, 3>(product, stream);
}
