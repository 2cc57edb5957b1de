/* Values to residues: the arcs of a graph, words, weights, and the accumulators that a product left
 * in memory. */
#include "gpu/engine/pack.cuh"

/* ---- Arcs, words and weights: once a run, so plainly ----------------------------------------- */

enum { WARP_THREADS = 32 };

typedef struct target {
    uint32_t m; /* 0: plain */
    uint32_t n_digits;
    int8_t *digit[3];
} target;

static target target_of(pci_gpu_modulus modulus, int8_t *const digit[3], size_t offset)
{
    target to = {};
    to.m = modulus.m;
    to.n_digits = modulus.wide ? 3 : 1;
    for (uint32_t d = 0; d < to.n_digits; d++)
        to.digit[d] = digit[d] + offset;
    return to;
}

/* The digits of value mod m, centred. Digit 0 alone is the residue of a narrow modulus or of a
 * plain plane. */
static __device__ void digits_of(uint64_t value, const target &to, int32_t digit[3])
{
    uint32_t rest = (uint32_t)(to.m ? value % to.m : value);
    int32_t residue = 2 * rest > to.m && to.m ? (int32_t)rest - (int32_t)to.m : (int32_t)rest;
    if (to.n_digits == 3)
        pci_split_wide(residue, digit);
    else
        digit[0] = residue;
}

static __device__ void store(uint64_t value, const target &to, size_t at)
{
    int32_t digit[3];
    digits_of(value, to, digit);
    for (uint32_t d = 0; d < to.n_digits; d++)
        to.digit[d][at] = (int8_t)digit[d];
}

/* A warp scatters the arcs of a row. */
static __global__ void scatter(pci_gpu_graph graph, uint32_t n_padded, target to)
{
    uint32_t lane = threadIdx.x % WARP_THREADS;
    for (uint64_t i = pci_thread_index() / WARP_THREADS; i < graph.n;
         i += pci_n_threads_of_grid() / WARP_THREADS)
        for (uint64_t a = graph.row_start[i] + lane; a < graph.row_start[i + 1]; a += WARP_THREADS)
            store(graph.weight ? graph.weight[a] : 1, to, i * n_padded + graph.column[a]);
}

extern "C" cudaError_t pci_gpu_load(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                                    pci_gpu_modulus modulus, int8_t *const digit[3],
                                    cudaStream_t stream)
{
    target to = target_of(modulus, digit, 0);
    for (uint32_t d = 0; d < to.n_digits; d++) {
        cudaError_t error = cudaMemsetAsync(to.digit[d], 0, layout->plane_bytes, stream);
        if (error != cudaSuccess)
            return error;
    }
    unsigned n_blocks = pci_blocks_for(graph->n * WARP_THREADS, PCI_BLOCK_THREADS);
    scatter<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(*graph, layout->n_padded, to);
    return cudaGetLastError();
}

/* The y index of a block counts rows, its x index and its threads count columns. */
static __global__ void split_words(const uint64_t *words, uint64_t n_rows, uint32_t n,
                                   uint32_t n_padded, target to)
{
    uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < n_padded)
        for (uint64_t i = blockIdx.y; i < n_rows; i += gridDim.y)
            store(c < n ? words[i * n + c] : 0, to, i * n_padded + c);
}

extern "C" cudaError_t pci_gpu_split(const pci_gpu_layout *layout, const uint64_t *words,
                                     uint64_t first_row, uint64_t n_rows, pci_gpu_modulus modulus,
                                     int8_t *const digit[3], cudaStream_t stream)
{
    target to = target_of(modulus, digit, first_row * layout->n_padded);
    dim3 grid((layout->n_padded + PCI_BLOCK_THREADS - 1) / PCI_BLOCK_THREADS,
              pci_blocks_for(n_rows, 1));
    split_words<<<grid, PCI_BLOCK_THREADS, 0, stream>>>(words, n_rows, layout->n, layout->n_padded,
                                                        to);
    return cudaGetLastError();
}

/* ---- Words to residues of many narrow moduli: once a level ----------------------------------- */

/* A word is the sum of its bytes times powers of 256, whose residues are weights: two dp4a make a sum that
 * a reduction of accumulators takes. */
typedef struct narrow_target {
    pci_reduction reduction; /* whose weights are those of bytes 0 to 3 */
    uint32_t high_weights;   /* of bytes 4 to 7 */
    int8_t *plane;
} narrow_target;

typedef struct narrow_targets {
    uint32_t n;
    narrow_target to[PCI_MAX_NARROW];
} narrow_targets;

/* Residues of 2^(32 + 8 k), centred, k = 0 .. 3. */
static uint32_t high_weights_of(uint32_t m)
{
    uint32_t weights = 0;
    for (uint32_t k = 0; k < 4; k++) {
        int32_t rest = (int32_t)((UINT64_C(1) << (32 + 8 * k)) % m);
        int32_t weight = 2 * rest > (int32_t)m ? rest - (int32_t)m : rest;
        weights |= (uint32_t)(weight & 255) << 8 * k;
    }
    return weights;
}

/* Four entries a thread; the y index of a block counts rows. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void split_narrow(
    const uint64_t *words, uint64_t n_rows, uint32_t n, uint32_t n_padded,
    const __grid_constant__ narrow_targets targets)
{
    uint32_t c = PCI_ENTRIES * (blockIdx.x * blockDim.x + threadIdx.x);
    if (c >= n_padded)
        return;
    for (uint64_t i = blockIdx.y; i < n_rows; i += gridDim.y) {
        uint64_t word[PCI_ENTRIES];
#pragma unroll
        for (uint32_t e = 0; e < PCI_ENTRIES; e++)
            word[e] = c + e < n ? words[i * n + c + e] : 0;
        for (uint32_t t = 0; t < targets.n; t++) {
            const narrow_target &to = targets.to[t];
            uint32_t sum[PCI_ENTRIES];
#pragma unroll
            for (uint32_t e = 0; e < PCI_ENTRIES; e++)
                sum[e] = pci_dot_bytes((uint32_t)(word[e] >> 32), to.high_weights,
                                       pci_dot_bytes((uint32_t)word[e], to.reduction.weights, 0));
            *(uint32_t *)(to.plane + i * n_padded + c) = pci_reduce4(
                (int32_t)sum[0], (int32_t)sum[1], (int32_t)sum[2], (int32_t)sum[3], to.reduction);
        }
    }
}

extern "C" cudaError_t pci_gpu_split_narrow(const pci_gpu_layout *layout, const uint64_t *words,
                                            uint64_t first_row, uint64_t n_rows, uint32_t n_moduli,
                                            const pci_gpu_modulus *moduli, int8_t *const *plane,
                                            cudaStream_t stream)
{
    narrow_targets targets = {};
    targets.n = n_moduli;
    for (uint32_t t = 0; t < n_moduli; t++) {
        targets.to[t].reduction = moduli[t].reduction;
        targets.to[t].high_weights = high_weights_of(moduli[t].m);
        targets.to[t].plane = plane[t] + first_row * layout->n_padded;
    }
    unsigned a_row = layout->n_padded / PCI_ENTRIES;
    dim3 grid((a_row + PCI_BLOCK_THREADS - 1) / PCI_BLOCK_THREADS, pci_blocks_for(n_rows, 1));
    split_narrow<<<grid, PCI_BLOCK_THREADS, 0, stream>>>(words, n_rows, layout->n, layout->n_padded,
                                                         targets);
    return cudaGetLastError();
}

static __global__ void split_weights(pci_gpu_graph graph, target to)
{
    for (size_t a = pci_thread_index(); a < graph.n_arcs; a += pci_n_threads_of_grid())
        store(graph.weight ? graph.weight[a] : 1, to, a);
}

extern "C" cudaError_t pci_gpu_split_weights(const pci_gpu_graph *graph, pci_gpu_modulus modulus,
                                             int8_t *digits, cudaStream_t stream)
{
    int8_t *const digit[3] = {digits, digits + graph->n_arcs, digits + 2 * graph->n_arcs};
    target to = target_of(modulus, digit, 0);
    unsigned n_blocks = pci_blocks_for(graph->n_arcs, PCI_BLOCK_THREADS);
    split_weights<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(*graph, to);
    return cudaGetLastError();
}

/* ---- int32 accumulators ---------------------------------------------------------------------- */

static __device__ __forceinline__ int4 load_sums(const int32_t *raw, size_t at)
{
    return *(const int4 *)(raw + at);
}

typedef struct digit_planes {
    int8_t *digit[3];
} digit_planes;

static digit_planes planes_at(int8_t *const digit[3], size_t n_digits, size_t offset)
{
    digit_planes planes = {};
    for (size_t d = 0; d < n_digits; d++)
        planes.digit[d] = digit[d] + offset;
    return planes;
}

/* For columns 0 .. n_columns - 1 of rows of pitch entries; the other columns were not
 * multiplied. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void combine(const int32_t *raw,
                                                                    size_t n_rows, size_t pitch,
                                                                    uint32_t n_columns,
                                                                    pci_wide_modulus modulus,
                                                                    digit_planes out)
{
    const size_t row_items = n_columns / PCI_ENTRIES, n_entries = n_rows * pitch;
    for (size_t item = pci_thread_index(); item < n_rows * row_items;
         item += pci_n_threads_of_grid()) {
        size_t at = item / row_items * pitch + PCI_ENTRIES * (item % row_items);
        int4 hh = load_sums(raw, at), ll = load_sums(raw + n_entries, at),
             ss = load_sums(raw + 2 * n_entries, at);
        int32_t residue[PCI_ENTRIES] = {
            pci_reduce_wide(pci_join_products(hh.x, ll.x, ss.x), modulus),
            pci_reduce_wide(pci_join_products(hh.y, ll.y, ss.y), modulus),
            pci_reduce_wide(pci_join_products(hh.z, ll.z, ss.z), modulus),
            pci_reduce_wide(pci_join_products(hh.w, ll.w, ss.w), modulus),
        };
        pci_store_wide4(out.digit, at, residue);
    }
}

extern "C" cudaError_t pci_gpu_combine_wide(const pci_gpu_layout *layout, const int32_t *raw,
                                            uint64_t first_row, uint64_t n_rows, uint32_t n_columns,
                                            uint32_t m, int8_t *const digit[3], cudaStream_t stream)
{
    unsigned n_blocks = pci_blocks_for(n_rows * n_columns / PCI_ENTRIES, PCI_BLOCK_THREADS);
    combine<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(
        raw, n_rows, layout->n_padded, n_columns, pci_wide_modulus_of(m),
        planes_at(digit, 3, first_row * layout->n_padded));
    return cudaGetLastError();
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void reduce_narrow(const int32_t *raw,
                                                                          size_t n_entries,
                                                                          pci_reduction reduction,
                                                                          int8_t *out)
{
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        int4 sum = load_sums(raw, at);
        *(uint32_t *)(out + at) = pci_reduce4(sum.x, sum.y, sum.z, sum.w, reduction);
    }
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void reduce_wide(const int32_t *raw,
                                                                        size_t n_entries,
                                                                        pci_wide_modulus modulus,
                                                                        digit_planes out)
{
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        int4 sum = load_sums(raw, at);
        int32_t residue[PCI_ENTRIES] = {
            pci_reduce_wide(sum.x, modulus), pci_reduce_wide(sum.y, modulus),
            pci_reduce_wide(sum.z, modulus), pci_reduce_wide(sum.w, modulus)};
        pci_store_wide4(out.digit, at, residue);
    }
}

extern "C" cudaError_t pci_gpu_reduce_raw(const pci_gpu_layout *layout, const int32_t *raw,
                                          uint64_t first_row, uint64_t n_rows,
                                          pci_gpu_modulus modulus, int8_t *const digit[3],
                                          cudaStream_t stream)
{
    size_t n_entries = n_rows * layout->n_padded, first = first_row * layout->n_padded;
    unsigned n_blocks = pci_blocks_for(n_entries / PCI_ENTRIES, PCI_BLOCK_THREADS);
    if (modulus.wide)
        reduce_wide<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(
            raw, n_entries, pci_wide_modulus_of(modulus.m), planes_at(digit, 3, first));
    else
        reduce_narrow<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(raw, n_entries, modulus.reduction,
                                                                  digit[0] + first);
    return cudaGetLastError();
}
