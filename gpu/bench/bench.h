/* Measures the engine on this machine: what the parts of the benchmark share. A part is a function
 * in a file of its own: ceilings.c, products.c, planes.c, counts.c. */
#ifndef PCI_GPU_BENCH_H
#define PCI_GPU_BENCH_H

#include "pathcount_measure.h"
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
    cudaStream_t stream; /* of all that is measured, except whole counts */
    cudaEvent_t start, stop;
    pci_cublas *cublas;        /* NULL: not installed here */
    char library_missing[256]; /* why */
    uint64_t n_wrong;          /* results that failed their check */
    void *block[PCI_BENCH_BLOCKS];
    int n_blocks;
} pci_bench;

/* ---- The frame (frame.c) --------------------------------------------------------------------- */

/* Opens the device and, if it is installed, cuBLAS, and reports the machine. context, options and
 * report are set, all else is zero. pci_bench_end must follow, whatever the status. */
pc_status pci_bench_begin(pci_bench *bench);

/* Frees everything. Returns status, or PC_ERR_CERTIFY when results were wrong. */
pc_status pci_bench_end(pci_bench *bench, pc_status status);

/* Device memory that is held until the next release; not cleared. */
pc_status pci_bench_memory(pci_bench *bench, size_t bytes, void **memory);
void pci_bench_release(pci_bench *bench);

/* Releases all blocks but the first n_blocks that are held. */
void pci_bench_release_to(pci_bench *bench, int n_blocks);

/* Device memory with a copy of content. */
pc_status pci_bench_upload(pci_bench *bench, const void *content, size_t bytes, void **memory);

/* Calls measure for each size that was asked for, else for the n_own sizes of the caller, and
 * releases memory after each. A size for which there is no memory gets a row that says so. */
pc_status pci_bench_each_size(pci_bench *bench, const char *section, uint32_t n_own,
                              const uint32_t *own,
                              pc_status (*measure)(pci_bench *bench, uint32_t n));

/* A row for what was not measured, with the reason. */
void pci_bench_note(const pci_bench *bench, const char *section, const char *name, uint32_t n,
                    const char *note);

/* Operations of a product of n x n matrices, counted as is usual. */
static inline double pci_bench_operations(uint32_t n)
{
    return 2.0 * n * n * n;
}

/* Something to time, and what its row says. run puts its work into the stream of bench, or does it
 * at once. */
typedef struct pci_bench_item {
    pc_status (*run)(pci_bench *bench, void *work); /* NULL: an item that is left out */
    void *work;
    double milliseconds; /* out: the median */
    const char *name, *unit, *verified;
    double amount; /* of a run: bytes for the unit "GB/s", else operations */
    struct {
        const char *name;
        const struct pci_bench_item *item; /* NULL: none */
    } peer[PC_BENCH_RATIOS];               /* what it is compared with */
} pci_bench_item;

typedef enum pci_bench_clock_kind {
    PCI_BENCH_EVENTS, /* events in the stream: the time of the device */
    PCI_BENCH_WALL    /* wall-clock time from an idle device to an idle device */
} pci_bench_clock_kind;

/* Times the items one after the other, again and again, after all have warmed up. */
pc_status pci_bench_time(pci_bench *bench, pci_bench_clock_kind kind, int n_items,
                         pci_bench_item *items);

/* Reports a row for each item that was timed. */
void pci_bench_report_items(const pci_bench *bench, const char *section, uint32_t n, int n_items,
                            const pci_bench_item *items);

/* ---- Launches of product kernels (launch.c) -------------------------------------------------- */

typedef struct pci_bench_launch {
    pci_product product;
    pci_gpu_kernel kernel;
} pci_bench_launch;

/* A launch of n_jobs products of planes of an arena, with its list of tiles in device memory. The
 * caller fills in jobs and outputs. */
pc_status pci_bench_launch_make(pci_bench *bench, pci_gpu_kernel kernel, uint32_t n, int8_t *arena,
                                uint32_t n_planes, uint32_t n_jobs, bool symmetric,
                                pci_bench_launch *launch);

/* Puts the launch into the stream; work is a pci_bench_launch, so that it can be an item. */
pc_status pci_bench_launch_run(pci_bench *bench, void *work);

/* Products by cuBLASLt of planes that lie one after the other. */
typedef struct pci_bench_library {
    uint32_t n, n_products;
    const int8_t *left, *right;
    int32_t *raw;
    const pci_reduction *reduction; /* [n_products], after each product; NULL: raw is the result */
    int8_t *out;
} pci_bench_library;

/* Puts the products into the stream; work is a pci_bench_library. */
pc_status pci_bench_library_run(pci_bench *bench, void *work);

/* raw = left right^T by cuBLASLt, or by the plain kernel where it is not installed. Results are
 * compared with it. left and right are numbers of planes. */
pc_status pci_bench_reference(pci_bench *bench, uint32_t n, int8_t *arena, uint32_t n_planes,
                              uint32_t left, uint32_t right, int32_t *raw);

/* "cuBLASLt" or "the plain kernel" */
const char *pci_bench_reference_name(const pci_bench *bench);

/* Counts those of the n x n residues that are not the residues of raw modulo m, and adds them to
 * *n_wrong. */
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
