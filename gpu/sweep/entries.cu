/* What a sweep does entry by entry, a thread each: sums with carries arc by arc, values added,
 * entries joined to integers. */
#include "gpu/sweep/sweep.cuh"

namespace
{

typedef unsigned __int128 word128;

/* The limb of a lane, whatever its bytes. */
__device__ __forceinline__ uint64_t limb_index(const pci_gpu_sweep_block &block, uint64_t vertex,
                                               uint32_t limb, uint64_t lane)
{
    return (vertex * block.width.n_limbs + limb) * block.n_lanes + lane;
}

__device__ __forceinline__ uint64_t limb_mask(const pci_gpu_sweep_block &block)
{
    return ~UINT64_C(0) >> (64 - block.limb_bits);
}

__device__ uint64_t get(const pci_gpu_sweep_block &block, uint64_t index)
{
    return block.width.word_bytes == sizeof(uint32_t) ? ((const uint32_t *)block.words)[index]
                                                      : ((const uint64_t *)block.words)[index];
}

__device__ void put(const pci_gpu_sweep_block &block, uint64_t index, uint64_t word)
{
    if (block.width.word_bytes == sizeof(uint32_t))
        ((uint32_t *)block.words)[index] = (uint32_t)word;
    else
        ((uint64_t *)block.words)[index] = word;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* out += weight * in in one lane; what lies beyond the limbs of out is zero. */
__device__ void add_product(const pci_gpu_sweep_block &in, uint64_t from, uint64_t weight,
                            const pci_gpu_sweep_block &out, uint64_t to, uint64_t lane)
{
    uint64_t carried = 0;
    for (uint32_t l = 0; l < out.width.n_limbs; l++) {
        uint64_t index = limb_index(out, to, l, lane);
        uint64_t word = l < in.width.n_limbs ? get(in, limb_index(in, from, l, lane)) : 0;
        word128 total = (word128)weight * word + get(out, index) + carried;
        put(out, index, (uint64_t)total & limb_mask(out));
        carried = (uint64_t)(total >> out.limb_bits);
    }
}

__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void sum_plain(pci_gpu_graph graph,
                                                                     pci_gpu_sweep_block in,
                                                                     pci_gpu_sweep_block out)
{
    uint64_t vertex = pci_sweep_thread() / out.n_lanes, lane = pci_sweep_thread() % out.n_lanes;
    if (vertex >= graph.n)
        return;
    for (uint32_t l = 0; l < out.width.n_limbs; l++)
        put(out, limb_index(out, vertex, l, lane), 0);
    for (uint64_t a = graph.row_start[vertex]; a < graph.row_start[vertex + 1]; a++)
        add_product(in, graph.column[a], graph.weight ? graph.weight[a] : 1, out, vertex, lane);
}

/* ---- Values ---------------------------------------------------------------------------------- */

__device__ bool same_entry(const pci_gpu_sweep_value &a, const pci_gpu_sweep_value &b)
{
    return a.vertex == b.vertex && a.vector == b.vector;
}

/* The thread of the first value of an entry adds all of them. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void add_values(
    pci_gpu_sweep_block block, uint32_t n_values, const pci_gpu_sweep_value *values)
{
    uint64_t first = pci_sweep_thread();
    if (first >= n_values || (first > 0 && same_entry(values[first - 1], values[first])))
        return;
    word128 rest = 0; /* of at most 2^32 values */
    for (uint64_t i = first; i < n_values && same_entry(values[first], values[i]); i++)
        rest += values[i].value;
    for (uint32_t l = 0; l < block.width.n_limbs && rest > 0; l++) {
        uint64_t index = limb_index(block, values[first].vertex, l, values[first].vector);
        rest += get(block, index);
        put(block, index, (uint64_t)rest & limb_mask(block));
        rest >>= block.limb_bits;
    }
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* Bits 64 number .. 64 number + 63 of an entry. */
__device__ uint64_t join_word(const pci_gpu_sweep_block &block, uint64_t vertex, uint64_t lane,
                              uint32_t number)
{
    uint64_t bit = (uint64_t)number * 64, limb = bit / block.limb_bits;
    if (limb >= block.width.n_limbs)
        return 0;
    uint32_t known = block.limb_bits - (uint32_t)(bit % block.limb_bits);
    uint64_t word =
        get(block, limb_index(block, vertex, (uint32_t)limb, lane)) >> (block.limb_bits - known);
    for (limb++; known < 64 && limb < block.width.n_limbs; limb++) {
        word |= get(block, limb_index(block, vertex, (uint32_t)limb, lane)) << known;
        known += block.limb_bits;
    }
    return word;
}

/* A thread a word. Those side by side write side by side; they read far apart, but the cache keeps
 * the lines for the next vectors. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void join_entries(pci_gpu_sweep_block block,
                                                                        pci_gpu_sweep_piece piece,
                                                                        uint32_t n_words,
                                                                        uint64_t *words)
{
    uint64_t entry = pci_sweep_thread() / n_words, vector = entry / piece.n_vertices;
    if (vector < piece.n_vectors)
        words[pci_sweep_thread()] =
            join_word(block, piece.first_vertex + entry % piece.n_vertices,
                      piece.first_vector + vector, (uint32_t)(pci_sweep_thread() % n_words));
}

} // namespace

extern "C" cudaError_t pci_gpu_sweep_sum_plain(const pci_gpu_sweep_pass *pass, cudaStream_t stream)
{
    uint32_t n_blocks = pci_sweep_blocks(pass->out.n * pass->out.n_lanes);
    if (n_blocks > 0)
        sum_plain<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(pass->graph, pass->in,
                                                                    pass->out);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_add_values(const pci_gpu_sweep_block *block, uint32_t n_values,
                                                const pci_gpu_sweep_value *values,
                                                cudaStream_t stream)
{
    uint32_t n_blocks = pci_sweep_blocks(n_values);
    if (n_blocks > 0)
        add_values<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(*block, n_values, values);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_join(const pci_gpu_sweep_block *block,
                                          const pci_gpu_sweep_piece *piece, uint32_t n_words,
                                          uint64_t *words, cudaStream_t stream)
{
    uint32_t n_blocks = pci_sweep_blocks(piece->n_vectors * piece->n_vertices * n_words);
    if (n_blocks > 0)
        join_entries<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(*block, *piece, n_words,
                                                                       words);
    return cudaGetLastError();
}
