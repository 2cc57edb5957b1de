/* Which way to a whole matrix the processors would go soonest. Every way begins with a power that
 * is swept, from A itself (dense) to A^length (sweep), and squares from there on. */
#include "src/plan.h"

#include "src/bound.h"
#include "src/cost.h"

#include <string.h>

void pci_plan_weigh(pc_plan *plan, const pc_alternative *alternative)
{
    uint32_t place = alternative->is_chosen ? 0 : plan->n_alternatives;
    if (plan->n_alternatives == PC_MAX_ALTERNATIVES)
        return;
    memmove(plan->alternatives + place + 1, plan->alternatives + place,
            (plan->n_alternatives - place) * sizeof *plan->alternatives);
    plan->alternatives[place] = *alternative;
    plan->n_alternatives++;
}

static double seconds_of(const pc_context *context, const pci_request *request,
                         const pci_schedule *schedule, const pc_plan *dense, uint64_t sweep_length)
{
    pc_plan plan = *dense;
    pci_plan_levels(&schedule->moduli, sweep_length, &plan);
    pci_cost_plan(context, request->graph, schedule->options.n_certify_rounds, &plan);
    return plan.predicted_seconds;
}

static void add_way(pci_way way, int *n, pci_way *ways)
{
    int place = *n;
    for (; place > 0 && ways[place - 1].seconds > way.seconds; place--)
        ways[place] = ways[place - 1];
    ways[place] = way;
    ++*n;
}

/* The best beginning of a hybrid; its sweep_length is 0 when there is none. */
static pci_way best_hybrid(const pc_context *context, const pci_request *request,
                           const pci_schedule *schedule, const pc_plan *dense)
{
    pci_way best = {.method = PC_METHOD_HYBRID};
    for (uint64_t p = pci_plan_longest_sweep(dense); p > 1; p /= 2) {
        double seconds = seconds_of(context, request, schedule, dense, p);
        if (!best.sweep_length || seconds < best.seconds)
            best = (pci_way){PC_METHOD_HYBRID, p, seconds};
    }
    return best;
}

static bool may_sweep(const pci_request *request)
{
    return !request->partition && !pci_too_many_passes(request->graph, request->length);
}

/* All ways of an exact count that multiplies something. */
static int exact_ways(const pc_context *context, const pci_request *request,
                      const pci_schedule *schedule, const pc_plan *dense, pci_way *ways)
{
    int n = 0;
    bool may_square = dense->n_vertices <= PCI_MAX_DENSE_VERTICES;
    if (may_square)
        add_way((pci_way){PC_METHOD_DENSE, 0, seconds_of(context, request, schedule, dense, 0)}, &n,
                ways);
    if (may_sweep(request))
        add_way((pci_way){PC_METHOD_SWEEP, request->length,
                          seconds_of(context, request, schedule, dense, request->length)},
                &n, ways);
    pci_way hybrid = best_hybrid(context, request, schedule, dense);
    if (may_square && hybrid.sweep_length)
        add_way(hybrid, &n, ways);
    return n;
}

int pci_plan_ways(const pc_context *context, const pci_request *request,
                  const pci_schedule *schedule, const pc_plan *dense, pci_way *ways)
{
    if (dense->arithmetic == PC_EXACT && dense->n_levels)
        return exact_ways(context, request, schedule, dense, ways);
    bool may_square = dense->n_vertices <= PCI_MAX_DENSE_VERTICES;
    ways[0] = (pci_way){PC_METHOD_DENSE, 0, 0};
    ways[1] = (pci_way){PC_METHOD_SWEEP, request->length, 0};
    if (!may_square)
        ways[0] = ways[1];
    return may_square && may_sweep(request) ? 2 : 1;
}
