/* What the parts of the benchmark driver share: options, the sections, clocks and statistics, the report, other programs
 * and peers. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_RUNS 64

enum { BENCH_MAX_SIZES = 64 };

/* Parts of section_engine. */
enum {
    BENCH_CEILINGS, /* what the machine can: copies, the bus */
    BENCH_PRODUCTS, /* each product kernel, full and triangular, against the library */
    BENCH_PLANES,   /* nine planes in one launch against nine library products */
    BENCH_COUNTS,   /* whole counts on the device against products of doubles */
    BENCH_SWEEPS,   /* vectors through a sparse graph, against the processors */
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
void section_command(const bench_options *options);
void section_engine(const bench_options *options, const bool is_wanted[BENCH_N_PARTS]);

/* The driver started again as a process of its own, for what must be measured apart. Each child prints one line and
 * returns its exit status. */
#define BENCH_SELF      "/proc/self/exe"
#define CHILD_READ_OURS "--child-read-ours" /* FILE THREADS */
#define CHILD_READ_PEER "--child-read-peer" /* MODULE FILE */
#define CHILD_MEMORY    "--child-memory"    /* THREADS */
int child_read_ours(const char *path, int n_threads);
int child_read_peer(const char *module, const char *path);
int child_memory(int n_threads);

/* ---- Times ----------------------------------------------------------------------------------- */

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

/* Idle threads of a library that ran before spin for some milliseconds: waits until they rest. */
void wait_for_quiet(void);

/* ---- What machines can (peak.c) -------------------------------------------------------------- */

/* A loop of int8 multiplications on registers, or tiles in the first cache. */
typedef struct peak_loop {
    const char *kernel; /* the library's name of the kernel that uses the same instruction */
    const char *text;   /* the instruction */
    bool (*is_available)(void);
    double (*run)(long n_rounds); /* one thread; returns the operations done */
} peak_loop;

/* Fastest first, ends with kernel NULL. */
extern const peak_loop peak_loops[];

/* Operations a second of n_threads threads together, in one measurement of about 0.05 s. */
double peak_measure(const peak_loop *loop, int n_threads);

/* The median of five; 0 when there is no loop for the kernel or it does not run here. */
double peak_of_kernel(const char *kernel, int n_threads);

/* ---- The report: section, name, key ---------------------------------------------------------- */

/* Every figure is kept: it becomes the JSON file and feeds the goals. */
void report_set(const char *section, const char *name, const char *key, double value);
void report_set_text(const char *section, const char *name, const char *key, const char *text);
void report_set_times(const char *section, const char *name, const bench_times *times);

/* NaN when it was not measured. */
double report_get(const char *section, const char *name, const char *key);

/* Prints the heading of a table of times; and a row of it, with what is to be said of it, and keeps its times. */
void report_head(const char *section, const char *text);
void report_row(const char *section, const char *name, const bench_times *times, const char *note);

/* Ends the program when the file cannot be written. */
void report_save(const char *path);

/* Prints what machine this is and what was built, and keeps it. */
void machine_describe(const bench_options *options);

/* Prints each goal, what was measured, and whether it is met. */
void goals_print(void);

/* A result was not what it should be: says so, and the program will end with status 1. */
void report_failure(const char *section, const char *name, const char *what);
bool report_has_failure(void);

/* A line on stderr, for who waits. */
void report_progress(const char *section, const char *name);

/* ---- Memory, options, peers ------------------------------------------------------------------ */

/* malloc that ends the program with a message instead of returning NULL. */
void *need_memory(size_t bytes);

/* Ends the program with a message. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Arguments of options. A wrong argument ends the program with a message. */
long parse_number(const char *text, long least, long most, struct argp_state *state);

/* The parts of a list with commas, at most `most` of them, none empty; list is changed. Returns how many. */
size_t parse_list(char *list, size_t most, const char **parts, struct argp_state *state);

/* The table that a module exports under symbol (tests/bench/peer.h), or NULL when it or its library is not there. */
const void *peer_load(const bench_options *options, const char *module, const char *symbol);

#endif
