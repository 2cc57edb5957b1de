/* What this machine can do at most: int8 operations a second of a loop on registers, or tiles in the first cache. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include <stdbool.h>

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

#endif
