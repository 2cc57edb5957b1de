/* pathcount: what this machine has and how fast it is. Benchmarks of the engines, the rates that plans
 * predict by, and the list of devices. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_MEASURE_H
#define PATHCOUNT_MEASURE_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Measuring the GPU engine ---------------------------------------------------------------- */

/* Parts of the benchmark. */
#define PC_BENCH_CEILINGS 1u  /* what the machine can: library products, copies, the bus */
#define PC_BENCH_PRODUCTS 2u  /* each product kernel, full and triangular, against the library */
#define PC_BENCH_PLANES   4u  /* nine planes in one launch against nine library products */
#define PC_BENCH_COUNTS   8u  /* whole counts on the device against products of doubles */
#define PC_BENCH_ANSWERS  16u /* whole answers, from a graph to what is printed, with their stages */
#define PC_BENCH_ALL      31u

typedef struct pc_bench_options {
    unsigned parts;        /* PC_BENCH_* added; 0: all */
    int n_rounds;          /* measurements to take the median of, at most 1000; 0: 7 */
    uint32_t n_sizes;      /* 0: the sizes that each part has of its own */
    const uint32_t *sizes; /* [n_sizes]: vertices, multiples of 128 up to 65536 */
} pc_bench_options;

/* What is measured; strings are valid during the call. */
typedef struct pc_bench_machine {
    const char *device; /* "NVIDIA H100 80GB HBM3" */
    int major, minor;   /* its compute capability */
    int n_multiprocessors;
    double highest_mhz;  /* clock of the multiprocessors, as the driver allows it ... */
    double found_mhz;    /* ... and as found before the first measurement */
    const char *driver;  /* the CUDA version it supports, "13.0" */
    const char *runtime; /* the CUDA version of the engine */
    const char *library; /* version of cuBLAS; "" when there is none: then nothing is compared */
    const char *library_missing; /* why there is none; "" */
    const char *kernel;          /* the product kernel that counts use */
} pc_bench_machine;

typedef struct pc_bench_ratio {
    const char *against; /* what it is compared with; NULL: no comparison */
    double times;        /* how many times as fast as that */
} pc_bench_ratio;

#define PC_BENCH_RATIOS 3

/* One measurement. Rates count 2 n^3 operations a product, however few were needed. */
typedef struct pc_bench_row {
    const char *section; /* "ceilings", "products", "planes", "counts", "answers" */
    const char *name;
    uint64_t n;          /* vertices; 0: not a matter of size */
    double milliseconds; /* median of the rounds; 0: not measured, see note */
    double rate;
    const char *unit; /* of the rate: "TOPS", "TFLOPS", "GB/s", "a second" */
    pc_bench_ratio ratio[PC_BENCH_RATIOS];
    const char *verified; /* what the result was compared with before it was timed; "": nothing */
    const char *note;     /* ""; why it was not measured; of answers the time of each stage */
} pc_bench_row;

typedef void (*pc_bench_machine_fn)(void *user, const pc_bench_machine *machine);
typedef void (*pc_bench_row_fn)(void *user, const pc_bench_row *row);

/* Measures the CUDA engine on the GPU that the context's device names (the first one of several; answers on all of
 * them), alternating what is compared, after warming up. Each result is checked first: PC_ERR_CERTIFY, after
 * everything else was measured, when one was wrong. PC_ERR_ENGINE when there is no engine or GPU. */
pc_status pc_bench(pc_context *context, const pc_bench_options *options,
                   pc_bench_machine_fn machine, pc_bench_row_fn row, void *user);

/* ---- The ladder: from the first naive kernel to the engine ------------------------------------ */

typedef struct pc_ladder_options {
    uint32_t n;                 /* rows and columns, 1..16384; 0: 4096, of the processor 1024 */
    int n_rounds;               /* measurements to take the median of, at most 1000; 0: 5 */
    uint32_t n_kernels;         /* 0: all; beside a GPU those of the processor up to n = 1024 */
    const char *const *kernels; /* [n_kernels] names, as rows give them */
} pc_ladder_options;

/* A kernel with one shape of block. */
typedef struct pc_ladder_row {
    const char *kernel;   /* "GPU1", "hong-tiled-32", "cublas-sgemm", ... */
    const char *source;   /* "Li, Ranka, Sahni, Figure 1.12" */
    const char *computes; /* what a thread computes: "1 x 1 of C" */
    uint32_t n;
    uint32_t block_x, block_y;         /* 0: the processor, or a library's own */
    int registers;                     /* a thread; 0: not known, as the next two */
    uint64_t shared_bytes;             /* a block */
    double occupancy;                  /* of a multiprocessor of this GPU */
    double transactions, volume_bytes; /* device memory, by the model of section 1.7; 0: none */
    double milliseconds;               /* median of the rounds; 0: not measured, see note */
    double gflops;     /* 2 n^3 - n^2 operations counted as one product takes, reduced ones too */
    double of_library; /* rate as a part of the library's single precision; 0: none here */
    double speedup;    /* over GPU1 of the same run, 0: it was not measured; without a GPU over the
                          first row */
    const char *seed_device; /* where the source measured it: "C1060"; "": it did not */
    double seed_gflops;      /* ... for the same or the nearest n; 0: it did not */
    const char *verified;    /* what the result was compared with before it was timed */
    const char *note;        /* ""; why it was not measured */
} pc_ladder_row;

typedef void (*pc_ladder_row_fn)(void *user, const pc_ladder_row *row);

/* Verifies, then measures every kernel of the documents this project comes from, beside cuBLAS and
 * our own products, on the same matrices of small integers. Otherwise as pc_bench, but where the
 * context's device is "cpu", or is not set and there is no GPU, what there is for processors is
 * measured by the clock on the wall: the documents' loops and "int8-<kernel>", our own product. Then
 * machine gets the processor's name, its threads (n_multiprocessors) and our kernel; in
 * library_missing why no GPU was found, "" when none was wanted; all else is 0 or "", as driver never
 * is for a GPU. No rung can be stopped while it runs: those of one thread take hours for large n. */
pc_status pc_bench_ladder(pc_context *context, const pc_ladder_options *options,
                          pc_bench_machine_fn machine, pc_ladder_row_fn row, void *user);

/* ---- Rates: what plans believe of this machine ----------------------------------------------- */

/* How fast a part of a count is. */
typedef struct pc_rate {
    const char *name; /* "product", ... */
    const char *unit; /* "int8 operations", ...: a second and a thread */
    double per_second;
} pc_rate;

typedef void (*pc_rate_fn)(void *user, const pc_rate *rate);

/* Measures for a few seconds how fast this machine's processors are at what counts are made of,
 * with the threads of the context; its plans predict by that from then on, instead of by what is
 * compiled in. tell may be NULL. */
pc_status pc_calibrate(pc_context *context, pc_rate_fn tell, void *user);

/* Measures six of them for some 40 milliseconds, unless the context has rates that were measured or read, and
 * supposes that the others differ accordingly from those that are compiled in. *has_measured says whether rates
 * are others than before; it may be NULL. The command does so before longer work. */
pc_status pc_calibrate_quickly(pc_context *context, int *has_measured);

/* The rates of a context to a file, and back. PC_ERR_NO_INPUT, PC_ERR_DATA; PC_ERR_ENGINE for rates
 * of another processor, kernel or version, which would mislead: then those of the context are as
 * they were. Only a regular file is read. */
pc_status pc_rates_write(pc_context *context, const char *path);
pc_status pc_rates_read(pc_context *context, const char *path);

/* ---- Devices ---------------------------------------------------------------------------------- */

/* Strings are valid during the call. Sizes in bytes, clocks in MHz; 0: not known. */
typedef struct pc_device {
    const char *engine; /* "cpu" or "cuda" */
    int index;          /* as in "cuda:1"; -1: the processors */
    const char *name;   /* "NVIDIA H100 80GB HBM3" */
    const char
        *missing;       /* ""; why the engine or the GPU cannot be used: nothing else is set then */
    int is_chosen;      /* large counts of this context would be made here */
    const char *kernel; /* the product kernel that would be used */
    uint64_t memory_bytes, free_bytes;
    int n_multiprocessors; /* of processors: threads that this process may use */
    int major, minor;      /* compute capability */
    double clock_mhz, memory_clock_mhz;
    int memory_bus_bits;
    uint64_t l2_bytes;
    int max_threads_per_block, max_threads_per_multiprocessor, max_blocks_per_multiprocessor;
    int registers_per_multiprocessor;
    uint64_t shared_per_multiprocessor, shared_per_block;
    /* Largest n whose counts of 64 bits fit (Hochberg, section 2.5, question 2): in theory, three
     * matrices of 64-bit integers in all of the memory; and as our plan would do it, undirected, in
     * what is free now. */
    uint64_t largest_n_theory, largest_n_plan;
} pc_device;

typedef void (*pc_device_fn)(void *user, const pc_device *device);

/* The processors, then each GPU, or an entry that says why there is none. */
pc_status pc_devices(pc_context *context, pc_device_fn tell, void *user);

#ifdef __cplusplus
}
#endif

#endif
