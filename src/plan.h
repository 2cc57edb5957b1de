/* Plans of whole matrices: which way, which levels with which moduli, which engine, does it fit. */
#ifndef PCI_PLAN_H
#define PCI_PLAN_H

#include "src/engine.h"

/* Starting CUDA takes about this long: less work than that is not worth it. */
#define PCI_CUDA_START_SECONDS 0.5

/* Of that what is still to come. */
static inline double pci_cuda_start_seconds(const pc_context *context)
{
    return context->cuda_start_seconds > 0 ? 0 : PCI_CUDA_START_SECONDS;
}

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
    uint64_t n_batch; /* rows that are swept at a time, of exact ones */
    double *limits; /* [limits_length + 1]: log2 of limits of the entries of A^l; NULL: not made */
    uint64_t limits_length;
    pc_context *context;
} pci_schedule;

/* Makes limits of all lengths up to length, unless they are there. Errors as pci_bound_all. */
pc_status pci_schedule_limits(pc_context *context, const pc_graph *graph, uint64_t length,
                              pci_schedule *schedule);

/* Accepts what pci_plan_make left, whatever its status. */
void pci_schedule_free(pci_schedule *schedule);

/* As pc_plan_make, with the schedule that carries the plan out, to be freed whatever the status.
 * cpu_because is why it must be the CPU engine; NULL: whichever suits. */
pc_status pci_plan_make(pc_context *context, const pci_request *request, const char *cpu_because,
                        pci_schedule *schedule, pc_plan *plan);

/* Makes plan, which has all levels of a dense one with their limits (exact), begin with
 * A^sweep_length, the length of one of them; 0 leaves them all. Sets what follows from that:
 * method, moduli, products. */
void pci_plan_levels(const pci_moduli *moduli, uint64_t sweep_length, pc_plan *plan);

/* Of such a plan the length that a hybrid begins with when nobody says which: the longest that the
 * binary digits of plan's length begin with, or 2, whose entries are below 2^63. 0: there is
 * none. */
uint64_t pci_plan_longest_sweep(const pc_plan *plan);

/* A way to the matrix, and how long the processors are expected to take. */
typedef struct pci_way {
    pc_method method;
    uint64_t sweep_length; /* as in the plan */
    double seconds;
} pci_way;

enum { PCI_MOST_WAYS = 3 };

/* The ways there are, perhaps none, the fastest first: dense, sweep, and the best of the hybrids.
 * dense is a plan with all levels and their limits (plan_choose.c). */
int pci_plan_ways(const pc_context *context, const pci_request *request,
                  const pci_schedule *schedule, const pc_plan *dense, pci_way *ways);

/* Adds an alternative to those that plan tells; a chosen one comes first. */
void pci_plan_weigh(pc_plan *plan, const pc_alternative *alternative);

/* What every plan says of a graph and a length, whatever is done with them. */
pc_plan pci_plan_of(const pc_context *context, const pc_graph *graph, uint64_t length,
                    const pc_count_options *options);

/* Whether a plan with its memory filled in fits. */
static inline bool pci_plan_fits(const pc_plan *plan)
{
    return plan->memory_bytes <= plan->memory_available_bytes;
}

/* PC_ERR_MEMORY, with what is needed and what there is, when it does not. */
pc_status pci_plan_check_memory(pc_context *context, const pci_schedule *schedule,
                                const pc_plan *plan);

/* Why plan has its engine, in one clause; cut off where it is too long. */
void pci_plan_give_reason(pc_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For plan, which has its levels: the engine, and all that depends on it. PC_ERR_MEMORY when the
 * plan does not fit, PC_ERR_ENGINE (plan_engine.c). */
pc_status pci_plan_engine(pc_context *context, const pc_graph *graph, const char *cpu_because,
                          pci_schedule *schedule, pc_plan *plan);

/* Whether the last level is a reduced product. Otherwise, if there are blocks, rows of the power
 * are made and summed: modulo a number, in doubles, and where there is nothing to multiply. */
static inline bool pci_plan_is_reduced(const pc_plan *plan)
{
    return plan->n_levels && plan->levels[plan->n_levels - 1].is_reduced;
}

/* The bytes of a graph's matrix. */
static inline uint64_t pci_plan_graph_bytes(const pc_graph *graph)
{
    uint64_t per_arc = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * per_arc;
}

/* What may be planned for, beside a graph that is there already. */
static inline uint64_t pci_plan_available(const pc_context *context, const pc_graph *graph)
{
    return pci_memory_available(context) +
           (context->memory_limit_bytes ? 0 : pci_plan_graph_bytes(graph));
}

/* Rows of a block to deliver at a time. */
uint64_t pci_plan_block_rows(const pc_plan *plan);

#endif
