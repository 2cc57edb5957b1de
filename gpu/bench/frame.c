/* What all parts of the benchmark use: the device and the report of the machine, memory, rows,
 * time.
 *
 * Items are timed one after the other, again and again, so that those that are compared run at the
 * same clocks and temperatures. A GPU under load runs at the clock that its power allows, which
 * differs from one kernel to the next. So an item is measured as it would run in the long term: it
 * runs for a while untimed, which sets the clock, and is timed after that.
 *
 * Kernels that do not use the tensor cores are timed among themselves. A kernel that runs after
 * them finds a cool chip, and a higher clock than it could hold. */
#include "gpu/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP_SECONDS 0.15
#define STRETCH_SECONDS 0.04 /* what is timed at once: short items are repeated */
#define LEAD_IN_SECONDS 0.2  /* items that take longer are not run untimed before */
#define MAX_REPEATS     1000

/* ---- Memory and rows ------------------------------------------------------------------------- */

pc_status pci_bench_memory(pci_bench *bench, size_t bytes, void **memory)
{
    if (bench->n_blocks == PCI_BENCH_BLOCKS)
        return pci_fail(bench->context, PC_ERR_INTERNAL, "the benchmark holds too many blocks");
    pc_status status =
        pci_gpu_check(bench->context, cudaMalloc(memory, bytes), "memory to measure");
    if (status == PC_OK)
        bench->block[bench->n_blocks++] = *memory;
    return status;
}

void pci_bench_release_to(pci_bench *bench, int n_blocks)
{
    while (bench->n_blocks > n_blocks)
        cudaFree(bench->block[--bench->n_blocks]);
}

void pci_bench_release(pci_bench *bench)
{
    pci_bench_release_to(bench, 0);
}

pc_status pci_bench_upload(pci_bench *bench, const void *content, size_t bytes, void **memory)
{
    pc_status status = pci_bench_memory(bench, bytes, memory);
    if (status != PC_OK)
        return status;
    /* In the stream of the reader, which does not wait for the default stream. */
    cudaError_t error =
        cudaMemcpyAsync(*memory, content, bytes, cudaMemcpyHostToDevice, bench->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(bench->stream);
    return pci_gpu_check(bench->context, error, "copying to the device");
}

static void report_row(const pci_bench *bench, const pc_bench_row *row)
{
    pc_bench_row complete = *row;
    if (!complete.verified)
        complete.verified = "";
    if (!complete.note)
        complete.note = "";
    if (!complete.unit)
        complete.unit = "";
    bench->report->row(bench->report->user, &complete);
}

void pci_bench_note(const pci_bench *bench, const char *section, const char *name, uint32_t n,
                    const char *note)
{
    report_row(bench, &(pc_bench_row){.section = section, .name = name, .n = n, .note = note});
}

pc_status pci_bench_each_size(pci_bench *bench, const char *section, uint32_t n_own,
                              const uint32_t *own,
                              pc_status (*measure)(pci_bench *bench, uint32_t n))
{
    bool asked = bench->options->n_sizes > 0;
    const uint32_t *sizes = asked ? bench->options->sizes : own;
    uint32_t n_sizes = asked ? bench->options->n_sizes : n_own;
    pc_status status = PC_OK;
    for (uint32_t s = 0; s < n_sizes && status == PC_OK; s++) {
        status = measure(bench, sizes[s]);
        if (status == PC_ERR_MEMORY) {
            pci_bench_note(bench, section, "everything else", sizes[s],
                           pc_context_message(bench->context));
            status = PC_OK;
        }
        pci_bench_release(bench);
    }
    return status;
}

/* ---- Time ------------------------------------------------------------------------------------ */

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

/* Runs each item again and again for a while, and finds how many runs make a stretch. */
static pc_status warm_up(pci_bench *bench, int n_items, const pci_bench_item *items, int *n_repeats)
{
    pc_status status = PC_OK;
    double start = pci_now_seconds();
    do {
        for (int i = 0; i < n_items && status == PC_OK; i++) {
            if (!items[i].run)
                continue;
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
            if (!items[i].run)
                continue;
            status = measure(bench, kind, &items[i], n_repeats[i], &times[i * n_rounds + round]);
            items[i].milliseconds = times[i * n_rounds + round];
        }
    for (int i = 0; i < n_items && status == PC_OK; i++) {
        if (!items[i].run)
            continue;
        qsort(times + i * n_rounds, (size_t)n_rounds, sizeof *times, compare_doubles);
        items[i].milliseconds = times[i * n_rounds + n_rounds / 2];
    }
    pci_free(bench->context, times);
    pci_free(bench->context, n_repeats);
    return status;
}

void pci_bench_report_items(const pci_bench *bench, const char *section, uint32_t n, int n_items,
                            const pci_bench_item *items)
{
    for (const pci_bench_item *item = items; item < items + n_items; item++) {
        if (!item->run)
            continue;
        double per_unit = strcmp(item->unit, "GB/s") == 0 ? 1e6 : 1e9; /* and millisecond */
        int n_ratios = 0;
        pc_bench_row row = {.section = section,
                            .name = item->name,
                            .n = n,
                            .milliseconds = item->milliseconds,
                            .rate = item->amount / item->milliseconds / per_unit,
                            .unit = item->unit,
                            .verified = item->verified};
        for (int p = 0; p < PC_BENCH_RATIOS; p++)
            if (item->peer[p].item && item->peer[p].item->run)
                row.ratio[n_ratios++] = (pc_bench_ratio){
                    item->peer[p].name, item->peer[p].item->milliseconds / item->milliseconds};
        report_row(bench, &row);
    }
}

/* ---- The machine ----------------------------------------------------------------------------- */

/* The clock of the multiprocessors now, in megahertz. */
static pc_status find_clock(pci_bench *bench, double *mhz)
{
    unsigned long long elapsed[2] = {0, 1}, *on_device;
    pc_status status = pci_bench_memory(bench, sizeof elapsed, (void **)&on_device);
    if (status != PC_OK)
        return status;
    cudaError_t error = pci_bench_clock(on_device, bench->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(elapsed, on_device, sizeof elapsed, cudaMemcpyDeviceToHost,
                                bench->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(bench->stream);
    pci_bench_release(bench);
    *mhz = 1e3 * (double)elapsed[0] / (double)elapsed[1];
    return pci_gpu_check(bench->context, error, "reading the clock");
}

static pc_status report_machine(pci_bench *bench)
{
    int driver_version = 0, runtime_version = 0, highest_khz = 0;
    char driver[16], runtime[16];
    cudaError_t error = cudaDriverGetVersion(&driver_version);
    if (error == cudaSuccess)
        error = cudaRuntimeGetVersion(&runtime_version);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&highest_khz, cudaDevAttrClockRate, bench->device.index);
    pc_status status = pci_gpu_check(bench->context, error, "asking about the device");
    pc_bench_machine machine = {
        .device = bench->device.name,
        .major = bench->device.major,
        .minor = bench->device.minor,
        .n_multiprocessors = bench->device.n_sms,
        .highest_mhz = highest_khz / 1e3,
        .driver = driver,
        .runtime = runtime,
        .library = bench->cublas ? bench->cublas->version : "",
        .library_missing = bench->library_missing,
        .kernel = pci_gpu_kernel_name(bench->device.kernel),
    };
    if (status == PC_OK)
        status = find_clock(bench, &machine.found_mhz);
    if (status != PC_OK)
        return status;
    snprintf(driver, sizeof driver, "%d.%d", driver_version / 1000, driver_version % 1000 / 10);
    snprintf(runtime, sizeof runtime, "%d.%d", runtime_version / 1000, runtime_version % 1000 / 10);
    bench->report->machine(bench->report->user, &machine);
    return PC_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static pc_status start(pci_bench *bench)
{
    int n_devices, index[PCI_MAX_DEVICES];
    pc_status status = pci_gpu_devices_wanted(bench->context, &n_devices, index);
    if (status == PC_OK) /* the first one; whole counts use all */
        status = pci_gpu_device_open(bench->context, index[0], &bench->device);
    if (status != PC_OK)
        return status;
    cudaError_t error = cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreate(&bench->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&bench->stop);
    status = pci_gpu_check(bench->context, error, "making a stream");
    if (status == PC_OK &&
        pci_cublas_open(bench->context, bench->stream, &bench->cublas) != PC_OK) {
        snprintf(bench->library_missing, sizeof bench->library_missing, "%s",
                 pc_context_message(bench->context));
        bench->context->message[0] = '\0';
    }
    return status;
}

pc_status pci_bench_begin(pci_bench *bench)
{
    pc_status status = start(bench);
    return status == PC_OK ? report_machine(bench) : status;
}

pc_status pci_bench_end(pci_bench *bench, pc_status status)
{
    if (bench->stream) /* work that an error left unfinished still uses the memory */
        cudaStreamSynchronize(bench->stream);
    pci_bench_release(bench);
    pci_cublas_close(bench->cublas);
    if (bench->start)
        cudaEventDestroy(bench->start);
    if (bench->stop)
        cudaEventDestroy(bench->stop);
    if (bench->stream)
        cudaStreamDestroy(bench->stream);
    cudaGetLastError();
    if (status == PC_OK && bench->n_wrong > 0)
        return pci_fail(bench->context, PC_ERR_CERTIFY,
                        "%" PRIu64 " results of the benchmark were wrong: this is a bug in "
                        "pathcount or a fault of this machine",
                        bench->n_wrong);
    return status;
}
