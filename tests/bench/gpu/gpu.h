/* The additions to the frame of the benchmark for a GPU: the device, its memory, the library that is compared with, and
 * launches of product kernels. A part is a function in a file of its own. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "tests/bench/frame.h"
#include "tests/bench/gpu/cublas.h"
#include "tests/bench/gpu/kernels.h"
#include "gpu/engine/device.h"
#include "gpu/engine/product.h"

enum { BENCH_GPU_BLOCKS = 32 /* of device memory, held at once */ };

typedef struct bench_gpu {
    pci_gpu_device device;
    cudaStream_t stream; /* of all that is measured, except whole counts */
    cudaEvent_t start, stop;
    pci_cublas *cublas;        /* NULL: not installed here */
    char library_missing[256]; /* why */
    void *block[BENCH_GPU_BLOCKS];
    int n_blocks;
} bench_gpu;

/* Opens the first of the context's GPUs and, if it is installed, cuBLAS, and tells the properties of the machine. gpu must live
 * until bench_gpu_end, which must follow whatever the status. */
void bench_gpu_begin(bench *b, bench_gpu *gpu);
void bench_gpu_end(bench *b);

/* Does what bench_check does, for an error of CUDA. */
bool bench_gpu_check(bench *b, cudaError_t error, const char *what);

/* Device memory that is held until it is released; not cleared. NULL, and the status is kept, when there is none. */
void *bench_gpu_memory(bench *b, size_t bytes);

/* Device memory with a copy of content. */
void *bench_gpu_upload(bench *b, const void *content, size_t bytes);

/* Releases all blocks but the first n_blocks that are held. */
void bench_gpu_release_to(bench *b, int n_blocks);

/* Calls measure for each size that was asked for, else for the n_own sizes of the caller, and
 * releases memory after each. A size for which there is no memory gets a row that says so. */
void bench_gpu_each_size(bench *b, const char *section, uint32_t n_own, const uint32_t *own,
                         void (*measure)(bench *b, uint32_t n));

/* Operations of a product of n x n matrices, counted as is usual. */
static inline double bench_operations(uint32_t n)
{
    return 2.0 * n * n * n;
}

/* ---- Launches of product kernels (launch.c) -------------------------------------------------- */

typedef struct bench_launch {
    pci_product product;
    pci_gpu_kernel kernel;
} bench_launch;

/* A launch of n_jobs products of planes of an arena, with its list of tiles in device memory. The
 * caller fills in jobs and outputs. */
void bench_launch_make(bench *b, pci_gpu_kernel kernel, uint32_t n, int8_t *arena,
                       uint32_t n_planes, uint32_t n_jobs, bool symmetric, bench_launch *launch);

/* Puts the launch into the stream; work is a bench_launch, so that it can be an item. */
void bench_launch_run(bench *b, void *work);

/* Products by cuBLASLt of planes that lie one after the other. */
typedef struct bench_library {
    uint32_t n, n_products;
    const int8_t *left, *right;
    int32_t *raw;
    const pci_reduction *reduction; /* [n_products], after each product; NULL: raw is the result */
    int8_t *out;
} bench_library;

/* Puts the products into the stream; work is a bench_library. */
void bench_library_run(bench *b, void *work);

/* raw = left right^T by cuBLASLt, or by the plain kernel where it is not installed. Results are
 * compared with it. left and right are numbers of planes. */
void bench_reference(bench *b, uint32_t n, int8_t *arena, uint32_t n_planes, uint32_t left,
                     uint32_t right, int32_t *raw);

/* "cuBLASLt" or "the plain kernel" */
const char *bench_reference_name(const bench *b);

/* Counts the n x n residues that are not the residues of raw modulo m. */
uint64_t bench_compare(bench *b, uint32_t n, const int32_t *raw, const int8_t *residues,
                       uint32_t m);

/* ---- Parts ----------------------------------------------------------------------------------- */

void bench_ceilings(bench *b);
void bench_products(bench *b);
void bench_planes(bench *b);
void bench_counts(bench *b);
void bench_sweeps(bench *b);

#endif
