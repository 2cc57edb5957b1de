/* pc_bench and pc_bench_ladder: find the benchmark of the CUDA engine and hand the work to it, or
 * measure the part of the ladder that the processor has. */
#include "src/measure/bench_answers.h"

#include "src/plan/engines.h"
#include "src/measure/ladder_rungs.h"
#include "src/core/memory.h"

#include <inttypes.h>
#include <string.h>

enum {
    DEFAULT_ROUNDS = 7,
    MAX_ROUNDS = 1000,
    MAX_SIZES = 64,
    SIZE_UNIT = 128, /* whole tiles, so that no one pays for padding */
    MAX_SIZE = 65536,
    LADDER_ROUNDS = 5,
    LADDER_SIZE = 4096,
    LADDER_PROCESSOR_SIZE = 1024,
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
    if (options->n_sizes > 0 && !options->sizes)
        return pci_fail_null(context, "sizes");
    for (uint32_t i = 0; i < options->n_sizes; i++) {
        uint32_t n = options->sizes[i];
        if (n == 0 || n > MAX_SIZE || n % SIZE_UNIT != 0)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "size %" PRIu32 ": give multiples of %d from %d to %d", n, SIZE_UNIT,
                            SIZE_UNIT, MAX_SIZE);
    }
    return PC_OK;
}

/* The function of that name in the benchmark of the CUDA engine. The engine is opened first: it
 * says why where no GPU can be used. */
static pc_status find_function(pc_context *context, const char *name, void **function)
{
    const pci_engine *engine;
    pc_status status = pci_engine_cuda(context, &engine);
    return status == PC_OK ? pci_engine_benchmark(context, engine, name, function) : status;
}

pc_status pc_bench(pc_context *context, const pc_bench_options *options,
                   pc_bench_machine_fn machine, pc_bench_row_fn row, void *user)
{
    if (!context || !machine || !row)
        return pci_fail_null(context, "machine or row");
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
        status = find_function(context, PCI_ENGINE_BENCH, (void **)&bench);
    if (status != PC_OK)
        return status;
    status = bench(context, &complete, &report);
    return status == PC_OK && (complete.parts & PC_BENCH_ANSWERS)
               ? pci_bench_answers(context, &complete, &report)
               : status;
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

/* A caller who asks for a kernel of a GPU gets the reason why there is no GPU. */
static pc_status check_names(pc_context *context, const pc_ladder_options *options,
                             const char *why_no_gpu)
{
    char said[sizeof context->message];
    pc_status status = pci_ladder_check_names(context, options, 0, NULL);
    if (status != PC_ERR_ARGUMENT || !*why_no_gpu)
        return status;
    strcpy(said, context->message);
    return pci_fail(context, status, "%s; no GPU is measured: %s", said, why_no_gpu);
}

/* Options but n_kernels are complete; why_no_gpu is "" when none was wanted. */
static pc_status measure_processor(pc_context *context, const pc_ladder_options *options,
                                   const pci_ladder_report *report, const char *why_no_gpu)
{
    char name[PCI_PROCESSOR_NAME_BYTES];
    pci_engine_info info;
    pci_rungs rungs = {.context = context,
                       .options = options,
                       .report = report,
                       .rung = pci_cpu_ladder,
                       .n_rungs = pci_cpu_ladder_n,
                       .is_alone = true};
    pc_status status = check_names(context, options, why_no_gpu);
    if (status == PC_OK)
        status = pci_engine_cpu.describe(context, &info);
    if (status != PC_OK)
        return status;
    pci_processor_name(name, sizeof name);
    report->machine(report->user, &(pc_bench_machine){.device = name,
                                                      .n_multiprocessors = pci_n_threads(context),
                                                      .driver = "",
                                                      .runtime = "",
                                                      .library = "",
                                                      .library_missing = why_no_gpu,
                                                      .kernel = info.kernel});
    status = pci_rungs_measure(&rungs);
    if (status == PC_OK && rungs.n_wrong > 0)
        return pci_fail(context, PC_ERR_CERTIFY,
                        "%" PRIu64 " results of the benchmark were wrong: this is a bug in "
                        "pathcount or a fault of this machine",
                        rungs.n_wrong);
    return status;
}

/* The GPU's half of the ladder. *ladder stays NULL where the processor is wanted, or where none was
 * named and no GPU can be had: then the reason goes to why. */
static pc_status find_ladder(pc_context *context, pci_engine_ladder_fn *ladder, char *why)
{
    if (context->devices.kind == PCI_DEVICE_CPU)
        return PC_OK;
    pc_status status = find_function(context, PCI_ENGINE_LADDER, (void **)ladder);
    if (status != PC_ERR_ENGINE || context->devices.kind == PCI_DEVICE_CUDA)
        return status;
    strcpy(why, context->message);
    context->message[0] = '\0';
    return PC_OK;
}

pc_status pc_bench_ladder(pc_context *context, const pc_ladder_options *options,
                          pc_bench_machine_fn machine, pc_ladder_row_fn row, void *user)
{
    if (!context || !machine || !row)
        return pci_fail_null(context, "machine or row");
    pc_ladder_options complete = options ? *options : (pc_ladder_options){0};
    pci_ladder_report report = {.machine = machine, .row = row, .user = user};
    char why_no_gpu[sizeof context->message] = "";
    pci_engine_ladder_fn ladder = NULL;
    pc_status status = check_ladder(context, &complete);
    if (status == PC_OK)
        status = find_ladder(context, &ladder, why_no_gpu);
    if (status != PC_OK)
        return status;
    if (complete.n == 0)
        complete.n = ladder ? LADDER_SIZE : LADDER_PROCESSOR_SIZE;
    if (complete.n_rounds == 0)
        complete.n_rounds = LADDER_ROUNDS;
    return ladder ? ladder(context, &complete, &report)
                  : measure_processor(context, &complete, &report, why_no_gpu);
}
