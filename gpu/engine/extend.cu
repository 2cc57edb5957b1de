/* Base extension: X modulo further moduli from its residues, without computing X itself.
 *
 * Nearly all extensions are from narrow to narrow moduli. There the residues of four moduli are one
 * word, and their part of a sum is one dp4a. */
#include "gpu/engine/pack.cuh"

enum {
    GROUP = 4, /* moduli of a word */
    MOST_GROUPS = (PCI_MAX_NARROW + GROUP - 1) / GROUP,
    MOST_NARROW_OUTPUTS = PCI_MAX_NARROW - 1,
    WIDE_OUTPUTS = 8, /* of a launch */
    /* With fractions rounded to 14 bits the error of q is at most 49 * 128 / 2^15 < 1/4. A fraction
     * is two int8 digits: low, and high up to 2^6. */
    FRACTION_BITS = 14
};

typedef struct narrow_output {
    pci_reduction reduction;
    uint32_t row; /* of the table of weights */
    int8_t *plane;
} narrow_output;

typedef struct narrow_extension {
    uint32_t r, n_outputs;
    size_t n_entries;
    const uint32_t *fraction;
    const int32_t *weight, *modulus;
    const int8_t *plane[PCI_MAX_NARROW];
    narrow_output output[MOST_NARROW_OUTPUTS];
} narrow_extension;

/* ---- Narrow to narrow ------------------------------------------------------------------------ */

template <int N_GROUPS> struct alignas(16) packed_weights {
    uint32_t group[N_GROUPS];
    int32_t minus_modulus; /* q's weight */
};

template <int N_GROUPS> struct narrow_tables {
    packed_weights<N_GROUPS> output[MOST_NARROW_OUTPUTS];
    uint32_t fraction_low[N_GROUPS], fraction_high[N_GROUPS];
};

static __device__ __forceinline__ int32_t short_fraction(uint32_t fraction)
{
    return (int32_t)(((uint64_t)fraction + (1u << (31 - FRACTION_BITS))) >> (32 - FRACTION_BITS));
}

static __device__ __forceinline__ int32_t dot4(uint32_t x, uint32_t w, int32_t sum)
{
    return __dp4a((int)x, (int)w, sum);
}

/* The weights of the moduli of group g as bytes; weights beyond r are zero. */
static __device__ uint32_t pack_weights(const int32_t *weight, uint32_t r, uint32_t g)
{
    uint32_t word = 0;
    for (uint32_t k = 0; k < GROUP && GROUP * g + k < r; k++)
        word |= (uint32_t)(uint8_t)weight[GROUP * g + k] << 8 * k;
    return word;
}

template <int N_GROUPS>
static __device__ void fill_tables(const narrow_extension &task, narrow_tables<N_GROUPS> *tables)
{
    for (uint32_t k = threadIdx.x; k < task.n_outputs * N_GROUPS; k += blockDim.x) {
        uint32_t o = k / N_GROUPS, g = k % N_GROUPS;
        const int32_t *weight = task.weight + (size_t)task.output[o].row * task.r;
        tables->output[o].group[g] = pack_weights(weight, task.r, g);
    }
    for (uint32_t o = threadIdx.x; o < task.n_outputs; o += blockDim.x)
        tables->output[o].minus_modulus = -task.modulus[task.output[o].row];
    for (uint32_t g = threadIdx.x; g < N_GROUPS; g += blockDim.x) {
        int32_t low[GROUP] = {}, high[GROUP] = {};
        for (uint32_t k = 0; k < GROUP && GROUP * g + k < task.r; k++) {
            int32_t f = short_fraction(task.fraction[GROUP * g + k]);
            low[k] = (int8_t)f;
            high[k] = (f - low[k]) >> 8;
        }
        tables->fraction_low[g] = pack_weights(low, GROUP, 0);
        tables->fraction_high[g] = pack_weights(high, GROUP, 0);
    }
    __syncthreads();
}

/* x[g][e]: the residues of entry e modulo the moduli of group g. */
template <int N_GROUPS>
static __device__ __forceinline__ void load_groups(const narrow_extension &task, size_t at,
                                                   uint32_t x[N_GROUPS][PCI_ENTRIES])
{
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++)
#pragma unroll
        for (int k = 0; k < GROUP; k++)
            x[g][k] = g < N_GROUPS - 1 || GROUP * g + k < (int)task.r
                          ? pci_load_word(task.plane[GROUP * g + k] + at)
                          : 0;
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++)
        pci_transpose4(x[g]);
}

template <int N_GROUPS>
static __device__ __forceinline__ int32_t whole_part(const narrow_tables<N_GROUPS> &tables,
                                                     const uint32_t x[N_GROUPS][PCI_ENTRIES], int e)
{
    int32_t low = 1 << (FRACTION_BITS - 2), high = 0;
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++) {
        low = dot4(x[g][e], tables.fraction_low[g], low);
        high = dot4(x[g][e], tables.fraction_high[g], high);
    }
    return (256 * high + low) >> FRACTION_BITS;
}

template <int N_GROUPS>
static __device__ __forceinline__ uint32_t residue_of(const packed_weights<N_GROUPS> &weights,
                                                      const uint32_t x[N_GROUPS][PCI_ENTRIES],
                                                      int e, int32_t q,
                                                      const pci_reduction &reduction)
{
    int32_t sum = q * weights.minus_modulus;
#pragma unroll
    for (int g = 0; g < N_GROUPS; g++)
        sum = dot4(x[g][e], weights.group[g], sum);
    return pci_reduce(sum, reduction);
}

template <int N_GROUPS>
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void extend_narrow(narrow_extension task)
{
    __shared__ narrow_tables<N_GROUPS> tables;
    fill_tables<N_GROUPS>(task, &tables);
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < task.n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        uint32_t x[N_GROUPS][PCI_ENTRIES];
        int32_t q[PCI_ENTRIES];
        load_groups<N_GROUPS>(task, at, x);
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            q[e] = whole_part<N_GROUPS>(tables, x, e);
        for (uint32_t o = 0; o < task.n_outputs; o++) {
            const packed_weights<N_GROUPS> weights = tables.output[o];
            const pci_reduction reduction = task.output[o].reduction;
            *(uint32_t *)(task.output[o].plane + at) =
                pci_low_bytes(residue_of<N_GROUPS>(weights, x, 0, q[0], reduction),
                              residue_of<N_GROUPS>(weights, x, 1, q[1], reduction),
                              residue_of<N_GROUPS>(weights, x, 2, q[2], reduction),
                              residue_of<N_GROUPS>(weights, x, 3, q[3], reduction));
        }
    }
}

/* Launches the kernel for N_GROUPS, or for fewer groups. */
template <int N_GROUPS>
static cudaError_t launch_narrow(const narrow_extension &task, cudaStream_t stream)
{
    if constexpr (N_GROUPS > 1)
        if (task.r <= GROUP * (N_GROUPS - 1))
            return launch_narrow<N_GROUPS - 1>(task, stream);
    unsigned n_blocks = pci_blocks_for(task.n_entries / PCI_ENTRIES, PCI_BLOCK_THREADS);
    extend_narrow<N_GROUPS><<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

/* ---- Any to wide ----------------------------------------------------------------------------- */

typedef struct wide_output {
    pci_wide_modulus modulus;
    uint32_t row;
    int8_t *digit[3];
} wide_output;

typedef struct wide_extension {
    uint32_t n_outputs;
    size_t n_entries;
    const uint32_t *fraction;
    const int32_t *weight, *modulus;
    pci_base_planes base;
    wide_output output[WIDE_OUTPUTS];
} wide_extension;

/* Adds sum x_i W_i for each output, and T. */
static __device__ __forceinline__ void sum_wide(const wide_extension &task, size_t at,
                                                int64_t sum[WIDE_OUTPUTS][PCI_ENTRIES],
                                                int64_t total[PCI_ENTRIES])
{
    for (uint32_t i = 0; i < task.base.r; i++) {
        int32_t x[PCI_ENTRIES];
        pci_load_residues(task.base, i, at, x);
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            total[e] += (int64_t)x[e] * task.fraction[i];
#pragma unroll
        for (uint32_t o = 0; o < WIDE_OUTPUTS; o++) {
            /* Outputs beyond n_outputs have a row too, and are not stored. */
            int32_t w = task.weight[(size_t)task.output[o].row * task.base.r + i];
#pragma unroll
            for (int e = 0; e < PCI_ENTRIES; e++)
                sum[o][e] += (int64_t)x[e] * w;
        }
    }
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void extend_wide(wide_extension task)
{
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < task.n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        int64_t sum[WIDE_OUTPUTS][PCI_ENTRIES] = {}, total[PCI_ENTRIES] = {};
        sum_wide(task, at, sum, total);
#pragma unroll
        for (uint32_t o = 0; o < WIDE_OUTPUTS; o++) {
            const wide_output &output = task.output[o];
            int32_t residue[PCI_ENTRIES];
            if (o >= task.n_outputs)
                break;
#pragma unroll
            for (int e = 0; e < PCI_ENTRIES; e++) {
                int64_t value =
                    sum[o][e] - (int64_t)pci_whole_part(total[e]) * task.modulus[output.row];
                residue[e] = pci_reduce_wide((double)value, output.modulus); /* below 2^40 */
            }
            pci_store_wide4(output.digit, at, residue);
        }
    }
}

static cudaError_t launch_wide(const wide_extension &task, cudaStream_t stream)
{
    unsigned n_blocks = pci_blocks_for(task.n_entries / PCI_ENTRIES, PCI_BLOCK_THREADS);
    extend_wide<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

/* ---- Outputs in launches --------------------------------------------------------------------- */

static cudaError_t extend_to_narrow(narrow_extension *task, pci_gpu_residues residues,
                                    uint32_t n_new, const pci_gpu_extension *out,
                                    cudaStream_t stream)
{
    for (uint32_t o = 0; o < n_new; o++)
        if (!out[o].to.wide) {
            if (task->n_outputs == MOST_NARROW_OUTPUTS || !residues.narrow)
                return cudaErrorInvalidValue; /* there are no such moduli */
            narrow_output output = {out[o].to.reduction, o, out[o].digit[0]};
            task->output[task->n_outputs++] = output;
        }
    if (!task->n_outputs)
        return cudaSuccess;
    for (uint32_t i = 0; i < task->r; i++)
        task->plane[i] = residues.narrow[i];
    return launch_narrow<MOST_GROUPS>(*task, stream);
}

static cudaError_t extend_to_wide(wide_extension *task, uint32_t n_new,
                                  const pci_gpu_extension *out, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t o = 0; o < n_new && error == cudaSuccess; o++) {
        if (out[o].to.wide)
            task->output[task->n_outputs++] = {pci_wide_modulus_of(out[o].to.m),
                                               o,
                                               {out[o].digit[0], out[o].digit[1], out[o].digit[2]}};
        if (task->n_outputs == WIDE_OUTPUTS || (task->n_outputs && o == n_new - 1)) {
            error = launch_wide(*task, stream);
            task->n_outputs = 0;
        }
    }
    return error;
}

extern "C" cudaError_t pci_gpu_extend_to_narrow(const pci_gpu_layout *layout,
                                                const pci_gpu_crt *crt, const int32_t *weight,
                                                const int32_t *modulus, pci_gpu_residues residues,
                                                uint64_t n_rows, uint32_t n_new,
                                                const pci_gpu_extension *out, cudaStream_t stream)
{
    narrow_extension narrow = {};
    narrow.r = crt->r;
    narrow.n_entries = n_rows * layout->n_padded;
    narrow.fraction = crt->fraction;
    narrow.weight = weight;
    narrow.modulus = modulus;
    return extend_to_narrow(&narrow, residues, n_new, out, stream);
}

extern "C" cudaError_t pci_gpu_extend(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                      const int32_t *weight, const int32_t *modulus,
                                      pci_gpu_residues residues, uint64_t n_rows, uint32_t n_new,
                                      const pci_gpu_extension *out, cudaStream_t stream)
{
    wide_extension wide = {};
    wide.n_entries = n_rows * layout->n_padded;
    wide.fraction = crt->fraction;
    wide.weight = weight;
    wide.modulus = modulus;
    wide.base = pci_base_planes_of(crt->r, residues);
    cudaError_t error = pci_gpu_extend_to_narrow(layout, crt, weight, modulus, residues, n_rows,
                                                 n_new, out, stream);
    return error != cudaSuccess ? error : extend_to_wide(&wide, n_new, out, stream);
}
