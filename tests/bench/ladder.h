/* The ladder: the matrix products of five documents this project comes from, beside cuBLAS and our own products, on the
 * same two matrices of small integers. Each result is compared with sums of integers before it is timed. Entries are so
 * small that floats are exact in any order of summation. The kernels differ much in speed, so each is timed alone.
 * Rates count 2 n^3 - n^2 operations a product, also for a reduced one, so that all rows and the figures of the
 * documents can be compared. */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include "tests/bench/frame.h"

enum { LADDER_MAX_SIZE = 16384, LADDER_MAX_NAMES = 64 };

typedef struct ladder ladder;

/* A product to verify and time. */
typedef struct ladder_candidate {
    const char *name;            /* "GPU1", "hong-tiled-32", "cublas-sgemm", "int8-wgmma" */
    const char *source;          /* "Li, Ranka, Sahni, Figure 1.12" */
    uint32_t block_x, block_y;   /* threads; 0: the processor, or a library's own */
    char figures[128];           /* what else its row tells of it; "" */
    char note[BENCH_NOTE_BYTES]; /* why it was not measured; "" */
    bench_item item;
    void (*spoil)(ladder *l, const struct ladder_candidate *c); /* overwrites its result */
    uint64_t (*count_wrong)(ladder *l, const struct ladder_candidate *c); /* entries */
} ladder_candidate;

/* ---- The documents' loops (ladder_loops.c) --------------------------------------------------- */

/* Row-major; A rows x inner, B inner x columns; strides in floats, at least the columns of each. C is
 * overwritten. */
typedef struct float_product {
    size_t rows, inner, columns;
    const float *a, *b;
    float *c;
    size_t a_stride, b_stride, c_stride;
} float_product;

/* Plain loops in float32. They are what the kernels of gpu/ladder/ are tested against, and where a reader starts. */
typedef struct ladder_loop {
    const char *name;   /* "ijk", "ikj", "ikj-openmp", "reduced-cpu" */
    const char *source; /* "Li, Ranka, Sahni, Figure 1.5" */
    int reduced;        /* C is ceil(rows / 2) x ceil(columns / 2) */
    void (*multiply)(const float_product *product, int n_threads); /* n_threads: if it uses any */
} ladder_loop;

enum { LADDER_N_LOOPS = 4 };
extern const ladder_loop ladder_loops[LADDER_N_LOOPS];

/* ---- Measuring ------------------------------------------------------------------------------- */

/* Set bench, and what differs from 0. */
struct ladder {
    bench *bench;
    uint32_t n;               /* rows and columns; 0: 4096, without a GPU 1024 */
    size_t n_kernels;         /* 0: all; beside a GPU those of the processor up to n = 1024 */
    const char *const *names; /* [n_kernels] */
    const ladder_loop *loops; /* [n_loops] of the processor; our own product comes after them */
    size_t n_loops;
    bool
        is_alone; /* no GPU is measured: speed-ups are over the first row, and all sizes are measured */
    double library_ms; /* of cuBLAS' single precision; 0: not measured */
    double first_ms;   /* of GPU1, or of the first row; 0: not measured */
    struct gpu_ladder *gpu;
};

/* The part that a build with CUDA adds (gpu/ladder.c). */
typedef struct ladder_gpu_part {
    size_t (*names)(const char *names[LADDER_MAX_NAMES]); /* returns how many */
    void (*begin)(ladder *l); /* the bench keeps PC_ERR_ENGINE when there is no GPU */
    void (*measure)(ladder *l);
    void (*end)(ladder *l); /* after begin, whatever the status */
} ladder_gpu_part;
extern const ladder_gpu_part ladder_of_gpu;

/* Verifies and measures all that was asked for, on the context's device, and tells rows. gpu: NULL in a build without
 * CUDA. Where the context's device is "cpu", or "auto" and there is no GPU, the processor alone is measured.
 * PC_ERR_ARGUMENT for a name that is none of the ladder's. No rung can be stopped while it runs: those of one thread
 * take hours for large n. */
pc_status ladder_run(ladder *l, const ladder_gpu_part *gpu);

/* The part of it that the processor has; loops are set. */
void ladder_measure_processor(ladder *l);

/* The name of our own product on the processor: "int8-avx2". */
enum { LADDER_NAME_BYTES = 32 };
void ladder_own_name(ladder *l, char name[LADDER_NAME_BYTES]);

bool ladder_is_named(const ladder *l, const char *name);

/* Runs the candidate over a result that was overwritten, compares every entry, and times it when all are right: its
 * item's milliseconds stay 0 otherwise. */
void ladder_measure(ladder *l, ladder_candidate *c);

/* Tells the row of a candidate, with its rate and ratios. */
void ladder_tell(ladder *l, const ladder_candidate *c);

/* ---- What the documents measured (ladder_seeds.c) -------------------------------------------- */

typedef struct ladder_seed {
    const char *device; /* "C1060"; "": it was not measured */
    double gflops;      /* 2 n^3 - n^2 operations a product, reduced ones too */
} ladder_seed;

/* The figure of a kernel, by its name in the ladder, with a block of threads, for the nearest n. */
ladder_seed ladder_seed_of(const char *kernel, uint32_t block_x, uint32_t block_y, uint32_t n);

#endif
