/* The kernels of a sweep. A step makes the line of a vertex the sum of the lines that its arcs
 * name.
 *
 * A group of neighbouring threads works through its parts arc by arc, each thread with 16 bytes of
 * the line, so that a line is read in whole transactions. The arcs of all rows lie one after the
 * other, so several loads are always in flight, however short the rows. Where a row ends, its sum
 * is stored. A row that is cut, as those of hubs are, begins as zero and all its sums are added to
 * it: integers are the same in any order. Carries are propagated after all sums.
 *
 * Up to four loads of a thread are in flight. Long lines are processed in slices, so that the
 * slices of all vertices fit in the L2 cache. Measured with 64 vectors on an R-MAT graph of 2^18
 * vertices: 40 to 48 registers, no spills, 6 to 7.7 TB/s of lines read. */
#include "gpu/sweep/sweep.h"

namespace
{

enum { BATCH = 4 /* arcs whose lines are loaded at once */ };

typedef unsigned __int128 word128;
typedef unsigned long long word64; /* the type that atomicAdd takes */

__device__ __forceinline__ uint64_t own_thread()
{
    return blockIdx.x * (uint64_t)PCI_SWEEP_BLOCK_THREADS + threadIdx.x;
}

uint32_t n_blocks_for(uint64_t n_threads)
{
    return (uint32_t)((n_threads + PCI_SWEEP_BLOCK_THREADS - 1) / PCI_SWEEP_BLOCK_THREADS);
}

/* ---- Sums with headroom ---------------------------------------------------------------------- */

struct sum_input {
    const uint64_t *row_start;
    const uint32_t *column;
    const word64 *weight;
    const uint32_t *first_row;
    uint64_t n, n_work, n_parts;
    pci_gpu_sweep_shape shape;
    uint64_t n_pieces;          /* of a line that are read and summed */
    uint64_t in_line, out_line; /* words */
};

/* The arcs that a group sums: from arc, which is of row, up to end_arc, which is of end_row. */
struct share {
    uint64_t row, arc, end_row, end_arc;
};

__device__ __forceinline__ uint64_t row_at(const sum_input &in, uint64_t part)
{
    return __ldg(in.first_row + (part < in.n_parts ? part : in.n_parts));
}

__device__ __forceinline__ share share_of(const sum_input &in, uint64_t group)
{
    uint64_t part = group * in.shape.group_parts, end_part = part + in.shape.group_parts;
    uint64_t end_work = end_part < in.n_parts ? end_part * PCI_SWEEP_PART_WORK : in.n_work;
    share s;
    s.row = row_at(in, part);
    s.end_row = row_at(in, end_part);
    s.arc = part * PCI_SWEEP_PART_WORK - s.row; /* units before it that are ends of rows: s.row */
    s.end_arc = end_work - s.end_row;
    return s;
}

__device__ __forceinline__ void load_piece(const uint32_t *from, uint32_t x[4])
{
    uint4 loaded = __ldg(reinterpret_cast<const uint4 *>(from));
    x[0] = loaded.x;
    x[1] = loaded.y;
    x[2] = loaded.z;
    x[3] = loaded.w;
}

__device__ __forceinline__ void load_piece(const word64 *from, word64 x[2])
{
    ulonglong2 loaded = __ldg(reinterpret_cast<const ulonglong2 *>(from));
    x[0] = loaded.x;
    x[1] = loaded.y;
}

/* The sums are not read again in this step, so the cache need not keep them. */
__device__ __forceinline__ void store_sum(uint32_t *to, const uint32_t (&sum)[4])
{
    __stcs(reinterpret_cast<uint4 *>(to), make_uint4(sum[0], sum[1], sum[2], sum[3]));
}

template <int N> __device__ __forceinline__ void store_sum(word64 *to, const word64 (&sum)[N])
{
#pragma unroll
    for (int l = 0; l < N; l += 2)
        __stcs(reinterpret_cast<ulonglong2 *>(to + l), make_ulonglong2(sum[l], sum[l + 1]));
}

/* Stores the sum of a whole row, or adds that of a part of a row, and resets the sum. */
template <typename Out, int N>
__device__ __forceinline__ void put_sum(Out *to, bool is_whole, Out (&sum)[N])
{
    if (is_whole)
        store_sum(to, sum);
#pragma unroll
    for (int l = 0; l < N; l++) {
        if (!is_whole)
            atomicAdd(to + l, sum[l]);
        sum[l] = 0;
    }
}

/* Loads the pieces of the lines that the arcs from arc on name; beyond the last arc that of the
 * last one. */
template <typename In, typename Out, bool WEIGHTED, int LANES>
__device__ __forceinline__ void load_batch(const sum_input &input, uint64_t arc, uint64_t last,
                                           const In *in, In (&x)[BATCH][LANES],
                                           Out (&weight)[BATCH])
{
    uint32_t column[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; b++) {
        uint64_t at = arc + b < last ? arc + b : last;
        column[b] = __ldg(input.column + at);
        weight[b] = WEIGHTED ? (Out)__ldg(input.weight + at) : 1;
    }
#pragma unroll
    for (int b = 0; b < BATCH; b++)
        load_piece(in + column[b] * input.in_line, x[b]);
}

/* Sums the share of a group, for the piece at in and out. */
template <typename In, typename Out, bool WEIGHTED>
__device__ __forceinline__ void sum_share(const sum_input &input, const share &s, const In *in,
                                          Out *out)
{
    constexpr int LANES = PCI_SWEEP_PIECE_BYTES / sizeof(In);
    Out sum[LANES] = {};
    uint64_t row = s.row, begun = s.arc, row_end = __ldg(input.row_start + row + 1);
    bool is_whole = s.arc == __ldg(input.row_start + row);
    auto end_row = [&]() {
        put_sum(out + row * input.out_line, is_whole, sum);
        is_whole = true;
        begun = row_end;
        row++;
        row_end = row < input.n ? __ldg(input.row_start + row + 1) : 0;
    };
    for (uint64_t arc = s.arc; arc < s.end_arc; arc += BATCH) {
        In x[BATCH][LANES];
        Out weight[BATCH];
        load_batch<In, Out, WEIGHTED>(input, arc, s.end_arc - 1, in, x, weight);
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            if (arc + b >= s.end_arc)
                break;
            while (arc + b == row_end)
                end_row();
#pragma unroll
            for (int l = 0; l < LANES; l++)
                sum[l] += WEIGHTED ? x[b][l] * weight[b] : x[b][l];
        }
    }
    while (row < s.end_row)
        end_row();
    if (begun < s.end_arc)
        put_sum(out + row * input.out_line, false, sum);
}

template <typename In, typename Out, bool WEIGHTED>
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void sum_arcs(sum_input input, const In *in,
                                                                    Out *out)
{
    const pci_gpu_sweep_shape &shape = input.shape;
    uint64_t slice = blockIdx.x / shape.slice_blocks, block = blockIdx.x % shape.slice_blocks;
    uint64_t group =
        block * (PCI_SWEEP_BLOCK_THREADS / shape.group_threads) + threadIdx.x / shape.group_threads;
    uint64_t piece = slice * shape.group_threads + threadIdx.x % shape.group_threads;
    uint64_t word = piece * (PCI_SWEEP_PIECE_BYTES / sizeof(In));
    if (group < shape.n_groups && piece < input.n_pieces)
        sum_share<In, Out, WEIGHTED>(input, share_of(input, group), in + word, out + word);
}

/* Sets the first n_words words of the lines of cut rows to zero. The first cut of a row does it. */
template <typename Out>
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void clear_cut(sum_input input,
                                                                     uint64_t n_words, Out *out)
{
    uint64_t part = (own_thread() / n_words + 1) * input.shape.group_parts;
    if (part >= input.n_parts)
        return;
    uint64_t row = __ldg(input.first_row + part), begin = __ldg(input.row_start + row) + row;
    uint64_t cut = part * PCI_SWEEP_PART_WORK;
    if (begin < cut && begin >= cut - input.shape.group_parts * PCI_SWEEP_PART_WORK)
        out[row * input.out_line + own_thread() % n_words] = 0;
}

/* Propagates carries, so that limbs have limb_bits bits. Limbs from n_summed on were not written
 * yet. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void carry(pci_gpu_sweep_block block,
                                                                 uint32_t n_summed)
{
    if (own_thread() >= block.n * block.n_lanes)
        return;
    uint64_t vertex = own_thread() / block.n_lanes, lane = own_thread() % block.n_lanes;
    uint32_t n_limbs = block.width.n_limbs;
    word64 *limb = (word64 *)block.words + vertex * n_limbs * block.n_lanes + lane;
    word64 carried = 0, mask = ~0ull >> (64 - block.limb_bits);
    for (uint32_t l = 0; l < n_limbs; l++, limb += block.n_lanes) {
        word64 sum = l < n_summed ? *limb + carried : carried;
        *limb = sum & mask;
        carried = sum >> block.limb_bits;
    }
}

/* ---- Sums with carries, an entry a thread ---------------------------------------------------- */

/* The index of a limb of a lane, in words of any size. */
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

/* out += weight * in in one lane; limbs of in beyond those of out are zero. */
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
    uint64_t vertex = own_thread() / out.n_lanes, lane = own_thread() % out.n_lanes;
    if (vertex >= graph.n)
        return;
    for (uint32_t l = 0; l < out.width.n_limbs; l++)
        put(out, limb_index(out, vertex, l, lane), 0);
    for (uint64_t a = graph.row_start[vertex]; a < graph.row_start[vertex + 1]; a++)
        add_product(in, graph.column[a], graph.weight ? graph.weight[a] : 1, out, vertex, lane);
}

/* ---- Residues -------------------------------------------------------------------------------- */

/* Divides limb after limb, the most significant one first. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void reduce(pci_gpu_sweep_block block,
                                                                  uint64_t modulus)
{
    uint64_t vertex = own_thread() / block.n_lanes, lane = own_thread() % block.n_lanes;
    uint32_t n_limbs = block.width.n_limbs;
    if (vertex >= block.n)
        return;
    uint64_t rest = 0, mask = limb_mask(block);
    for (uint32_t l = n_limbs; l-- > 0;) {
        uint64_t limb = get(block, limb_index(block, vertex, l, lane));
        rest = n_limbs == 1 ? limb % modulus
                            : (uint64_t)(((word128)rest << block.limb_bits | limb) % modulus);
    }
    for (uint32_t l = 0; l < n_limbs; l++) {
        put(block, limb_index(block, vertex, l, lane), rest & mask);
        rest = block.limb_bits < 64 ? rest >> block.limb_bits : 0;
    }
}

/* ---- Values ---------------------------------------------------------------------------------- */

__device__ bool same_entry(const pci_gpu_sweep_value &a, const pci_gpu_sweep_value &b)
{
    return a.vertex == b.vertex && a.vector == b.vector;
}

/* The thread of the first value of an entry adds all values of the entry. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void add_values(
    pci_gpu_sweep_block block, uint32_t n_values, const pci_gpu_sweep_value *values)
{
    uint64_t first = own_thread();
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

/* A thread makes a word. Neighbouring threads write neighbouring words. They read far apart, but
 * the cache keeps the lines for the next vectors. */
__global__ __launch_bounds__(PCI_SWEEP_BLOCK_THREADS) void join_entries(pci_gpu_sweep_block block,
                                                                        pci_gpu_sweep_piece piece,
                                                                        uint32_t n_words,
                                                                        uint64_t *words)
{
    uint64_t entry = own_thread() / n_words, vector = entry / piece.n_vertices;
    if (vector < piece.n_vectors)
        words[own_thread()] =
            join_word(block, piece.first_vertex + entry % piece.n_vertices,
                      piece.first_vector + vector, (uint32_t)(own_thread() % n_words));
}

/* ---- Launches -------------------------------------------------------------------------------- */

uint32_t n_summed_limbs(const pci_gpu_sweep_pass *pass)
{
    uint32_t n_in = pass->in.width.n_limbs, n_out = pass->out.width.n_limbs;
    return n_in < n_out ? n_in : n_out;
}

sum_input input_of(const pci_gpu_sweep_pass *pass)
{
    const pci_gpu_graph *graph = &pass->graph;
    uint64_t n_words = n_summed_limbs(pass) * pass->in.n_lanes;
    sum_input input = {};
    input.row_start = graph->row_start;
    input.column = graph->column;
    input.weight = (const word64 *)graph->weight;
    input.first_row = pass->first_row;
    input.n = graph->n;
    input.n_work = graph->n + graph->n_arcs;
    input.n_parts = pci_gpu_sweep_n_parts(graph->n, graph->n_arcs);
    input.n_pieces = n_words * pass->in.width.word_bytes / PCI_SWEEP_PIECE_BYTES;
    input.shape = pci_gpu_sweep_shape_of(graph->n, graph->n_arcs, input.n_pieces, pass->n_sms);
    input.in_line = pass->in.width.n_limbs * pass->in.n_lanes;
    input.out_line = pass->out.width.n_limbs * pass->out.n_lanes;
    return input;
}

template <typename In, typename Out>
cudaError_t sum(const pci_gpu_sweep_pass *pass, cudaStream_t stream)
{
    sum_input input = input_of(pass);
    uint64_t n_words = n_summed_limbs(pass) * pass->in.n_lanes;
    uint64_t n_cuts = input.shape.n_groups - 1;
    uint32_t n_blocks = (uint32_t)(input.shape.n_slices * input.shape.slice_blocks);
    const In *in = (const In *)pass->in.words;
    Out *out = (Out *)pass->out.words;
    if (n_cuts > 0)
        clear_cut<Out><<<n_blocks_for(n_cuts * n_words), PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(
            input, n_words, out);
    if (input.weight)
        sum_arcs<In, Out, true><<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(input, in, out);
    else
        sum_arcs<In, Out, false><<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(input, in, out);
    return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t pci_gpu_sweep_sum(const pci_gpu_sweep_pass *pass, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    bool from_short = pass->in.width.word_bytes == sizeof(uint32_t);
    if (pass->graph.n == 0)
        return error;
    if (from_short && pass->out.width.word_bytes == sizeof(uint32_t))
        error = sum<uint32_t, uint32_t>(pass, stream);
    else if (from_short)
        error = sum<uint32_t, word64>(pass, stream);
    else
        error = sum<word64, word64>(pass, stream);
    if (error != cudaSuccess || pass->out.width.n_limbs == 1)
        return error;
    uint64_t n_entries = pass->out.n * pass->out.n_lanes;
    carry<<<n_blocks_for(n_entries), PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(pass->out,
                                                                           n_summed_limbs(pass));
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_sum_plain(const pci_gpu_sweep_pass *pass, cudaStream_t stream)
{
    uint32_t n_blocks = n_blocks_for(pass->out.n * pass->out.n_lanes);
    if (n_blocks > 0)
        sum_plain<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(pass->graph, pass->in,
                                                                    pass->out);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_reduce(const pci_gpu_sweep_block *block, uint64_t modulus,
                                            cudaStream_t stream)
{
    uint32_t n_blocks = n_blocks_for(block->n * block->n_lanes);
    if (n_blocks > 0)
        reduce<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(*block, modulus);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_add_values(const pci_gpu_sweep_block *block, uint32_t n_values,
                                                const pci_gpu_sweep_value *values,
                                                cudaStream_t stream)
{
    uint32_t n_blocks = n_blocks_for(n_values);
    if (n_blocks > 0)
        add_values<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(*block, n_values, values);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_sweep_join(const pci_gpu_sweep_block *block,
                                          const pci_gpu_sweep_piece *piece, uint32_t n_words,
                                          uint64_t *words, cudaStream_t stream)
{
    uint32_t n_blocks = n_blocks_for(piece->n_vectors * piece->n_vertices * n_words);
    if (n_blocks > 0)
        join_entries<<<n_blocks, PCI_SWEEP_BLOCK_THREADS, 0, stream>>>(*block, *piece, n_words,
                                                                       words);
    return cudaGetLastError();
}
