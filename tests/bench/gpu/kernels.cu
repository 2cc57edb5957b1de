/* Random operands, the reduction that follows a library product, and checks of results. */
#include "tests/bench/gpu/kernels.h"

#include "gpu/engine/reduction.cuh"
#include "src/core/checksum.h"

namespace
{

enum {
    THREADS = 256,
    GRID = 2048,           /* blocks of kernels that go through their entries in strides */
    LOADS = 4,             /* of 16 bytes, that a thread starts at once */
    CLOCK_NS = 200 * 1000, /* long enough for the coarsest nanosecond timer */
};

/* A random word for every index. */
__device__ __forceinline__ uint64_t random_word(uint64_t index, uint32_t seed)
{
    return pci_scramble((index + 1) * PCI_RANDOM_STEP + seed * 0xD1342543DE82EF95u);
}

__device__ __forceinline__ uint64_t first_index()
{
    return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
}

__device__ __forceinline__ uint64_t stride()
{
    return gridDim.x * (uint64_t)blockDim.x;
}

__global__ void fill_kernel(int8_t *plane, uint32_t n, uint32_t m, bool symmetric, uint32_t seed)
{
    for (uint64_t i = first_index(); i < (uint64_t)n * n; i += stride()) {
        uint64_t row = i / n, column = i % n;
        uint64_t entry = symmetric && row > column ? column * n + row : i;
        plane[i] = (int8_t)((int32_t)(random_word(entry, seed) % m) - (int32_t)(m / 2));
    }
}

/* The upper half of a float, which has all bits of so small an integer. */
__global__ void to_bf16_kernel(const int8_t *plane, uint64_t n_entries, uint16_t *to)
{
    for (uint64_t i = first_index(); i < n_entries; i += stride())
        to[i] = (uint16_t)(__float_as_uint((float)plane[i]) >> 16);
}

/* Limited by memory alone, so that the comparison is fair: a warp reads 512 bytes in a row and
 * writes 128, and each thread starts four loads at once. raw is not read again. */
__global__ void __launch_bounds__(THREADS)
    reduce_kernel(const int4 *__restrict__ raw, uint32_t *__restrict__ out, pci_reduction reduction)
{
    const size_t first = blockIdx.x * (size_t)(THREADS * LOADS) + threadIdx.x;
    int4 x[LOADS];
#pragma unroll
    for (int l = 0; l < LOADS; l++)
        x[l] = __ldcs(raw + first + l * THREADS);
#pragma unroll
    for (int l = 0; l < LOADS; l++)
        out[first + l * THREADS] = pci_reduce4(x[l].x, x[l].y, x[l].z, x[l].w, reduction);
}

__global__ void count_wrong_kernel(const int32_t *raw, const int8_t *residues, uint64_t n_entries,
                                   int32_t m, unsigned long long *n_wrong)
{
    unsigned long long n = 0;
    for (uint64_t i = first_index(); i < n_entries; i += stride()) {
        int32_t residue = residues[i];
        n += (raw[i] % m - residue) % m != 0 || 2 * abs(residue) > m;
    }
    if (n > 0)
        atomicAdd(n_wrong, n);
}

__global__ void scatter_kernel(uint32_t n, const uint64_t *row_start, const uint32_t *column,
                               double *matrix)
{
    const uint64_t row = blockIdx.x;
    for (uint64_t arc = row_start[row] + threadIdx.x; arc < row_start[row + 1]; arc += blockDim.x)
        matrix[row * n + column[arc]] = 1;
}

__device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void clock_kernel(unsigned long long *elapsed)
{
    const unsigned long long start = nanoseconds();
    const long long start_cycle = clock64();
    unsigned long long now = start;
    while (now - start < CLOCK_NS)
        now = nanoseconds();
    elapsed[0] = (unsigned long long)(clock64() - start_cycle);
    elapsed[1] = now - start;
}

} // namespace

extern "C" cudaError_t pci_bench_fill(int8_t *plane, uint32_t n, uint32_t m, bool symmetric,
                                      uint32_t seed, cudaStream_t stream)
{
    fill_kernel<<<GRID, THREADS, 0, stream>>>(plane, n, m, symmetric, seed);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_bench_to_bf16(const int8_t *plane, uint64_t n_entries, uint16_t *to,
                                         cudaStream_t stream)
{
    to_bf16_kernel<<<GRID, THREADS, 0, stream>>>(plane, n_entries, to);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_bench_reduce(const int32_t *raw, uint64_t n_entries,
                                        const pci_reduction *reduction, int8_t *out,
                                        cudaStream_t stream)
{
    const uint64_t block_entries = THREADS * LOADS * 4;
    if (n_entries % block_entries != 0)
        return cudaErrorInvalidValue;
    reduce_kernel<<<(unsigned)(n_entries / block_entries), THREADS, 0, stream>>>(
        (const int4 *)raw, (uint32_t *)out, *reduction);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_bench_count_wrong(const int32_t *raw, const int8_t *residues,
                                             uint64_t n_entries, uint32_t m,
                                             unsigned long long *n_wrong, cudaStream_t stream)
{
    count_wrong_kernel<<<GRID, THREADS, 0, stream>>>(raw, residues, n_entries, (int32_t)m, n_wrong);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_bench_scatter(uint32_t n, const uint64_t *row_start,
                                         const uint32_t *column, double *matrix,
                                         cudaStream_t stream)
{
    cudaError_t error = cudaMemsetAsync(matrix, 0, (size_t)n * n * sizeof *matrix, stream);
    if (error != cudaSuccess)
        return error;
    scatter_kernel<<<n, THREADS, 0, stream>>>(n, row_start, column, matrix);
    return cudaGetLastError();
}

extern "C" cudaError_t pci_bench_clock(unsigned long long *elapsed, cudaStream_t stream)
{
    clock_kernel<<<1, 1, 0, stream>>>(elapsed);
    return cudaGetLastError();
}
