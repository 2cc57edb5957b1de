/* Matrices and weights into residues: once a run, so plainly. */
#include "gpu/engine/pack.cuh"

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

/* The digits of value mod m, centred; digit 0 alone is the residue of a narrow or no modulus. */
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

/* A warp takes a row's arcs. */
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

/* Blocks of a grid row take rows, its columns take columns. */
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
