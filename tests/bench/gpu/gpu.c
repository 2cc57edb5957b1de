/* The GPU that is measured: its memory, its clock, and what it is. */
#include "tests/bench/gpu/gpu.h"

#include <stdio.h>
#include <string.h>

#define WARM_UP_SECONDS 0.15

bool bench_gpu_check(bench *b, cudaError_t error, const char *what)
{
    return b->status == PC_OK && bench_check(b, pci_gpu_check(b->context, error, what));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void *bench_gpu_memory(bench *b, size_t bytes)
{
    bench_gpu *gpu = b->gpu;
    void *memory = NULL;
    if (b->status != PC_OK)
        return NULL;
    if (gpu->n_blocks == BENCH_GPU_BLOCKS)
        bench_check(b,
                    pci_fail(b->context, PC_ERR_INTERNAL, "the benchmark holds too many blocks"));
    else if (bench_gpu_check(b, cudaMalloc(&memory, bytes), "memory to measure"))
        gpu->block[gpu->n_blocks++] = memory;
    return memory;
}

void bench_gpu_release_to(bench *b, int n_blocks)
{
    while (b->gpu->n_blocks > n_blocks)
        cudaFree(b->gpu->block[--b->gpu->n_blocks]);
}

void *bench_gpu_upload(bench *b, const void *content, size_t bytes)
{
    void *memory = bench_gpu_memory(b, bytes);
    if (!memory)
        return NULL;
    /* In the stream of the reader, which does not wait for the default stream. */
    bench_gpu_check(b,
                    cudaMemcpyAsync(memory, content, bytes, cudaMemcpyHostToDevice, b->gpu->stream),
                    "copying to the device");
    bench_gpu_check(b, cudaStreamSynchronize(b->gpu->stream), "copying to the device");
    return memory;
}

void bench_gpu_each_size(bench *b, const char *section, uint32_t n_own, const uint32_t *own,
                         void (*measure)(bench *b, uint32_t n))
{
    const uint32_t *sizes = b->n_sizes > 0 ? b->sizes : own;
    uint32_t n_sizes = b->n_sizes > 0 ? b->n_sizes : n_own;
    for (uint32_t s = 0; s < n_sizes && b->status == PC_OK; s++) {
        measure(b, sizes[s]);
        bench_gpu_release_to(b, 0);
        if (b->status != PC_ERR_MEMORY)
            continue;
        bench_note(b, section, "everything else", sizes[s], pc_context_message(b->context));
        b->status = PC_OK;
    }
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void wait(bench *b)
{
    bench_gpu_check(b, cudaDeviceSynchronize(), "what is measured");
}

static double time_by_events(bench *b, const bench_item *item, int n)
{
    bench_gpu *gpu = b->gpu;
    float elapsed = 0;
    bench_gpu_check(b, cudaEventRecord(gpu->start, gpu->stream), "what is measured");
    for (int i = 0; i < n && b->status == PC_OK; i++)
        item->run(b, item->work);
    if (bench_gpu_check(b, cudaEventRecord(gpu->stop, gpu->stream), "what is measured") &&
        bench_gpu_check(b, cudaEventSynchronize(gpu->stop), "what is measured"))
        bench_gpu_check(b, cudaEventElapsedTime(&elapsed, gpu->start, gpu->stop),
                        "what is measured");
    return elapsed / n;
}

/* The clock of the multiprocessors now, in megahertz. */
static double find_clock(bench *b)
{
    unsigned long long elapsed[2] = {0, 1}, *on_device = bench_gpu_memory(b, sizeof elapsed);
    if (on_device && bench_gpu_check(b, pci_bench_clock(on_device, b->gpu->stream), "the clock"))
        bench_gpu_check(b, cudaStreamSynchronize(b->gpu->stream), "the clock");
    if (b->status == PC_OK)
        bench_gpu_check(b, cudaMemcpy(elapsed, on_device, sizeof elapsed, cudaMemcpyDeviceToHost),
                        "reading the clock");
    bench_gpu_release_to(b, 0);
    return 1e3 * (double)elapsed[0] / (double)elapsed[1];
}

/* ---- The machine ----------------------------------------------------------------------------- */

static void tell_machine(bench *b)
{
    const bench_gpu *gpu = b->gpu;
    int driver = 0, runtime = 0, highest_khz = 0;
    char text[512];
    bench_gpu_check(b, cudaDriverGetVersion(&driver), "asking for the driver's version");
    bench_gpu_check(b, cudaRuntimeGetVersion(&runtime), "asking for CUDA's version");
    bench_gpu_check(b,
                    cudaDeviceGetAttribute(&highest_khz, cudaDevAttrClockRate, gpu->device.index),
                    "asking for the clock");
    double mhz = find_clock(b);
    if (b->status != PC_OK)
        return;
    snprintf(text, sizeof text, "%s, compute capability %d.%d, %d multiprocessors",
             gpu->device.name, gpu->device.major, gpu->device.minor, gpu->device.n_sms);
    bench_note(b, "machine", "GPU", 0, text);
    snprintf(text, sizeof text, "%.0f MHz at most, %.0f MHz before the first measurement",
             highest_khz / 1e3, mhz);
    bench_note(b, "machine", "clock", 0, text);
    snprintf(text, sizeof text, "driver %d.%d, runtime %d.%d", driver / 1000, driver % 1000 / 10,
             runtime / 1000, runtime % 1000 / 10);
    bench_note(b, "machine", "CUDA", 0, text);
    snprintf(text, sizeof text, "%s%s", gpu->cublas ? "" : "none to compare with: ",
             gpu->cublas ? gpu->cublas->version : gpu->library_missing);
    bench_note(b, "machine", "cuBLAS", 0, text);
    bench_note(b, "machine", "kernel", 0, pci_gpu_kernel_name(gpu->device.kernel));
}

void bench_gpu_begin(bench *b, bench_gpu *gpu)
{
    int n_devices, index[PCI_MAX_DEVICES];
    *gpu = (bench_gpu){0};
    b->gpu = gpu;
    b->warm_up_seconds = WARM_UP_SECONDS;
    b->wait = wait;
    b->time_on_device = time_by_events;
    if (!bench_check(b, pci_gpu_devices_wanted(b->context, &n_devices, index)) ||
        !bench_check(b, pci_gpu_device_open(b->context, index[0], &gpu->device)))
        return;
    bench_gpu_check(b, cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking),
                    "making a stream");
    bench_gpu_check(b, cudaEventCreate(&gpu->start), "making an event");
    bench_gpu_check(b, cudaEventCreate(&gpu->stop), "making an event");
    if (b->status == PC_OK && pci_cublas_open(b->context, gpu->stream, &gpu->cublas) != PC_OK) {
        snprintf(gpu->library_missing, sizeof gpu->library_missing, "%s",
                 pc_context_message(b->context));
        b->context->message[0] = '\0';
    }
    tell_machine(b);
}

void bench_gpu_end(bench *b)
{
    bench_gpu *gpu = b->gpu;
    if (gpu->stream) /* work that an error left unfinished still uses the memory */
        cudaStreamSynchronize(gpu->stream);
    bench_gpu_release_to(b, 0);
    pci_cublas_close(gpu->cublas);
    if (gpu->start)
        cudaEventDestroy(gpu->start);
    if (gpu->stop)
        cudaEventDestroy(gpu->stop);
    if (gpu->stream)
        cudaStreamDestroy(gpu->stream);
    cudaGetLastError();
    b->gpu = NULL;
    b->warm_up_seconds = 0;
    b->wait = NULL;
    b->time_on_device = NULL;
}
