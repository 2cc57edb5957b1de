/* Residues to integers by mma.sync int8, for GPUs of compute capability 8.0 and later.
 *
 * The digits of sum x_i W_i are sums over lines (gpu/engine/residue_mma.cuh): the left operand has the bytes of the
 * W_i, those of 128 W_i for high digits, eight digits of 32 bits at a time. q times the digit of M is taken from each
 * digit, and carries go from digit to digit.
 *
 * Measured: tests/bench/RESULTS_GPU.md, "Residues by products of matrices". */
#include "gpu/engine/residue_mma.cuh"

namespace
{

enum { GROUP_WORDS = PCI_GROUP_DIGITS / 2 };

typedef struct integer_task {
    pci_lines lines;
    uint64_t *out;
    uint32_t n, n_padded, n_digits;
    uint64_t n_rows;
    const uint32_t *weight, *modulus;
    const uint32_t *rows; /* [n_rows] of the planes; NULL: 0, 1, ... */
} integer_task;

__host__ __device__ uint32_t n_groups_of(uint32_t n_digits)
{
    return (n_digits + PCI_GROUP_DIGITS - 1) / PCI_GROUP_DIGITS;
}

/* Digit d of what a line is multiplied with. */
__device__ uint32_t weight_digit(const integer_task &task, uint32_t line, uint32_t d)
{
    bool is_high;
    uint32_t i = pci_modulus_of_line(line, &is_high);
    const uint32_t *digit = task.weight + (size_t)i * task.n_digits + d;
    if (d >= task.n_digits)
        return 0;
    if (!is_high)
        return *digit;
    return d > 0 ? __funnelshift_l(digit[-1], *digit, 7) : *digit << 7;
}

/* Words of the entry of a lane from the sums of digits first .. first + 7, in their place. Returns the carry. */
__device__ __forceinline__ int64_t make_words(const integer_task &task, uint32_t first, int32_t q,
                                              int64_t carry, int64_t *sum)
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS;
    uint64_t word[GROUP_WORDS];
#pragma unroll
    for (uint32_t d = 0; d < PCI_GROUP_DIGITS; d++) {
        uint32_t m = first + d < task.n_digits ? __ldg(task.modulus + first + d) : 0;
        carry += sum[d * PCI_SUM_PITCH + lane] - (int64_t)q * m;
        word[d / 2] = d % 2 ? word[d / 2] | (uint64_t)carry << 32 : (uint32_t)carry;
        carry >>= 32;
    }
    __syncwarp();
#pragma unroll
    for (uint32_t w = 0; w < GROUP_WORDS; w++)
        sum[w * PCI_SUM_PITCH + lane] = (int64_t)word[w];
    __syncwarp();
    return carry;
}

/* Stores the words of a group, those of an entry by neighbouring threads. */
__device__ __forceinline__ void store_words(const integer_task &task, uint64_t *out,
                                            uint32_t n_entries, uint32_t first_word,
                                            const int64_t *sum)
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS, n_words = task.n_digits / 2;
    uint32_t w = lane % GROUP_WORDS;
#pragma unroll
    for (uint32_t k = lane / GROUP_WORDS; k < PCI_WARP_ENTRIES; k += PCI_WARP_THREADS / GROUP_WORDS)
        if (k < n_entries && first_word + w < n_words)
            out[(size_t)k * n_words + first_word + w] = (uint64_t)sum[w * PCI_SUM_PITCH + k];
    __syncwarp();
}

__host__ __device__ uint32_t items_of_row(uint32_t n)
{
    return (n + PCI_WARP_ENTRIES - 1) / PCI_WARP_ENTRIES;
}

template <int STEPS>
__global__ __launch_bounds__(PCI_LINE_THREADS) void collect_mma(integer_task task)
{
#if __CUDA_ARCH__ >= 800
    uint32_t n_groups = n_groups_of(task.n_digits), warp = threadIdx.x / PCI_WARP_THREADS;
    pci_line_tables tables = pci_begin_lines(task.lines, PCI_TILES * n_groups, STEPS);
    pci_fill_digits(n_groups, STEPS, task.lines.n, tables.weights,
                    [&](uint32_t line, uint32_t d) { return weight_digit(task, line, d); });
    __syncthreads();
    uint32_t a_row = items_of_row(task.n);
    size_t n_items = task.n_rows * a_row;
    for (size_t item = blockIdx.x * PCI_LINE_WARPS + warp; item < n_items;
         item += gridDim.x * PCI_LINE_WARPS) {
        size_t row = item / a_row, source = task.rows ? task.rows[row] : row;
        uint32_t column = (uint32_t)(item - row * a_row) * PCI_WARP_ENTRIES;
        uint32_t n_entries = min(task.n - column, (uint32_t)PCI_WARP_ENTRIES);
        uint64_t *out = task.out + (row * task.n + column) * (task.n_digits / 2);
        pci_line_words<STEPS> x;
        int64_t carry = 0;
        pci_load_lines<STEPS>(tables.plane, source * task.n_padded + column, x);
        int32_t q = pci_find_quotient<STEPS>(tables.fractions, x, tables.sum);
        for (uint32_t g = 0; g < n_groups; g++) {
            pci_sum_digits<STEPS>(tables.weights + pci_left_words(PCI_TILES * g, STEPS), x,
                                  tables.sum);
            carry = make_words(task, PCI_GROUP_DIGITS * g, q, carry, tables.sum);
            store_words(task, out, n_entries, GROUP_WORDS * g, tables.sum);
        }
    }
#endif
}

template <int STEPS> cudaError_t launch_steps(integer_task *task, cudaStream_t stream)
{
    if constexpr (STEPS > 1)
        if (task->lines.n <= PCI_STEP_LINES * (STEPS - 1))
            return launch_steps<STEPS - 1>(task, stream);
    void *arguments[] = {task};
    return pci_launch_lines((const void *)collect_mma<STEPS>,
                            pci_line_tables_bytes(PCI_TILES * n_groups_of(task->n_digits), STEPS),
                            task->n_rows * items_of_row(task->n), arguments, stream);
}

} // namespace

extern "C" bool pci_gpu_can_collect_mma(uint32_t r, uint32_t n_digits)
{
    int device = 0, bytes = 0;
    uint32_t n_steps = (pci_n_lines(r) + PCI_STEP_LINES - 1) / PCI_STEP_LINES;
    return pci_gpu_can_extend_mma(r) && cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           pci_line_tables_bytes(PCI_TILES * n_groups_of(n_digits), n_steps) <= (size_t)bytes;
}

extern "C" cudaError_t pci_gpu_collect_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                           const uint32_t *weight, const uint32_t *modulus,
                                           uint32_t n_digits, pci_gpu_residues residues,
                                           uint64_t n_rows, uint64_t *limbs, cudaStream_t stream)
{
    integer_task task = {};
    task.lines = pci_lines_of(crt, residues);
    task.out = limbs;
    task.n = layout->n;
    task.n_padded = layout->n_padded;
    task.n_digits = n_digits;
    task.n_rows = n_rows;
    task.weight = weight;
    task.modulus = modulus;
    task.rows = residues.rows;
    return launch_steps<PCI_MOST_STEPS>(&task, stream);
}
