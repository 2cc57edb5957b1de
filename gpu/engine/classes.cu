/* Entries between classes of vertices (graphs/partition.h): the work on planes of N beside products and steps. Each thread
 * has four columns, whose sizes it reduces once, and goes down the rows. */
#include "gpu/engine/pack.cuh"

namespace
{

/* Planes of one modulus. */
struct planes {
    uint32_t n, n_padded;
    uint32_t m;
    pci_reduction reduction; /* of a narrow m */
    pci_wide_modulus wide;
    const int8_t *from[3];
    int8_t *to[3];
};

planes planes_of(const pci_gpu_layout *layout, const pci_gpu_modulus &modulus,
                 int8_t *const from[3], int8_t *const to[3])
{
    planes made = {};
    made.n = layout->n;
    made.n_padded = layout->n_padded;
    made.m = modulus.m;
    made.reduction = modulus.reduction;
    made.wide = pci_wide_modulus_of(modulus.wide ? modulus.m : 0);
    for (int d = 0; d < (modulus.wide ? 3 : 1); d++) {
        made.from[d] = from ? from[d] : nullptr;
        made.to[d] = to[d];
    }
    return made;
}

template <bool WIDE>
__device__ __forceinline__ void load(const int8_t *const *digit, size_t at, int32_t x[PCI_ENTRIES])
{
    const uint32_t word = pci_load_word(digit[0] + at);
    const uint32_t low = WIDE ? pci_load_word(digit[1] + at) : 0;
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++)
        x[e] = WIDE ? PCI_RADIX * pci_signed_byte(word, e) + pci_signed_byte(low, e)
                    : pci_signed_byte(word, e);
}

/* Reduces numbers below 2^28, a residue and two products of a residue and a sign at most, and stores them. */
template <bool WIDE>
__device__ __forceinline__ void store(const planes &p, size_t at, const int32_t x[PCI_ENTRIES])
{
    if (WIDE) {
        int32_t residue[PCI_ENTRIES];
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            residue[e] = pci_reduce_wide((double)x[e], p.wide);
        pci_store_wide4(p.to, at, residue);
    } else {
        *(uint32_t *)(p.to[0] + at) = pci_reduce4(x[0], x[1], x[2], x[3], p.reduction);
    }
}

__device__ __forceinline__ int32_t centred(uint64_t number, uint32_t m)
{
    const int32_t rest = (int32_t)(number % m);
    return 2 * rest > (int32_t)m ? rest - (int32_t)m : rest;
}

template <bool WIDE>
__global__ void __launch_bounds__(PCI_BLOCK_THREADS) scale(planes p, const uint32_t *size)
{
    const uint32_t c = PCI_ENTRIES * (blockIdx.x * blockDim.x + threadIdx.x);
    int32_t factor[PCI_ENTRIES];
    if (c >= p.n_padded)
        return;
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++)
        factor[e] = c + e < p.n ? centred(size[c + e], p.m) : 0;
    for (size_t i = blockIdx.y; i < p.n; i += gridDim.y) {
        int32_t x[PCI_ENTRIES];
        load<WIDE>(p.from, i * p.n_padded + c, x);
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            x[e] *= factor[e];
        store<WIDE>(p, i * p.n_padded + c, x);
    }
}

template <bool WIDE>
__global__ void __launch_bounds__(PCI_BLOCK_THREADS)
    add_adjacent(planes p, int32_t sign, const uint8_t *is_adjacent)
{
    const uint32_t c = PCI_ENTRIES * (blockIdx.x * blockDim.x + threadIdx.x);
    int32_t own[PCI_ENTRIES], any = 0;
    if (c >= p.n_padded)
        return;
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++)
        any |= own[e] = c + e < p.n ? is_adjacent[c + e] : 0;
    for (size_t i = blockIdx.y; i < p.n; i += gridDim.y) {
        const int32_t of_row = is_adjacent[i];
        int32_t x[PCI_ENTRIES], sum[PCI_ENTRIES];
        if (!of_row && !any)
            continue;
        load<WIDE>(p.from, i * p.n_padded + c, x);
        load<WIDE>(p.to, i * p.n_padded + c, sum);
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            sum[e] += sign * (of_row + own[e]) * x[e];
        store<WIDE>(p, i * p.n_padded + c, sum);
    }
}

/* A thread has a row, whose arcs are few. */
__global__ void __launch_bounds__(PCI_BLOCK_THREADS)
    add_arcs(planes p, bool is_wide, int32_t sign, pci_gpu_graph graph)
{
    for (size_t i = pci_thread_index(); i < graph.n; i += pci_n_threads_of_grid())
        for (uint64_t a = graph.row_start[i]; a < graph.row_start[i + 1]; a++) {
            const uint32_t c = graph.column[a];
            const size_t at = i * p.n_padded + c;
            if (!graph.is_adjacent[c])
                continue;
            int64_t x = is_wide ? PCI_RADIX * p.to[0][at] + p.to[1][at] : p.to[0][at];
            x += (int64_t)sign * centred(graph.weight ? graph.weight[a] : 1, p.m);
            const int32_t residue = centred((uint64_t)(x % (int64_t)p.m + p.m), p.m);
            int32_t digit[3] = {residue};
            if (is_wide)
                pci_split_wide(residue, digit);
            for (int d = 0; d < (is_wide ? 3 : 1); d++)
                p.to[d][at] = (int8_t)digit[d];
        }
}

/* Four columns a thread; the y index of a block counts rows. */
dim3 grid_of(const pci_gpu_layout *layout)
{
    enum { ROWS = 256 /* blocks down, each of which has some of the rows */ };
    const unsigned a_row = layout->n_padded / PCI_ENTRIES;
    return dim3((a_row + PCI_BLOCK_THREADS - 1) / PCI_BLOCK_THREADS, ROWS);
}

} // namespace

extern "C" cudaError_t pci_gpu_scale_columns(const pci_gpu_graph *graph,
                                             const pci_gpu_layout *layout, pci_gpu_modulus modulus,
                                             int8_t *const from[3], int8_t *const to[3],
                                             cudaStream_t stream)
{
    const planes p = planes_of(layout, modulus, from, to);
    if (modulus.wide)
        scale<true><<<grid_of(layout), PCI_BLOCK_THREADS, 0, stream>>>(p, graph->size);
    else
        scale<false><<<grid_of(layout), PCI_BLOCK_THREADS, 0, stream>>>(p, graph->size);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_add_adjacent(const pci_gpu_graph *graph,
                                            const pci_gpu_layout *layout, pci_gpu_modulus modulus,
                                            int32_t sign, int8_t *const from[3],
                                            int8_t *const to[3], cudaStream_t stream)
{
    const planes p = planes_of(layout, modulus, from, to);
    if (modulus.wide)
        add_adjacent<true>
            <<<grid_of(layout), PCI_BLOCK_THREADS, 0, stream>>>(p, sign, graph->is_adjacent);
    else
        add_adjacent<false>
            <<<grid_of(layout), PCI_BLOCK_THREADS, 0, stream>>>(p, sign, graph->is_adjacent);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_add_adjacent_arcs(const pci_gpu_graph *graph,
                                                 const pci_gpu_layout *layout,
                                                 pci_gpu_modulus modulus, int32_t sign,
                                                 int8_t *const to[3], cudaStream_t stream)
{
    const planes p = planes_of(layout, modulus, nullptr, to);
    add_arcs<<<pci_blocks_for(graph->n, PCI_BLOCK_THREADS), PCI_BLOCK_THREADS, 0, stream>>>(
        p, modulus.wide, sign, *graph);
    return cudaGetLastError();
}
