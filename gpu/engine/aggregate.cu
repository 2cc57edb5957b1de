/* Aggregates of rows of integers in device memory: see src/rows/aggregates.h. A thread block works on one row.
 *
 * Sums and dot products read the words of a row in their order: the number of threads that read is a
 * multiple of n_limbs, so each thread has words of one place of the counts only, and adds them up in 128
 * or 192 bits. The largest count is found count by count, from the highest word down.
 *
 * The products with the certificate's vectors share no code with what made the rows. */
#include "gpu/engine/entrywise.h"

#include "gpu/engine/pack.cuh"

enum { THREADS = 256, NONE = 0xffffffff };

/* ---- Sums of words --------------------------------------------------------------------------- */

/* A sum of 192 bits. */
typedef struct long_sum {
    uint64_t low, middle, high;
} long_sum;

static __device__ __forceinline__ void add_sum(long_sum &to, const long_sum &from)
{
    asm("add.cc.u64 %0, %0, %3;\n\t"
        "addc.cc.u64 %1, %1, %4;\n\t"
        "addc.u64 %2, %2, %5;"
        : "+l"(to.low), "+l"(to.middle), "+l"(to.high)
        : "l"(from.low), "l"(from.middle), "l"(from.high));
}

static __device__ __forceinline__ void add_word(long_sum &to, uint64_t word)
{
    add_sum(to, {word, 0, 0});
}

static __device__ __forceinline__ void add_product(long_sum &to, uint64_t word, uint64_t x)
{
    add_sum(to, {word * x, __umul64hi(word, x), 0});
}

/* Threads of a block that read words: the most that is a multiple of n_limbs. */
static __device__ __forceinline__ uint32_t n_readers(uint32_t n_limbs)
{
    return THREADS / n_limbs * n_limbs;
}

/* Adds the sums of the readers up: sum[l] becomes that of place l. Every thread calls it. */
static __device__ void add_readers(long_sum *sum, const long_sum &own, uint32_t n_limbs)
{
    uint32_t n_groups = THREADS / n_limbs, group = threadIdx.x / n_limbs;
    sum[threadIdx.x] = own;
    __syncthreads();
    while (n_groups > 1) {
        uint32_t half = (n_groups + 1) / 2;
        if (group + half < n_groups)
            add_sum(sum[threadIdx.x], sum[threadIdx.x + half * n_limbs]);
        __syncthreads();
        n_groups = half;
    }
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Whether the first count is larger. */
static __device__ __forceinline__ bool is_larger(const uint64_t *a, const uint64_t *b,
                                                 uint32_t n_limbs)
{
    for (uint32_t l = n_limbs; l-- > 0;)
        if (a[l] != b[l])
            return a[l] > b[l];
    return false;
}

static __device__ __forceinline__ bool is_zero(const uint64_t *count, uint32_t n_limbs)
{
    for (uint32_t l = n_limbs; l-- > 0;)
        if (count[l])
            return false;
    return true;
}

/* The column of the largest count among those of all threads, in column[0]. */
static __device__ void find_largest(const uint64_t *row, uint32_t n_limbs, uint32_t own,
                                    uint32_t *column)
{
    column[threadIdx.x] = own;
    for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        uint32_t other = threadIdx.x < half ? column[threadIdx.x + half] : NONE;
        if (other != NONE && (own == NONE || is_larger(row + (size_t)other * n_limbs,
                                                       row + (size_t)own * n_limbs, n_limbs)))
            column[threadIdx.x] = own = other;
    }
    __syncthreads();
}

static __device__ void store_sum(const long_sum *sum, uint32_t n_limbs, uint64_t *to)
{
    long_sum carry = {};
    for (uint32_t l = 0; l < n_limbs; l++) {
        add_sum(carry, sum[l]);
        to[l] = carry.low;
        carry = {carry.middle, carry.high, 0};
    }
    to[n_limbs] = carry.low;
}

/* What a thread finds in its words or counts of a row. */
typedef struct findings {
    long_sum sum;
    uint32_t best, n_nonzero; /* the column of its largest count, or NONE */
} findings;

/* Counts of one word: all in one pass. */
template <bool SIZED>
static __device__ __forceinline__ findings look_at_words(const uint64_t *row, uint32_t n,
                                                         const uint32_t *size)
{
    findings found = {{}, NONE, 0};
    uint64_t largest = 0;
#pragma unroll 4
    for (uint32_t j = threadIdx.x; j < n; j += THREADS) {
        uint64_t word = row[j];
        if (SIZED) {
            add_product(found.sum, word, size[j]);
        } else {
            found.sum.low += word;
            found.sum.middle += found.sum.low < word;
        }
        if (word)
            found.n_nonzero += SIZED ? size[j] : 1;
        if (word > largest) {
            largest = word;
            found.best = j;
        }
    }
    return found;
}

template <bool SIZED>
static __device__ __forceinline__ findings look_at_counts(const uint64_t *row, uint32_t n,
                                                          uint32_t n_limbs, const uint32_t *size)
{
    findings found = {{}, NONE, 0};
    if (SIZED && threadIdx.x < n_readers(n_limbs)) {
        uint32_t place = threadIdx.x % n_limbs, n_groups = THREADS / n_limbs;
        for (uint32_t j = threadIdx.x / n_limbs; j < n; j += n_groups)
            add_product(found.sum, row[(size_t)j * n_limbs + place], size[j]);
    } else if (threadIdx.x < n_readers(n_limbs)) {
#pragma unroll 4
        for (size_t w = threadIdx.x; w < (size_t)n * n_limbs; w += n_readers(n_limbs))
            add_word(found.sum, row[w]);
    }
    for (uint32_t j = threadIdx.x; j < n; j += THREADS) {
        const uint64_t *count = row + (size_t)j * n_limbs;
        if (is_zero(count, n_limbs))
            continue;
        found.n_nonzero += SIZED ? size[j] : 1;
        if (found.best == NONE || is_larger(count, row + (size_t)found.best * n_limbs, n_limbs))
            found.best = j;
    }
    return found;
}

/* N_LIMBS 0: any number. SIZED: columns have sizes. */
template <uint32_t N_LIMBS, bool SIZED>
static __global__ __launch_bounds__(THREADS) void aggregate_rows(pci_gpu_rows rows,
                                                                 pci_gpu_records copies)
{
    __shared__ long_sum sum[THREADS];
    __shared__ uint32_t column[THREADS], n_nonzero;
    uint32_t n_limbs = N_LIMBS ? N_LIMBS : rows.n_limbs, n = rows.n;
    for (uint64_t i = blockIdx.x; i < rows.n_rows; i += gridDim.x) {
        const uint64_t *row = rows.limbs + i * n * n_limbs;
        uint64_t *record = copies.at[blockIdx.y] + i * (3 * (size_t)n_limbs + 2);
        findings own = N_LIMBS == 1 ? look_at_words<SIZED>(row, n, rows.size)
                                    : look_at_counts<SIZED>(row, n, n_limbs, rows.size);
        if (threadIdx.x == 0)
            n_nonzero = 0;
        add_readers(sum, own.sum, n_limbs);
        atomicAdd(&n_nonzero, own.n_nonzero);
        find_largest(row, n_limbs, own.best, column);
        uint32_t best = column[0];
        for (uint32_t l = threadIdx.x; l < n_limbs; l += THREADS) {
            record[n_limbs + 1 + l] = best == NONE ? 0 : row[(size_t)best * n_limbs + l];
            record[2 * n_limbs + 1 + l] = row[(rows.first_row + i) * n_limbs + l];
        }
        if (threadIdx.x == 0) {
            store_sum(sum, n_limbs, record);
            record[3 * (size_t)n_limbs + 1] = n_nonzero;
        }
        __syncthreads();
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

enum { FRACTION_BITS = 40, WARP = 32 };

/* The key of a count: src/rows/aggregates.h. */
static __device__ __forceinline__ uint64_t key_of(const uint64_t *count, uint32_t n_limbs)
{
    uint32_t n = n_limbs;
    while (n > 1 && count[n - 1] == 0)
        n--;
    uint64_t top = count[n - 1];
    if (top == 0)
        return 0;
    int n_before = __clzll((long long)top);
    uint64_t leading = top << n_before;
    if (n > 1 && n_before > 0)
        leading |= count[n - 2] >> (64 - n_before);
    return (uint64_t)(64 * n - n_before) << FRACTION_BITS | (leading << 1) >> (64 - FRACTION_BITS);
}

/* Several threads work on a cell of a row: as many as it has columns, rounded down to a power of two, at most a
 * warp. */
static __device__ __forceinline__ uint32_t threads_of_cell(uint64_t column_span)
{
    return column_span >= WARP ? WARP : 1u << (31 - __clz((int)column_span));
}

/* The largest key of the columns first.. of a row, found by n_threads threads of a warp, in the first of them. */
static __device__ __forceinline__ uint64_t draw_cell(const uint64_t *row, uint64_t first,
                                                     uint64_t end, uint32_t n_limbs,
                                                     uint32_t n_threads, uint32_t *tally)
{
    uint64_t most = 0;
    for (uint64_t j = first + threadIdx.x % n_threads; j < end; j += n_threads) {
        uint64_t key = key_of(row + j * n_limbs, n_limbs);
        atomicAdd(&tally[key >> FRACTION_BITS], 1u);
        most = key > most ? key : most;
    }
    for (uint32_t half = n_threads / 2; half > 0; half /= 2) {
        uint64_t other = __shfl_down_sync(0xffffffff, most, half, (int)n_threads);
        most = other > most ? other : most;
    }
    return most;
}

/* N_LIMBS 0: any number. A block has the same number of turns in all of its threads. */
template <uint32_t N_LIMBS>
static __global__ __launch_bounds__(THREADS) void draw_rows(pci_gpu_rows rows, pci_gpu_cells cells)
{
    extern __shared__ uint32_t tally[];
    uint32_t n_limbs = N_LIMBS ? N_LIMBS : rows.n_limbs, n_bins = 64 * n_limbs + 1;
    uint32_t n_threads = threads_of_cell(cells.column_span), n_at_once = THREADS / n_threads;
    uint32_t copy = blockIdx.y;
    for (uint32_t b = threadIdx.x; b < n_bins; b += THREADS)
        tally[b] = 0;
    __syncthreads();
    for (uint64_t i = blockIdx.x; i < rows.n_rows; i += gridDim.x) {
        const uint64_t *row = rows.limbs + i * rows.n * n_limbs;
        uint64_t *key = cells.key[copy] + (rows.first_row + i) / cells.row_span * cells.n_across;
        for (uint32_t turn = 0; turn < cells.n_across; turn += n_at_once) {
            uint64_t cell = turn + threadIdx.x / n_threads, first = cell * cells.column_span;
            uint64_t end = first + cells.column_span < rows.n ? first + cells.column_span : rows.n;
            uint64_t most = draw_cell(row, first, end, n_limbs, n_threads, tally);
            if (most && threadIdx.x % n_threads == 0)
                atomicMax((unsigned long long *)&key[cell], (unsigned long long)most);
        }
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < n_bins; b += THREADS)
        if (tally[b])
            atomicAdd((unsigned long long *)&cells.tally[copy][b], (unsigned long long)tally[b]);
}

/* ---- Dot products ---------------------------------------------------------------------------- */

static __device__ uint64_t modulo(const long_sum &sum, uint64_t modulus)
{
    uint64_t rest = sum.high % modulus;
    rest = (uint64_t)(((unsigned __int128)rest << 64 | sum.middle) % modulus);
    return (uint64_t)(((unsigned __int128)rest << 64 | sum.low) % modulus);
}

/* The sums of the places, each below the modulus, by Horner's rule in 2^64. */
static __device__ uint64_t join(const long_sum *sum, uint32_t n_limbs, uint64_t modulus)
{
    uint64_t radix = (uint64_t)(((unsigned __int128)1 << 64) % modulus), value = 0;
    for (uint32_t l = n_limbs; l-- > 0;)
        value = (uint64_t)(((unsigned __int128)value * radix + sum[l].low) % modulus);
    return value;
}

static __global__ __launch_bounds__(THREADS) void multiply_rows(pci_gpu_rows rows,
                                                                pci_gpu_dots dots)
{
    uint64_t modulus = dots.modulus[blockIdx.y], *dot = dots.dot[blockIdx.y];
    const uint64_t *x = dots.x[blockIdx.y];
    __shared__ long_sum sum[THREADS];
    uint32_t n_limbs = rows.n_limbs, n_groups = THREADS / n_limbs;
    for (uint64_t i = blockIdx.x; i < rows.n_rows; i += gridDim.x) {
        const uint64_t *row = rows.limbs + i * rows.n * n_limbs;
        long_sum own = {};
        if (threadIdx.x < n_readers(n_limbs)) {
            uint32_t place = threadIdx.x % n_limbs;
#pragma unroll 4
            for (uint32_t j = threadIdx.x / n_limbs; j < rows.n; j += n_groups)
                add_product(own, row[(size_t)j * n_limbs + place], x[j]);
        }
        add_readers(sum, own, n_limbs);
        if (threadIdx.x < n_limbs)
            sum[threadIdx.x].low = modulo(sum[threadIdx.x], modulus);
        __syncthreads();
        if (threadIdx.x == 0)
            dot[i] = join(sum, n_limbs, modulus);
        __syncthreads();
    }
}

/* ---- What the header declares ---------------------------------------------------------------- */

extern "C" cudaError_t pci_gpu_aggregate(pci_gpu_rows rows, pci_gpu_records copies,
                                         cudaStream_t stream)
{
    dim3 grid(pci_blocks_for(rows.n_rows, 1), PCI_RECORD_COPIES);
    if (rows.size && rows.n_limbs == 1)
        aggregate_rows<1, true><<<grid, THREADS, 0, stream>>>(rows, copies);
    else if (rows.size)
        aggregate_rows<0, true><<<grid, THREADS, 0, stream>>>(rows, copies);
    else if (rows.n_limbs == 1)
        aggregate_rows<1, false><<<grid, THREADS, 0, stream>>>(rows, copies);
    else if (rows.n_limbs == 2)
        aggregate_rows<2, false><<<grid, THREADS, 0, stream>>>(rows, copies);
    else
        aggregate_rows<0, false><<<grid, THREADS, 0, stream>>>(rows, copies);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_draw(pci_gpu_rows rows, pci_gpu_cells cells, cudaStream_t stream)
{
    dim3 grid(pci_blocks_for(rows.n_rows, 1), PCI_RECORD_COPIES);
    size_t tally_bytes = (64 * (size_t)rows.n_limbs + 1) * sizeof(uint32_t);
    if (rows.n_limbs > PCI_MOST_DRAWN_LIMBS)
        return cudaErrorInvalidValue;
    if (rows.n_limbs == 1)
        draw_rows<1><<<grid, THREADS, tally_bytes, stream>>>(rows, cells);
    else
        draw_rows<0><<<grid, THREADS, tally_bytes, stream>>>(rows, cells);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_gpu_multiply_rows(pci_gpu_rows rows, uint32_t n_dots,
                                             const pci_gpu_dots *dots, cudaStream_t stream)
{
    dim3 grid(pci_blocks_for(rows.n_rows, 1), n_dots);
    multiply_rows<<<grid, THREADS, 0, stream>>>(rows, *dots);
    return cudaGetLastError();
}
