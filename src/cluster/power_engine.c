/* Powers of a graph in parts, as the first process asks for them. */
#include "src/cluster/power_engine.h"

#include "src/cluster/cluster_graph.h"

#include "src/cluster/residue_rows.h"

/* A power of all processes. src/cpu/run.h and gpu/engine/run.c define the same type for theirs. */
struct pci_run {
    pc_context *context;
    pci_member *member;
    uint32_t graph;
};

static pc_status call(const pci_run *run, const pci_power_command *power,
                      const pci_power_caller *caller)
{
    pci_command command = {.operation = PCI_POWER, .graph = run->graph, .power = *power};
    run->member->context = run->context;
    return pci_member_call(run->member, &command, &(pci_caller){.power = caller});
}

static pc_status call_plain(const pci_run *run, pci_power_operation operation, uint32_t n_moduli)
{
    pci_power_command command = {.operation = operation, .n_moduli = n_moduli};
    return call(run, &command, &(pci_power_caller){0});
}

/* ---- What it takes --------------------------------------------------------------------------- */

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    return pci_engine_cpu.describe(context, info);
}

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

static uint32_t n_planes_of(uint32_t n_moduli, int r, int n_processes)
{
    uint32_t n_narrow = n_moduli < PCI_N_NARROW ? n_moduli : PCI_N_NARROW;
    uint32_t n_own_narrow = pci_power_n_own(n_narrow, r, n_processes);
    return n_own_narrow + 3 * (pci_power_n_own(n_moduli, r, n_processes) - n_own_narrow);
}

/* So many moduli of the whole list have at least as many planes as any process has of n_moduli. */
static uint32_t moduli_like_share(uint32_t n_moduli, int n_processes)
{
    uint32_t most = 0, n = 0;
    for (int r = 0; r < n_processes; r++) {
        uint32_t n_planes = n_planes_of(n_moduli, r, n_processes);
        most = n_planes > most ? n_planes : most;
    }
    while (pci_moduli_n_planes(n) < most)
        n++;
    return n;
}

/* That of a process with the most planes, by the CPU engine's forecast for so many. */
static pc_status forecast(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                          pci_forecast *forecast)
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

/* ---- Begin and end --------------------------------------------------------------------------- */

static pc_status begin(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    pci_member *member = &parts->cluster->member;
    (void)partition; /* there is none */
    (void)moduli;    /* the list of all */
    (void)n_most;
    pc_status status = check_processes(context, parts->base.n_processes);
    if (status != PC_OK)
        return status;
    if (member->power)
        return pci_fail(context, PC_ERR_RANGE, "a cluster makes one power at a time");
    pci_run *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    *made = (pci_run){context, member, parts->number};
    pci_power_command command = {.operation = PCI_POWER_BEGIN, .is_symmetric = graph->symmetric};
    status = call(made, &command, &(pci_power_caller){0});
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
    call_plain(run, PCI_POWER_END, 0);
    pci_free(run->context, run);
}

/* ---- Operations: see src/engine/engine.h ----------------------------------------------------- */

static pc_status load(pci_run *run, uint32_t n_moduli)
{
    return call_plain(run, PCI_POWER_LOAD, n_moduli);
}

static pc_status load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    pci_power_command command = {.operation = PCI_POWER_LOAD_WORDS, .n_moduli = n_moduli};
    return call(run, &command, &(pci_power_caller){.words = words});
}

static pc_status extend(pci_run *run, uint32_t n_moduli)
{
    return call_plain(run, PCI_POWER_EXTEND, n_moduli);
}

static pc_status square(pci_run *run, uint32_t n_moduli)
{
    return call_plain(run, PCI_POWER_SQUARE, n_moduli);
}

static pc_status step(pci_run *run, uint32_t n_moduli)
{
    return call_plain(run, PCI_POWER_STEP, n_moduli);
}

static void trim(pci_run *run)
{
    call_plain(run, PCI_POWER_TRIM, 0);
}

static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    pci_power_command command = {.operation = PCI_POWER_COLLECT,
                                 .n_limbs = n_limbs,
                                 .first_row = first_row,
                                 .n_rows = n_rows};
    *limbs = space;
    return call(run, &command, &(pci_power_caller){.limbs = space});
}

static pc_status collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                  uint32_t n_limbs, uint64_t *limbs)
{
    pci_power_command command = {
        .operation = PCI_POWER_COLLECT, .is_selected = true, .n_limbs = n_limbs, .n_rows = n_rows};
    return call(run, &command, &(pci_power_caller){.rows = rows, .limbs = limbs});
}

static pc_status reduce_modulo(pci_run *run, uint64_t modulus)
{
    pci_power_command command = {.operation = PCI_POWER_REDUCE_MODULO, .modulus = modulus};
    return call(run, &command, &(pci_power_caller){0});
}

static pc_status aggregate(pci_run *run, pci_aggregates *aggregates)
{
    pci_power_command command = {.operation = PCI_POWER_AGGREGATE,
                                 .n_limbs = aggregates->n_limbs,
                                 .n_dots = aggregates->n_dots,
                                 .row_span = aggregates->cells.row_span,
                                 .column_span = aggregates->cells.column_span,
                                 .has_records = aggregates->record[0] != NULL};
    return call(run, &command, &(pci_power_caller){.aggregates = aggregates});
}

void pci_power_engine_fill(pci_engine *engine)
{
    engine->n_moduli = PCI_N_NOT_FULL;
    engine->describe = describe;
    engine->forecast = forecast;
    engine->begin = begin;
    engine->end = end;
    engine->load = load;
    engine->load_words = load_words;
    engine->extend = extend;
    engine->square = square;
    engine->step = step;
    engine->trim = trim;
    engine->collect = collect;
    engine->collect_selected = collect_selected;
    engine->reduce_modulo = reduce_modulo;
    engine->aggregate = aggregate;
}
