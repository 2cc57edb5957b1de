/* Clock, medians, and the two ways a benchmark gives up. */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void times_add(bench_times *times, double seconds)
{
    if (times->n < BENCH_MAX_RUNS)
        times->seconds[times->n++] = seconds;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The value that part of the runs are not above: 0 the least, 0.5 the median, 1 the most. */
static double times_quantile(const bench_times *times, double part)
{
    double sorted[BENCH_MAX_RUNS];
    if (times->n == 0)
        return 0;
    memcpy(sorted, times->seconds, (size_t)times->n * sizeof *sorted);
    qsort(sorted, (size_t)times->n, sizeof *sorted, compare_doubles);
    double place = part * (times->n - 1);
    int below = (int)place;
    int above = below + 1 < times->n ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double times_median(const bench_times *times)
{
    return times_quantile(times, 0.5);
}

double times_least(const bench_times *times)
{
    return times_quantile(times, 0);
}

double times_most(const bench_times *times)
{
    return times_quantile(times, 1);
}

void *need_memory(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (memory == NULL)
        bench_die("out of memory: %zu bytes", bytes);
    return memory;
}

void bench_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}
