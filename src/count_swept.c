/* Whole matrices by sweeps: planned, swept in batches of rows, certified, passed on. */
#include "src/count_swept.h"

#include "src/bound.h"
#include "src/cost.h"
#include "src/counts.h"
#include "src/sweep_engine.h"
#include "src/swept_other.h"
#include "src/swept_rows.h"

#include <inttypes.h>
#include <math.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

/* What sweeps are asked for; along stands for the reverse, of the same size. */
static pci_swept_options options_for(const pc_graph *along, const pci_engine *engine,
                                     uint64_t length, uint32_t n_limbs, const double *bits)
{
    return (pci_swept_options){.sweeps = engine->sweeps ? engine->sweeps : &pci_sweep_cpu,
                               .along = along,
                               .length = length,
                               .bits = bits,
                               .n_limbs = n_limbs,
                               .most_starts = along->n};
}

static double swept_bytes(pc_context *context, const pci_swept_options *options, uint64_t n_batch)
{
    pci_swept_options batch = *options;
    batch.most_starts = n_batch;
    return (double)pci_swept_bytes(context, &batch) +
           ((double)options->length + 1) * sizeof *options->bits;
}

/* Rows swept at a time, fewer where memory is short, and plan's memory with them: other_bytes
 * beside the graph and the sweeps, row_bytes a row of a batch. */
static void fit(pc_context *context, const pci_swept_options *options, double other_bytes,
                double row_bytes, pci_schedule *schedule, pc_plan *plan)
{
    const pc_graph *graph = options->along;
    double graph_bytes = (double)pci_plan_graph_bytes(graph), bytes;
    uint64_t n_batch = graph->n ? pci_swept_batch(context, options, graph->n) : 1;
    other_bytes += graph_bytes * (graph->symmetric ? 1 : 2);
    while (true) {
        bytes = other_bytes + row_bytes * (double)n_batch + swept_bytes(context, options, n_batch);
        if (n_batch == 1 || bytes <= (double)plan->memory_available_bytes)
            break;
        n_batch = (n_batch + 1) / 2;
    }
    schedule->n_batch = n_batch;
    plan->memory_bytes = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static pc_status choose_engine(pc_context *context, const pc_graph *graph, const char *cpu_because,
                               pci_schedule *schedule, pc_plan *plan)
{
    pci_work work = {{0}};
    if (!cpu_because && plan->arithmetic != PC_EXACT)
        cpu_because = "residues and doubles are swept on the CPU";
    if (!cpu_because && !(plan->length && plan->n_vertices))
        cpu_because = "there is nothing to sweep";
    if (!cpu_because)
        pci_cost_sweeps(context, graph,
                        &(pci_voyage){.n_vectors = plan->n_vertices,
                                      .length = plan->length,
                                      .bits = plan->bound_bits,
                                      .n_limbs = plan->n_limbs},
                        &work);
    return pci_sweep_engine(context, cpu_because, &work, plan->n_arcs, &schedule->engine, plan);
}

static double result_bytes(const pci_schedule *schedule, const pc_plan *plan)
{
    double n = (double)plan->n_vertices;
    return schedule->holds_result ? n * n * sizeof(uint64_t) * (plan->n_limbs ? plan->n_limbs : 1)
                                  : 0;
}

static pc_status plan_exact(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                            pc_plan *plan)
{
    double n_words = 2.0 * (double)graph->n * schedule->options.n_certify_rounds;
    pc_status status = pci_schedule_limits(context, graph, plan->length, schedule);
    if (status != PC_OK)
        return status;
    plan->bound_bits = schedule->limits[plan->length];
    plan->n_limbs = (uint32_t)(plan->bound_bits / 64) + 1;
    pci_swept_options options =
        options_for(graph, schedule->engine, plan->length, plan->n_limbs, schedule->limits);
    double row_bytes = (double)graph->n * plan->n_limbs * sizeof(uint64_t);
    double other_bytes = result_bytes(schedule, plan) + n_words * sizeof(uint64_t) +
                         (double)pci_swept_program_bytes(schedule, plan);
    fit(context, &options, other_bytes, schedule->holds_result ? 0 : row_bytes, schedule, plan);
    return PC_OK;
}

static pc_status check_passes(pc_context *context, const pc_graph *graph, uint64_t length)
{
    if (!pci_too_many_passes(graph, length))
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "sweeps of length %" PRIu64 " would pass over the graph that many times; count "
                    "with --method dense, which squares",
                    length);
}

static pc_status plan_rows(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                           pc_plan *plan)
{
    double bytes = 0;
    plan->memory_available_bytes = pci_plan_available(context, graph);
    if (!context->memory_limit_bytes) /* the program is there already, as the graph is */
        plan->memory_available_bytes += pci_swept_program_bytes(schedule, plan);
    pc_status status = check_passes(context, graph, plan->length);
    if (status != PC_OK)
        return status;
    if (plan->length == 0)
        bytes = (double)pci_plan_block_rows(plan) * (double)graph->n * sizeof(uint64_t);
    else if (plan->arithmetic == PC_EXACT)
        return plan_exact(context, graph, schedule, plan);
    status = plan->length ? pci_other_plan(context, graph, schedule, plan, &bytes) : PC_OK;
    bytes += (double)pci_plan_graph_bytes(graph) + (double)pci_swept_program_bytes(schedule, plan) +
             result_bytes(schedule, plan);
    plan->memory_bytes = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
    return status;
}

pc_status pci_swept_plan(pc_context *context, const pc_graph *graph, const char *cpu_because,
                         pci_schedule *schedule, pc_plan *plan)
{
    plan->sweep_length = plan->length;
    pc_status status = choose_engine(context, graph, cpu_because, schedule, plan);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = plan_rows(context, graph, schedule, plan);
    if (status != PC_OK)
        return status;
    if (plan->length)
        plan->levels[plan->n_levels++] =
            (pc_level){.length = plan->length, .is_swept = 1, .bound_bits = plan->bound_bits};
    plan->seconds.bound += pci_now_seconds() - start;
    pci_cost_plan(context, graph, schedule->options.n_certify_rounds, plan);
    return pci_plan_check_memory(context, schedule, plan);
}

/* Of the host, when the words are loaded; planes of a device are not here. */
static pc_status loading_bytes(pc_context *context, const pc_graph *graph,
                               const pci_schedule *schedule, const pc_plan *plan, double *bytes)
{
    pci_forecast first = {0};
    pc_plan loaded = *plan;
    pc_status status = PC_OK;
    loaded.n_levels = 1;
    if (schedule->engine == &pci_engine_cpu && graph->n)
        status = schedule->engine->forecast(context, graph, &loaded, &first);
    *bytes += (double)pci_plan_graph_bytes(graph) + (double)first.power;
    return status;
}

pc_status pci_swept_plan_words(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                               pc_plan *plan)
{
    double words = (double)graph->n * (double)graph->n * sizeof(uint64_t), loading = words;
    double most = (double)plan->memory_bytes;
    pc_status status = loading_bytes(context, graph, schedule, plan, &loading);
    if (status == PC_OK)
        status = pci_schedule_limits(context, graph, plan->sweep_length, schedule);
    if (status != PC_OK)
        return status;
    pci_swept_options options =
        options_for(graph, schedule->engine, plan->sweep_length, 1, schedule->limits);
    fit(context, &options, words, 0, schedule, plan);
    most = fmax(most, fmax(loading, (double)plan->memory_bytes));
    plan->memory_bytes = (uint64_t)most; /* n ends at 131071 */
    return pci_plan_check_memory(context, schedule, plan);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Sweeps, and what must outlive them. */
typedef struct source {
    pc_context *context;
    pc_graph *reverse; /* NULL: the graph is its own */
    pci_swept *swept;
} source;

static pc_status open_source(pc_context *context, const pc_graph *graph,
                             const pci_schedule *schedule, const pc_plan *plan, uint32_t n_limbs,
                             source *made)
{
    *made = (source){.context = context};
    pc_status status = PC_OK;
    if (!graph->symmetric)
        status = pci_graph_reverse(context, graph, &made->reverse);
    if (status != PC_OK)
        return status;
    pci_swept_options options = options_for(made->reverse ? made->reverse : graph, schedule->engine,
                                            plan->sweep_length, n_limbs, schedule->limits);
    options.most_starts = schedule->n_batch;
    return pci_swept_create(context, &options, &made->swept);
}

static void close_source(source *made)
{
    pci_swept_free(made->swept);
    pc_graph_free(made->reverse);
}

/* n_rows rows from first on, to place. */
static pc_status sweep_rows(const source *from, uint64_t first, uint64_t n_rows, uint64_t *place,
                            pc_plan *plan)
{
    double start = pci_now_seconds();
    pc_status status =
        pci_progress(from->context, "rows", (double)first / (double)plan->n_vertices);
    if (status == PC_OK)
        status = pci_swept_rows(from->swept, n_rows, NULL, first, place);
    double seconds = pci_now_seconds() - start;
    plan->levels[0].seconds += seconds;
    plan->seconds.sweep += seconds;
    return status;
}

static uint64_t rows_left(const pci_schedule *schedule, const pc_plan *plan, uint64_t first)
{
    uint64_t left = plan->n_vertices - first;
    return left < schedule->n_batch ? left : schedule->n_batch;
}

static pc_status count_batches(pc_context *context, const source *from,
                               const pci_schedule *schedule, const pci_certificate *certificate,
                               pci_destination *destination, pc_plan *plan)
{
    size_t row_limbs = plan->n_vertices * plan->n_limbs;
    size_t bytes = schedule->n_batch * row_limbs * sizeof(uint64_t);
    uint64_t *block = destination->result ? NULL : pci_alloc(context, bytes);
    if (!destination->result && !block)
        return pci_fail_memory(context, "a batch of rows", bytes);
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < plan->n_vertices && status == PC_OK;
         first += schedule->n_batch) {
        uint64_t *place = block ? block : destination->result->limbs + first * row_limbs;
        pc_rows rows = {.first_row = first,
                        .n_rows = rows_left(schedule, plan, first),
                        .n_columns = plan->n_vertices,
                        .n_limbs = plan->n_limbs,
                        .limbs = place};
        status = sweep_rows(from, first, rows.n_rows, place, plan);
        if (status == PC_OK)
            status = pci_deliver_checked(context, certificate, destination, &rows, place, plan);
    }
    pci_free(context, block);
    return status;
}

static pc_status count_exact(pc_context *context, const pc_graph *graph,
                             const pci_schedule *schedule, pci_destination *destination,
                             pc_plan *plan)
{
    source from = {.context = context};
    pci_certificate *certificate = NULL;
    pc_status status = pci_certify_paths(context, graph, schedule, plan, &certificate);
    if (status == PC_OK)
        status = open_source(context, graph, schedule, plan, plan->n_limbs, &from);
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    if (status == PC_OK)
        status = count_batches(context, &from, schedule, certificate, destination, plan);
    close_source(&from);
    pci_certificate_free(certificate);
    return status;
}

pc_status pci_count_swept(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pci_destination *destination, pc_plan *plan)
{
    return plan->arithmetic == PC_EXACT
               ? count_exact(context, graph, schedule, destination, plan)
               : pci_count_other(context, graph, schedule, destination, plan);
}

pc_status pci_swept_words(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pc_plan *plan, uint64_t **words)
{
    source from = {.context = context};
    uint64_t n = graph->n;
    uint64_t *made = pci_alloc(context, n * n * sizeof *made);
    if (!made)
        return pci_fail_memory(context, "swept words", n * n * sizeof *made);
    pc_status status = open_source(context, graph, schedule, plan, 1, &from);
    for (uint64_t first = 0; first < n && status == PC_OK; first += schedule->n_batch)
        status = sweep_rows(&from, first, rows_left(schedule, plan, first), made + first * n, plan);
    close_source(&from);
    if (status == PC_OK)
        *words = made;
    else
        pci_free(context, made);
    return status;
}
