/* Plans a pass in topological order. How wide the numbers become is found by the same pass in logarithms. */
#include "src/plan/acyclic_plan.h"

#include "src/certify/step_check.h"

#include <math.h>

bool pci_request_adds_lengths(const pci_request *request)
{
    pc_query_kind kind = request->query.kind;
    return request->query.up_to && request->options.arithmetic != PC_FLOAT &&
           request->query.paths == PC_PATHS_ALL && !request->graph->symmetric &&
           kind != PC_QUERY_CLOSED && !request->query.partition;
}

/* Pairs that follow one another and have the same beginning share a vector. */
static uint64_t n_vectors_of(const pci_request *request)
{
    const pc_query *query = &request->query;
    uint64_t n = query->n_asked > 0;
    if (query->kind == PC_QUERY_MATRIX)
        return request->graph->n;
    if (query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO)
        return query->n_asked;
    if (query->kind != PC_QUERY_PAIRS)
        return 1;
    for (uint64_t i = 1; i < query->n_asked; i++)
        n += query->from[i] != query->from[i - 1];
    return n;
}

/* log2(2^a + 2^b); -INFINITY stands for 0. */
static double log2_add(double a, double b)
{
    double more = fmax(a, b), less = fmin(a, b);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

/* log2 of a limit of the number of all paths, and so of every answer: at[v] of those that end at v. */
static double bound(const pc_graph *graph, const uint32_t *order, double *at)
{
    double sum = -INFINITY;
    for (uint64_t v = 0; v < graph->n; v++)
        at[v] = -INFINITY;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint32_t v = order[i];
        double own = log2_add(0, at[v]);
        sum = log2_add(sum, at[v]);
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            double bits = graph->weight ? log2((double)graph->weight[a]) : 0;
            at[graph->column[a]] = log2_add(at[graph->column[a]], own + bits);
        }
    }
    /* No sum is rounded by more than a few parts in 2^52 of the largest one. */
    double n_roundings = (double)pci_graph_n_arcs(graph) + 2 * (double)graph->n;
    return fmax(0, sum + sum * n_roundings * 0x1p-48) + 0x1p-20;
}

static void set_sizes(const pci_request *request, double bits, pci_acyclic_plan *plan)
{
    const pc_graph *graph = request->graph;
    double n = (double)graph->n, n_arcs = (double)pci_graph_n_arcs(graph);
    int n_rounds = request->options.n_certify_rounds;
    plan->bits = bits;
    plan->n_words = (uint32_t)(bits / 64) + 1;
    plan->bytes = 8.0 * plan->n_words + pci_long_vector_bytes(graph->n, plan->n_words);
    if (n_rounds) /* residues are made twice */
        plan->bytes += request->options.modulus ? pci_long_vector_bytes(graph->n, 1)
                                                : pci_step_check_bytes(graph->n, n_rounds);
    plan->bytes += plan->reversed ? n_arcs * (graph->weight ? 12 : 4) + 8 * n : 0;
    plan->bytes = 4 * n + fmax(plan->bytes, 12 * n); /* finding the order takes more than it */
}

pc_status pci_acyclic_plan_make(const pci_request *request, pci_acyclic_plan *plan,
                                bool *is_acyclic)
{
    pc_context *context = request->context;
    const pc_graph *graph = request->graph;
    uint64_t n = graph->n;
    pc_query_kind kind = request->query.kind;
    uint32_t *order;
    *is_acyclic = false;
    pc_status status = pci_graph_order(context, graph, &order, &plan->longest);
    if (status != PC_OK || !order)
        return status;
    if (plan->longest <= request->query.length) {
        double *at = pci_alloc(context, (n + 1) * sizeof *at);
        plan->reversed = kind == PC_QUERY_TO || kind == PC_QUERY_STARTS;
        plan->n_vectors = n_vectors_of(request);
        if (at)
            set_sizes(request, request->options.modulus ? 0 : bound(graph, order, at), plan);
        else
            status = pci_fail_memory(context, "limits of paths", n * sizeof *at);
        *is_acyclic = at != NULL;
        pci_free(context, at);
    }
    pci_free(context, order);
    return status;
}
