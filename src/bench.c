/* pc_bench and pc_bench_ladder: find the measuring half of the CUDA engine and hand the work to it. */
#include "src/bench.h"

#include "src/engines.h"

#include <inttypes.h>

enum {
    DEFAULT_ROUNDS = 7,
    MAX_ROUNDS = 1000,
    MAX_SIZES = 64,
    SIZE_UNIT = 128, /* whole tiles, so that no one pays for padding */
    MAX_SIZE = 65536,
    LADDER_ROUNDS = 5,
    LADDER_SIZE = 4096,
    LADDER_MAX_SIZE = 16384,
    LADDER_MAX_KERNELS = 256
};

static pc_status check_rounds(pc_context *context, int n_rounds, int n_default)
{
    if (n_rounds >= 0 && n_rounds <= MAX_ROUNDS)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT, "%d rounds: give 1 to %d, or 0 for %d", n_rounds,
                    MAX_ROUNDS, n_default);
}

static pc_status check_options(pc_context *context, const pc_bench_options *options)
{
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

/* The function of that name in the CUDA engine, which is opened. */
static pc_status find_in_engine(pc_context *context, const char *name, void **function)
{
    const pci_engine *engine;
    pc_status status = pci_engine_cuda(context, &engine);
    return status == PC_OK ? pci_engine_symbol(context, engine, name, function) : status;
}

pc_status pc_bench(pc_context *context, const pc_bench_options *options,
                   pc_bench_machine_fn machine, pc_bench_row_fn row, void *user)
{
    pc_bench_options complete = options ? *options : (pc_bench_options){0};
    pci_bench_report report = {.machine = machine, .row = row, .user = user};
    pci_engine_bench_fn bench;
    pc_status status = check_rounds(context, complete.n_rounds, DEFAULT_ROUNDS);
    if (status == PC_OK)
        status = check_options(context, &complete);
    if (complete.n_rounds == 0)
        complete.n_rounds = DEFAULT_ROUNDS;
    if (complete.parts == 0)
        complete.parts = PC_BENCH_ALL;
    if (status == PC_OK)
        status = find_in_engine(context, PCI_ENGINE_BENCH, (void **)&bench);
    return status == PC_OK ? bench(context, &complete, &report) : status;
}

static pc_status check_ladder(pc_context *context, const pc_ladder_options *options)
{
    pc_status status = check_rounds(context, options->n_rounds, LADDER_ROUNDS);
    if (status != PC_OK)
        return status;
    if (options->n > LADDER_MAX_SIZE)
        return pci_fail(context, PC_ERR_ARGUMENT, "size %" PRIu32 ": give 1 to %d, or 0 for %d",
                        options->n, LADDER_MAX_SIZE, LADDER_SIZE);
    if (options->n_kernels > LADDER_MAX_KERNELS)
        return pci_fail(context, PC_ERR_ARGUMENT, "%" PRIu32 " kernels: give %d at most",
                        options->n_kernels, LADDER_MAX_KERNELS);
    for (uint32_t i = 0; i < options->n_kernels; i++)
        if (!options->kernels || !options->kernels[i])
            return pci_fail(context, PC_ERR_ARGUMENT, "kernel %" PRIu32 " has no name", i);
    return PC_OK;
}

pc_status pc_bench_ladder(pc_context *context, const pc_ladder_options *options,
                          pc_bench_machine_fn machine, pc_ladder_row_fn row, void *user)
{
    pc_ladder_options complete = options ? *options : (pc_ladder_options){0};
    pci_ladder_report report = {.machine = machine, .row = row, .user = user};
    pci_engine_ladder_fn ladder;
    pc_status status = check_ladder(context, &complete);
    if (complete.n == 0)
        complete.n = LADDER_SIZE;
    if (complete.n_rounds == 0)
        complete.n_rounds = LADDER_ROUNDS;
    if (status == PC_OK)
        status = find_in_engine(context, PCI_ENGINE_LADDER, (void **)&ladder);
    return status == PC_OK ? ladder(context, &complete, &report) : status;
}
