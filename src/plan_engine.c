/* Which engine carries a plan out, and what that takes: times and memory. */
#include "src/cost.h"
#include "src/engines.h"
#include "src/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK_BYTES = 8 << 20,
    SMALL_THINGS_BYTES = 64 << 10 /* a run, its lists, the odd vector */
};

/* Large products go so many times as fast as kernels guess, which is for smaller ones. */
static const double PRODUCT_OVER_GUESS = 2.2;

/* Of planes that are read or written on a device: a third of what an H100's memory does. */
static const double DEVICE_BYTES_PER_SECOND = 1e12;

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void pci_plan_give_reason(pc_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->engine_reason, sizeof plan->engine_reason, format, arguments);
    va_end(arguments);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

uint64_t pci_plan_block_rows(const pc_plan *plan)
{
    uint64_t n = pci_plan_n_rows(plan), row_bytes = n * 8 * (plan->n_limbs ? plan->n_limbs : 1);
    if (plan->n_devices > 0)
        return pci_plan_device_rows(plan);
    uint64_t n_rows = max_u64(row_bytes ? BLOCK_BYTES / row_bytes : 1, (uint64_t)plan->n_threads);
    return n_rows < n ? n_rows : n;
}

/* The most that the levels, then the delivery, hold at once. */
static uint64_t exact_bytes(const pci_schedule *schedule, const pci_forecast *forecast,
                            const pc_plan *plan, bool holds_result)
{
    uint64_t n = pci_plan_n_rows(plan), n_rounds = (uint64_t)schedule->options.n_certify_rounds;
    uint64_t n_rows = holds_result ? n : pci_plan_block_rows(plan);
    uint64_t rows = n_rows * n * plan->n_limbs * sizeof(uint64_t);
    uint64_t certificate = sizeof(uint64_t) * (2 * n * n_rounds + 2 * plan->n_vertices);
    return max_u64(forecast->levels, forecast->power + rows + certificate);
}

/* What making rows takes, without the graph. */
static uint64_t rows_bytes(const pci_schedule *schedule, const pci_forecast *forecast,
                           const pc_plan *plan, bool holds_result)
{
    uint64_t n = plan->n_vertices, words = n * n * sizeof(uint64_t);
    if (!plan->n_levels)
        return holds_result ? words : pci_plan_block_rows(plan) * n * 8;
    if (plan->arithmetic == PC_EXACT)
        return exact_bytes(schedule, forecast, plan, holds_result);
    uint64_t result = holds_result ? words : 0;
    if (plan->arithmetic == PC_FLOAT)
        return 2 * words + result;
    return words + max_u64(result, forecast->levels);
}

static uint64_t needed_bytes(const pc_graph *graph, const pci_schedule *schedule,
                             const pci_forecast *forecast, const pc_plan *plan)
{
    uint64_t bytes = pci_plan_graph_bytes(graph) + SMALL_THINGS_BYTES, n = plan->n_blocks;
    if (!n || pci_plan_is_reduced(plan))
        return bytes + rows_bytes(schedule, forecast, plan, schedule->holds_result);
    pc_plan summed = *plan; /* its rows pass by, and their sums are held, twice if they are kept */
    summed.n_blocks = 0;
    return bytes + rows_bytes(schedule, forecast, &summed, false) +
           n * n * 8 * (plan->n_limbs ? plan->n_limbs : 1) * (schedule->holds_result ? 2 : 1);
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* What a device does, and what the host does for it. */
static void predict_on_device(pc_context *context, const pc_graph *graph,
                              const pci_schedule *schedule, double ops_per_second, pc_plan *plan)
{
    pci_work host = {{0}};
    pci_cost_around(context, graph, plan, schedule->options.n_certify_rounds, &host);
    host.units[PCI_PART_COLLECT] = 0;
    plan->predicted_seconds = pci_cost_seconds(context, &host);
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pci_work work = {{0}};
        pci_cost_level(context, graph, plan, l, &work);
        plan->levels[l].predicted_seconds = work.units[PCI_PART_PRODUCT] / ops_per_second +
                                            work.units[PCI_PART_PLANE] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_EXTEND] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_STEP] / DEVICE_BYTES_PER_SECOND;
        plan->predicted_seconds += plan->levels[l].predicted_seconds;
    }
}

/* Of results to the host; modulo a number, of every power that is squared there and back. */
static double transfer_seconds(const pc_plan *plan, const pci_engine_info *info)
{
    uint64_t n_matrices = plan->n_limbs;
    double n = (double)pci_plan_n_rows(plan);
    if (!(info->transfer_per_second > 0))
        return 0;
    if (plan->arithmetic == PC_MODULAR) {
        n_matrices = 0;
        n = (double)plan->n_vertices;
        for (uint32_t l = 1; l < plan->n_levels; l++)
            n_matrices += plan->levels[l].is_step ? 0 : 2;
    }
    return (double)n_matrices * n * n * sizeof(uint64_t) / info->transfer_per_second;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* A plan for this engine; *seconds is what to compare engines by. */
static pc_status plan_for(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                          pci_schedule *schedule, pc_plan *plan, double *seconds)
{
    pci_engine_info info;
    pci_forecast forecast = {0};
    pc_status status = engine->describe(context, &info);
    if (status != PC_OK)
        return status;
    plan->engine = engine->name;
    plan->kernel = info.kernel;
    plan->device = info.device;
    plan->n_devices = info.n_devices;
    if (plan->n_levels && plan->n_vertices && plan->arithmetic != PC_FLOAT)
        status = engine->forecast(context, graph, plan, &forecast);
    if (status != PC_OK)
        return status;
    schedule->engine = engine;
    plan->device_memory_bytes = forecast.device;
    plan->device_memory_available_bytes = forecast.device_available;
    if (engine == &pci_engine_cpu && !context->rates.is_measured)
        context->rates.per_second[PCI_PART_PRODUCT] =
            PRODUCT_OVER_GUESS * info.ops_per_second / pci_n_threads(context);
    if (engine == &pci_engine_cpu)
        pci_cost_plan(context, graph, schedule->options.n_certify_rounds, plan);
    else {
        predict_on_device(context, graph, schedule, info.ops_per_second, plan);
        plan->predicted_seconds += transfer_seconds(plan, &info);
    }
    *seconds =
        plan->predicted_seconds + (engine == &pci_engine_cpu ? 0 : pci_cuda_start_seconds(context));
    plan->memory_bytes = needed_bytes(graph, schedule, &forecast, plan);
    plan->memory_available_bytes = pci_plan_available(context, graph);
    return PC_OK;
}

static pc_status open_and_plan(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                               pc_plan *plan, double *seconds)
{
    const pci_engine *cuda;
    pc_status status = pci_engine_cuda(context, &cuda);
    return status == PC_OK ? plan_for(context, graph, cuda, schedule, plan, seconds) : status;
}

/* *plan becomes the faster of two that fit in memory, or the one that does: whether it is
 * CUDA's. */
static bool take_better(const pc_plan *cpu, double cpu_seconds, const pc_plan *cuda,
                        double cuda_seconds, pc_plan *plan)
{
    bool takes_cuda = pci_plan_fits(cuda) && (!pci_plan_fits(cpu) || cuda_seconds < cpu_seconds);
    *plan = takes_cuda ? *cuda : *cpu;
    if (pci_plan_fits(cuda) && pci_plan_fits(cpu))
        pci_plan_give_reason(plan, "predicted %.2f s on the CPU, %.2f s with CUDA and its start",
                             cpu_seconds, cuda_seconds);
    else
        pci_plan_give_reason(plan, "%s needs more memory of this machine than there is",
                             pci_plan_fits(cuda) ? "the CPU engine" : "CUDA");
    return takes_cuda;
}

/* The faster engine. CUDA is not even started for work that the CPU has done by then. */
static pc_status choose(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                        pc_plan *plan)
{
    pc_plan cpu = *plan, cuda = *plan;
    double cpu_seconds, cuda_seconds;
    char message[sizeof context->message];
    pc_status status = plan_for(context, graph, &pci_engine_cpu, schedule, &cpu, &cpu_seconds);
    *plan = cpu;
    if (status != PC_OK)
        return status;
    if (pci_plan_fits(&cpu) && cpu_seconds < PCI_CUDA_START_SECONDS) {
        pci_plan_give_reason(plan, "too little work for a GPU to pay (predicted %.3f s)",
                             cpu_seconds);
        return PC_OK;
    }
    memcpy(message, context->message, sizeof message);
    status = open_and_plan(context, graph, schedule, &cuda, &cuda_seconds);
    if (status == PC_OK) {
        if (!take_better(&cpu, cpu_seconds, &cuda, cuda_seconds, plan))
            schedule->engine = &pci_engine_cpu;
    } else if (status == PC_ERR_ENGINE || status == PC_ERR_MEMORY) {
        pci_plan_give_reason(plan, "%s", context->message);
        memcpy(context->message, message, sizeof message); /* it is no failure of this call */
        status = PC_OK;
    }
    return status;
}

pc_status pci_plan_engine(pc_context *context, const pc_graph *graph, const char *cpu_because,
                          pci_schedule *schedule, pc_plan *plan)
{
    double seconds;
    pc_status status;
    if (!cpu_because && plan->arithmetic == PC_FLOAT)
        cpu_because = "doubles are counted on the CPU";
    if (!cpu_because && (!plan->n_levels || !plan->n_vertices ||
                         (plan->n_blocks && !pci_plan_is_reduced(plan) && plan->length < 2)))
        cpu_because = "there is nothing to multiply";
    if (!cpu_because && context->devices.kind == PCI_DEVICE_CPU)
        cpu_because = "asked for";
    if (cpu_because) {
        status = plan_for(context, graph, &pci_engine_cpu, schedule, plan, &seconds);
        pci_plan_give_reason(plan, "%s", cpu_because);
    } else if (context->devices.kind == PCI_DEVICE_CUDA) {
        status = open_and_plan(context, graph, schedule, plan, &seconds);
        pci_plan_give_reason(plan, "asked for");
    } else {
        status = choose(context, graph, schedule, plan);
    }
    plan->seconds.start = context->cuda_start_seconds;
    return status == PC_OK ? pci_plan_check_memory(context, schedule, plan) : status;
}
