/* Powers of a graph in parts, as the first process asks for them. */
#include "src/cluster/engine.h"

/* A power of all processes. src/cpu/run.h and gpu/engine/run.c define the same type for theirs. */
struct pci_run {
    pc_context *context;
    pc_cluster *cluster;
    uint32_t graph;
};

static pc_status call_on_run(const pci_run *run, pci_command command, const pci_caller *caller)
{
    command.graph = run->graph;
    run->cluster->member.context = run->context;
    return pci_member_call(&run->cluster->member, &command, caller);
}

static pc_status call_plain(const pci_run *run, pci_operation operation, uint32_t n_moduli)
{
    return call_on_run(run, (pci_command){.operation = operation, .n_moduli = n_moduli},
                       &(pci_caller){0});
}

static pc_status begin(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    (void)partition; /* there is none */
    (void)moduli;    /* the list of all */
    (void)n_most;
    pc_status status = pci_power_check(context, parts->base.n_processes);
    if (status != PC_OK)
        return status;
    if (parts->cluster->member.power)
        return pci_fail(context, PC_ERR_RANGE, "a cluster makes one power at a time");
    pci_run *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    *made = (pci_run){context, parts->cluster, parts->number};
    status = call_on_run(
        made, (pci_command){.operation = PCI_POWER_BEGIN, .is_symmetric = graph->symmetric},
        &(pci_caller){0});
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

static pc_status load(pci_run *run, uint32_t n_moduli)
{
    return call_plain(run, PCI_POWER_LOAD, n_moduli);
}

static pc_status load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    pci_command command = {.operation = PCI_POWER_LOAD_WORDS, .n_moduli = n_moduli};
    return call_on_run(run, command, &(pci_caller){.in = words});
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
    pci_command command = {
        .operation = PCI_POWER_COLLECT, .n_limbs = n_limbs, .first_row = first_row, .n = n_rows};
    *limbs = space;
    return call_on_run(run, command, &(pci_caller){.out = space});
}

static pc_status collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                  uint32_t n_limbs, uint64_t *limbs)
{
    pci_command command = {
        .operation = PCI_POWER_COLLECT, .is_selected = true, .n_limbs = n_limbs, .n = n_rows};
    return call_on_run(run, command, &(pci_caller){.in = rows, .out = limbs});
}

static pc_status reduce_modulo(pci_run *run, uint64_t modulus)
{
    pci_command command = {.operation = PCI_POWER_REDUCE_MODULO, .moduli = {modulus}};
    return call_on_run(run, command, &(pci_caller){0});
}

static pc_status aggregate(pci_run *run, pci_aggregates *aggregates)
{
    pci_command command = {.operation = PCI_POWER_AGGREGATE,
                           .n_limbs = aggregates->n_limbs,
                           .n_dots = aggregates->n_dots,
                           .row_span = aggregates->cells.row_span,
                           .column_span = aggregates->cells.column_span,
                           .has_records = aggregates->record[0] != NULL};
    return call_on_run(run, command, &(pci_caller){.out = aggregates});
}

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    return pci_engine_cpu.describe(context, info);
}

const pci_engine pci_cluster_engine = {.n_moduli = PCI_N_NOT_FULL,
                                       .describe = describe,
                                       .forecast = pci_power_forecast,
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
