/* Plans single vectors. A limit of the width is needed only to predict memory, because the
 * vectors find their width while they are computed. So a cheap limit is enough, unless it exceeds
 * what is counted exactly, or the memory. */
#include "src/plan/single_plan.h"

#include "src/plan/bound.h"
#include "src/vectors/long_vector.h"
#include "src/plan/vectors_plan.h"
#include "src/certify/step_check.h"

#include <math.h>

static double log2_up(double value)
{
    return value > 1 ? log2(value) * (1 + 0x1p-40) : 0;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

double pci_step_bits(const pc_graph *graph)
{
    return log2_up((double)pci_graph_largest_degree(graph)) +
           log2_up((double)graph->info.max_weight);
}

/* bits becomes the log2 of a proved limit of the vector's entries. */
static pc_status bound(const pci_single_plan *plan, double *bits)
{
    const pci_request *request = plan->request;
    pc_status status = pci_limits_hold(request->limits, request->query.length);
    if (status != PC_OK)
        return status;
    const double *limits = pci_limits_bits(request->limits);
    double most = 0;
    for (uint64_t l = 0; l <= plan->n_steps; l++)
        most = fmax(most, limits[l]);
    most += plan->start ? 0 : log2_up((double)request->graph->n);
    *bits = fmin(*bits, most);
    return PC_OK;
}

static uint32_t words_for(double log2_limit)
{
    return (uint32_t)(log2_limit / 64) + 1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool is_directed_total(const pci_single_plan *plan)
{
    return plan->request->query.kind == PC_QUERY_TOTAL && !plan->by_halves;
}

static double bytes_for(const pci_single_plan *plan)
{
    const pc_graph *graph = plan->request->graph;
    int n_rounds = plan->request->options.n_certify_rounds;
    double n_arcs = (double)pci_graph_n_arcs(graph);
    uint64_t n = graph->parts ? graph->parts->first[1] : graph->n; /* entries in this process */
    double bytes = 2 * pci_long_vector_bytes(n, plan->most_words);
    bytes += n_rounds ? pci_step_check_bytes(n, n_rounds) : 0;
    bytes += plan->has_rows ? (double)n * plan->row_words * 8 : 0;
    bytes += is_directed_total(plan) ? pci_long_vector_bytes(n, 1) : 0;
    bytes += 2 * (double)plan->n_totals * plan->total_words * 8; /* added up twice */
    pc_query_kind kind = plan->request->query.kind;
    bool is_column = kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS; /* read part by part */
    uint64_t n_read = is_column ? n : graph->n;
    if (graph->parts) /* and the answer; the reversed arcs are counted no more than the graph */
        return bytes + (plan->n_totals ? 0 : (double)n_read * plan->row_words * 8);
    if (!graph->symmetric && (n_rounds || plan->reversed))
        bytes += n_arcs * (graph->weight ? 12 : 4) + 8.0 * (double)graph->n;
    return bytes;
}

static void set_widths(double bits, pci_single_plan *plan)
{
    const pc_query *query = &plan->request->query;
    double lengths_bits = query->up_to ? log2_up((double)query->length) : 0;
    plan->most_words = words_for(bits);
    plan->row_words = words_for(bits + lengths_bits);
    plan->answer_bits = bits + lengths_bits;
    if (query->kind == PC_QUERY_TOTAL)
        plan->answer_bits +=
            (plan->by_halves ? bits : 0) + log2_up((double)plan->request->graph->n);
    plan->total_words = words_for(plan->answer_bits);
    plan->bytes = bytes_for(plan);
}

static pc_status fit(pci_single_plan *plan)
{
    const pci_request *request = plan->request;
    double available = (double)request->available_bytes;
    double step_bits = pci_step_bits(request->graph);
    double bits = (double)plan->n_steps * step_bits;
    if (request->query.kind == PC_QUERY_ENDS) /* no more than start anywhere */
        bits += log2_up((double)request->graph->n);
    bool is_bounded =
        (double)request->query.length * step_bits > PCI_MAX_BITS || (plan->has_rows && bits >= 64);
    if (!is_bounded) {
        set_widths(bits, plan);
        is_bounded = plan->bytes > available;
    }
    pc_status status = is_bounded ? bound(plan, &bits) : PC_OK;
    if (status == PC_OK && is_bounded)
        set_widths(bits, plan);
    return status == PC_OK
               ? pci_query_check_memory(request->context, request->available_bytes, plan->bytes)
               : status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_single_plan_make(const pci_request *request, pci_single_plan *plan)
{
    const pc_query *query = &request->query;
    bool is_total = query->kind == PC_QUERY_TOTAL;
    *plan =
        (pci_single_plan){.request = request,
                          .start = query->kind == PC_QUERY_FROM ? query->from
                                   : query->kind == PC_QUERY_TO ? query->to
                                                                : NULL,
                          .reversed = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_ENDS,
                          .by_halves = is_total && request->graph->symmetric,
                          .has_rows = !is_total && pci_request_has_lengths(request)};
    plan->n_steps = plan->by_halves ? query->length / 2 + query->length % 2 : query->length;
    plan->n_totals = !is_total ? 0 : query->each ? query->length : 1;
    plan->n_threads = pci_threads_for(request->context, 2.0 * (double)request->graph->n);
    return fit(plan);
}
