/* The engine of a graph in parts, as the first process uses it: operations on planes are commands, which all processes
 * perform on the moduli that they share (src/cluster/power.c). */
#include "src/cluster/arcs.h"
#include "src/cluster/residue_rows.h"

/* ---- Before it begins ------------------------------------------------------------------------ */

/* Every process needs a modulus. */
static pc_status check_processes(pc_context *context, int n_processes)
{
    if (n_processes <= PCI_N_NOT_FULL)
        return PC_OK;
    return pci_fail(
        context, PC_ERR_RANGE,
        "%d processes cannot share %d moduli; count with --method sweep, or start fewer",
        n_processes, PCI_N_NOT_FULL);
}

/* So many moduli of the whole list have at least as many planes as any process has of n_moduli. */
static uint32_t moduli_like_share(uint32_t n_moduli, int n_processes)
{
    uint32_t n_narrow = n_moduli < PCI_N_NARROW ? n_moduli : PCI_N_NARROW, most = 0, n = 0;
    for (int r = 0; r < n_processes; r++) {
        uint32_t n_own_narrow = pci_power_n_own(n_narrow, r, n_processes);
        uint32_t n_planes = 3 * pci_power_n_own(n_moduli, r, n_processes) - 2 * n_own_narrow;
        most = n_planes > most ? n_planes : most;
    }
    while (pci_moduli_n_planes(n) < most)
        n++;
    return n;
}

/* The memory and time of the process with the most planes: the forecast of the CPU engine for so many. */
static pc_status forecast_power(pc_context *context, const pc_graph *graph,
                                const pc_plan_info *plan, pci_forecast *forecast)
{
    int n_processes = graph->parts->n_processes;
    uint32_t n_most = pci_power_n_moduli(pci_plan_n_most(plan), n_processes);
    pc_plan_info own = *plan;
    own.arithmetic = PC_EXACT; /* planes stay planes, also modulo a number */
    pc_status status = check_processes(context, n_processes);
    for (uint32_t l = 0; l < own.n_levels; l++)
        own.levels[l].n_moduli =
            moduli_like_share(pci_power_n_moduli(own.levels[l].n_moduli, n_processes), n_processes);
    if (status == PC_OK)
        status = pci_engine_cpu.forecast(context, graph, &own, forecast);
    if (status != PC_OK)
        return status;
    uint64_t beside = pci_gathered_bytes(graph) +
                      pci_residue_rows_bytes(graph->n, n_most, plan->n_limbs, n_processes);
    forecast->levels += beside;
    forecast->power += beside;
    return PC_OK;
}

/* ---- The engine ------------------------------------------------------------------------------ */

/* A power of all processes. src/cpu/run.h and gpu/engine/run.c define the same type for theirs. */
struct pci_run {
    pc_context *context;
    pc_cluster *cluster;
    uint32_t graph;
};

static pc_status call_on_run(const pci_run *run, pci_operation *operation, pci_command command)
{
    command.graph = run->graph;
    return pci_cluster_call(run->cluster, run->context, operation, command);
}

static pc_status begin(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    (void)partition; /* there is none */
    (void)moduli;    /* the list of all */
    (void)n_most;
    pc_status status = check_processes(context, parts->base.n_processes);
    if (status != PC_OK)
        return status;
    if (parts->cluster->power)
        return pci_fail(context, PC_ERR_RANGE, "a cluster makes one power at a time");
    pci_run *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    *made = (pci_run){context, parts->cluster, parts->number};
    status = call_on_run(made, pci_op_power_begin, (pci_command){.is_symmetric = graph->symmetric});
    if (status == PC_OK)
        *run = made;
    else
        pci_free(context, made);
    return status;
}

static void end(pci_run *run)
{
    if (!run)
        return;
    call_on_run(run, pci_op_power_end, (pci_command){0});
    pci_free(run->context, run);
}

static pc_status load(pci_run *run, uint32_t n_moduli)
{
    return call_on_run(run, pci_op_power_level,
                       (pci_command){.product = PCI_POWER_LOAD, .n_moduli = n_moduli});
}

static pc_status load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    return call_on_run(run, pci_op_power_load_words,
                       (pci_command){.n_moduli = n_moduli, .in = words});
}

static pc_status extend(pci_run *run, uint32_t n_moduli)
{
    return call_on_run(run, pci_op_power_extend, (pci_command){.n_moduli = n_moduli});
}

static pc_status square(pci_run *run, uint32_t n_moduli)
{
    return call_on_run(run, pci_op_power_level,
                       (pci_command){.product = PCI_POWER_SQUARE, .n_moduli = n_moduli});
}

static pc_status step(pci_run *run, uint32_t n_moduli)
{
    return call_on_run(run, pci_op_power_level,
                       (pci_command){.product = PCI_POWER_STEP, .n_moduli = n_moduli});
}

static void trim(pci_run *run)
{
    call_on_run(run, pci_op_power_trim, (pci_command){0});
}

static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    pci_command command = {.n_limbs = n_limbs, .first_row = first_row, .n = n_rows, .out = space};
    *limbs = space;
    return call_on_run(run, pci_op_power_collect, command);
}

static pc_status collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                  uint32_t n_limbs, uint64_t *limbs)
{
    pci_command command = {
        .is_selected = true, .n_limbs = n_limbs, .n = n_rows, .in = rows, .out = limbs};
    return call_on_run(run, pci_op_power_collect, command);
}

static pc_status reduce_modulo(pci_run *run, uint64_t modulus)
{
    return call_on_run(run, pci_op_power_reduce_modulo, (pci_command){.moduli = {modulus}});
}

static pc_status aggregate(pci_run *run, pci_aggregates *aggregates)
{
    pci_command command = {.n_limbs = aggregates->n_limbs,
                           .n_dots = aggregates->n_dots,
                           .row_span = aggregates->cells.row_span,
                           .column_span = aggregates->cells.column_span,
                           .has_records = aggregates->record[0] != NULL,
                           .out = aggregates};
    return call_on_run(run, pci_op_power_aggregate, command);
}

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    return pci_engine_cpu.describe(context, info);
}

const pci_engine pci_cluster_engine = {.n_moduli = PCI_N_NOT_FULL,
                                       .describe = describe,
                                       .forecast = forecast_power,
                                       .begin = begin,
                                       .end = end,
                                       .load = load,
                                       .load_words = load_words,
                                       .extend = extend,
                                       .square = square,
                                       .step = step,
                                       .trim = trim,
                                       .collect = collect,
                                       .collect_selected = collect_selected,
                                       .reduce_modulo = reduce_modulo,
                                       .aggregate = aggregate};
