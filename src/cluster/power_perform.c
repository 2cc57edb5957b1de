/* What a process does with the planes of its own moduli. */
#include "src/cluster/power_perform.h"

#include "src/cluster/power_rows.h"

#include "src/cpu/run.h"

#include <string.h>

/* ---- The whole graph ------------------------------------------------------------------------- */

static pc_status create_graph(pci_power_share *share, uint64_t n, bool is_symmetric)
{
    pc_context *context = share->context;
    pc_graph *graph = pci_alloc_zero(context, 1, sizeof *graph);
    if (!graph)
        return pci_fail_memory(context, "the graph", sizeof *graph);
    *graph = (pc_graph){
        .context = context, .n = n, .symmetric = is_symmetric, .labels = pci_labels_range(0, n)};
    share->graph = graph;
    graph->row_start = pci_alloc_zero(context, n + 1, sizeof *graph->row_start);
    return graph->row_start ? PC_OK
                            : pci_fail_memory(context, "the graph", (n + 1) * sizeof(uint64_t));
}

static pc_status create_arcs(const pci_power_share *share, bool is_weighted)
{
    pc_graph *graph = share->graph;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    graph->column = pci_alloc(share->context, (n_arcs + 1) * sizeof *graph->column);
    if (is_weighted)
        graph->weight = pci_alloc(share->context, (n_arcs + 1) * sizeof *graph->weight);
    return graph->column && (graph->weight || !is_weighted)
               ? PC_OK
               : pci_fail_memory(share->context, "the graph", n_arcs * (is_weighted ? 12 : 4));
}

/* Each process sends its rows to all. */
static void gather_arcs(const pci_power_share *share, const pci_graph_part *part)
{
    const pci_processes *all = &share->all;
    pc_graph *graph = share->graph;
    uint64_t begin = part->first[all->rank], at = graph->row_start[begin];
    uint64_t n_arcs = pci_graph_n_arcs(part->graph);
    for (uint64_t a = 0; a < n_arcs; a++)
        graph->column[at + a] = (uint32_t)pci_part_vertex(part, part->graph->column[a]);
    for (uint64_t a = 0; a < n_arcs && graph->weight; a++)
        graph->weight[at + a] = part->graph->weight[a];
    for (int r = 0; r < all->n; r++) {
        uint64_t from = graph->row_start[part->first[r]],
                 end = graph->row_start[part->first[r + 1]];
        pci_processes_share(all, r, graph->column + from, (end - from) * sizeof *graph->column);
        if (graph->weight)
            pci_processes_share(all, r, graph->weight + from, (end - from) * sizeof *graph->weight);
    }
}

static pc_status make_graph(pci_power_share *share, const pci_graph_part *part,
                            const pci_power_command *command, const pci_power_caller *caller)
{
    uint64_t n = part->first[share->all.n];
    pc_status status = pci_processes_agree(&share->all, share->context,
                                           create_graph(share, n, command->is_symmetric));
    if (status != PC_OK)
        return status;
    if (caller)
        memcpy(share->graph->row_start, caller->graph->row_start, (n + 1) * sizeof(uint64_t));
    pci_processes_share(&share->all, 0, share->graph->row_start, (n + 1) * sizeof(uint64_t));
    status = pci_processes_agree(&share->all, share->context,
                                 create_arcs(share, part->graph->weight != NULL));
    if (status == PC_OK)
        gather_arcs(share, part);
    return status;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

static void end(pci_power_share *share)
{
    if (!share)
        return;
    pc_context *context = share->context;
    pci_engine_cpu.end(share->run);
    pci_recombination_free(context, &share->collector);
    pc_graph_free(share->graph);
    pci_free(context, share);
}

/* The moduli of this process, in the order of the list: narrow ones first. */
static void divide_moduli(pci_power_share *share)
{
    pci_moduli_fill(&share->moduli, PCI_ANY_BITS);
    uint32_t n_processes = (uint32_t)share->all.n;
    for (uint32_t i = (uint32_t)share->all.rank, own = 0; i < PCI_N_NOT_FULL; i += n_processes)
        share->own.m[own++] = share->moduli.m[i];
}

static pc_status begin(const pci_graph_part *part, pc_context *context,
                       const pci_power_command *command, const pci_power_caller *caller,
                       pci_power_share **share)
{
    pci_power_share *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = pci_processes_agree(
        &part->all, context,
        made ? PC_OK : pci_fail_memory(context, "the moduli of a process", sizeof *made));
    if (status != PC_OK) {
        pci_free(context, made);
        return status;
    }
    made->all = part->all;
    made->context = context;
    divide_moduli(made);
    status = make_graph(made, part, command, caller);
    if (status == PC_OK)
        status = pci_processes_agree(&made->all, context,
                                     pci_engine_cpu.begin(context, made->graph, NULL, &made->own,
                                                          PCI_N_NOT_FULL, &made->run));
    if (status == PC_OK)
        *share = made;
    else
        end(made);
    return status;
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* load, square or step of the moduli of this process. */
static pc_status run_level(pci_power_share *share, pc_status (*operate)(pci_run *, uint32_t),
                           uint32_t n_needed)
{
    const pci_processes *all = &share->all;
    uint32_t n_moduli = pci_power_n_moduli(n_needed, all->n);
    pc_status status = operate(share->run, pci_power_n_own(n_moduli, all->rank, all->n));
    share->n_moduli = n_moduli;
    return pci_processes_agree(all, share->context, status);
}

pc_status pci_power_perform(const pci_graph_part *part, pc_context *context,
                            const pci_power_command *command, const pci_power_caller *caller,
                            pci_power_share **share)
{
    const pci_engine *engine = &pci_engine_cpu;
    switch ((pci_power_operation)command->operation) {
    case PCI_POWER_BEGIN:
        return begin(part, context, command, caller, share);
    case PCI_POWER_END:
        end(*share);
        *share = NULL;
        return PC_OK;
    case PCI_POWER_LOAD:
        return run_level(*share, engine->load, command->n_moduli);
    case PCI_POWER_LOAD_WORDS:
        return pci_power_load_words(*share, command->n_moduli, caller ? caller->words : NULL);
    case PCI_POWER_EXTEND:
        return pci_power_extend(*share, command->n_moduli);
    case PCI_POWER_SQUARE:
        return run_level(*share, engine->square, command->n_moduli);
    case PCI_POWER_STEP:
        return run_level(*share, engine->step, command->n_moduli);
    case PCI_POWER_REDUCE_MODULO:
        return pci_power_reduce_modulo(*share, command->modulus);
    case PCI_POWER_TRIM:
        engine->trim((*share)->run);
        return PC_OK;
    case PCI_POWER_COLLECT:
        return pci_power_collect(*share, command, caller);
    case PCI_POWER_AGGREGATE:
        return pci_power_aggregate(*share, command, caller);
    }
    return PC_OK;
}
