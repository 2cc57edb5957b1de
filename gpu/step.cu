/* A times P for the sparse A: row i of the result is a weighted sum of rows of P.
 *
 * Threads side by side sum a slab of columns of one row, a block those of several rows. Blocks run
 * rows first, so those at work at the same time share a slab, and what they read of P fits the L2
 * cache. Bytes are added by dp4a with a weight in one place and zeros in the others. */
#include "gpu/pack.cuh"

#include <algorithm>

enum {
    COLUMNS = 16,     /* of a thread */
    MOST_LANES = 32,  /* threads side by side */
    CACHE_MIB = 32,   /* of the L2 cache for a slab */
    MOST_OUTPUTS = 48 /* of a launch: their list is a parameter */
};

typedef struct step_input {
    uint64_t n, n_arcs;
    uint32_t n_padded, lanes;
    const uint64_t *row_start;
    const uint32_t *column;
    const int8_t *weights; /* [3][n_arcs] or [n_arcs]; unused without weights */
    const int8_t *plane[3];
} step_input;

typedef struct step_target {
    pci_reduction reduction;
    uint32_t m; /* of a wide one, else 0 */
    int8_t *digit[3];
} step_target;

typedef struct step_outputs {
    uint32_t n;
    step_target target[MOST_OUTPUTS];
} step_outputs;

/* ---- Sums ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ void add_word(uint32_t word, uint32_t weight, int32_t *sum)
{
    for (int k = 0; k < PCI_ENTRIES; k++)
        sum[k] = __dp4a((int)word, (int)(weight << 8 * k), sum[k]);
}

static __device__ __forceinline__ void add_quad(uint4 quad, uint32_t weight, int32_t sum[COLUMNS])
{
    add_word(quad.x, weight, sum);
    add_word(quad.y, weight, sum + 4);
    add_word(quad.z, weight, sum + 8);
    add_word(quad.w, weight, sum + 12);
}

/* Sums of row i for N_PLANES of P, from column c on. Loads of several arcs are under way at once:
 * each takes hundreds of cycles. */
template <int N_PLANES, bool WEIGHTED>
static __device__ __forceinline__ void sum_row(const step_input &in, uint64_t i, uint32_t c,
                                               int32_t sum[N_PLANES][COLUMNS])
{
    constexpr int BATCH = N_PLANES == 1 ? 8 : 4;
    uint64_t end = i < in.n ? in.row_start[i + 1] : 0; /* padding rows have no arcs */
    for (uint64_t first = i < in.n ? in.row_start[i] : 0; first < end; first += BATCH) {
        uint4 quad[N_PLANES][BATCH];
        uint32_t weight[N_PLANES][BATCH];
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            bool there = first + b < end;
            size_t at = there ? in.column[first + b] * (size_t)in.n_padded + c : 0;
#pragma unroll
            for (int p = 0; p < N_PLANES; p++) {
                quad[p][b] = there ? *(const uint4 *)(in.plane[p] + at) : make_uint4(0, 0, 0, 0);
                weight[p][b] = 1;
                if (WEIGHTED && there)
                    weight[p][b] = (uint8_t)in.weights[p * in.n_arcs + first + b];
            }
        }
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            if (first + b < end)
#pragma unroll
                for (int p = 0; p < N_PLANES; p++)
                    add_quad(quad[p][b], weight[p][b], sum[p]);
    }
}

/* ---- Results --------------------------------------------------------------------------------- */

static __device__ __forceinline__ void store_narrow(const int32_t sum[COLUMNS],
                                                    const step_target &target, size_t at)
{
    uint32_t word[4];
#pragma unroll
    for (int w = 0; w < 4; w++)
        word[w] = pci_low_bytes(pci_reduce(sum[4 * w], target.reduction),
                                pci_reduce(sum[4 * w + 1], target.reduction),
                                pci_reduce(sum[4 * w + 2], target.reduction),
                                pci_reduce(sum[4 * w + 3], target.reduction));
    *(uint4 *)(target.digit[0] + at) = make_uint4(word[0], word[1], word[2], word[3]);
}

/* One plane: sums of plain entries. Two: of high and of low digits, as every weight is 1. Three:
 * the products of the digits. */
template <int N_PLANES>
static __device__ __forceinline__ double wide_sum(const int32_t sum[N_PLANES][COLUMNS], int k)
{
    if (N_PLANES == 1)
        return sum[0][k];
    if (N_PLANES == 2)
        return (double)PCI_RADIX * sum[0][k] + sum[1 % N_PLANES][k];
    return pci_join_products(sum[0][k], sum[1 % N_PLANES][k], sum[2 % N_PLANES][k]);
}

template <int N_PLANES>
static __device__ __forceinline__ void store_wide(const int32_t sum[N_PLANES][COLUMNS],
                                                  const step_target &target, size_t at)
{
    pci_wide_modulus modulus = {(double)target.m, 1.0 / target.m};
#pragma unroll
    for (int w = 0; w < 4; w++) {
        int32_t residue[PCI_ENTRIES];
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            residue[e] = pci_reduce_wide(wide_sum<N_PLANES>(sum, 4 * w + e), modulus);
        pci_store_wide4(target.digit, at + 4 * w, residue);
    }
}

template <int N_PLANES, bool WEIGHTED>
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void step(step_input in,
                                                                 step_outputs outputs)
{
    uint64_t i = (uint64_t)blockIdx.x * (PCI_BLOCK_THREADS / in.lanes) + threadIdx.x / in.lanes;
    uint32_t c = (blockIdx.y * in.lanes + threadIdx.x % in.lanes) * COLUMNS;
    if (c >= in.n_padded)
        return;
    int32_t sum[N_PLANES][COLUMNS] = {};
    sum_row<N_PLANES, WEIGHTED>(in, i, c, sum);
    for (uint32_t o = 0; o < outputs.n; o++) {
        const step_target &target = outputs.target[o];
        size_t at = i * in.n_padded + c;
        if (target.m)
            store_wide<N_PLANES>(sum, target, at);
        else if (N_PLANES == 1)
            store_narrow(sum[0], target, at);
    }
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* 8, 16 or 32: no wider than the plane, and a slab of it fits the cache. */
static uint32_t lanes_for(uint32_t n_padded)
{
    uint32_t lanes = MOST_LANES;
    while (lanes > 8 && (lanes * COLUMNS > n_padded ||
                         (size_t)lanes * COLUMNS * n_padded > (size_t)CACHE_MIB << 20))
        lanes /= 2;
    return lanes;
}

static cudaError_t launch(const step_input &in, bool is_wide, bool weighted,
                          const step_outputs &outputs, cudaStream_t stream)
{
    uint32_t rows = PCI_BLOCK_THREADS / in.lanes, slab = in.lanes * COLUMNS;
    dim3 grid(in.n_padded / rows, (in.n_padded + slab - 1) / slab); /* rows within columns */
    if (!is_wide && !weighted)
        step<1, false><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, outputs);
    else if (!is_wide)
        step<1, true><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, outputs);
    else if (!weighted)
        step<2, false><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, outputs);
    else
        step<3, true><<<grid, PCI_BLOCK_THREADS, 0, stream>>>(in, outputs);
    return cudaGetLastError();
}

static step_target target_of(const pci_gpu_step_output *output)
{
    step_target target = {};
    target.reduction = output->modulus.reduction;
    target.m = output->modulus.wide ? output->modulus.m : 0;
    for (int d = 0; d < (output->modulus.wide ? 3 : 1); d++)
        target.digit[d] = output->digit[d];
    return target;
}

extern "C" cudaError_t pci_gpu_step(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                                    int8_t *const in[3], bool in_is_wide, const int8_t *weights,
                                    uint32_t n_outputs, const pci_gpu_step_output *outputs,
                                    cudaStream_t stream)
{
    step_input input = {};
    input.n = graph->n;
    input.n_arcs = graph->n_arcs;
    input.n_padded = layout->n_padded;
    input.lanes = lanes_for(layout->n_padded);
    input.row_start = graph->row_start;
    input.column = graph->column;
    input.weights = weights;
    input.plane[0] = in[0];
    if (in_is_wide) {
        input.plane[1] = in[1];
        input.plane[2] = in[2];
    }
    cudaError_t error = cudaSuccess;
    for (uint32_t first = 0; first < n_outputs && error == cudaSuccess; first += MOST_OUTPUTS) {
        step_outputs some = {};
        some.n = std::min<uint32_t>(n_outputs - first, MOST_OUTPUTS);
        for (uint32_t o = 0; o < some.n; o++)
            some.target[o] = target_of(&outputs[first + o]);
        error = launch(input, in_is_wide, weights != NULL, some, stream);
    }
    return error;
}
