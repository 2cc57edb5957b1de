/* The plan: which levels, which moduli at each, does it fit. */
#ifndef PCI_PLAN_H
#define PCI_PLAN_H

#include "src/engine.h"

/* What is asked for. */
typedef struct pci_request {
    const pc_graph *graph;
    const pc_partition *partition; /* to count between its blocks; NULL: between vertices */
    uint64_t length;
    const pc_count_options *options; /* NULL: defaults */
    bool holds_result;
} pci_request;

/* What every part of a count needs to know, made once. */
typedef struct pci_schedule {
    const pci_engine *engine; /* NULL until it is chosen */
    pci_moduli moduli;
    pc_count_options options; /* with defaults filled in */
    const pc_partition *partition;
    bool holds_result;
} pci_schedule;

/* As pc_plan_make, with the schedule that carries the plan out. cpu_because is why it must be the CPU
 * engine; NULL: whichever suits. */
pc_status pci_plan_make(pc_context *context, const pci_request *request, const char *cpu_because,
                        pci_schedule *schedule, pc_plan *plan);

/* For plan, which has its levels: the engine, and all that depends on it. PC_ERR_MEMORY when the plan
 * does not fit, PC_ERR_ENGINE (plan_engine.c). */
pc_status pci_plan_engine(pc_context *context, const pc_graph *graph, const char *cpu_because,
                          pci_schedule *schedule, pc_plan *plan);

/* Whether the last level is a reduced product. Otherwise, if there are blocks, rows of the power are
 * made and summed: modulo a number, in doubles, and where there is nothing to multiply. */
static inline bool pci_plan_is_reduced(const pc_plan *plan)
{
    return plan->n_levels && plan->levels[plan->n_levels - 1].is_reduced;
}

/* Rows of a block to deliver at a time. */
uint64_t pci_plan_block_rows(const pc_plan *plan);

#endif
