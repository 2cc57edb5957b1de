/* Queries: whether they make sense, and which way they go. */
#include "src/query.h"

#include "src/bound.h"
#include "src/certify.h"
#include "src/options.h"
#include "src/plan.h"
#include "src/query_choice.h"
#include "src/query_halves.h"
#include "src/query_paths.h"
#include "src/query_plan.h"
#include "src/query_sums_plan.h"
#include "src/sweep_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    pc_status status = PC_OK;
    if (kind == PC_QUERY_FROM || kind == PC_QUERY_PAIRS)
        status = check_vertices(context, graph, "from", query->n_asked, query->from);
    if (status == PC_OK && (kind == PC_QUERY_TO || kind == PC_QUERY_PAIRS))
        status = check_vertices(context, graph, "to", query->n_asked, query->to);
    return status;
}

/* ---- Which way ------------------------------------------------------------------------------- */

static bool is_swept(const pci_query_job *job)
{
    return job->options.method == PC_METHOD_SWEEP;
}

static pc_status check_way(const pci_query_job *job)
{
    uint64_t length = job->query->length;
    if (!is_swept(job) && job->query->paths != PC_PATHS_ALL)
        return pci_fail(job->context, PC_ERR_ARGUMENT,
                        "powers of the whole matrix count all paths; other kinds of path need the "
                        "method that sends vectors (--method sweep)");
    if (is_swept(job) && pci_too_many_passes(job->graph, length))
        return pci_fail(
            job->context, PC_ERR_RANGE,
            "a query of length %" PRIu64 " would pass over the graph that many times; %s", length,
            job->query->paths == PC_PATHS_ALL
                ? "count modulo a number by the method that squares (--method dense "
                  "--mod M)"
                : "take a shorter one");
    return PC_OK;
}

/* Whether it makes sense, and then the method that is not AUTO any more. */
static pc_status prepare(const pc_count_options *options, pci_query_job *job, pc_plan *weighed)
{
    pc_status status = pci_options_complete(job->context, options, &job->options);
    if (status == PC_OK)
        status = check_query(job->context, job->graph, job->query);
    if (status == PC_OK)
        status = pci_query_check_paths(job->context, job->graph, job->query, &job->options);
    if (status == PC_OK && job->options.method == PC_METHOD_AUTO)
        status = pci_query_choose(job, &job->options.method, weighed);
    return status == PC_OK ? check_way(job) : status;
}

/* What was weighed goes into the plan that was chosen. */
static void tell_choice(const pc_plan *weighed, pc_plan *plan)
{
    if (weighed->n_alternatives > 0) {
        plan->n_alternatives = weighed->n_alternatives;
        memcpy(plan->alternatives, weighed->alternatives, sizeof plan->alternatives);
    }
    if (weighed->predicted_seconds > 0)
        plan->predicted_seconds = weighed->predicted_seconds;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* A plan for sweeps as far as it goes without limits, and who sends the vectors. */
static pc_status begin_sweeps(pci_query_job *job, const char *cpu_because, pc_plan *plan)
{
    const pci_engine *engine;
    pci_work work = {{0}};
    *plan = pci_plan_of(job->context, job->graph, job->query->length, &job->options);
    plan->method = PC_METHOD_SWEEP;
    plan->sweep_length = plan->length;
    plan->n_vectors = 1; /* of a sum; otherwise it is found out */
    plan->memory_available_bytes = pci_plan_available(job->context, job->graph);
    if (pci_query_is_sum(job))
        cpu_because = "a single vector is swept on the CPU";
    else if (job->options.arithmetic != PC_EXACT || job->query->paths != PC_PATHS_ALL)
        cpu_because = "only exact counts of all paths are swept on a GPU";
    if (!cpu_because)
        pci_query_sweep_work(job, &work);
    pc_status status =
        pci_sweep_engine(job->context, cpu_because, &work, plan->n_arcs, &engine, plan);
    job->sweeps = engine->sweeps;
    return status;
}

static pc_status run_sweeps(pci_query_job *job, const char *cpu_because, pc_plan *plan)
{
    double start = pci_now_seconds();
    pc_status status = begin_sweeps(job, cpu_because, plan);
    if (status == PC_OK)
        status = pci_query_is_sum(job)       ? pci_query_sums(job, plan)
                 : pci_query_has_halves(job) ? pci_query_halves(job, plan)
                                             : pci_query_sweeps(job, plan);
    plan->seconds.total = pci_now_seconds() - start;
    return status;
}

static pc_status plan_sweeps(pci_query_job *job, pc_plan *plan)
{
    pci_query_plan made;
    pci_sums_plan sums;
    pc_status status = begin_sweeps(job, NULL, plan);
    if (status != PC_OK)
        return status;
    if (pci_query_is_sum(job)) {
        status = pci_sums_plan_make(job, &sums);
        pci_sums_plan_note(&sums, plan);
        pci_sums_plan_free(&sums);
        return status;
    }
    status = pci_query_plan_make(job, &made);
    pci_query_plan_note(&made, plan);
    pci_query_plan_free(&made);
    return status;
}

/* ---- Doing it -------------------------------------------------------------------------------- */

/* Knows whether an answer is out, and how long it took whoever wanted it. */
typedef struct listener {
    const pci_query_job *job;
    pc_answer_fn deliver;
    void *user;
    bool has_heard;
    double seconds;
} listener;

static pc_status hear(void *user, uint64_t length, const pc_rows *rows)
{
    listener *l = user;
    double start = pci_now_seconds();
    pc_status status = pci_check_reduced(l->job->context, l->job->options.modulus, rows);
    if (status != PC_OK)
        return status;
    l->has_heard = true;
    status = l->deliver(l->user, length, rows);
    l->seconds += pci_now_seconds() - start;
    return status;
}

/* A device that gives up before an answer is out is replaced by the processors, unless it was asked
 * for. */
static pc_status run(pci_query_job *job, pc_plan *plan)
{
    pc_context *context = job->context;
    listener listener = {job, job->deliver, job->user, false, 0};
    char before[sizeof context->message], reason[sizeof plan->engine_reason];
    job->deliver = hear;
    job->user = &listener;
    if (!is_swept(job))
        return pci_query_matrix(job, plan);
    memcpy(before, context->message, sizeof before);
    pc_status status = run_sweeps(job, NULL, plan);
    bool gave_up = status == PC_ERR_MEMORY || status == PC_ERR_ENGINE;
    if (gave_up && plan->n_devices > 0 && context->devices.kind == PCI_DEVICE_AUTO &&
        !listener.has_heard) {
        snprintf(reason, sizeof reason, "CUDA failed: %.200s", context->message);
        memcpy(context->message, before, sizeof before); /* this call may yet succeed */
        status = run_sweeps(job, reason, plan);
    }
    plan->seconds.deliver = listener.seconds;
    plan->seconds.sweep =
        plan->seconds.total - plan->seconds.bound - plan->seconds.certify - plan->seconds.deliver;
    return status;
}

pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user)
{
    if (!context || !graph || !query || !deliver)
        return pci_fail_null(context, "graph, query or deliver");
    pci_query_job job = {
        .context = context, .graph = graph, .query = query, .deliver = deliver, .user = user};
    pc_plan plan, weighed = {0};
    pc_status status = prepare(options, &job, &weighed);
    if (status == PC_OK)
        status = run(&job, &plan);
    if (status != PC_OK)
        return status;
    tell_choice(&weighed, &plan);
    context->plan = plan;
    context->has_plan = true;
    return PC_OK;
}

pc_status pc_plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                        const pc_count_options *options, pc_plan *plan)
{
    if (!context || !graph || !query || !plan)
        return pci_fail_null(context, "graph, query or plan");
    pci_query_job job = {.context = context, .graph = graph, .query = query};
    pc_plan made, weighed = {0};
    pc_status status = prepare(options, &job, &weighed);
    if (status == PC_OK)
        status = is_swept(&job) ? plan_sweeps(&job, &made) : pci_query_matrix_plan(&job, &made);
    if (status != PC_OK)
        return status;
    tell_choice(&weighed, &made);
    *plan = made;
    return status;
}
