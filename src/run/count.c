/* The calls that count: each is a question, planned and run. */
#include "src/run/trace.h"

#include "graphs/partition.h"
#include "src/rows/counts.h"

/* ---- Plans ----------------------------------------------------------------------------------- */

pc_status pc_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan **plan)
{
    if (!context || !graph || !query || !plan)
        return pci_fail_null(context, "graph, query or plan");
    pc_plan *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a plan", sizeof *made);
    pc_status status = pci_plan_make(context, graph, query, options, made);
    if (status == PC_OK)
        *plan = made;
    else
        pci_free(context, made);
    return status;
}

void pc_plan_free(pc_plan *plan)
{
    if (!plan)
        return;
    pci_plan_end(plan);
    pci_free(plan->request.context, plan);
}

const pc_plan_info *pc_plan_get_info(const pc_plan *plan)
{
    return plan ? &plan->info : NULL;
}

/* The question, and what it was asked of, must be what they were at first. */
static pc_status check_input(const pc_plan *plan)
{
    const pci_request *request = &plan->request;
    const pc_partition *partition = request->query.partition;
    if (plan->checksum != pci_request_checksum(request))
        return pci_fail_check(request->context, "the question, which changed in memory,");
    if (!request->options.n_certify_rounds)
        return PC_OK;
    pc_status status = pc_graph_check(request->context, request->graph);
    return status == PC_OK && partition ? pci_partition_check(request->context, partition) : status;
}

/* Runs a plan, and keeps what it then tells for pc_plan_last. */
static pc_status run_plan(pc_plan *plan, pci_sink *sink)
{
    pc_context *context = plan->request.context;
    bool is_added = plan->request.is_trace && plan->route[0]->source != PCI_SOURCE_RECURRENCE;
    pc_status status = is_added ? pci_run_trace(plan, sink) : pci_run_routes(plan, sink);
    double start = pci_now_seconds();
    if (status == PC_OK && (status = check_input(plan)))
        pci_sink_reset(sink);
    if (status != PC_OK)
        return status;
    double seconds = pci_now_seconds() - start;
    plan->info.seconds.certify += seconds;
    plan->info.seconds.total += seconds;
    context->plan = plan->info;
    context->has_plan = true;
    return PC_OK;
}

static pc_status pass_on(pc_plan *plan, pci_sink *sink)
{
    if (plan->request.query.keeps)
        return pci_fail(plan->request.context, PC_ERR_ARGUMENT,
                        "the plan was made to keep its matrix: call pc_plan_keep");
    return run_plan(plan, sink);
}

pc_status pc_plan_run(pc_plan *plan, pc_answer_fn deliver, void *user)
{
    if (!plan || !deliver)
        return pci_fail_null(plan ? plan->request.context : NULL, "plan or deliver");
    pci_sink sink = {.context = plan->request.context, .deliver = deliver, .user = user};
    return pass_on(plan, &sink);
}

pc_status pc_plan_reduce(pc_plan *plan, pc_reduction *const *reductions, uint32_t n_reductions,
                         pc_answer_fn deliver, void *user)
{
    bool has_all = plan && (reductions || !n_reductions) && (n_reductions || deliver);
    for (uint32_t i = 0; has_all && i < n_reductions; i++)
        has_all = reductions[i] != NULL;
    if (!has_all)
        return pci_fail_null(plan ? plan->request.context : NULL, "plan, reductions or deliver");
    if (!pci_request_is_matrix(&plan->request))
        return pci_fail(plan->request.context, PC_ERR_ARGUMENT,
                        "only the rows of a matrix can be reduced: call pc_plan_run");
    pci_sink sink = {.context = plan->request.context,
                     .reductions = reductions,
                     .n_reductions = n_reductions,
                     .deliver = deliver,
                     .user = user};
    for (uint32_t i = 0; i < n_reductions; i++) {
        if (plan->request.options.n_certify_rounds == 0)
            pci_reduction_end_twin(reductions[i]);
        pci_reduction_clear(reductions[i]);
    }
    return pass_on(plan, &sink);
}

pc_status pc_plan_keep(pc_plan *plan, pc_counts **counts)
{
    if (!plan || !counts)
        return pci_fail_null(plan ? plan->request.context : NULL, "plan or counts");
    pci_sink sink = {.context = plan->request.context, .keeps = true};
    if (!plan->request.query.keeps)
        return pci_fail(plan->request.context, PC_ERR_ARGUMENT,
                        "the plan was not made to keep its answer: call pc_plan_run");
    pc_status status = run_plan(plan, &sink);
    if (status == PC_OK)
        *counts = sink.result;
    return status;
}

const pc_plan_info *pc_plan_last(const pc_context *context)
{
    return context && context->has_plan ? &context->plan : NULL;
}

/* ---- A plan that is made, run and freed ------------------------------------------------------ */

pc_status pc_count(pc_context *context, const pc_graph *graph, uint64_t length,
                   const pc_count_options *options, pc_counts **counts)
{
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = length, .keeps = true};
    pc_plan plan;
    if (!context || !graph || !counts)
        return pci_fail_null(context, "graph or counts");
    pc_status status = pci_plan_make(context, graph, &query, options, &plan);
    if (status != PC_OK)
        return status;
    status = pc_plan_keep(&plan, counts);
    pci_plan_end(&plan);
    return status;
}

pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user)
{
    pc_plan plan;
    if (!context || !graph || !query || !deliver)
        return pci_fail_null(context, "graph, query or deliver");
    pc_status status = pci_plan_make(context, graph, query, options, &plan);
    if (status != PC_OK)
        return status;
    status = pc_plan_run(&plan, deliver, user);
    pci_plan_end(&plan);
    return status;
}
