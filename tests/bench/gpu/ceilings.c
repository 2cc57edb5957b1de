/* Ceilings: copies and library products, the best that this machine can do. */
#include "tests/bench/gpu/gpu.h"

#include <string.h>

#define SECTION "ceilings"

enum { COPY_BYTES = 1 << 30, BUS_BYTES = 256 << 20, MODULUS = 251 };

/* ---- Copies ---------------------------------------------------------------------------------- */

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

/* ---- Library products ------------------------------------------------------------------------ */

/* Operands and results of all products of one size. */
typedef struct operands {
    uint32_t n;
    int8_t *left, *right, *out;
    int32_t *raw;
    pci_reduction reduction;
    double *a, *b, *c;
} operands;

static void make_operands(bench *b, uint32_t n, operands *o)
{
    size_t n_entries = (size_t)n * n;
    cudaStream_t stream = b->gpu->stream;
    *o = (operands){.n = n};
    pci_reduction_make(MODULUS, &o->reduction);
    o->left = bench_gpu_memory(b, n_entries);
    o->right = bench_gpu_memory(b, n_entries);
    o->out = bench_gpu_memory(b, n_entries);
    o->raw = bench_gpu_memory(b, n_entries * sizeof *o->raw);
    o->a = bench_gpu_memory(b, n_entries * sizeof *o->a);
    o->b = bench_gpu_memory(b, n_entries * sizeof *o->b);
    o->c = bench_gpu_memory(b, n_entries * sizeof *o->c);
    if (b->status != PC_OK)
        return;
    bench_gpu_check(b, pci_bench_fill(o->left, n, MODULUS, false, 1, stream), "filling operands");
    bench_gpu_check(b, pci_bench_fill(o->right, n, MODULUS, false, 2, stream), "filling operands");
    bench_gpu_check(b, pci_bench_fill_doubles(o->a, n_entries, 3, stream), "filling operands");
    bench_gpu_check(b, pci_bench_fill_doubles(o->b, n_entries, 4, stream), "filling operands");
    bench_check(b, b->gpu->cublas->choose_int8(b->gpu->cublas, n, o->left, o->right, o->raw));
}

static void run_reduction(bench *b, void *work)
{
    const operands *o = work;
    bench_gpu_check(
        b, pci_bench_reduce(o->raw, (uint64_t)o->n * o->n, &o->reduction, o->out, b->gpu->stream),
        "reducing");
}

static void run_dgemm(bench *b, void *work)
{
    const operands *o = work;
    bench_check(b, b->gpu->cublas->dgemm(b->gpu->cublas, o->n, o->a, o->b, o->c));
}

static void run_dsyrk(bench *b, void *work)
{
    const operands *o = work;
    bench_check(b, b->gpu->cublas->dsyrk(b->gpu->cublas, o->n, o->a, o->c));
}

static void measure_products(bench *b, uint32_t n)
{
    operands o;
    make_operands(b, n, &o);
    if (b->status != PC_OK)
        return;
    bench_library plain = {
        .n = n, .n_products = 1, .left = o.left, .right = o.right, .raw = o.raw, .out = o.out};
    bench_library reduced = plain;
    reduced.reduction = &o.reduction;
    const double operations = bench_operations(n), bytes = 5.0 * n * n; /* 4 read, 1 written */
    bench_item items[] = {
        {.name = "int8 product (cuBLASLt), int32 out",
         .run = bench_library_run,
         .work = &plain,
         .unit = "TOPS",
         .amount = operations},
        {.name = "the same and a reduction kernel",
         .run = bench_library_run,
         .work = &reduced,
         .unit = "TOPS",
         .amount = operations},
        {.name = "reduction kernel alone",
         .run = run_reduction,
         .work = &o,
         .unit = "GB/s",
         .amount = bytes},
        {.name = "product of doubles (Dgemm)",
         .run = run_dgemm,
         .work = &o,
         .unit = "TFLOPS",
         .amount = operations},
        {.name = "symmetric product of doubles (Dsyrk)",
         .run = run_dsyrk,
         .work = &o,
         .unit = "TFLOPS",
         .amount = operations},
    };
    enum { N_ITEMS = sizeof items / sizeof *items };
    bench_time(b, N_ITEMS, items);
    bench_tell_items(b, SECTION, n, N_ITEMS, items);
}

void bench_ceilings(bench *b)
{
    static const uint32_t sizes[] = {1024, 2048, 4096, 8192, 16384};
    measure_copies(b);
    bench_gpu_release_to(b, 0);
    if (b->status == PC_ERR_MEMORY) {
        bench_note(b, SECTION, "copies", 0, pc_context_message(b->context));
        b->status = PC_OK;
    }
    if (b->gpu->cublas)
        bench_gpu_each_size(b, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_products);
    else
        bench_note(b, SECTION, "library products", 0, b->gpu->library_missing);
}
