/* Ceilings: copies in device memory and over the bus, the best that this machine can do. */
#include "tests/bench/gpu/gpu.h"

#include <string.h>

#define SECTION "ceilings"

enum { COPY_BYTES = 1 << 30, BUS_BYTES = 256 << 20 };

typedef struct copy {
    const char *name;
    void *to;
    const void *from;
    size_t bytes, moved_bytes;
} copy;

static void run_copy(bench *b, void *work)
{
    const copy *c = work;
    bench_gpu_check(b, cudaMemcpyAsync(c->to, c->from, c->bytes, cudaMemcpyDefault, b->gpu->stream),
                    "copying");
}

static void measure_copies_of(bench *b, int n, copy *copies)
{
    bench_item items[2];
    for (int i = 0; i < n; i++)
        items[i] = (bench_item){.run = run_copy,
                                .work = &copies[i],
                                .name = copies[i].name,
                                .amount = (double)copies[i].moved_bytes,
                                .unit = "GB/s"};
    bench_time(b, n, items);
    bench_tell_items(b, SECTION, 0, n, items);
}

static void measure_bus(bench *b, const char *to_host, const char *to_device, void *host)
{
    void *device = bench_gpu_memory(b, BUS_BYTES);
    if (!device)
        return;
    memset(host, 1, BUS_BYTES);
    bench_gpu_check(b, cudaMemsetAsync(device, 1, BUS_BYTES, b->gpu->stream), "clearing");
    copy copies[] = {{to_host, host, device, BUS_BYTES, BUS_BYTES},
                     {to_device, device, host, BUS_BYTES, BUS_BYTES}};
    measure_copies_of(b, 2, copies);
    cudaStreamSynchronize(b->gpu->stream); /* host is freed next */
}

static void measure_copies(bench *b)
{
    void *host = NULL, *from = bench_gpu_memory(b, COPY_BYTES);
    void *to = bench_gpu_memory(b, COPY_BYTES);
    if (b->status != PC_OK)
        return;
    bench_gpu_check(b, cudaMemsetAsync(from, 1, COPY_BYTES, b->gpu->stream), "clearing");
    measure_copies_of(
        b, 1,
        &(copy){"device memory, read and written", to, from, COPY_BYTES, 2 * (size_t)COPY_BYTES});
    if (bench_gpu_check(b, cudaMallocHost(&host, BUS_BYTES), "page-locked memory"))
        measure_bus(b, "device to host, page-locked", "host to device, page-locked", host);
    cudaFreeHost(host);
    host = bench_alloc(b, "copies to measure", BUS_BYTES, 1);
    if (host)
        measure_bus(b, "device to host, pageable", "host to device, pageable", host);
    pci_free(b->context, host);
}

void bench_ceilings(bench *b)
{
    measure_copies(b);
    bench_gpu_release_to(b, 0);
    if (b->status == PC_ERR_MEMORY) {
        bench_note(b, SECTION, "copies", 0, pc_context_message(b->context));
        b->status = PC_OK;
    }
}
