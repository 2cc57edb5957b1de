/* pc_bench: finds the measuring half of the CUDA engine and hands the work to it. */
#define _GNU_SOURCE
#include "src/bench.h"

#include "src/engines.h"

#include <dlfcn.h>
#include <inttypes.h>

enum {
    DEFAULT_ROUNDS = 7,
    MAX_ROUNDS = 1000,
    MAX_SIZES = 64,
    SIZE_UNIT = 128, /* whole tiles, so that no one pays for padding */
    MAX_SIZE = 65536
};

static pc_status check_options(pc_context *context, const pc_bench_options *options)
{
    if (options->n_rounds < 0 || options->n_rounds > MAX_ROUNDS)
        return pci_fail(context, PC_ERR_ARGUMENT, "%d rounds: give 1 to %d, or 0 for %d",
                        options->n_rounds, MAX_ROUNDS, DEFAULT_ROUNDS);
    if (options->parts & ~PC_BENCH_ALL)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown parts of the benchmark: %#x",
                        options->parts & ~PC_BENCH_ALL);
    if (options->n_sizes > MAX_SIZES)
        return pci_fail(context, PC_ERR_ARGUMENT, "%" PRIu32 " sizes: give %d at most",
                        options->n_sizes, MAX_SIZES);
    for (uint32_t i = 0; i < options->n_sizes; i++) {
        uint32_t n = options->sizes[i];
        if (n == 0 || n > MAX_SIZE || n % SIZE_UNIT != 0)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "size %" PRIu32 ": give multiples of %d from %d to %d", n, SIZE_UNIT,
                            SIZE_UNIT, MAX_SIZE);
    }
    return PC_OK;
}

/* The engine's table lies in its shared object, which stays open: so that object can be asked. */
static pc_status find_bench(pc_context *context, pci_engine_bench_fn *bench)
{
    const pci_engine *engine;
    Dl_info info;
    pc_status status = pci_engine_cuda(context, &engine);
    if (status != PC_OK)
        return status;
    void *object = dladdr(engine, &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
    *(void **)bench = object ? dlsym(object, PCI_ENGINE_BENCH) : NULL;
    if (object)
        dlclose(object); /* one reference fewer; the engine's own keeps it open */
    if (!*bench)
        return pci_fail(context, PC_ERR_ENGINE, "this CUDA engine has no benchmark in it");
    return PC_OK;
}

pc_status pc_bench(pc_context *context, const pc_bench_options *options,
                   pc_bench_machine_fn machine, pc_bench_row_fn row, void *user)
{
    pc_bench_options complete = options ? *options : (pc_bench_options){0};
    pci_bench_report report = {.machine = machine, .row = row, .user = user};
    pci_engine_bench_fn bench;
    pc_status status = check_options(context, &complete);
    if (complete.n_rounds == 0)
        complete.n_rounds = DEFAULT_ROUNDS;
    if (complete.parts == 0)
        complete.parts = PC_BENCH_ALL;
    if (status == PC_OK)
        status = find_bench(context, &bench);
    return status == PC_OK ? bench(context, &complete, &report) : status;
}
