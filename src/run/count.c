/* The calls that count: each is a question, planned and run. */
#include "src/run/run.h"

#include "src/rows/counts.h"

/* ---- Plans ----------------------------------------------------------------------------------- */

static pc_status tell_plan(pc_context *context, const pc_graph *graph,
                           const pc_partition *partition, const pc_query *query,
                           const pc_count_options *options, bool keeps, pc_plan *plan)
{
    pci_planned planned;
    if (!context || !graph || !query || !plan)
        return pci_fail_null(context, "graph, query or plan");
    pc_status status = pci_planned_make(context, graph, partition, query, options, keeps, &planned);
    if (status != PC_OK)
        return status;
    *plan = planned.route[0]->plan;
    plan->seconds.start = context->cuda_start_seconds;
    pci_planned_free(&planned);
    return PC_OK;
}

static pc_query matrix_of(uint64_t length)
{
    return (pc_query){.kind = PC_QUERY_MATRIX, .length = length};
}

pc_status pc_plan_make(pc_context *context, const pc_graph *graph, uint64_t length,
                       const pc_count_options *options, int holds_result, pc_plan *plan)
{
    pc_query query = matrix_of(length);
    return tell_plan(context, graph, NULL, &query, options, holds_result, plan);
}

pc_status pc_plan_coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                          uint64_t length, const pc_count_options *options, int holds_result,
                          pc_plan *plan)
{
    pc_query query = matrix_of(length);
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return tell_plan(context, graph, partition, &query, options, holds_result, plan);
}

pc_status pc_plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                        const pc_count_options *options, pc_plan *plan)
{
    return tell_plan(context, graph, NULL, query, options, false, plan);
}

pc_frame pc_plan_frame(const pc_plan *plan, const pc_labels *labels)
{
    if (!plan)
        return (pc_frame){.rows = labels, .columns = labels};
    return (pc_frame){
        .rows = labels, .columns = labels, .n_limbs = plan->n_limbs, .symmetric = plan->symmetric};
}

pc_status pc_plan_last(const pc_context *context, pc_plan *plan)
{
    if (!context || !plan || !context->has_plan)
        return PC_ERR_ARGUMENT;
    *plan = context->plan;
    return PC_OK;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

/* Plans and runs; the context keeps what ran, with its times. */
static pc_status run(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                     const pc_query *query, const pc_count_options *options, pci_sink *sink)
{
    pci_planned planned;
    pc_plan plan;
    pc_status status =
        pci_planned_make(context, graph, partition, query, options, sink->keeps, &planned);
    if (status != PC_OK)
        return status;
    status = pci_run_routes(&planned, sink, &plan);
    pci_planned_free(&planned);
    if (status != PC_OK)
        return status;
    context->plan = plan;
    context->has_plan = true;
    return PC_OK;
}

static pc_status keep(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, pc_counts **counts)
{
    pc_query query = matrix_of(length);
    pci_sink sink = {.context = context, .keeps = true};
    if (!context || !graph || !counts)
        return pci_fail_null(context, "graph or counts");
    pc_status status = run(context, graph, partition, &query, options, &sink);
    if (status == PC_OK)
        *counts = sink.result;
    return status;
}

/* Rows of a matrix have one length, which the caller knows. */
typedef struct rows_receiver {
    pc_rows_fn deliver;
    void *user;
} rows_receiver;

static pc_status pass_on(void *user, uint64_t length, const pc_rows *rows)
{
    const rows_receiver *receiver = user;
    (void)length;
    return receiver->deliver(receiver->user, rows);
}

static pc_status pass(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, pc_rows_fn deliver,
                      void *user)
{
    pc_query query = matrix_of(length);
    rows_receiver receiver = {deliver, user};
    pci_sink sink = {.context = context, .deliver = pass_on, .user = &receiver};
    if (!context || !graph || !deliver)
        return pci_fail_null(context, "graph or deliver");
    return run(context, graph, partition, &query, options, &sink);
}

pc_status pc_count(pc_context *context, const pc_graph *graph, uint64_t length,
                   const pc_count_options *options, pc_counts **counts)
{
    return keep(context, graph, NULL, length, options, counts);
}

pc_status pc_count_rows(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, pc_rows_fn deliver, void *user)
{
    return pass(context, graph, NULL, length, options, deliver, user);
}

pc_status pc_coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                     uint64_t length, const pc_count_options *options, pc_counts **counts)
{
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return keep(context, graph, partition, length, options, counts);
}

pc_status pc_coarsen_rows(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                          uint64_t length, const pc_count_options *options, pc_rows_fn deliver,
                          void *user)
{
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return pass(context, graph, partition, length, options, deliver, user);
}

pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user)
{
    pci_sink sink = {.context = context, .deliver = deliver, .user = user};
    if (!context || !graph || !query || !deliver)
        return pci_fail_null(context, "graph, query or deliver");
    return run(context, graph, NULL, query, options, &sink);
}
