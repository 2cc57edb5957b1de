/* Base extension to wide moduli by mma.sync int8, for GPUs of compute capability 8.0 and later.
 *
 * A new residue is the sum of x_i (W_i mod m) less q M, modulo m: a sum over lines (gpu/engine/residue_mma.cuh). A
 * weight, centred, is two digits of at most 64 and so two rows of the left operand; a tile has eight moduli. A sum
 * over 256 lines is at most 256 * 128 * 64 = 2^21.
 *
 * Measured: tests/bench/RESULTS_GPU.md, "Residues by products of matrices". */
#include "gpu/engine/residue_mma.cuh"

namespace
{

enum {
    TILE_OUTPUTS = 8,
    MOST_OUTPUTS = 48, /* of a launch: what fits its arguments */
    LANE_ENTRIES = 8,  /* of which a lane makes one residue */
};

typedef struct new_modulus {
    double m, inverse;
    uint32_t row;
    int8_t *digit[3];
} new_modulus;

typedef struct extension_task {
    pci_lines lines;
    uint32_t n_outputs;
    size_t n_entries;
    const int32_t *weight, *modulus;
    new_modulus output[MOST_OUTPUTS];
} extension_task;

__host__ __device__ uint32_t n_tiles_of(uint32_t n_outputs)
{
    return (n_outputs + TILE_OUTPUTS - 1) / TILE_OUTPUTS;
}

/* A digit of the centred weight of a line. */
__device__ int32_t weight_digit(const extension_task &task, uint32_t line, uint32_t o, bool is_low)
{
    bool is_high;
    uint32_t i = pci_modulus_of_line(line, &is_high);
    if (o >= task.n_outputs)
        return 0;
    const new_modulus &output = task.output[o];
    pci_wide_modulus m = {output.m, output.inverse};
    double weight = task.weight[(size_t)output.row * task.lines.base.r + i];
    int32_t digit[3];
    pci_split_wide(pci_reduce_wide(is_high ? PCI_RADIX * weight : weight, m), digit);
    return digit[is_low];
}

/* Row lane / 4 of a tile has the high digits of a modulus, row lane / 4 + 8 the low ones. */
__device__ __forceinline__ void fill_weights(const extension_task &task, uint32_t n_steps,
                                             uint4 *left)
{
    pci_fill_left(n_tiles_of(task.n_outputs), n_steps, left,
                  [&](uint32_t tile, uint32_t step, uint32_t lane, uint32_t w) {
                      uint32_t line = pci_first_line(step, lane, w), word = 0;
                      for (uint32_t b = 0; b < 4 && line + b < task.lines.n; b++) {
                          int32_t digit =
                              weight_digit(task, line + b, TILE_OUTPUTS * tile + lane / 4, w % 2);
                          word |= (uint32_t)(uint8_t)digit << 8 * b;
                      }
                      return word;
                  });
}

/* The sums of a tile for a lane: of the modulus lane / 4, for entry 8 (lane % 4) + 4 c + j, total[j][c] of high
 * digits and total[j][2 + c] of low ones. */
template <int STEPS>
__device__ __forceinline__ void sum_tile(const uint4 *left, const pci_line_words<STEPS> &x,
                                         int32_t (&total)[PCI_ENTRIES][4])
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS;
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
        uint4 words = left[s * PCI_WARP_THREADS + lane];
        const uint32_t of_lane[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
        for (int j = 0; j < PCI_ENTRIES; j++)
            pci_multiply_add(total[j][0], total[j][1], total[j][2], total[j][3], of_lane,
                             x.word[s][0][j], x.word[s][1][j]);
    }
}

/* Stores the residues of a lane; q[LANE_ENTRIES] are those of its entries. */
__device__ __forceinline__ void store_residues(const extension_task &task, uint32_t o, size_t at,
                                               const int32_t *q, int32_t (&total)[PCI_ENTRIES][4])
{
    const new_modulus &output = task.output[o];
    pci_wide_modulus modulus = {output.m, output.inverse};
    double m = task.modulus[output.row];
#pragma unroll
    for (int c = 0; c < 2; c++) {
        int32_t residue[PCI_ENTRIES];
#pragma unroll
        for (int j = 0; j < PCI_ENTRIES; j++) {
            int32_t sum = PCI_RADIX * total[j][c] + total[j][2 + c];
            residue[j] = pci_reduce_wide(fma(-(double)q[PCI_ENTRIES * c + j], m, (double)sum),
                                         modulus); /* below 2^36 */
        }
        pci_store_wide4(output.digit, at + PCI_ENTRIES * c, residue);
    }
}

template <int STEPS>
__global__
__launch_bounds__(PCI_LINE_THREADS) void extend_mma(const __grid_constant__ extension_task task)
{
#if __CUDA_ARCH__ >= 800
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS, warp = threadIdx.x / PCI_WARP_THREADS;
    uint32_t n_tiles = n_tiles_of(task.n_outputs);
    pci_line_tables tables = pci_begin_lines(task.lines, n_tiles, STEPS);
    fill_weights(task, STEPS, tables.weights);
    __syncthreads();
    size_t n_items = task.n_entries / PCI_WARP_ENTRIES; /* rows have whole tiles of 128 */
    for (size_t item = blockIdx.x * PCI_LINE_WARPS + warp; item < n_items;
         item += gridDim.x * PCI_LINE_WARPS) {
        size_t at = item * PCI_WARP_ENTRIES;
        pci_line_words<STEPS> x;
        int32_t q[LANE_ENTRIES];
        pci_load_lines<STEPS>(tables.plane, at, x);
        int32_t own = pci_find_quotient<STEPS>(tables.fractions, x, tables.sum);
#pragma unroll
        for (int e = 0; e < LANE_ENTRIES; e++)
            q[e] = __shfl_sync(~0u, own, LANE_ENTRIES * (lane % 4) + e);
        for (uint32_t t = 0; t < n_tiles; t++) {
            int32_t total[PCI_ENTRIES][4] = {};
            uint32_t o = TILE_OUTPUTS * t + lane / 4;
            sum_tile<STEPS>(tables.weights + pci_left_words(t, STEPS), x, total);
            if (o < task.n_outputs)
                store_residues(task, o, at + LANE_ENTRIES * (lane % 4), q, total);
        }
    }
#endif
}

template <int STEPS> cudaError_t launch_steps(extension_task *task, cudaStream_t stream)
{
    if constexpr (STEPS > 1)
        if (task->lines.n <= PCI_STEP_LINES * (STEPS - 1))
            return launch_steps<STEPS - 1>(task, stream);
    void *arguments[] = {task};
    return pci_launch_lines((const void *)extend_mma<STEPS>,
                            pci_line_tables_bytes(n_tiles_of(task->n_outputs), STEPS),
                            task->n_entries / PCI_WARP_ENTRIES, arguments, stream);
}

} // namespace

/* The tables of an extension take 74 KB at most, which every such device has. */
extern "C" bool pci_gpu_can_extend_mma(uint32_t r)
{
    int device = 0, major = 0;
    return pci_n_lines(r) <= PCI_MOST_LINES && cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ==
               cudaSuccess &&
           major >= 8;
}

extern "C" cudaError_t pci_gpu_extend_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                          const int32_t *weight, const int32_t *modulus,
                                          pci_gpu_residues residues, uint64_t n_rows,
                                          uint32_t n_new, const pci_gpu_extension *out,
                                          cudaStream_t stream)
{
    extension_task task = {};
    task.lines = pci_lines_of(crt, residues);
    task.n_entries = n_rows * layout->n_padded;
    task.weight = weight;
    task.modulus = modulus;
    cudaError_t error = pci_gpu_extend_to_narrow(layout, crt, weight, modulus, residues, n_rows,
                                                 n_new, out, stream);
    for (uint32_t o = 0; o < n_new && error == cudaSuccess; o++) {
        if (out[o].to.wide)
            task.output[task.n_outputs++] = {(double)out[o].to.m,
                                             1.0 / out[o].to.m,
                                             o,
                                             {out[o].digit[0], out[o].digit[1], out[o].digit[2]}};
        if (task.n_outputs == MOST_OUTPUTS || (task.n_outputs && o == n_new - 1)) {
            error = launch_steps<PCI_MOST_STEPS>(&task, stream);
            task.n_outputs = 0;
        }
    }
    return error;
}
