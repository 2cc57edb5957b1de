/* What the parts of the benchmark driver share: options, the sections, clocks and statistics. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_RUNS 64

enum { BENCH_MAX_SIZES = 64 };

/* Parts of section_engine. */
enum {
    BENCH_CEILINGS, /* what the machine can: library products, copies, the bus */
    BENCH_PRODUCTS, /* each product kernel, full and triangular, against the library */
    BENCH_PLANES,   /* nine planes in one launch against nine library products */
    BENCH_COUNTS,   /* whole counts on the device against products of doubles */
    BENCH_ANSWERS,  /* whole answers, from a graph to what is printed, with their stages */
    BENCH_RATES,    /* of the processors, which plans predict by; needs no GPU */
    BENCH_N_PARTS
};

typedef struct bench_options {
    int n_threads;
    int n_runs;          /* runs of everything that takes less than slow_seconds */
    bool quick;          /* leave out the slow peers */
    double slow_seconds; /* what takes longer is run once */
    const char *folder;  /* where the peer modules are */
    char scratch[280];   /* a folder for files, removed at the end */
    const char *device;  /* for the parts on a GPU, as the next three */
    int n_rounds;
    uint32_t n_sizes; /* 0: each part has its own */
    const uint32_t *sizes;
} bench_options;

/* Sections: each measures, prints its table and records its figures with report_set(). */
void section_powers(const bench_options *options, int workload);
void section_kernel(const bench_options *options);
void section_reduced(const bench_options *options);
void section_sweep(const bench_options *options);
void section_plan(const bench_options *options);
void section_reader(const bench_options *options);
void section_memory(const bench_options *options);
void section_stream(const bench_options *options);
void section_command(const bench_options *options);
void section_engine(const bench_options *options, const bool is_wanted[BENCH_N_PARTS]);

/* Seconds of a set of runs, in the order they were made. */
typedef struct bench_times {
    int n;
    double seconds[BENCH_MAX_RUNS];
} bench_times;

double now_seconds(void);
void times_add(bench_times *times, double seconds);
double times_median(const bench_times *times);
double times_least(const bench_times *times);
double times_most(const bench_times *times);

/* malloc that ends the program with a message instead of returning NULL. */
void *need_memory(size_t bytes);

/* Ends the program with a message. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
