/* The kernels of passes. Neighbouring threads have neighbouring lanes, so that memory is read in whole lines. Blocks of a
 * step take all vertices of some lanes before those of the next lanes: the lines that they read stay in the L2 cache. */
#include "gpu/simple/passes.h"

namespace
{

typedef unsigned __int128 word128;
enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP };

template <typename number> __device__ __forceinline__ number entry(const number *value, uint64_t at)
{
    return value ? value[at] : number(1);
}

/* Returns the number of a summand at the head of an arc of a source. */
template <typename number>
__device__ __forceinline__ number term_at(const pci_gpu_matrix &matrix, const pci_gpu_summand &s,
                                          uint64_t n_lanes, uint64_t lane, uint64_t arc)
{
    const number *value = static_cast<const number *>(matrix.value),
                 *vector = static_cast<const number *>(s.vector),
                 *from = static_cast<const number *>(s.from);
    number term = entry(value, arc) * entry(vector, matrix.column[arc]);
    return from ? term * from[matrix.column[arc] * n_lanes + lane] : term;
}

/* A warp follows the arcs of a source, and adds to its lane. */
template <typename number>
__global__ void add_arcs(pci_gpu_matrix matrix, uint64_t n_lanes, uint32_t n_sources,
                         const uint32_t *source, pci_gpu_summand s, number *to)
{
    uint64_t lane = blockIdx.x * uint64_t(WARPS) + threadIdx.x / WARP;
    if (lane >= n_sources)
        return;
    const number *scale = static_cast<const number *>(s.scale);
    number factor = number(s.coefficient) * entry(scale, source[lane]);
    uint64_t end = matrix.row_start[source[lane] + 1];
    for (uint64_t a = matrix.row_start[source[lane]] + threadIdx.x % WARP; a < end; a += WARP)
        to[matrix.column[a] * n_lanes + lane] +=
            factor * term_at<number>(matrix, s, n_lanes, lane, a);
}

/* The same added up: each thread follows the arcs of a source. */
template <typename number>
__global__ void total_arcs(pci_gpu_matrix matrix, uint64_t n_lanes, uint32_t n_sources,
                           const uint32_t *source, pci_gpu_summand s, number *out)
{
    uint64_t lane = blockIdx.x * uint64_t(THREADS) + threadIdx.x;
    if (lane >= n_sources)
        return;
    number sum = 0;
    uint64_t end = matrix.row_start[source[lane] + 1];
    for (uint64_t a = matrix.row_start[source[lane]]; a < end; a++)
        sum += term_at<number>(matrix, s, n_lanes, lane, a);
    out[source[lane]] = sum;
}

/* Each thread adds up the arcs of a vertex for PER_THREAD lanes. */
template <typename number, int PER_THREAD, bool HAS_VALUES>
__global__ void __launch_bounds__(THREADS)
    along(pci_gpu_matrix matrix, uint64_t n_lanes, const number *__restrict__ from, number *to)
{
    uint64_t v = blockIdx.x * uint64_t(WARPS) + threadIdx.x / WARP;
    uint64_t lane = (blockIdx.y * uint64_t(WARP) + threadIdx.x % WARP) * PER_THREAD;
    if (v >= matrix.n_rows)
        return;
    struct alignas(PER_THREAD * sizeof(number)) piece {
        number of[PER_THREAD];
    };
    const number *value = static_cast<const number *>(matrix.value);
    piece sum = {};
    uint64_t end = matrix.row_start[v + 1];
#pragma unroll 4
    for (uint64_t a = matrix.row_start[v]; a < end; a++) {
        piece x = *reinterpret_cast<const piece *>(from + matrix.column[a] * n_lanes + lane);
        for (int i = 0; i < PER_THREAD; i++)
            sum.of[i] += HAS_VALUES ? value[a] * x.of[i] : x.of[i];
    }
    *reinterpret_cast<piece *>(to + v * n_lanes + lane) = sum;
}

template <typename number>
__global__ void multiply(uint64_t n, const number *a, const number *b, number *to)
{
    for (uint64_t i = blockIdx.x * uint64_t(THREADS) + threadIdx.x; i < n;
         i += gridDim.x * uint64_t(THREADS))
        to[i] = a[i] * b[i];
}

template <typename number>
__global__ void add(uint64_t n, uint64_t n_lanes, uint32_t n_sources, const uint32_t *source,
                    pci_gpu_summand s, number *to)
{
    const number *scale = static_cast<const number *>(s.scale),
                 *vector = static_cast<const number *>(s.vector),
                 *from = static_cast<const number *>(s.from);
    uint64_t lane = blockIdx.y * uint64_t(WARP) + threadIdx.x % WARP;
    number factor = number(s.coefficient);
    if (scale && lane < n_sources)
        factor *= scale[source[lane]];
    for (uint64_t v = blockIdx.x * uint64_t(WARPS) + threadIdx.x / WARP; v < n;
         v += gridDim.x * uint64_t(WARPS)) {
        uint64_t at = v * n_lanes + lane;
        number term = factor * from[at] * entry(vector, v);
        to[at] = s.is_first ? term : to[at] + term;
    }
}

/* A block adds up the rows of WARP lanes. */
template <typename number>
__global__ void total(uint64_t n, uint64_t n_lanes, uint32_t n_sources, const uint32_t *source,
                      const number *vector, const number *from, number *out)
{
    __shared__ number sums[WARPS][WARP];
    int warp = threadIdx.x / WARP, own = threadIdx.x % WARP;
    uint64_t lane = blockIdx.x * uint64_t(WARP) + own;
    number sum = 0;
    for (uint64_t v = warp; v < n; v += WARPS)
        sum += entry(vector, v) * from[v * n_lanes + lane];
    sums[warp][own] = sum;
    __syncthreads();
    if (warp > 0 || lane >= n_sources)
        return;
    for (int w = 1; w < WARPS; w++)
        sum += sums[w][own];
    out[source[lane]] = sum;
}

template <typename number>
__global__ void pick(pci_gpu_matrix matrix, uint64_t n_lanes, uint32_t n_sources,
                     const uint32_t *source, const number *from, number *out)
{
    uint64_t lane = blockIdx.x * uint64_t(WARPS) + threadIdx.x / WARP;
    if (lane >= n_sources)
        return;
    uint64_t end = matrix.row_start[source[lane] + 1];
    for (uint64_t a = matrix.row_start[source[lane]] + threadIdx.x % WARP; a < end; a += WARP)
        out[a] = from[matrix.column[a] * n_lanes + lane];
}

/* A block transposes a tile of WARP vertices and WARP lanes. */
template <typename number>
__global__ void transpose(uint64_t n, uint64_t n_lanes, uint32_t n_sources, const uint32_t *source,
                          bool without_sources, const number *from, number *rows)
{
    __shared__ number tile[WARP][WARP + 1];
    uint64_t first = blockIdx.x * uint64_t(WARP), first_lane = blockIdx.y * uint64_t(WARP);
    int own = threadIdx.x % WARP;
    for (int i = threadIdx.x / WARP; i < WARP; i += WARPS)
        if (first + i < n)
            tile[i][own] = from[(first + i) * n_lanes + first_lane + own];
    __syncthreads();
    for (int i = threadIdx.x / WARP; i < WARP; i += WARPS) {
        uint64_t lane = first_lane + i, v = first + own;
        if (lane < n_sources && v < n)
            rows[lane * n + v] = without_sources && source[lane] == v ? number(0) : tile[own][i];
    }
}

uint32_t blocks_of(uint64_t n, uint64_t each)
{
    return uint32_t((n + each - 1) / each);
}

/* Launches a kernel for numbers of 64 or 128 bits: launch gets a number of the type. */
template <typename function> cudaError_t for_numbers(const pci_gpu_lanes *lanes, function launch)
{
    if (lanes->is_wide)
        launch(word128(0));
    else
        launch(uint64_t(0));
    return cudaGetLastError();
}

} /* namespace */

cudaError_t pci_gpu_pass_add_arcs(const pci_gpu_lanes *l, const pci_gpu_matrix *matrix,
                                  const pci_gpu_summand *summand, void *to)
{
    uint32_t n_blocks = blocks_of(l->n_sources, WARPS);
    return for_numbers(l, [=](auto zero) {
        add_arcs<<<n_blocks, THREADS, 0, l->stream>>>(*matrix, l->n_lanes, l->n_sources, l->source,
                                                      *summand, static_cast<decltype(zero) *>(to));
    });
}

cudaError_t pci_gpu_pass_total_arcs(const pci_gpu_lanes *l, const pci_gpu_matrix *matrix,
                                    const pci_gpu_summand *summand, void *out)
{
    uint32_t n_blocks = blocks_of(l->n_sources, THREADS);
    return for_numbers(l, [=](auto zero) {
        total_arcs<<<n_blocks, THREADS, 0, l->stream>>>(*matrix, l->n_lanes, l->n_sources,
                                                        l->source, *summand,
                                                        static_cast<decltype(zero) *>(out));
    });
}

/* Threads have 16 bytes of a line each. */
cudaError_t pci_gpu_pass_along(const pci_gpu_lanes *l, const pci_gpu_matrix *matrix,
                               const void *from, void *to)
{
    return for_numbers(l, [=](auto zero) {
        using number = decltype(zero);
        constexpr int each = 16 / sizeof(number);
        dim3 grid(blocks_of(matrix->n_rows, WARPS), uint32_t(l->n_lanes / (WARP * each)));
        const number *in = static_cast<const number *>(from);
        number *out = static_cast<number *>(to);
        if (matrix->value)
            along<number, each, true>
                <<<grid, THREADS, 0, l->stream>>>(*matrix, l->n_lanes, in, out);
        else
            along<number, each, false>
                <<<grid, THREADS, 0, l->stream>>>(*matrix, l->n_lanes, in, out);
    });
}

cudaError_t pci_gpu_pass_multiply(const pci_gpu_lanes *l, uint64_t n, const void *a, const void *b,
                                  void *to)
{
    uint64_t n_numbers = n * l->n_lanes, most = 65536 * uint64_t(THREADS);
    dim3 grid(blocks_of(n_numbers < most ? n_numbers : most, THREADS));
    return for_numbers(l, [=](auto zero) {
        using number = decltype(zero);
        multiply<<<grid, THREADS, 0, l->stream>>>(n_numbers, static_cast<const number *>(a),
                                                  static_cast<const number *>(b),
                                                  static_cast<number *>(to));
    });
}

cudaError_t pci_gpu_pass_add(const pci_gpu_lanes *l, uint64_t n, const pci_gpu_summand *summand,
                             void *to)
{
    uint32_t across = blocks_of(n, WARPS);
    dim3 grid(across < 4096 ? across : 4096, uint32_t(l->n_lanes / WARP));
    return for_numbers(l, [=](auto zero) {
        add<<<grid, THREADS, 0, l->stream>>>(n, l->n_lanes, l->n_sources, l->source, *summand,
                                             static_cast<decltype(zero) *>(to));
    });
}

cudaError_t pci_gpu_pass_total(const pci_gpu_lanes *l, uint64_t n, const void *vector,
                               const void *from, void *out)
{
    uint32_t n_blocks = uint32_t(l->n_lanes / WARP);
    return for_numbers(l, [=](auto zero) {
        using number = decltype(zero);
        total<<<n_blocks, THREADS, 0, l->stream>>>(
            n, l->n_lanes, l->n_sources, l->source, static_cast<const number *>(vector),
            static_cast<const number *>(from), static_cast<number *>(out));
    });
}

cudaError_t pci_gpu_pass_pick(const pci_gpu_lanes *l, const pci_gpu_matrix *matrix,
                              const void *from, void *out)
{
    uint32_t n_blocks = blocks_of(l->n_sources, WARPS);
    return for_numbers(l, [=](auto zero) {
        using number = decltype(zero);
        pick<<<n_blocks, THREADS, 0, l->stream>>>(*matrix, l->n_lanes, l->n_sources, l->source,
                                                  static_cast<const number *>(from),
                                                  static_cast<number *>(out));
    });
}

cudaError_t pci_gpu_pass_rows(const pci_gpu_lanes *l, uint64_t n, bool without_sources,
                              const void *from, void *rows)
{
    dim3 grid(blocks_of(n, WARP), blocks_of(l->n_sources, WARP));
    return for_numbers(l, [=](auto zero) {
        using number = decltype(zero);
        transpose<<<grid, THREADS, 0, l->stream>>>(
            n, l->n_lanes, l->n_sources, l->source, without_sources,
            static_cast<const number *>(from), static_cast<number *>(rows));
    });
}
