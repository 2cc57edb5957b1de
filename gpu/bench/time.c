/* Time: items measured in turn, so that what is compared meets the same clocks and temperatures.
 *
 * A GPU under load runs at the clock that its power allows, which differs from one kernel to the
 * next. So an item is measured as it would run in the long term: a stretch of it, untimed, sets the
 * clock, and the stretch after it is timed.
 *
 * Kernels that leave the tensor units cold are timed among themselves: a kernel that runs after
 * them finds a cool chip and a higher clock than it could hold. */
#include "gpu/bench/bench.h"

#include <stdlib.h>

#define WARM_UP_SECONDS 0.15
#define STRETCH_SECONDS 0.04
#define LEAD_IN_SECONDS 0.2 /* items that take longer need no lead-in */
#define MAX_REPEATS     1000

static pc_status wait(pci_bench *bench)
{
    return pci_gpu_check(bench->context, cudaDeviceSynchronize(), "what is measured");
}

static pc_status run_often(pci_bench *bench, const pci_bench_item *item, int n)
{
    pc_status status = PC_OK;
    for (int i = 0; i < n && status == PC_OK; i++)
        status = item->run(bench, item->work);
    return status;
}

static pc_status time_by_events(pci_bench *bench, const pci_bench_item *item, int n,
                                double *milliseconds)
{
    float elapsed = 0;
    cudaError_t error = cudaEventRecord(bench->start, bench->stream);
    pc_status status = run_often(bench, item, n);
    if (status != PC_OK)
        return status;
    if (error == cudaSuccess)
        error = cudaEventRecord(bench->stop, bench->stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(bench->stop);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&elapsed, bench->start, bench->stop);
    *milliseconds = elapsed / n;
    return pci_gpu_check(bench->context, error, "what is measured");
}

static pc_status time_by_wall(pci_bench *bench, const pci_bench_item *item, int n,
                              double *milliseconds)
{
    pc_status status = wait(bench);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = run_often(bench, item, n);
    if (status == PC_OK)
        status = wait(bench);
    *milliseconds = 1e3 * (pci_now_seconds() - start) / n;
    return status;
}

/* Runs each item, again and again for a while, and finds how many make a stretch. */
static pc_status warm_up(pci_bench *bench, int n_items, const pci_bench_item *items, int *n_repeats)
{
    pc_status status = PC_OK;
    double start = pci_now_seconds();
    do {
        for (int i = 0; i < n_items && status == PC_OK; i++) {
            status = wait(bench);
            double began = pci_now_seconds();
            if (status == PC_OK)
                status = run_often(bench, &items[i], 1);
            if (status == PC_OK)
                status = wait(bench);
            double repeats = STRETCH_SECONDS / (pci_now_seconds() - began) + 1;
            n_repeats[i] = repeats < MAX_REPEATS ? (int)repeats : MAX_REPEATS;
        }
    } while (status == PC_OK && pci_now_seconds() - start < WARM_UP_SECONDS);
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pc_status measure(pci_bench *bench, pci_bench_clock_kind kind, const pci_bench_item *item,
                         int n, double *milliseconds)
{
    bool needs_lead_in = item->milliseconds < 1e3 * LEAD_IN_SECONDS;
    pc_status status = pci_progress(bench->context, "bench", 0);
    if (status == PC_OK && needs_lead_in)
        status = run_often(bench, item, n);
    if (status != PC_OK)
        return status;
    return kind == PCI_BENCH_WALL ? time_by_wall(bench, item, n, milliseconds)
                                  : time_by_events(bench, item, n, milliseconds);
}

pc_status pci_bench_time(pci_bench *bench, pci_bench_clock_kind kind, int n_items,
                         pci_bench_item *items)
{
    int n_rounds = bench->options->n_rounds;
    if (n_items == 0)
        return PC_OK;
    double *times = pci_alloc(bench->context, (size_t)n_items * (size_t)n_rounds * sizeof *times);
    int *n_repeats = pci_alloc_zero(bench->context, (size_t)n_items, sizeof *n_repeats);
    pc_status status = PC_OK;
    if (!times || !n_repeats)
        status = pci_fail_memory(bench->context, "times", (size_t)n_items * (size_t)n_rounds * 8);
    else
        status = warm_up(bench, n_items, items, n_repeats);
    for (int round = 0; round < n_rounds && status == PC_OK; round++)
        for (int i = 0; i < n_items && status == PC_OK; i++) {
            status = measure(bench, kind, &items[i], n_repeats[i], &times[i * n_rounds + round]);
            items[i].milliseconds = times[i * n_rounds + round];
        }
    for (int i = 0; i < n_items && status == PC_OK; i++) {
        qsort(times + i * n_rounds, (size_t)n_rounds, sizeof *times, compare_doubles);
        items[i].milliseconds = times[i * n_rounds + n_rounds / 2];
    }
    pci_free(bench->context, times);
    pci_free(bench->context, n_repeats);
    return status;
}
