/* The frame of everything that is measured row by row: the engine for GPUs, whole answers, and the ladder of matrix
 * products. It has the rows, the clocks, and the way in which things are compared. Nothing here needs CUDA:
 * tests/bench/gpu/gpu.h adds what a GPU needs.
 *
 * An error is kept in the bench, and the first one stays: after it functions do nothing, and a caller asks once, at the
 * end of what it does. */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include "src/core/context.h"

#define BENCH_RATIOS 3
enum { BENCH_NOTE_BYTES = 320 };

typedef struct bench_ratio {
    const char *against; /* what it is compared with; NULL: no comparison, and none after it */
    double times;        /* how many times as fast as that */
} bench_ratio;

/* One measurement. Its strings are valid while it is told. NULL is "". */
typedef struct bench_row {
    const char *section; /* "products"; "machine": name and note are a property of the machine */
    const char *name;
    uint64_t n;          /* vertices, or rows of matrices; 0: not a matter of size */
    double milliseconds; /* median of the rounds; 0: not measured, and note says why */
    double rate;
    const char *unit; /* of the rate: "TOPS", "GFLOP/s", "GB/s", "a second" */
    bench_ratio ratio[BENCH_RATIOS];
    const char *verified; /* what the result was compared with before it was timed */
    const char *note;
} bench_row;

typedef struct bench bench;
struct bench_gpu;

/* Something to time, and what its row says. */
typedef struct bench_item {
    void (*run)(bench *b, void *work); /* NULL: an item that is left out */
    void *work;
    bool on_wall;        /* from an idle GPU to an idle GPU; else by the clock of the GPU */
    double milliseconds; /* out: the median */
    const char *name, *unit, *verified;
    double amount; /* of a run: bytes for the unit "GB/s", else operations */
    struct {
        const char *name;
        const struct bench_item *item; /* NULL: none */
    } peer[BENCH_RATIOS];              /* what it is compared with */
} bench_item;

/* Set context, n_rounds and tell; all else may be 0. */
struct bench {
    pc_context *context;
    pc_status status; /* of the first call that failed */
    int n_rounds;
    uint32_t n_sizes; /* 0: the sizes that each part has of its own */
    const uint32_t *sizes;
    void (*tell)(void *user, const bench_row *row);
    void *user;
    uint64_t n_wrong; /* results that failed their check */
    /* Set by bench_gpu_begin. The processors have NULL and 0. */
    struct bench_gpu *gpu;
    double warm_up_seconds;
    void (*wait)(bench *b);                                            /* until the GPU is idle */
    double (*time_on_device)(bench *b, const bench_item *item, int n); /* milliseconds a run */
};

/* Keeps the status if it is the first that is not PC_OK. Returns whether all is well so far. */
bool bench_check(bench *b, pc_status status);

/* Memory of the context that is set to 0; NULL, and PC_ERR_MEMORY is kept, when there is none. pci_free frees it. */
void *bench_alloc(bench *b, const char *what, size_t n, size_t size);

void bench_wait(bench *b);

/* Runs the item n times; returns the milliseconds of one run, from idle to idle. */
double bench_run(bench *b, const bench_item *item, int n);

/* Times the items one after the other, again and again, after all have warmed up. */
void bench_time(bench *b, int n_items, bench_item *items);

void bench_tell(bench *b, const bench_row *row);

/* Tells a row for each item that was timed. */
void bench_tell_items(bench *b, const char *section, uint64_t n, int n_items,
                      const bench_item *items);

/* Tells a row that was not measured, with the reason; in the section "machine" a property and its value. */
void bench_note(bench *b, const char *section, const char *name, uint64_t n, const char *note);

/* Tells and counts a result that failed its check, with the number of its wrong entries. */
void bench_note_wrong(bench *b, const char *section, const char *name, uint64_t n,
                      uint64_t n_wrong_entries);

/* PC_ERR_CERTIFY with a message when nothing else failed and results were wrong; else the status that was kept. */
pc_status bench_end(bench *b);

/* Prints the row as a line of a table, with a heading where a section begins, and keeps it for the JSON file
 * (tests/bench/bench.h): a `tell` of the programs, whose user is not used. */
void bench_print_row(void *user, const bench_row *row);

/* ---- Parts of the benchmark ------------------------------------------------------------------ */

/* Measures answers from a graph in memory to the numbers that the command prints, on the context's device or, if none
 * is named, on the first GPU; the start of CUDA is over. A row tells the stages in its note. */
void bench_answers(bench *b);

#endif
