/* Li, Ranka, Sahni, "GPU Matrix Multiplication", section 1.7: GPU1 to GPU8, each faster than the
 * one before.
 *
 * The figures of each step are those of the document, on a C1060 of compute capability 1.3: bytes
 * are read from and written to device memory for n x n matrices, shared memory includes the 44
 * bytes of the arguments, and a GPU with more registers or threads for each multiprocessor has
 * other limits. */
#include "gpu/ladder/common.cuh"

namespace
{

/* ---- GPU1 ------------------------------------------------------------------------------------ */

/* Section 1.7.1, Figure 1.12: a thread computes one element of C from device memory. It is the ijk
 * loop of the processor, with a thread in place of each iteration of the two outer loops.
 *
 * Cost of a step: an element of A and one of B for a single multiply-add. Threads that are
 * neighbours in x have the same i, so they read one element of A together and neighbours of B in
 * one transaction. In blocks with x = 1 each thread reads a row of A of its own, and Figure 1.14
 * has them almost 30 times as slow. 10 registers, 44 bytes of shared memory, all threads of a
 * multiprocessor are active; 6 n^3 + 4 n^2 bytes, of which 56% are used (Figure 1.15). */
__global__ void gpu1(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float sum = 0;
    for (uint32_t k = 0; k < p.a.columns; k++) {
        sum += a[k] * *b;
        b += p.b.stride;
    }
    pci_ladder_row(p.c, i)[j] = sum;
}

/* ---- GPU2 ------------------------------------------------------------------------------------ */

/* Section 1.7.2, Figures 1.16 to 1.18: a thread computes 1 x 2 of C. It reads four elements of A at
 * once as a float4, and two of B as a float2.
 *
 * Gain over GPU1: an element of A serves two multiply-adds, and more of each transaction is used.
 * With blocks of 8 x 8 2.5 n^3 + 4 n^2 bytes, 83% of them used, against 6 n^3 and 56% (Figure
 * 1.19). Cost: 16 registers in place of 10, the most with which all 1024 threads of a
 * multiprocessor can be active. */

/* Adds a times two elements of B; b moves to the row below. */
__device__ __forceinline__ void add_row(float2 *sum, float a, const float **b, uint32_t stride)
{
    const float2 two = *(const float2 *)*b;
    sum->x += a * two.x;
    sum->y += a * two.y;
    *b += stride;
}

/* The second element may lie in the padding: its sum is computed, of anything, and not stored. */
__device__ __forceinline__ void store_two(float *c, uint32_t n_left, float2 sum)
{
    if (n_left >= 2)
        *(float2 *)c = sum;
    else
        *c = sum.x;
}

__global__ void gpu2(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float2 sum = {0, 0};
    uint32_t k = 0;
    for (; p.a.columns - k >= 4; k += 4) {
        const float4 four = *(const float4 *)(a + k);
        add_row(&sum, four.x, &b, p.b.stride);
        add_row(&sum, four.y, &b, p.b.stride);
        add_row(&sum, four.z, &b, p.b.stride);
        add_row(&sum, four.w, &b, p.b.stride);
    }
    for (; k < p.a.columns; k++)
        add_row(&sum, a[k], &b, p.b.stride);
    store_two(pci_ladder_row(p.c, i) + j, p.c.columns - j, sum);
}

/* ---- GPU3 ------------------------------------------------------------------------------------ */

/* Section 1.7.3, Figure 1.21: a thread computes 1 x 4 of C. It reads A and B and writes C as
 * float4.
 *
 * Gain over GPU2: an element of A serves four multiply-adds, and 16 bytes is the most that a thread
 * can read at once. With blocks of 4 x 16 1.5 n^3 + 4 n^2 bytes, 75% of them used, against 2.5 n^3
 * (Figure 1.23). Cost: 21 registers in place of 16, so half of the threads of a multiprocessor are
 * active. With wide blocks, such as (64, 1), it was slower than GPU2. */

/* Adds a times four elements of B; b moves to the row below. */
__device__ __forceinline__ void add_row(float4 *sum, float a, const float **b, uint32_t stride)
{
    const float4 four = *(const float4 *)*b;
    sum->x += a * four.x;
    sum->y += a * four.y;
    sum->z += a * four.z;
    sum->w += a * four.w;
    *b += stride;
}

/* The last elements may lie in the padding: their sums are computed, of anything, and not
 * stored. */
__device__ __forceinline__ void store_four(float *c, uint32_t n_left, float4 sum)
{
    if (n_left >= 4) {
        *(float4 *)c = sum;
        return;
    }
    c[0] = sum.x;
    if (n_left > 1)
        c[1] = sum.y;
    if (n_left > 2)
        c[2] = sum.z;
}

__global__ void gpu3(const pci_ladder_product p)
{
    const uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
    const uint32_t j = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= p.c.rows || j >= p.c.columns)
        return;

    const float *a = pci_ladder_row(p.a, i);
    const float *b = p.b.element + j;
    float4 sum = {0, 0, 0, 0};
    uint32_t k = 0;
    for (; p.a.columns - k >= 4; k += 4) {
        const float4 four = *(const float4 *)(a + k);
        add_row(&sum, four.x, &b, p.b.stride);
        add_row(&sum, four.y, &b, p.b.stride);
        add_row(&sum, four.z, &b, p.b.stride);
        add_row(&sum, four.w, &b, p.b.stride);
    }
    for (; k < p.a.columns; k++)
        add_row(&sum, a[k], &b, p.b.stride);
    store_four(pci_ladder_row(p.c, i) + j, p.c.columns - j, sum);
}

/* ---- GPU4 ------------------------------------------------------------------------------------ */

enum { SIDE = 16 }; /* of the tiles of GPU4 and GPU5 */

/* Section 1.7.4, Figure 1.24: a block of 16 x 16 threads computes 16 x 16 of C from tiles of A and
 * B in shared memory.
 *
 * Gain over GPU3: threads of a block need the same elements. So each is read from device memory
 * once for the block, and then 16 times from shared memory, which lies on the multiprocessor: 0.5
 * n^3 + 4 n^2 bytes, all of them used, against 1.5 n^3 (Figure 1.36). Cost: two barriers every 16
 * steps, and 2092 bytes of shared memory; 11 registers, so all threads of a multiprocessor can be
 * active. 2.8 times as fast. */
__global__ void __launch_bounds__(SIDE *SIDE) gpu4(const pci_ladder_product p)
{
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
    const uint32_t x = threadIdx.x, y = threadIdx.y;
    const uint32_t i = SIDE * blockIdx.y + y;
    const uint32_t j = SIDE * blockIdx.x + x;
    float sum = 0;

    for (uint32_t first = 0; first < p.a.columns; first += SIDE) {
        as[y][x] = pci_ladder_element(p.a, i, first + x);
        bs[y][x] = pci_ladder_element(p.b, first + y, j);
        __syncthreads(); /* both tiles are loaded */
        for (uint32_t k = 0; k < SIDE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads(); /* both are read */
    }
    if (i < p.c.rows && j < p.c.columns)
        pci_ladder_row(p.c, i)[j] = sum;
}

/* ---- GPU5 ------------------------------------------------------------------------------------ */

/* Section 1.7.4, Figure 1.27: GPU4 with the tile of B transposed in shared memory, so that a thread
 * reads both tiles along rows.
 *
 * Shared memory has banks (16 on compute capability 1.3, 32 today): neighbouring words lie in
 * neighbouring banks, and threads that need different words of one bank wait for each other. With
 * rows of 16 words the 16 threads of a row would all read from one bank (Figure 1.25). Rows of 17
 * put the elements of a column into different banks (Figure 1.26); the 17th word is never used.
 *
 * Gain over GPU4: on the authors' GPU reading shared memory along rows was faster, by 4% of the
 * time at n = 16384 and 13% at 8192 (Figure 1.28). Cost: 64 bytes more of shared memory, 2156 in
 * all. Registers and traffic with device memory stay the same. */
__global__ void __launch_bounds__(SIDE *SIDE) gpu5(const pci_ladder_product p)
{
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE + 1];
    const uint32_t x = threadIdx.x, y = threadIdx.y;
    const uint32_t i = SIDE * blockIdx.y + y;
    const uint32_t j = SIDE * blockIdx.x + x;
    float sum = 0;

    for (uint32_t first = 0; first < p.a.columns; first += SIDE) {
        as[y][x] = pci_ladder_element(p.a, i, first + x);
        bs[x][y] = pci_ladder_element(p.b, first + y, j);
        __syncthreads(); /* both tiles are loaded */
        for (uint32_t k = 0; k < SIDE; k++)
            sum += as[y][k] * bs[x][k];
        __syncthreads(); /* both are read */
    }
    if (i < p.c.rows && j < p.c.columns)
        pci_ladder_row(p.c, i)[j] = sum;
}

/* ---- What GPU6, GPU7 and GPU8 share ---------------------------------------------------------- */

/* Section 1.7.5: a block of 16 x 8 threads computes 16 x 128 of C, a thread 16 x 1 of them. The 16
 * sums stay in registers. A comes through shared memory, in slices of 16 rows and 32 or 64 columns.
 * An element of B is needed by one thread of the block only, which reads it for itself. */
enum {
    X = 16, /* threads of a block */
    Y = 8,
    N_THREADS = X * Y, /* and columns of C */
    ROWS = 16,         /* of C */
    DEPTH = 32,        /* columns of A in a slice of GPU6 and GPU7 */
    AHEAD = 4          /* elements of B that GPU7 and GPU8 load ahead */
};

__device__ __forceinline__ uint32_t first_row()
{
    return ROWS * blockIdx.y;
}

__device__ __forceinline__ uint32_t own_column()
{
    return N_THREADS * blockIdx.x + X * threadIdx.y + threadIdx.x;
}

/* Where the thread's column of B begins. A thread to the right of the last column reads the first
 * one, and stores nothing. */
__device__ __forceinline__ const float *own_b(const pci_ladder_matrix &b)
{
    const uint32_t column = own_column();
    return b.element + (column < b.columns ? column : 0);
}

/* Columns of A in the slice that begins at `first`: depth, fewer at the end. */
__device__ __forceinline__ uint32_t depth_of(const pci_ladder_matrix &a, uint32_t first,
                                             uint32_t depth)
{
    return min(depth, a.columns - first);
}

/* A slice of 16 x 32 into shared memory, transposed: a column of A becomes a row of 17 words. A
 * thread loads two neighbours in each of two rows. Elements beyond the edge are never used. */
__device__ __forceinline__ void load_slice(const pci_ladder_matrix &a, uint32_t first,
                                           float (&as)[DEPTH][ROWS + 1])
{
    const uint32_t x = 2 * threadIdx.x;
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t y = threadIdx.y + half * Y;
        const uint32_t row = first_row() + y;
        float2 two = {0, 0};
        if (row < a.rows && first + x < a.columns)
            two = *(const float2 *)(pci_ladder_row(a, row) + first + x);
        as[x][y] = two.x;
        as[x + 1][y] = two.y;
    }
}

/* Adds b times a column of A, whose elements lie STEP words apart, to the sums. */
template <int STEP>
__device__ __forceinline__ void add_column(const float *a, float b, float (&sum)[ROWS])
{
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i] += a[i * STEP] * b;
}

__device__ __forceinline__ void store_sums(const pci_ladder_matrix &c, const float (&sum)[ROWS])
{
    const uint32_t column = own_column();
#pragma unroll
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t row = first_row() + i;
        if (row < c.rows && column < c.columns)
            pci_ladder_row(c, row)[column] = sum[i];
    }
}

/* ---- GPU6 ------------------------------------------------------------------------------------ */

/* Section 1.7.5, Figures 1.29 to 1.31: a thread computes 16 x 1 of C.
 *
 * Gain over GPU5: an element of B goes from device memory into a register and is multiplied 16
 * times there, with a column of A that all threads of the block read together. A multiply-add reads
 * shared memory once instead of twice, and device memory once in 16: 9/32 n^3 + 4 n^2 bytes against
 * 0.5 n^3. The 16 multiply-adds of a thread do not wait for each other, which hides the latency of
 * reads. Cost: 38 registers and 2220 bytes of shared memory, with which 38% of the threads are
 * active. It is 1.9 times as fast all the same.
 *
 * Rows of 17 words: a warp writes words 34 x + y, x from 0 to 15, y one of two neighbours. These
 * lie in 32 different banks today; of the 16 banks of compute capability 1.3 each had two. */
__global__ void __launch_bounds__(N_THREADS) gpu6(const pci_ladder_product p)
{
    __shared__ float as[DEPTH][ROWS + 1];
    const float *b = own_b(p.b);
    float sum[ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += DEPTH) {
        const uint32_t depth = depth_of(p.a, first, DEPTH);
        load_slice(p.a, first, as);
        __syncthreads(); /* the slice is loaded */
        if (depth == DEPTH) {
#pragma unroll
            for (uint32_t k = 0; k < DEPTH; k++, b += p.b.stride)
                add_column<1>(as[k], *b, sum);
        } else {
            for (uint32_t k = 0; k < depth; k++, b += p.b.stride)
                add_column<1>(as[k], *b, sum);
        }
        __syncthreads(); /* the slice is read */
    }
    store_sums(p.c, sum);
}

/* ---- GPU7 ------------------------------------------------------------------------------------ */

/* Section 1.7.5, Figure 1.32: GPU6 with four elements of B loaded ahead.
 *
 * GPU6 waits for an element of B before the 16 multiply-adds that need it. Here four registers hold
 * four elements. As soon as one was used, the element four rows further down is loaded into its
 * register, and the multiply-adds of the three others, 48 of them, hide the latency. The gain is
 * small: 23.26 s against 23.28 at n = 16384 (Figure 1.40). It costs nothing: registers and shared
 * memory stay the same. A compiler that unrolls GPU6 may load ahead by itself; then the two are the
 * same. */

/* A whole slice; b is its first element of B. */
__device__ __forceinline__ void multiply_slice(const float (&as)[DEPTH][ROWS + 1], const float *b,
                                               uint32_t stride, float (&sum)[ROWS])
{
    float ahead[AHEAD];
#pragma unroll
    for (uint32_t q = 0; q < AHEAD; q++)
        ahead[q] = b[(size_t)q * stride];
#pragma unroll
    for (uint32_t k = 0; k < DEPTH; k += AHEAD) {
        b += (size_t)AHEAD * stride;
#pragma unroll
        for (uint32_t q = 0; q < AHEAD; q++) {
            add_column<1>(as[k + q], ahead[q], sum);
            if (k + AHEAD < DEPTH)
                ahead[q] = b[(size_t)q * stride];
        }
    }
}

__global__ void __launch_bounds__(N_THREADS) gpu7(const pci_ladder_product p)
{
    __shared__ float as[DEPTH][ROWS + 1];
    const float *b = own_b(p.b);
    float sum[ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += DEPTH) {
        const uint32_t depth = depth_of(p.a, first, DEPTH);
        load_slice(p.a, first, as);
        __syncthreads(); /* the slice is loaded */
        if (depth == DEPTH) {
            multiply_slice(as, b, p.b.stride, sum);
            b += (size_t)DEPTH * p.b.stride;
        } else {
            for (uint32_t k = 0; k < depth; k++, b += p.b.stride)
                add_column<1>(as[k], *b, sum);
        }
        __syncthreads(); /* the slice is read */
    }
    store_sums(p.c, sum);
}

/* ---- GPU8 ------------------------------------------------------------------------------------ */

/* Section 1.7.5, Figures 1.33 to 1.35: GPU7 with slices of A of 16 x 64, read as float4.
 *
 * A slice is regarded as 16 x 16 vectors of four elements, and this matrix of vectors is
 * transposed: vector (y, x) goes to words 4 y to 4 y + 3 of row x. So the elements of a column of A
 * lie four words apart, and rows of 65 words put the writes of 16 neighbouring threads into
 * different banks.
 *
 * Gain over GPU7: half as many reads of A, each twice as wide, and half as many barriers. 22.97 s
 * against 23.26 at n = 16384 (Figure 1.40), in the end 14 times as fast as GPU1 and 2% faster than
 * the CUBLAS of its time. Traffic with device memory is the same. Cost: 4204 bytes of shared
 * memory; 38 registers as before.
 *
 * The figure writes a vector to shared memory as one float4. Rows of 65 words do not begin at
 * multiples of 16 bytes, which is an error on today's GPUs. So four floats are written here. */
enum {
    VECTOR = 4,
    N_VECTORS = 16,                  /* across a slice */
    LONG_DEPTH = N_VECTORS * VECTOR, /* columns of A in a slice */
    LONG_STRIDE = 16 * VECTOR + 1    /* words of a row in shared memory */
};

__device__ __forceinline__ void load_slice(const pci_ladder_matrix &a, uint32_t first,
                                           float (&as)[N_VECTORS][LONG_STRIDE])
{
    const uint32_t x = threadIdx.x;
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t y = threadIdx.y + half * Y;
        const uint32_t row = first_row() + y;
        float4 four = {0, 0, 0, 0};
        if (row < a.rows && first + VECTOR * x < a.columns)
            four = *(const float4 *)(pci_ladder_row(a, row) + first + VECTOR * x);
        float *to = &as[x][VECTOR * y];
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    }
}

/* Where column k of the slice begins; its next element is VECTOR words further on. */
__device__ __forceinline__ const float *column_of(const float (&as)[N_VECTORS][LONG_STRIDE],
                                                  uint32_t k)
{
    return &as[k / VECTOR][k % VECTOR];
}

/* A whole slice; b is its first element of B. */
__device__ __forceinline__ void multiply_slice(const float (&as)[N_VECTORS][LONG_STRIDE],
                                               const float *b, uint32_t stride, float (&sum)[ROWS])
{
    float ahead[AHEAD];
#pragma unroll
    for (uint32_t q = 0; q < AHEAD; q++)
        ahead[q] = b[(size_t)q * stride];
#pragma unroll
    for (uint32_t k = 0; k < LONG_DEPTH; k += AHEAD) {
        b += (size_t)AHEAD * stride;
#pragma unroll
        for (uint32_t q = 0; q < AHEAD; q++) {
            add_column<VECTOR>(column_of(as, k + q), ahead[q], sum);
            if (k + AHEAD < LONG_DEPTH)
                ahead[q] = b[(size_t)q * stride];
        }
    }
}

__global__ void __launch_bounds__(N_THREADS) gpu8(const pci_ladder_product p)
{
    __shared__ float as[N_VECTORS][LONG_STRIDE];
    const float *b = own_b(p.b);
    float sum[ROWS] = {};

    for (uint32_t first = 0; first < p.a.columns; first += LONG_DEPTH) {
        const uint32_t depth = depth_of(p.a, first, LONG_DEPTH);
        load_slice(p.a, first, as);
        __syncthreads(); /* the slice is loaded */
        if (depth == LONG_DEPTH) {
            multiply_slice(as, b, p.b.stride, sum);
            b += (size_t)LONG_DEPTH * p.b.stride;
        } else {
            for (uint32_t k = 0; k < depth; k++, b += p.b.stride)
                add_column<VECTOR>(column_of(as, k), *b, sum);
        }
        __syncthreads(); /* the slice is read */
    }
    store_sums(p.c, sum);
}

const char one[] = "1 x 1 of C", column[] = "16 x 1 of C";

} // namespace

/* Blocks of GPU1 to GPU3 are those of Figures 1.14, 1.20 and 1.22, the best one first. */
/* clang-format off */
const pci_ladder_kernel pci_ladder_li[] = {
    {"GPU1", "Li, Ranka, Sahni, Figure 1.12", one, (const void *)gpu1, 1, 1,
     {{256, 1}, {128, 1}, {512, 1}, {64, 1}, {32, 1}, {32, 2}, {32, 16}, {16, 16}, {16, 32}, {8, 8},
      {1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}}},
    {"GPU2", "Li, Ranka, Sahni, Figure 1.18", "1 x 2 of C", (const void *)gpu2, 1, 2,
     {{8, 8}, {32, 16}, {512, 1}, {256, 1}, {16, 16}, {128, 1}, {64, 1}, {16, 32}, {32, 2}, {16, 4},
      {32, 1}, {1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}}},
    {"GPU3", "Li, Ranka, Sahni, Figure 1.21", "1 x 4 of C", (const void *)gpu3, 1, 4,
     {{4, 16}, {8, 8}, {2, 32}, {1, 32}, {16, 32}, {64, 1}}},
    {"GPU4", "Li, Ranka, Sahni, Figure 1.24", one, (const void *)gpu4, 1, 1, {{SIDE, SIDE}}},
    {"GPU5", "Li, Ranka, Sahni, Figure 1.27", one, (const void *)gpu5, 1, 1, {{SIDE, SIDE}}},
    {"GPU6", "Li, Ranka, Sahni, Figure 1.30", column, (const void *)gpu6, ROWS / Y,
     N_THREADS / X, {{X, Y}}},
    {"GPU7", "Li, Ranka, Sahni, Figure 1.32", column, (const void *)gpu7, ROWS / Y,
     N_THREADS / X, {{X, Y}}},
    {"GPU8", "Li, Ranka, Sahni, Figure 1.34", column, (const void *)gpu8, ROWS / Y,
     N_THREADS / X, {{X, Y}}},
};
