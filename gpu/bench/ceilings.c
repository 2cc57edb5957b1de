/* Ceilings: copies and library products, the best that this machine can do. */
#include "gpu/bench/bench.h"

#include <string.h>

#define SECTION "ceilings"

enum { COPY_BYTES = 1 << 30, BUS_BYTES = 256 << 20, MODULUS = 251 };

/* ---- Copies ---------------------------------------------------------------------------------- */

typedef struct copy {
    void *to;
    const void *from;
    size_t bytes;
} copy;

static pc_status run_copy(pci_bench *bench, void *work)
{
    const copy *c = work;
    return pci_gpu_check(
        bench->context, cudaMemcpyAsync(c->to, c->from, c->bytes, cudaMemcpyDefault, bench->stream),
        "copying");
}

static pc_status measure_device_copy(pci_bench *bench)
{
    void *from, *to;
    pc_status status = pci_bench_memory(bench, COPY_BYTES, &from);
    if (status == PC_OK)
        status = pci_bench_memory(bench, COPY_BYTES, &to);
    if (status == PC_OK)
        status = pci_gpu_check(bench->context, cudaMemsetAsync(from, 1, COPY_BYTES, bench->stream),
                               "clearing");
    if (status != PC_OK)
        return status;
    pci_bench_item item = {.run = run_copy,
                           .work = &(copy){to, from, COPY_BYTES},
                           .name = "device memory, read and written",
                           .amount = 2.0 * COPY_BYTES,
                           .unit = "GB/s"};
    status = pci_bench_time(bench, PCI_BENCH_EVENTS, 1, &item);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, 0, 1, &item);
    return status;
}

static pc_status measure_bus(pci_bench *bench, const char *const names[2], void *host)
{
    void *device;
    pc_status status = pci_bench_memory(bench, BUS_BYTES, &device);
    if (status != PC_OK)
        return status;
    memset(host, 1, BUS_BYTES);
    copy copies[2] = {{host, device, BUS_BYTES}, {device, host, BUS_BYTES}};
    pci_bench_item items[2];
    for (int i = 0; i < 2; i++)
        items[i] = (pci_bench_item){.run = run_copy,
                                    .work = &copies[i],
                                    .name = names[i],
                                    .amount = BUS_BYTES,
                                    .unit = "GB/s"};
    status = pci_gpu_check(bench->context, cudaMemsetAsync(device, 1, BUS_BYTES, bench->stream),
                           "clearing");
    if (status == PC_OK)
        status = pci_bench_time(bench, PCI_BENCH_EVENTS, 2, items);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, 0, 2, items);
    return status;
}

static pc_status measure_copies(pci_bench *bench)
{
    static const char *const locked[] = {"device to host, page-locked",
                                         "host to device, page-locked"};
    static const char *const pageable[] = {"device to host, pageable", "host to device, pageable"};
    void *host = NULL;
    pc_status status = measure_device_copy(bench);
    if (status == PC_OK)
        status =
            pci_gpu_check(bench->context, cudaMallocHost(&host, BUS_BYTES), "page-locked memory");
    if (status == PC_OK)
        status = measure_bus(bench, locked, host);
    cudaStreamSynchronize(bench->stream);
    cudaFreeHost(host);
    if (status != PC_OK)
        return status;
    host = pci_alloc(bench->context, BUS_BYTES);
    if (!host)
        return pci_fail_memory(bench->context, "copies to measure", BUS_BYTES);
    status = measure_bus(bench, pageable, host);
    cudaStreamSynchronize(bench->stream);
    pci_free(bench->context, host);
    return status;
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

static pc_status make_operands(pci_bench *bench, uint32_t n, operands *made)
{
    size_t n_entries = (size_t)n * n;
    *made = (operands){.n = n};
    pci_reduction_make(MODULUS, &made->reduction);
    const struct {
        void **memory;
        size_t entry_bytes;
    } needed[] = {{(void **)&made->left, 1}, {(void **)&made->right, 1}, {(void **)&made->out, 1},
                  {(void **)&made->raw, 4},  {(void **)&made->a, 8},     {(void **)&made->b, 8},
                  {(void **)&made->c, 8}};
    pc_status status = PC_OK;
    for (size_t i = 0; i < sizeof needed / sizeof *needed && status == PC_OK; i++)
        status = pci_bench_memory(bench, n_entries * needed[i].entry_bytes, needed[i].memory);
    if (status != PC_OK)
        return status;
    cudaError_t error = pci_bench_fill(made->left, n, MODULUS, false, 1, bench->stream);
    if (error == cudaSuccess)
        error = pci_bench_fill(made->right, n, MODULUS, false, 2, bench->stream);
    if (error == cudaSuccess)
        error = pci_bench_fill_doubles(made->a, n_entries, 3, bench->stream);
    if (error == cudaSuccess)
        error = pci_bench_fill_doubles(made->b, n_entries, 4, bench->stream);
    return pci_gpu_check(bench->context, error, "filling operands");
}

static pc_status run_reduction(pci_bench *bench, void *work)
{
    const operands *o = work;
    return pci_gpu_check(
        bench->context,
        pci_bench_reduce(o->raw, (uint64_t)o->n * o->n, &o->reduction, o->out, bench->stream),
        "reducing");
}

static pc_status run_dgemm(pci_bench *bench, void *work)
{
    const operands *o = work;
    return bench->cublas->dgemm(bench->cublas, o->n, o->a, o->b, o->c);
}

static pc_status run_dsyrk(pci_bench *bench, void *work)
{
    const operands *o = work;
    return bench->cublas->dsyrk(bench->cublas, o->n, o->a, o->c);
}

static pc_status measure_products(pci_bench *bench, uint32_t n)
{
    operands o;
    pc_status status = make_operands(bench, n, &o);
    if (status == PC_OK)
        status = bench->cublas->choose_int8(bench->cublas, n, o.left, o.right, o.raw);
    if (status != PC_OK)
        return status;
    pci_bench_library plain = {
        .n = n, .n_products = 1, .left = o.left, .right = o.right, .raw = o.raw, .out = o.out};
    pci_bench_library reduced = plain;
    reduced.reduction = &o.reduction;
    double operations = pci_bench_operations(n),
           reduced_bytes = 5.0 * n * n; /* 4 read, 1 written */
    pci_bench_item items[] = {
        {.run = pci_bench_library_run,
         .work = &plain,
         .name = "int8 product (cuBLASLt), int32 out"},
        {.run = pci_bench_library_run, .work = &reduced, .name = "the same and a reduction kernel"},
        {.run = run_reduction, .work = &o, .name = "reduction kernel alone"},
        {.run = run_dgemm, .work = &o, .name = "product of doubles (Dgemm)"},
        {.run = run_dsyrk, .work = &o, .name = "symmetric product of doubles (Dsyrk)"},
    };
    static const char *const units[] = {"TOPS", "TOPS", "GB/s", "TFLOPS", "TFLOPS"};
    enum { N_ITEMS = sizeof items / sizeof *items };
    for (int i = 0; i < N_ITEMS; i++) {
        items[i].amount = items[i].run == run_reduction ? reduced_bytes : operations;
        items[i].unit = units[i];
    }
    status = pci_bench_time(bench, PCI_BENCH_EVENTS, N_ITEMS, items);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, n, N_ITEMS, items);
    return status;
}

pc_status pci_bench_ceilings(pci_bench *bench)
{
    static const uint32_t sizes[] = {1024, 2048, 4096, 8192, 16384};
    pc_status status = measure_copies(bench);
    pci_bench_release(bench);
    if (status == PC_ERR_MEMORY) {
        pci_bench_note(bench, SECTION, "copies", 0, pc_context_message(bench->context));
        status = PC_OK;
    }
    if (status == PC_OK && !bench->cublas)
        pci_bench_note(bench, SECTION, "library products", 0, bench->library_missing);
    else if (status == PC_OK)
        status = pci_bench_each_size(bench, SECTION, sizeof sizes / sizeof *sizes, sizes,
                                     measure_products);
    return status;
}
