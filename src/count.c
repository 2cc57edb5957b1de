/* pc_count, pc_coarsen and their streaming twins: plan, power, deliver. */
#include "src/coarse_sums.h"
#include "src/count_swept.h"
#include "src/counts.h"
#include "src/power.h"
#include "src/power_float.h"
#include "src/power_modular.h"

#include <stdio.h>
#include <string.h>

static pc_status count_exact(pc_context *context, const pc_graph *graph,
                             const pci_schedule *schedule, pci_destination *destination,
                             pc_plan *plan)
{
    pci_run *run = NULL;
    pci_certificate *certificate = NULL;
    uint64_t *words = NULL;
    pc_status status = PC_OK;
    if (plan->method == PC_METHOD_HYBRID) /* before the engine takes memory */
        status = pci_swept_words(context, graph, schedule, plan, &words);
    if (status == PC_OK)
        status =
            schedule->engine->begin(context, graph, plan->n_blocks ? schedule->partition : NULL,
                                    &schedule->moduli, pci_plan_n_most(plan), &run);
    if (status == PC_OK)
        status = pci_power(context, schedule, run, &words, plan);
    if (status == PC_OK)
        status = pci_certify_paths(context, graph, schedule, plan, &certificate);
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    if (status == PC_OK)
        status = pci_deliver_run(context, schedule, run, certificate, destination, plan);
    pci_free(context, words);
    pci_certificate_free(certificate);
    schedule->engine->end(run);
    return status;
}

static pc_status count_modular(pc_context *context, const pc_graph *graph,
                               const pci_schedule *schedule, pci_destination *destination,
                               pc_plan *plan)
{
    size_t bytes = graph->n * graph->n * sizeof(uint64_t);
    uint64_t *words = pci_alloc(context, bytes);
    if (!words)
        return pci_fail_memory(context, "the result", bytes);
    pc_status status = pci_power_modular(context, graph, schedule, plan, words);
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    if (status == PC_OK)
        status = pci_deliver_matrix(context, words, NULL, 0, destination, plan);
    pci_free(context, words);
    return status;
}

static pc_status count_float(pc_context *context, const pc_graph *graph,
                             pci_destination *destination, pc_plan *plan)
{
    size_t bytes = 2 * graph->n * graph->n * sizeof(double);
    int64_t exponent;
    double *values, *matrices = pci_alloc(context, bytes);
    if (!matrices)
        return pci_fail_memory(context, "the result", bytes);
    pc_status status = pci_power_float(context, graph, plan, matrices, &values, &exponent);
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    if (status == PC_OK)
        status = pci_deliver_matrix(context, NULL, values, exponent, destination, plan);
    pci_free(context, matrices);
    return status;
}

/* A^0, a block of rows at a time. */
static pc_status count_identity(pc_context *context, pci_destination *destination, pc_plan *plan)
{
    uint64_t n = plan->n_vertices, n_block = pci_plan_block_rows(plan);
    uint64_t one = 1;
    double one_double = 1;
    pc_status status = pci_destination_open(context, plan, destination);
    if (status != PC_OK)
        return status;
    void *block = pci_alloc_zero(context, n_block * n, sizeof(uint64_t));
    if (!block)
        return pci_fail_memory(context, "a block of rows", n_block * n * sizeof(uint64_t));
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        pc_rows rows = {
            .first_row = first, .n_rows = n_rows, .n_columns = n, .n_limbs = plan->n_limbs};
        for (uint64_t i = 0; i < n_rows; i++)
            memcpy((uint64_t *)block + i * n + first + i,
                   plan->n_limbs ? (void *)&one : (void *)&one_double, sizeof one);
        if (plan->n_limbs)
            rows.limbs = block;
        else
            rows.values = block;
        status = pci_deliver_rows(destination, &rows);
        for (uint64_t i = 0; i < n_rows; i++)
            ((uint64_t *)block)[i * n + first + i] = 0;
    }
    pci_free(context, block);
    return status;
}

static pc_status count_vertices(pc_context *context, const pc_graph *graph,
                                const pci_schedule *schedule, pci_destination *destination,
                                pc_plan *plan)
{
    if (!plan->length)
        return count_identity(context, destination, plan);
    if (plan->method == PC_METHOD_SWEEP)
        return pci_count_swept(context, graph, schedule, destination, plan);
    switch (plan->arithmetic) {
    case PC_EXACT:
        return count_exact(context, graph, schedule, destination, plan);
    case PC_MODULAR:
        return count_modular(context, graph, schedule, destination, plan);
    case PC_FLOAT:
        return count_float(context, graph, destination, plan);
    }
    return pci_fail(context, PC_ERR_INTERNAL, "unknown arithmetic");
}

/* Between blocks without a reduced product: the power's rows are made and summed. */
static pc_status count_summed(pc_context *context, const pc_graph *graph,
                              const pci_schedule *schedule, pci_destination *destination,
                              pc_plan *plan)
{
    pci_coarse_sums sums;
    uint64_t n_blocks = plan->n_blocks;
    pci_destination summing = {.deliver = pci_coarse_sums_add, .user = &sums};
    pc_status status =
        pci_coarse_sums_create(context, schedule->partition, plan->n_limbs, plan->modulus, &sums);
    if (status != PC_OK)
        return status;
    plan->n_blocks = 0; /* rows are those of vertices for a while */
    status = count_vertices(context, graph, schedule, &summing, plan);
    plan->n_blocks = n_blocks;
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    if (status == PC_OK)
        status =
            pci_deliver_matrix(context, sums.limbs, sums.values, sums.exponent, destination, plan);
    pci_coarse_sums_free(&sums);
    return status;
}

static pc_status count(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                       pci_destination *destination, pc_plan *plan)
{
    if (!graph->n)
        return pci_destination_open(context, plan, destination);
    if (pci_plan_is_reduced(plan))
        return count_exact(context, graph, schedule, destination, plan);
    return plan->n_blocks ? count_summed(context, graph, schedule, destination, plan)
                          : count_vertices(context, graph, schedule, destination, plan);
}

/* Whether a count that ended so is worth another try on the CPU: another engine gave up, nobody
 * insisted on it, and no row is out yet. */
static bool may_fall_back(const pc_context *context, const pci_schedule *schedule,
                          const pci_destination *destination, pc_status status)
{
    return (status == PC_ERR_MEMORY || status == PC_ERR_ENGINE) &&
           schedule->engine != &pci_engine_cpu && context->devices.kind == PCI_DEVICE_AUTO &&
           !destination->has_delivered;
}

/* Plans and counts; cpu_because as for pci_plan_make. */
static pc_status try_count(pc_context *context, const pci_request *request, const char *cpu_because,
                           pci_schedule *schedule, pci_destination *destination, pc_plan *plan)
{
    pc_status status = pci_plan_make(context, request, cpu_because, schedule, plan);
    if (status != PC_OK) {
        schedule->engine = &pci_engine_cpu; /* none has failed */
        return status;
    }
    status = count(context, request->graph, schedule, destination, plan);
    if (status != PC_OK) {
        pc_counts_free(destination->result);
        destination->result = NULL;
    }
    return status;
}

pc_status pci_count(pc_context *context, const pci_request *request, pci_destination *destination,
                    pc_plan *plan)
{
    pci_schedule schedule;
    char before[sizeof context->message], reason[sizeof plan->engine_reason];
    double start = pci_now_seconds();
    memcpy(before, context->message, sizeof before);
    pc_status status = try_count(context, request, NULL, &schedule, destination, plan);
    if (may_fall_back(context, &schedule, destination, status)) {
        snprintf(reason, sizeof reason, "CUDA failed: %.200s", context->message);
        memcpy(context->message, before, sizeof before); /* this call may yet succeed */
        pci_schedule_free(&schedule);
        status = try_count(context, request, reason, &schedule, destination, plan);
    }
    pci_schedule_free(&schedule);
    plan->seconds.total = pci_now_seconds() - start;
    return status;
}

/* Keeps the plan with its times for pc_plan_last. */
static pc_status run_count(pc_context *context, const pci_request *request,
                           pci_destination *destination)
{
    pc_plan plan;
    pc_status status = pci_count(context, request, destination, &plan);
    if (status != PC_OK)
        return status;
    context->plan = plan;
    context->has_plan = true;
    return PC_OK;
}

static pc_status keep_count(pc_context *context, const pci_request *request, pc_counts **counts)
{
    if (!context || !request->graph || !counts)
        return pci_fail_null(context, "graph or counts");
    pci_destination destination = {.keeps = true};
    pc_status status = run_count(context, request, &destination);
    if (status == PC_OK)
        *counts = destination.result;
    return status;
}

static pc_status pass_count(pc_context *context, const pci_request *request, pc_rows_fn deliver,
                            void *user)
{
    if (!context || !request->graph || !deliver)
        return pci_fail_null(context, "graph or deliver");
    pci_destination destination = {.deliver = deliver, .user = user};
    return run_count(context, request, &destination);
}

pc_status pc_count(pc_context *context, const pc_graph *graph, uint64_t length,
                   const pc_count_options *options, pc_counts **counts)
{
    return keep_count(context, &(pci_request){graph, NULL, length, options, true}, counts);
}

pc_status pc_count_rows(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, pc_rows_fn deliver, void *user)
{
    return pass_count(context, &(pci_request){graph, NULL, length, options, false}, deliver, user);
}

pc_status pc_coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                     uint64_t length, const pc_count_options *options, pc_counts **counts)
{
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return keep_count(context, &(pci_request){graph, partition, length, options, true}, counts);
}

pc_status pc_coarsen_rows(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                          uint64_t length, const pc_count_options *options, pc_rows_fn deliver,
                          void *user)
{
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return pass_count(context, &(pci_request){graph, partition, length, options, false}, deliver,
                      user);
}
