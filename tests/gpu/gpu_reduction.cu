/* Every accumulator through pci_reduce, held against the remainder by division. */
#include "tests/gpu/gpu_reduction.h"

#include "gpu/engine/reduction.cuh"

enum { THREADS = 256, BLOCKS = 4096, MOST_TERMS = 131071 };

static const long long LEAST = -128LL * 127 * MOST_TERMS, GREATEST = 128LL * 128 * MOST_TERMS;

static __device__ bool is_wrong(int32_t x, int32_t m, const pci_reduction &reduction)
{
    int32_t residue = (int8_t)pci_reduce(x, reduction), size = residue < 0 ? -residue : residue;
    return (x - residue) % m != 0 || 2 * size > m;
}

static __global__ __launch_bounds__(THREADS) void count_wrong(int32_t m, pci_reduction reduction,
                                                              long long least, long long greatest,
                                                              unsigned long long *n_wrong)
{
    unsigned long long n = 0;
    for (long long x = least + (long long)blockIdx.x * THREADS + threadIdx.x; x <= greatest;
         x += (long long)gridDim.x * THREADS)
        n += is_wrong((int32_t)x, m, reduction);
    if (n != 0)
        atomicAdd(n_wrong, n);
}

extern "C" cudaError_t test_gpu_reduction_count_wrong(uint32_t m, const pci_reduction *reduction,
                                                      unsigned long long *n_wrong)
{
    unsigned long long *counter;
    cudaError_t error = cudaMalloc((void **)&counter, sizeof *counter);
    if (error != cudaSuccess)
        return error;
    error = cudaMemset(counter, 0, sizeof *counter);
    if (error == cudaSuccess) {
        count_wrong<<<BLOCKS, THREADS>>>((int32_t)m, *reduction, LEAST, GREATEST, counter);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(n_wrong, counter, sizeof *counter, cudaMemcpyDeviceToHost);
    cudaError_t freed = cudaFree(counter);
    return error != cudaSuccess ? error : freed;
}
