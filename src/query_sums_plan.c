/* Sums over all vertices made ready.
 *
 * A limit of widths is needed for memory only, since vectors find out for themselves how wide they
 * are: so a cheap one will do, unless it is beyond what is counted exactly, or what there is memory
 * for. */
#include "src/query_sums_plan.h"

#include "src/bound.h"
#include "src/long_vector.h"
#include "src/plan.h"
#include "src/query_plan.h"
#include "src/residues.h"
#include "src/step_check.h"

#include <math.h>

static double log2_up(double value)
{
    return value > 1 ? log2(value) * (1 + 0x1p-40) : 0;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

double pci_sums_step_bits(const pc_graph *graph)
{
    return log2_up((double)pci_graph_largest_degree(graph)) +
           log2_up((double)graph->info.max_weight);
}

/* bits becomes the log2 of a proved limit of the vector's entries. */
static pc_status bound(const pci_sums_plan *plan, double *bits)
{
    double *limits = NULL, most = 0;
    pc_status status = pci_bound_all(plan->context, plan->graph, plan->query->length, &limits);
    if (status != PC_OK)
        return status;
    for (uint64_t l = 0; l <= plan->n_steps; l++)
        most = fmax(most, limits[l]);
    *bits = fmin(*bits, most + log2_up((double)plan->graph->n));
    pci_free(plan->context, limits);
    return PC_OK;
}

static uint32_t words_for(double log2_limit)
{
    return (uint32_t)(log2_limit / 64) + 1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool is_directed_total(const pci_sums_plan *plan)
{
    return plan->query->kind == PC_QUERY_TOTAL && !plan->by_halves;
}

static double bytes_for(const pci_sums_plan *plan)
{
    const pc_graph *graph = plan->graph;
    double n_arcs = (double)pci_graph_n_arcs(graph);
    double bytes = 2 * pci_long_vector_bytes(graph->n, plan->most_words);
    bytes += plan->n_rounds ? pci_step_check_bytes(graph->n, plan->n_rounds) : 0;
    bytes += plan->has_rows ? (double)graph->n * plan->row_words * 8 : 0;
    bytes += is_directed_total(plan) ? pci_long_vector_bytes(graph->n, 1) : 0;
    bytes += (double)plan->n_totals * plan->total_words * 8;
    if (!graph->symmetric && (plan->n_rounds || plan->query->kind == PC_QUERY_ENDS))
        bytes += n_arcs * (graph->weight ? 12 : 4) + 8.0 * (double)graph->n;
    return bytes;
}

static void set_widths(double bits, pci_sums_plan *plan)
{
    double lengths_bits = plan->query->up_to ? log2_up((double)plan->query->length) : 0;
    plan->most_words = words_for(bits);
    plan->row_words = words_for(bits + lengths_bits);
    plan->answer_bits = bits + lengths_bits;
    if (plan->query->kind == PC_QUERY_TOTAL)
        plan->answer_bits += (plan->by_halves ? bits : 0) + log2_up((double)plan->graph->n);
    plan->total_words = words_for(plan->answer_bits);
    plan->bytes = bytes_for(plan);
}

static pc_status fit(pci_sums_plan *plan)
{
    pci_moduli moduli;
    pci_moduli_fill(&moduli);
    double available = (double)pci_memory_available(plan->context);
    double step_bits = pci_sums_step_bits(plan->graph), bits = (double)plan->n_steps * step_bits;
    if (plan->query->kind == PC_QUERY_ENDS) /* no more than start anywhere */
        bits += log2_up((double)plan->graph->n);
    bool is_bounded = (double)plan->query->length * step_bits > pci_moduli_max_bits(&moduli) ||
                      (plan->has_rows && bits >= 64);
    if (!is_bounded) {
        set_widths(bits, plan);
        is_bounded = plan->bytes > available;
    }
    pc_status status = is_bounded ? bound(plan, &bits) : PC_OK;
    if (status == PC_OK && is_bounded)
        set_widths(bits, plan);
    return status == PC_OK ? pci_query_check_memory(plan->context, plan->bytes) : status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_sums_plan_graphs(pci_sums_plan *plan)
{
    const pc_graph *graph = plan->graph;
    bool turned = plan->query->kind == PC_QUERY_ENDS;
    plan->along = plan->against = graph;
    if (graph->symmetric || !(turned || plan->n_rounds))
        return PC_OK;
    pc_status status = pci_graph_reverse(plan->context, graph, &plan->reverse);
    *(turned ? &plan->along : &plan->against) = plan->reverse;
    return status;
}

pc_status pci_sums_plan_make(const pci_query_job *job, pci_sums_plan *plan)
{
    const pc_query *query = job->query;
    bool is_total = query->kind == PC_QUERY_TOTAL;
    *plan = (pci_sums_plan){.context = job->context,
                            .graph = job->graph,
                            .query = query,
                            .n_rounds = job->options.n_certify_rounds,
                            .by_halves = is_total && job->graph->symmetric,
                            .has_rows = !is_total && (query->each || query->up_to)};
    plan->n_steps = plan->by_halves ? query->length / 2 + query->length % 2 : query->length;
    plan->n_totals = !is_total ? 0 : query->each ? query->length : 1;
    plan->n_threads = pci_threads_for(job->context, 2.0 * (double)job->graph->n);
    return fit(plan);
}

void pci_sums_plan_free(pci_sums_plan *plan)
{
    pc_graph_free(plan->reverse);
}

void pci_sums_plan_note(const pci_sums_plan *sums, pc_plan *plan)
{
    plan->sweep_length = sums->n_steps;
    plan->n_vectors = 1;
    plan->bound_bits = sums->answer_bits;
    plan->n_limbs = sums->n_totals ? sums->total_words : sums->row_words;
    plan->memory_bytes = (uint64_t)sums->bytes + pci_plan_graph_bytes(sums->graph);
}
