/* A times P for the sparse A (SpMM): row i of the result is a weighted sum of rows of P.
 *
 * Neighbouring threads sum a slab of columns of one row, and a block those of several rows. Blocks
 * run rows first. So blocks that run at the same time share a slab, and the part of P that they
 * read fits in the L2 cache. Bytes are added by dp4a, with a weight in one place and zeros in the
 * others. */
#include "gpu/engine/sums.cuh"

#include <algorithm>

enum {
    MOST_LANES = 32,  /* neighbouring threads of a row */
    CACHE_MIB = 32,   /* of the L2 cache for a slab */
    MOST_OUTPUTS = 48 /* of a launch: their list is a parameter */
};

typedef struct step_input {
    uint64_t n, n_arcs;
    uint32_t n_padded, lanes;
    const uint64_t *row_start;
    const uint32_t *column;
    const int8_t *weights; /* [3][n_arcs] or [n_arcs]; not read when all weights are 1 */
    const int8_t *plane[3];
} step_input;

typedef struct step_outputs {
    uint32_t n;
    pci_sum_target target[MOST_OUTPUTS];
} step_outputs;

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Sums row i for N_PLANES planes of P, from column c on. Loads of several arcs are in flight at
 * once, as each takes hundreds of cycles. */
template <int N_PLANES, bool WEIGHTED>
static __device__ __forceinline__ void sum_row(const step_input &in, uint64_t i, uint32_t c,
                                               int32_t sum[N_PLANES][PCI_COLUMNS])
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
                    pci_add_quad(quad[p][b], weight[p][b], sum[p]);
    }
}

template <int N_PLANES, bool WEIGHTED>
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void step(step_input in,
                                                                 step_outputs outputs)
{
    uint64_t i = (uint64_t)blockIdx.x * (PCI_BLOCK_THREADS / in.lanes) + threadIdx.x / in.lanes;
    uint32_t c = (blockIdx.y * in.lanes + threadIdx.x % in.lanes) * PCI_COLUMNS;
    if (c >= in.n_padded)
        return;
    int32_t sum[N_PLANES][PCI_COLUMNS] = {};
    sum_row<N_PLANES, WEIGHTED>(in, i, c, sum);
    for (uint32_t o = 0; o < outputs.n; o++)
        pci_store_sums<N_PLANES>(sum, outputs.target[o], i * in.n_padded + c);
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* 8, 16 or 32: no wider than the plane, and so that a slab fits in the cache. */
static uint32_t lanes_for(uint32_t n_padded)
{
    uint32_t lanes = MOST_LANES;
    while (lanes > 8 && (lanes * PCI_COLUMNS > n_padded ||
                         (size_t)lanes * PCI_COLUMNS * n_padded > (size_t)CACHE_MIB << 20))
        lanes /= 2;
    return lanes;
}

static cudaError_t launch(const step_input &in, bool is_wide, bool weighted,
                          const step_outputs &outputs, cudaStream_t stream)
{
    uint32_t rows = PCI_BLOCK_THREADS / in.lanes, slab = in.lanes * PCI_COLUMNS;
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
            some.target[o] =
                pci_sum_target_of(outputs[first + o].modulus, outputs[first + o].digit);
        error = launch(input, in_is_wide, weights != NULL, some, stream);
    }
    return error;
}
