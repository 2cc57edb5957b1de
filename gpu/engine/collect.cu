/* Residues to integers: X = sum x_i W_i - q M, digit by digit, then the carries.
 *
 * X modulo a number is computed in the same way with two digits: sums of the halves of the W_i
 * modulo that number. They are joined and reduced instead of carried. */
#include "gpu/engine/pack.cuh"

enum {
    WARP_THREADS = 32,
    WARPS = 4, /* of a block for a narrow base */
    NARROW_THREADS = WARPS * WARP_THREADS,
    SEGMENT = WARP_THREADS * PCI_ENTRIES,
    /* q of a narrow base, in 32 bits: with fractions of 18 bits the error is less than 49 * 128 /
     * 2^18, which is far below 1/4, and sums stay below 49 * 128 * 2^18 < 2^31. */
    FRACTION_BITS = 18,
    MOST_Q = 8192, /* > 49 * 128 >= |q| */
    CHUNK_DIGITS = 8,
    RESIDUE_BIAS = 32768 /* makes every residue of any base positive */
};

typedef struct integer_target {
    uint64_t *out;
    uint64_t number; /* the words are modulo this; 0: they are integers */
    double inverse;  /* of it */
    uint32_t n, n_padded, n_digits;
    uint64_t n_rows;
    const uint32_t *fraction, *weight, *modulus;
    uint64_t modulus_value; /* in place of modulus[] when there is a number */
    const uint32_t *rows;   /* [n_rows] of the planes; NULL: 0, 1, ... */
} integer_target;

/* The row of the planes that row number `row` of the target is made from. */
static __device__ __forceinline__ size_t source_row(const integer_target &to, size_t row)
{
    return to.rows ? to.rows[row] : row;
}

typedef struct narrow_planes {
    uint32_t r;
    const int8_t *plane[PCI_MAX_NARROW];
} narrow_planes;

/* ---- From sums of digits to words ------------------------------------------------------------ */

/* Signed sums of 32-bit digits, least significant first, to words. Returns the last carry. */
template <int N_DIGITS>
static __device__ __forceinline__ int64_t carry_words(const uint64_t *sum, int64_t carry,
                                                      uint64_t *word)
{
#pragma unroll
    for (int d = 0; d < N_DIGITS; d += 2) {
        int64_t low = (int64_t)sum[d] + carry;
        int64_t high = (int64_t)sum[d + 1] + (low >> 32);
        word[d / 2] = (uint64_t)high << 32 | (uint32_t)low;
        carry = high >> 32;
    }
    return carry;
}

/* high 2^32 + low modulo number < 2^63. The quotient is a sum of residues, at most about 2^25. So a
 * double has it with an error of 2^-26. It is rounded to nearest, and the remainder fits an
 * int64. */
static __device__ __forceinline__ uint64_t join_modulo(int64_t high, int64_t low, uint64_t number,
                                                       double inverse)
{
    double value = fma((double)high, 4294967296.0, (double)low);
    int64_t quotient = (int64_t)rint(value * inverse);
    uint64_t rest = ((uint64_t)high << 32) + (uint64_t)low - (uint64_t)quotient * number;
    return (int64_t)rest < 0 ? rest + number : rest;
}

/* ---- Narrow base ----------------------------------------------------------------------------- */

/* A row of a table in shared memory. All threads read the same row at the same time. */
template <int N_DIGITS> struct alignas(16) weight_row {
    uint32_t digit[N_DIGITS];
    uint32_t fraction;
};

/* Sums are over x + 128 and MOST_Q - q, which are positive. Their start values make up for that. */
template <int N_DIGITS> struct narrow_tables {
    weight_row<N_DIGITS> row[PCI_MAX_NARROW];
    uint64_t start[N_DIGITS];
    uint32_t modulus[N_DIGITS];
    uint32_t fraction_start;
};

static __device__ uint32_t modulus_digit(const integer_target &to, uint32_t d)
{
    return to.number ? (uint32_t)(to.modulus_value >> 32 * d) : to.modulus[d];
}

template <int N_DIGITS>
static __device__ void fill_tables(const integer_target &to, uint32_t r,
                                   narrow_tables<N_DIGITS> *tables)
{
    for (uint32_t k = threadIdx.x; k < r * N_DIGITS; k += blockDim.x)
        tables->row[k / N_DIGITS].digit[k % N_DIGITS] = to.weight[k];
    for (uint32_t i = threadIdx.x; i < r; i += blockDim.x)
        tables->row[i].fraction = to.fraction[i] >> (32 - FRACTION_BITS);
    __syncthreads();
    uint64_t sum = 0;
    if (threadIdx.x < N_DIGITS) {
        for (uint32_t i = 0; i < r; i++)
            sum += tables->row[i].digit[threadIdx.x];
        uint32_t m = modulus_digit(to, threadIdx.x);
        tables->modulus[threadIdx.x] = m;
        tables->start[threadIdx.x] = -(128 * sum + (uint64_t)MOST_Q * m);
    } else if (threadIdx.x == N_DIGITS) {
        for (uint32_t i = 0; i < r; i++)
            sum += tables->row[i].fraction;
        tables->fraction_start = (1u << (FRACTION_BITS - 2)) - 128 * (uint32_t)sum;
    }
    __syncthreads();
}

/* Sums the digits of the four entries at offset at. */
template <int N_DIGITS>
static __device__ __forceinline__ void sum_narrow(const narrow_planes &base,
                                                  const narrow_tables<N_DIGITS> &tables, size_t at,
                                                  uint64_t sum[PCI_ENTRIES][N_DIGITS])
{
    uint32_t total[PCI_ENTRIES];
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++) {
        total[e] = tables.fraction_start;
#pragma unroll
        for (int d = 0; d < N_DIGITS; d++)
            sum[e][d] = tables.start[d];
    }
#pragma unroll 4
    for (uint32_t i = 0; i < base.r; i++) {
        uint32_t word = pci_load_word(base.plane[i] + at) ^ 0x80808080u;
        const weight_row<N_DIGITS> &row = tables.row[i];
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++) {
            uint32_t x = word >> 8 * e & 255;
            total[e] += x * row.fraction;
#pragma unroll
            for (int d = 0; d < N_DIGITS; d++)
                sum[e][d] += (uint64_t)x * row.digit[d];
        }
    }
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++) {
        uint32_t rest = (uint32_t)(MOST_Q - ((int32_t)total[e] >> FRACTION_BITS));
#pragma unroll
        for (int d = 0; d < N_DIGITS; d++)
            sum[e][d] += (uint64_t)rest * tables.modulus[d];
    }
}

/* Stores consecutive words, 16 bytes a thread where the alignment allows it. */
static __device__ __forceinline__ void store_words(const uint64_t *words, uint32_t n_words,
                                                   uint64_t *to)
{
    uint32_t lane = threadIdx.x % WARP_THREADS, done = 0;
    if ((uintptr_t)to % 16 == 0) {
        done = n_words / 2 * 2;
        for (uint32_t w = 2 * lane; w < done; w += 2 * WARP_THREADS)
            *(ulonglong2 *)(to + w) = *(const ulonglong2 *)(words + w);
    }
    for (uint32_t w = done + lane; w < n_words; w += WARP_THREADS)
        to[w] = words[w];
}

/* Only n entries of each row are wanted; rows may be longer. */
static __host__ __device__ uint32_t segments_of_row(const integer_target &to)
{
    return (to.n + SEGMENT - 1) / SEGMENT;
}

/* A warp makes the words of 128 entries of a row at a time. They go through shared memory, so that
 * they are stored in the order of memory. */
template <int N_DIGITS, bool MODULAR>
static __global__ __launch_bounds__(NARROW_THREADS) void collect_narrow(narrow_planes base,
                                                                        integer_target to)
{
    constexpr int N_WORDS = N_DIGITS / 2;
    __shared__ narrow_tables<N_DIGITS> tables;
    __shared__ __align__(16) uint64_t staged[WARPS][SEGMENT * N_WORDS];
    fill_tables<N_DIGITS>(to, base.r, &tables);
    uint32_t warp = threadIdx.x / WARP_THREADS, lane = threadIdx.x % WARP_THREADS;
    uint32_t a_row = segments_of_row(to), n_segments = (uint32_t)to.n_rows * a_row;
    for (uint32_t s = blockIdx.x * WARPS + warp; s < n_segments; s += gridDim.x * WARPS) {
        uint32_t first = s % a_row * SEGMENT;
        size_t row = s / a_row;
        uint64_t sum[PCI_ENTRIES][N_DIGITS];
        sum_narrow<N_DIGITS>(base, tables,
                             source_row(to, row) * to.n_padded + first + PCI_ENTRIES * lane, sum);
        uint64_t *words = staged[warp] + (size_t)lane * PCI_ENTRIES * N_WORDS;
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            if (MODULAR)
                words[e] =
                    join_modulo((int64_t)sum[e][1], (int64_t)sum[e][0], to.number, to.inverse);
            else
                carry_words<N_DIGITS>(sum[e], 0, words + e * N_WORDS);
        __syncwarp();
        uint32_t n_here = to.n - first < SEGMENT ? to.n - first : SEGMENT;
        store_words(staged[warp], n_here * N_WORDS, to.out + (row * to.n + first) * N_WORDS);
        __syncwarp();
    }
}

template <int N_DIGITS, bool MODULAR>
static cudaError_t launch_narrow(const narrow_planes &base, const integer_target &to,
                                 cudaStream_t stream)
{
    size_t n_segments = to.n_rows * segments_of_row(to);
    unsigned n_blocks = pci_blocks_for(n_segments, WARPS);
    collect_narrow<N_DIGITS, MODULAR><<<n_blocks, NARROW_THREADS, 0, stream>>>(base, to);
    return cudaGetLastError();
}

/* ---- Any base -------------------------------------------------------------------------------- */

/* What all threads of a block read at the same time, in shared memory: [r] of each. */
typedef struct any_tables {
    uint4 (*weight)[CHUNK_DIGITS / 4]; /* the digits of a chunk */
    const int8_t *(*plane)[2]; /* high and low digits; those of narrow moduli have no low ones */
    uint64_t *of_weights;      /* [CHUNK_DIGITS]: sums of the weights alone */
} any_tables;

static __host__ __device__ size_t any_tables_bytes(uint32_t r)
{
    return r * (sizeof(uint4[CHUNK_DIGITS / 4]) + sizeof(const int8_t *[2])) +
           CHUNK_DIGITS * sizeof(uint64_t);
}

static __device__ any_tables tables_in(void *memory, uint32_t r)
{
    any_tables tables;
    tables.weight = (uint4(*)[CHUNK_DIGITS / 4]) memory;
    tables.plane = (const int8_t *(*)[2])(tables.weight + r);
    tables.of_weights = (uint64_t *)(tables.plane + r);
    return tables;
}

static __device__ void fill_planes(const pci_base_planes &base, const any_tables &tables)
{
    for (uint32_t i = threadIdx.x; i < base.r; i += blockDim.x) {
        tables.plane[i][0] = base.any ? base.any[3 * (size_t)i] : base.narrow[i];
        tables.plane[i][1] = i >= PCI_FIRST_WIDE ? base.any[3 * (size_t)i + 1] : NULL;
    }
}

/* Weights of digits first .. of all moduli; digits beyond the last are zero. All threads call it. */
static __device__ void fill_weights(const pci_base_planes &base, const integer_target &to,
                                    uint32_t first, const any_tables &tables)
{
    uint32_t *weight = (uint32_t *)tables.weight;
    __syncthreads();
    if (threadIdx.x < CHUNK_DIGITS)
        tables.of_weights[threadIdx.x] = 0;
    __syncthreads();
    uint64_t sum = 0; /* of one digit: the number of threads is a multiple of CHUNK_DIGITS */
    for (uint32_t k = threadIdx.x; k < base.r * CHUNK_DIGITS; k += blockDim.x) {
        uint32_t d = first + k % CHUNK_DIGITS;
        weight[k] = d < to.n_digits ? to.weight[(size_t)(k / CHUNK_DIGITS) * to.n_digits + d] : 0;
        sum += weight[k];
    }
    atomicAdd((unsigned long long *)&tables.of_weights[threadIdx.x % CHUNK_DIGITS], sum);
    __syncthreads();
}

static __device__ __forceinline__ void load_residues(const any_tables &tables, uint32_t i,
                                                     size_t at, int32_t x[PCI_ENTRIES])
{
    const int8_t *low_plane = tables.plane[i][1];
    uint32_t word = pci_load_word(tables.plane[i][0] + at);
    uint32_t low = low_plane ? pci_load_word(low_plane + at) : 0;
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++)
        x[e] = (low_plane ? PCI_RADIX : 1) * pci_signed_byte(word, e) + pci_signed_byte(low, e);
}

/* Sums of x_i W_i of the digits in the tables. A bias makes residues positive, and the sums over the bias
 * alone are subtracted at the end. */
static __device__ __forceinline__ void sum_chunk(uint32_t r, const any_tables &tables, size_t at,
                                                 uint64_t sum[PCI_ENTRIES][CHUNK_DIGITS])
{
#pragma unroll 2
    for (uint32_t i = 0; i < r; i++) {
        int32_t x[PCI_ENTRIES];
        load_residues(tables, i, at, x);
        uint4 low = tables.weight[i][0], high = tables.weight[i][1];
        const uint32_t weight[CHUNK_DIGITS] = {low.x,  low.y,  low.z,  low.w,
                                               high.x, high.y, high.z, high.w};
#pragma unroll
        for (int d = 0; d < CHUNK_DIGITS; d++)
#pragma unroll
            for (int e = 0; e < PCI_ENTRIES; e++)
                sum[e][d] += (uint64_t)(uint32_t)(x[e] + RESIDUE_BIAS) * weight[d];
    }
#pragma unroll
    for (int d = 0; d < CHUNK_DIGITS; d++)
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            sum[e][d] -= RESIDUE_BIAS * tables.of_weights[d];
}

static __device__ void whole_parts(uint32_t r, const any_tables &tables, const uint32_t *fraction,
                                   size_t at, int32_t q[PCI_ENTRIES])
{
    int64_t total[PCI_ENTRIES] = {};
#pragma unroll 4
    for (uint32_t i = 0; i < r; i++) {
        int32_t x[PCI_ENTRIES];
        load_residues(tables, i, at, x);
        for (int e = 0; e < PCI_ENTRIES; e++)
            total[e] += (int64_t)x[e] * fraction[i];
    }
    for (int e = 0; e < PCI_ENTRIES; e++)
        q[e] = pci_whole_part(total[e]);
}

/* Stores up to CHUNK_DIGITS digits of sums as words of an entry. */
static __device__ int64_t store_chunk(const uint64_t sum[CHUNK_DIGITS], int64_t carry,
                                      uint32_t n_words, uint64_t *to)
{
    uint64_t word[CHUNK_DIGITS / 2];
    carry = carry_words<CHUNK_DIGITS>(sum, carry, word);
#pragma unroll
    for (uint32_t w = 0; w < CHUNK_DIGITS / 2; w++)
        if (w < n_words)
            to[w] = word[w];
    return carry;
}

/* The words of digits first .. of four entries, which begin at a column of a row. */
static __device__ __forceinline__ void finish_chunk(const integer_target &to, size_t row,
                                                    uint32_t column, uint32_t first,
                                                    const int32_t q[PCI_ENTRIES],
                                                    uint64_t sum[PCI_ENTRIES][CHUNK_DIGITS],
                                                    int64_t carry[PCI_ENTRIES])
{
    size_t n_words = to.number ? 1 : to.n_digits / 2;
#pragma unroll
    for (uint32_t d = 0; d < CHUNK_DIGITS; d++) {
        uint32_t m = first + d < to.n_digits ? modulus_digit(to, first + d) : 0;
#pragma unroll
        for (int e = 0; e < PCI_ENTRIES; e++)
            sum[e][d] -= (uint64_t)((int64_t)q[e] * m);
    }
#pragma unroll
    for (int e = 0; e < PCI_ENTRIES; e++) {
        uint64_t *out = to.out + (row * to.n + column + e) * n_words + first / 2;
        if (column + e >= to.n)
            continue;
        if (to.number)
            *out = join_modulo((int64_t)sum[e][1], (int64_t)sum[e][0], to.number, to.inverse);
        else
            carry[e] = store_chunk(sum[e], carry[e], (uint32_t)n_words - first / 2, out);
    }
}

/* A thread makes all digits of four entries of a row, a chunk of digits at a time with the other threads of
 * its block, which read the same weights. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS, 2) void collect_any(pci_base_planes base,
                                                                           integer_target to)
{
    extern __shared__ __align__(16) uint8_t memory[];
    any_tables tables = tables_in(memory, base.r);
    uint32_t a_row = to.n_padded / PCI_ENTRIES;
    size_t n_items = to.n_rows * a_row;
    fill_planes(base, tables);
    __syncthreads();
    for (size_t first_item = (size_t)blockIdx.x * blockDim.x; first_item < n_items;
         first_item += pci_n_threads_of_grid()) {
        size_t item = first_item + threadIdx.x, row = item / a_row;
        uint32_t column = (uint32_t)(item - row * a_row) * PCI_ENTRIES;
        bool is_active = item < n_items && column < to.n;
        size_t at = is_active ? source_row(to, row) * to.n_padded + column : 0;
        int32_t q[PCI_ENTRIES];
        int64_t carry[PCI_ENTRIES] = {};
        whole_parts(base.r, tables, to.fraction, at, q);
        for (uint32_t first = 0; first < to.n_digits; first += CHUNK_DIGITS) {
            uint64_t sum[PCI_ENTRIES][CHUNK_DIGITS] = {};
            fill_weights(base, to, first, tables);
            sum_chunk(base.r, tables, at, sum);
            if (is_active)
                finish_chunk(to, row, column, first, q, sum, carry);
        }
    }
}

static cudaError_t launch_any(const pci_base_planes &base, const integer_target &to,
                              cudaStream_t stream)
{
    unsigned n_blocks = pci_blocks_for(to.n_rows * to.n_padded / PCI_ENTRIES, PCI_BLOCK_THREADS);
    collect_any<<<n_blocks, PCI_BLOCK_THREADS, any_tables_bytes(base.r), stream>>>(base, to);
    return cudaGetLastError();
}

/* ---- What the header declares ---------------------------------------------------------------- */

static integer_target target_of(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                const uint32_t *weight, uint32_t n_digits, uint64_t n_rows,
                                uint64_t *out)
{
    integer_target to = {};
    to.out = out;
    to.n = layout->n;
    to.n_padded = layout->n_padded;
    to.n_digits = n_digits;
    to.n_rows = n_rows;
    to.fraction = crt->fraction;
    to.weight = weight;
    return to;
}

/* Fills *base and returns true when the kernels for narrow bases can be used. */
static bool is_narrow(uint32_t r, pci_gpu_residues residues, narrow_planes *base)
{
    if (r > PCI_MAX_NARROW || !residues.narrow)
        return false;
    *base = {};
    base->r = r;
    for (uint32_t i = 0; i < r; i++)
        base->plane[i] = residues.narrow[i];
    return true;
}

extern "C" cudaError_t pci_gpu_collect(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                       const uint32_t *weight, const uint32_t *modulus,
                                       uint32_t n_digits, pci_gpu_residues residues,
                                       uint64_t n_rows, uint64_t *limbs, cudaStream_t stream)
{
    narrow_planes base;
    integer_target to = target_of(layout, crt, weight, n_digits, n_rows, limbs);
    to.modulus = modulus;
    to.rows = residues.rows;
    if (is_narrow(crt->r, residues, &base)) {
        switch (n_digits) {
        case 2:
            return launch_narrow<2, false>(base, to, stream);
        case 4:
            return launch_narrow<4, false>(base, to, stream);
        case 6:
            return launch_narrow<6, false>(base, to, stream);
        case 8:
            return launch_narrow<8, false>(base, to, stream);
        case 10:
            return launch_narrow<10, false>(base, to, stream);
        case 12:
            return launch_narrow<12, false>(base, to, stream);
        }
    }
    return launch_any(pci_base_planes_of(crt->r, residues), to, stream);
}

extern "C" cudaError_t pci_gpu_collect_modular(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                               const uint64_t *weight, uint64_t modulus,
                                               uint64_t number, pci_gpu_residues residues,
                                               uint64_t n_rows, uint64_t *words,
                                               cudaStream_t stream)
{
    narrow_planes base; /* a word is its two digits, the lower first */
    integer_target to = target_of(layout, crt, (const uint32_t *)weight, 2, n_rows, words);
    to.modulus_value = modulus;
    to.number = number;
    to.inverse = 1.0 / (double)number;
    if (is_narrow(crt->r, residues, &base))
        return launch_narrow<2, true>(base, to, stream);
    return launch_any(pci_base_planes_of(crt->r, residues), to, stream);
}

static __global__ void collect_plain(const int8_t *rows, uint64_t n_rows, uint32_t n,
                                     uint32_t n_padded, uint32_t n_limbs, uint64_t *limbs)
{
    uint32_t n_words = n * n_limbs, k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n_words)
        for (uint64_t i = blockIdx.y; i < n_rows; i += gridDim.y)
            limbs[i * n_words + k] = k % n_limbs ? 0 : (uint64_t)rows[i * n_padded + k / n_limbs];
}

extern "C" cudaError_t pci_gpu_collect_plain(const pci_gpu_layout *layout, const int8_t *rows,
                                             uint64_t n_rows, uint32_t n_limbs, uint64_t *limbs,
                                             cudaStream_t stream)
{
    dim3 grid((unsigned)(((size_t)layout->n * n_limbs + PCI_BLOCK_THREADS - 1) / PCI_BLOCK_THREADS),
              pci_blocks_for(n_rows, 1));
    collect_plain<<<grid, PCI_BLOCK_THREADS, 0, stream>>>(rows, n_rows, layout->n, layout->n_padded,
                                                          n_limbs, limbs);
    return cudaGetLastError();
}
