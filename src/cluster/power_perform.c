/* What a process does with the planes of its own moduli. */
#include "src/cluster/power_perform.h"

#include "src/cluster/power_rows.h"

#include "src/cpu/run.h"

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
                       const pci_power_command *command, pci_power_share **share)
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
    status = pci_part_gather(part, context, command->is_symmetric, &made->graph);
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
        return begin(part, context, command, share);
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
