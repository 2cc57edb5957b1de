/* Queries: whether they make sense, and which way they go. */
#include "src/query.h"

#include "src/bound.h"
#include "src/options.h"

#include <inttypes.h>

/* ---- Whether it makes sense ------------------------------------------------------------------ */

static pc_status check_vertices(pc_context *context, const pc_graph *graph, const char *name,
                                uint64_t n_asked, const uint64_t *vertices)
{
    if (n_asked > 0 && !vertices)
        return pci_fail(context, PC_ERR_ARGUMENT, "the query has no array '%s'", name);
    for (uint64_t i = 0; i < n_asked; i++)
        if (vertices[i] >= graph->n)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "%s[%" PRIu64 "] is vertex %" PRIu64 ", and the graph has %" PRIu64,
                            name, i, vertices[i], graph->n);
    return PC_OK;
}

static pc_status check_query(pc_context *context, const pc_graph *graph, const pc_query *query)
{
    pc_query_kind kind = query->kind;
    if ((unsigned)kind > PC_QUERY_CLOSED)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown kind of query %d", (int)kind);
    if (query->each && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a query answers for each length or adds lengths up, not both");
    double pass = (double)pci_graph_n_arcs(graph) + (double)graph->n + 1;
    if ((double)query->length * pass > PCI_MAX_WORK || query->length >= UINT32_MAX)
        return pci_fail(context, PC_ERR_RANGE,
                        "a query of length %" PRIu64 " would pass over the graph that many times; "
                        "ask for the whole matrix modulo a number (--mod M), which squares",
                        query->length);
    pc_status status = PC_OK;
    if (kind == PC_QUERY_FROM || kind == PC_QUERY_PAIRS)
        status = check_vertices(context, graph, "from", query->n_asked, query->from);
    if (status == PC_OK && (kind == PC_QUERY_TO || kind == PC_QUERY_PAIRS))
        status = check_vertices(context, graph, "to", query->n_asked, query->to);
    return status;
}

/* ---- Which way ------------------------------------------------------------------------------- */

static pc_status run(const pci_query_job *job, pc_plan *plan)
{
    if (pci_query_is_sum(job))
        return pci_query_sums(job, plan);
    return pci_query_sweeps(job, plan);
}

pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user)
{
    pci_query_job job = {
        .context = context, .graph = graph, .query = query, .deliver = deliver, .user = user};
    pc_plan plan = {.method = PC_METHOD_SWEEP, .sweep_length = query->length};
    pc_status status = pci_options_complete(context, options, &job.options);
    if (status == PC_OK)
        status = check_query(context, graph, query);
    return status == PC_OK ? run(&job, &plan) : status;
}
