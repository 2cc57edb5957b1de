/* Residues to integers by mma.sync int8, for GPUs of compute capability 8.0 and later.
 *
 * The digits of sum x_i W_i are a product of matrices: the bytes of the W_i, a row for each place, times the
 * digits of the residues, a column for each entry. A wide residue 128 h + l has two of these, and h is multiplied
 * by the bytes of 128 W_i. Two further digits of a table are the fractions, which make q. A block keeps the bytes
 * of the tables in shared memory, as the threads of a warp read them. A warp makes 32 entries: it reads their
 * residues once, and multiplies them with the rows of eight digits at a time. A sum of bytes is at most 256 * 255 *
 * 128 < 2^23. Four of them are a signed sum for a digit of 32 bits, of which q times the digit of M is taken;
 * carries go from digit to digit.
 *
 * Measured: tests/bench/RESULTS_GPU.md. */
#include "gpu/engine/collect_mma.h"

#include "gpu/engine/pack.cuh"
#include "gpu/engine/ptx.cuh"

namespace
{

enum {
    WARP_THREADS = 32,
    WARPS = 8,
    THREADS = WARPS * WARP_THREADS,
    ENTRIES = 32,     /* of a warp at a time */
    STEP_DIGITS = 32, /* of residues that an instruction multiplies: a step */
    MOST_STEPS = PCI_COLLECT_MMA_DIGITS / STEP_DIGITS,
    GROUP_DIGITS = 8, /* of integers, 32 bits each, in two tiles of 16 rows */
    GROUP_WORDS = GROUP_DIGITS / 2,
    TILES = 2,
    PITCH = ENTRIES + 1 /* of sums of a digit, so that threads use different banks */
};

typedef struct integer_task {
    uint64_t *out;
    uint32_t n, n_padded, n_digits, n_lines; /* lines: digits of residues */
    uint64_t n_rows;
    const uint32_t *fraction, *weight, *modulus;
    const uint32_t *rows; /* [n_rows] of the planes; NULL: 0, 1, ... */
} integer_task;

/* What a block has in shared memory. */
typedef struct shared_tables {
    uint4 *weight; /* [groups][steps][TILES][WARP_THREADS]: the left operand of each thread */
    const int8_t **plane; /* [steps * STEP_DIGITS] */
    int64_t *sum;         /* [WARPS][GROUP_DIGITS][PITCH] */
} shared_tables;

/* The fractions are the first group. */
__host__ __device__ uint32_t n_groups_of(uint32_t n_digits)
{
    return 1 + (n_digits + GROUP_DIGITS - 1) / GROUP_DIGITS;
}

__host__ __device__ size_t weight_bytes(uint32_t n_groups, uint32_t n_steps)
{
    return (size_t)n_groups * n_steps * TILES * WARP_THREADS * sizeof(uint4);
}

size_t shared_bytes(uint32_t n_groups, uint32_t n_steps)
{
    return weight_bytes(n_groups, n_steps) + n_steps * STEP_DIGITS * sizeof(int8_t *) +
           WARPS * GROUP_DIGITS * PITCH * sizeof(int64_t);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The modulus of a line, and whether it is the high digit of a wide one. */
__device__ uint32_t modulus_of_line(uint32_t line, bool *is_high)
{
    uint32_t beyond = line - PCI_FIRST_WIDE;
    *is_high = line >= PCI_FIRST_WIDE && beyond % 2 == 0;
    return line < PCI_FIRST_WIDE ? line : PCI_FIRST_WIDE + beyond / 2;
}

/* Digit d of what a line is multiplied with: of its fraction in the first group, then of its W_i. */
__device__ uint32_t weight_digit(const integer_task &task, uint32_t line, uint32_t d)
{
    bool is_high;
    uint32_t i = modulus_of_line(line, &is_high), shift = is_high ? 7 : 0;
    if (line >= task.n_lines)
        return 0;
    if (d < GROUP_DIGITS)
        return d < 2 ? (uint32_t)(((uint64_t)task.fraction[i] << shift) >> 32 * d) : 0;
    d -= GROUP_DIGITS;
    if (d >= task.n_digits)
        return 0;
    const uint32_t *digit = task.weight + (size_t)i * task.n_digits + d;
    return is_high && d > 0 ? __funnelshift_l(digit[-1], *digit, 7) : *digit << shift;
}

/* Word w of the left operand of a lane: the bytes of four lines in the row of a place. Row lane / 4 of the first
 * tile is byte 0 of a digit, row lane / 4 + 8 is byte 1; those of the second tile are bytes 2 and 3. */
__device__ uint32_t weight_word(const integer_task &task, uint32_t group, uint32_t step,
                                uint32_t tile, uint32_t lane, uint32_t w)
{
    uint32_t line = STEP_DIGITS * step + 16 * (w / 2) + 4 * (lane % 4);
    uint32_t byte = 2 * tile + w % 2, word = 0;
    for (uint32_t b = 0; b < 4; b++)
        word |= (weight_digit(task, line + b, GROUP_DIGITS * group + lane / 4) >> 8 * byte & 255)
                << 8 * b;
    return word;
}

__device__ void fill_tables(const integer_task &task, const pci_base_planes &base,
                            uint32_t n_groups, uint32_t n_steps, const shared_tables &tables)
{
    uint32_t *word = (uint32_t *)tables.weight;
    for (uint32_t k = threadIdx.x; k < weight_bytes(n_groups, n_steps) / sizeof *word;
         k += blockDim.x) {
        uint32_t lane = k / 4 % WARP_THREADS, tile = k / 4 / WARP_THREADS % TILES;
        uint32_t step = k / 4 / WARP_THREADS / TILES;
        word[k] = weight_word(task, step / n_steps, step % n_steps, tile, lane, k % 4);
    }
    for (uint32_t k = threadIdx.x; k < n_steps * STEP_DIGITS; k += blockDim.x) {
        bool is_high;
        uint32_t line = k < task.n_lines ? k : 0; /* any plane: its weights are zero */
        uint32_t i = modulus_of_line(line, &is_high);
        bool is_low = line >= PCI_FIRST_WIDE && !is_high;
        tables.plane[k] = base.any ? base.any[3 * (size_t)i + is_low] : base.narrow[i];
    }
    __syncthreads();
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* The right operands of a lane: digits of the residues of entries 4 (lane / 4) + j, for j = 0 .. 3, whose column in
 * product j is lane / 4. */
template <int STEPS> struct residue_words {
    uint32_t word[STEPS][2][PCI_ENTRIES];
};

template <int STEPS>
__device__ __forceinline__ void load_words(const shared_tables &tables, size_t at,
                                           residue_words<STEPS> &x)
{
    uint32_t lane = threadIdx.x % WARP_THREADS;
    at += lane / 4 * PCI_ENTRIES;
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int8_t *const *plane =
                tables.plane + STEP_DIGITS * s + 16 * half + lane % 4 * PCI_ENTRIES;
#pragma unroll
            for (int k = 0; k < PCI_ENTRIES; k++)
                x.word[s][half][k] = pci_load_word(plane[k] + at);
            pci_transpose4(x.word[s][half]);
        }
}

/* Signed sums of the digits of a group: sum[digit][entry] of the warp. */
template <int STEPS>
__device__ __forceinline__ void sum_group(const uint4 *weight, const residue_words<STEPS> &x,
                                          int64_t *sum)
{
    uint32_t lane = threadIdx.x % WARP_THREADS;
    int32_t total[TILES][PCI_ENTRIES][4] = {};
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int t = 0; t < TILES; t++) {
            uint4 left = weight[(s * TILES + t) * WARP_THREADS + lane];
#pragma unroll
            for (int j = 0; j < PCI_ENTRIES; j++)
                pci_multiply_add_unsigned(total[t][j], left, x.word[s][0][j], x.word[s][1][j]);
        }
#pragma unroll
    for (int j = 0; j < PCI_ENTRIES; j++)
#pragma unroll
        for (int c = 0; c < 2; c++) {
            uint32_t entry = PCI_ENTRIES * (2 * (lane % 4) + c) + j;
            int64_t low = total[0][j][c] + ((int64_t)total[0][j][2 + c] << 8);
            int64_t high = total[1][j][c] + ((int64_t)total[1][j][2 + c] << 8);
            sum[lane / 4 * PITCH + entry] = low + (high << 16);
        }
    __syncwarp();
}

/* Words of the entry of a lane from sums of digits first .. first + 7, in their place. */
__device__ __forceinline__ int64_t make_words(const integer_task &task, uint32_t first, int32_t q,
                                              int64_t carry, int64_t *sum)
{
    uint32_t lane = threadIdx.x % WARP_THREADS;
    uint64_t word[GROUP_WORDS];
#pragma unroll
    for (uint32_t d = 0; d < GROUP_DIGITS; d++) {
        uint32_t m = first + d < task.n_digits ? __ldg(task.modulus + first + d) : 0;
        carry += sum[d * PITCH + lane] - (int64_t)q * m;
        word[d / 2] = d % 2 ? word[d / 2] | (uint64_t)carry << 32 : (uint32_t)carry;
        carry >>= 32;
    }
    __syncwarp();
#pragma unroll
    for (uint32_t w = 0; w < GROUP_WORDS; w++)
        sum[w * PITCH + lane] = (int64_t)word[w];
    __syncwarp();
    return carry;
}

/* Stores the words of a group, those of an entry by neighbouring threads. */
__device__ __forceinline__ void store_words(const integer_task &task, uint64_t *out,
                                            uint32_t n_entries, uint32_t first_word,
                                            const int64_t *sum)
{
    uint32_t lane = threadIdx.x % WARP_THREADS, n_words = task.n_digits / 2;
    uint32_t w = lane % GROUP_WORDS;
#pragma unroll
    for (uint32_t k = lane / GROUP_WORDS; k < ENTRIES; k += WARP_THREADS / GROUP_WORDS)
        if (k < n_entries && first_word + w < n_words)
            out[(size_t)k * n_words + first_word + w] = (uint64_t)sum[w * PITCH + k];
    __syncwarp();
}

template <int STEPS>
__global__ __launch_bounds__(THREADS) void collect_mma(pci_base_planes base, integer_task task)
{
#if __CUDA_ARCH__ >= 800
    extern __shared__ uint4 memory[];
    uint32_t n_groups = n_groups_of(task.n_digits), warp = threadIdx.x / WARP_THREADS;
    shared_tables tables;
    tables.weight = memory;
    tables.plane = (const int8_t **)(memory + weight_bytes(n_groups, STEPS) / sizeof *memory);
    tables.sum = (int64_t *)(tables.plane + STEPS * STEP_DIGITS) + warp * GROUP_DIGITS * PITCH;
    fill_tables(task, base, n_groups, STEPS, tables);
    uint32_t a_row = (task.n + ENTRIES - 1) / ENTRIES, lane = threadIdx.x % WARP_THREADS;
    size_t n_items = task.n_rows * a_row;
    for (size_t item = blockIdx.x * WARPS + warp; item < n_items; item += gridDim.x * WARPS) {
        size_t row = item / a_row, source = task.rows ? task.rows[row] : row;
        uint32_t column = (uint32_t)(item - row * a_row) * ENTRIES;
        uint32_t n_entries = task.n - column < ENTRIES ? task.n - column : ENTRIES;
        uint64_t *out = task.out + (row * task.n + column) * (task.n_digits / 2);
        residue_words<STEPS> x;
        int64_t carry = 0;
        load_words<STEPS>(tables, source * task.n_padded + column, x);
        sum_group<STEPS>(tables.weight, x, tables.sum);
        int32_t q = pci_whole_part(tables.sum[lane] + (tables.sum[PITCH + lane] << 32));
        __syncwarp();
        for (uint32_t g = 1; g < n_groups; g++) {
            sum_group<STEPS>(tables.weight + (size_t)g * STEPS * TILES * WARP_THREADS, x,
                             tables.sum);
            carry = make_words(task, GROUP_DIGITS * (g - 1), q, carry, tables.sum);
            store_words(task, out, n_entries, GROUP_WORDS * (g - 1), tables.sum);
        }
    }
#endif
}

/* ---- Launches -------------------------------------------------------------------------------- */

uint32_t n_lines_of(uint32_t r)
{
    return r <= PCI_FIRST_WIDE ? r : PCI_FIRST_WIDE + 2 * (r - PCI_FIRST_WIDE);
}

uint32_t n_steps_of(uint32_t r)
{
    return (n_lines_of(r) + STEP_DIGITS - 1) / STEP_DIGITS;
}

/* Blocks that run at the same time: each fills its tables once. */
template <int STEPS>
cudaError_t launch_steps(const pci_base_planes &base, const integer_task &task, cudaStream_t stream)
{
    if constexpr (STEPS > 1)
        if (task.n_lines <= STEP_DIGITS * (STEPS - 1))
            return launch_steps<STEPS - 1>(base, task, stream);
    int device = 0, n_sms = 0, n_resident = 0;
    size_t bytes = shared_bytes(n_groups_of(task.n_digits), STEPS);
    const void *kernel = (const void *)collect_mma<STEPS>;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&n_sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_resident, kernel, THREADS, bytes);
    if (error != cudaSuccess)
        return error;
    size_t n_items = task.n_rows * ((task.n + ENTRIES - 1) / ENTRIES);
    size_t n_blocks = (n_items + WARPS - 1) / WARPS, most = (size_t)n_sms * n_resident;
    collect_mma<STEPS>
        <<<(unsigned)(n_blocks < most ? n_blocks : most), THREADS, bytes, stream>>>(base, task);
    return cudaGetLastError();
}

} // namespace

bool pci_gpu_can_collect_mma(uint32_t r, uint32_t n_digits)
{
    int device = 0, major = 0, bytes = 0;
    if (n_lines_of(r) > PCI_COLLECT_MMA_DIGITS || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        return false;
    return major >= 8 && shared_bytes(n_groups_of(n_digits), n_steps_of(r)) <= (size_t)bytes;
}

cudaError_t pci_gpu_collect_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                const uint32_t *weight, const uint32_t *modulus, uint32_t n_digits,
                                pci_gpu_residues residues, uint64_t n_rows, uint64_t *limbs,
                                cudaStream_t stream)
{
    integer_task task = {};
    task.out = limbs;
    task.n = layout->n;
    task.n_padded = layout->n_padded;
    task.n_digits = n_digits;
    task.n_lines = n_lines_of(crt->r);
    task.n_rows = n_rows;
    task.fraction = crt->fraction;
    task.weight = weight;
    task.modulus = modulus;
    task.rows = residues.rows;
    if (n_rows == 0 || task.n == 0)
        return cudaSuccess;
    return launch_steps<MOST_STEPS>(pci_base_planes_of(crt->r, residues), task, stream);
}
