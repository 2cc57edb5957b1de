/* Measuring the engine on this machine: what the parts of the benchmark share. A part is a function
 * in a file of its own: bench_ceilings.c, bench_products.c, bench_planes.c, bench_counts.c. */
#ifndef PCI_GPU_BENCH_H
#define PCI_GPU_BENCH_H

#include "gpu/bench/kernels.h"
#include "gpu/bench/cublas.h"
#include "gpu/engine/device.h"
#include "gpu/engine/product.h"
#include "src/measure/bench.h"

enum { PCI_BENCH_BLOCKS = 32 /* of device memory, held at once */ };

typedef struct pci_bench {
    pc_context *context;
    const pc_bench_options *options;
    const pci_bench_report *report;
    pci_gpu_device device;
    cudaStream_t stream; /* all that is measured goes here, except whole counts */
    cudaEvent_t start, stop;
    pci_cublas *cublas;        /* NULL: not installed here */
    char library_missing[256]; /* why */
    uint64_t n_wrong;          /* results that failed their check */
    void *block[PCI_BENCH_BLOCKS];
    int n_blocks;
} pci_bench;

/* ---- Frame (bench.c) ------------------------------------------------------------------------- */

/* Opens the device and, if there is one, the library, and reports the machine. context, options and
 * report are set, all else is zero. To be ended whatever the status. */
pc_status pci_bench_begin(pci_bench *bench);

/* Lets go of everything. Gives back status, or PC_ERR_CERTIFY when results were wrong. */
pc_status pci_bench_end(pci_bench *bench, pc_status status);

/* Device memory until the next release; not cleared. */
pc_status pci_bench_memory(pci_bench *bench, size_t bytes, void **memory);
void pci_bench_release(pci_bench *bench);

/* Releases all but the first n_blocks (of bench->n_blocks) that are held. */
void pci_bench_release_to(pci_bench *bench, int n_blocks);

/* The same, filled from the host. */
pc_status pci_bench_upload(pci_bench *bench, const void *content, size_t bytes, void **memory);

/* Calls measure for each size: those asked for, else the n_own own ones; and releases memory after
 * it. A size for which there is no memory gets a row that says so. */
pc_status pci_bench_each_size(pci_bench *bench, const char *section, uint32_t n_own,
                              const uint32_t *own,
                              pc_status (*measure)(pci_bench *bench, uint32_t n));

void pci_bench_row(const pci_bench *bench, const pc_bench_row *row);

/* A row of something that was not measured. */
void pci_bench_note(const pci_bench *bench, const char *section, const char *name, uint32_t n,
                    const char *note);

/* Operations of a product of n x n matrices, counted as is usual. */
static inline double pci_bench_operations(uint32_t n)
{
    return 2.0 * n * n * n;
}

/* ---- Time (bench_time.c) --------------------------------------------------------------------- */

/* Something to measure. run puts its work into the stream of bench, or does it at once. */
typedef struct pci_bench_item {
    pc_status (*run)(pci_bench *bench, void *work);
    void *work;
    double milliseconds; /* out: the median */
} pci_bench_item;

typedef enum pci_bench_clock_kind {
    PCI_BENCH_EVENTS, /* events in the stream: the device's own time */
    PCI_BENCH_WALL    /* the clock on the wall, from an idle device to an idle device */
} pci_bench_clock_kind;

/* Measures the items in turn, again and again, after all have warmed up. */
pc_status pci_bench_time(pci_bench *bench, pci_bench_clock_kind kind, int n_items,
                         pci_bench_item *items);

/* ---- Launches of product kernels (bench_launch.c) -------------------------------------------- */

typedef struct pci_bench_launch {
    pci_product product;
    pci_gpu_kernel kernel;
} pci_bench_launch;

/* n_jobs products of planes of an arena, with the list of tiles in device memory; jobs and outputs
 * are left to the caller. */
pc_status pci_bench_launch_make(pci_bench *bench, pci_gpu_kernel kernel, uint32_t n, int8_t *arena,
                                uint32_t n_planes, uint32_t n_jobs, bool symmetric,
                                pci_bench_launch *launch);

/* Puts the launch into the stream; work is a pci_bench_launch, so that it can be an item. */
pc_status pci_bench_launch_run(pci_bench *bench, void *work);

/* The library's products of planes that lie one after the other, each with a reduction after it if
 * reduction is there. */
typedef struct pci_bench_library {
    uint32_t n, n_products;
    const int8_t *left, *right;
    int32_t *raw;
    const pci_reduction *reduction; /* [n_products], or NULL: raw is the result */
    int8_t *out;
} pci_bench_library;

/* Puts them into the stream; work is a pci_bench_library. */
pc_status pci_bench_library_run(pci_bench *bench, void *work);

/* raw = left right^T, by the library, or without one by the plain kernel: what results are compared
 * with. left and right are numbers of planes. */
pc_status pci_bench_reference(pci_bench *bench, uint32_t n, int8_t *arena, uint32_t n_planes,
                              uint32_t left, uint32_t right, int32_t *raw);

/* "cuBLASLt" or "the plain kernel" */
const char *pci_bench_reference_name(const pci_bench *bench);

/* How many of the n x n residues are not those of raw modulo m. */
pc_status pci_bench_compare(pci_bench *bench, uint32_t n, const int32_t *raw,
                            const int8_t *residues, uint32_t m, uint64_t *n_wrong);

/* ---- Parts ----------------------------------------------------------------------------------- */

pc_status pci_bench_ceilings(pci_bench *bench);
pc_status pci_bench_products(pci_bench *bench);
pc_status pci_bench_planes(pci_bench *bench);
pc_status pci_bench_counts(pci_bench *bench);

/* PCI_ENGINE_BENCH */
pc_status pci_engine_cuda_bench(pc_context *context, const pc_bench_options *options,
                                const pci_bench_report *report);

#endif
