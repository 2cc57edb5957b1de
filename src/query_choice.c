/* The way of a query, by predicted time. */
#include "src/query_choice.h"

#include "src/bound.h"
#include "src/plan.h"
#include "src/query_halves.h"

#include <math.h>
#include <string.h>

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Bits by which counts grow with each step, about: log2 of the mean degree of a vertex that an arc
 * leads to. */
static double growth_bits(const pc_graph *graph)
{
    double degrees = 0, squares = 0;
    for (uint64_t i = 0; i < graph->n; i++) {
        double degree = (double)(graph->row_start[i + 1] - graph->row_start[i]);
        degrees += degree;
        squares += degree * degree;
    }
    double bits = degrees > 0 ? log2(fmax(1, squares / degrees)) : 0;
    return graph->info.max_weight > 1 ? bits + log2((double)graph->info.max_weight) : bits;
}

static uint64_t n_vectors(const pci_query_job *job)
{
    switch (job->query->kind) {
    case PC_QUERY_FROM:
    case PC_QUERY_TO:
    case PC_QUERY_PAIRS:
        return job->query->n_asked;
    case PC_QUERY_CLOSED:
        return job->graph->n;
    default:
        return 1;
    }
}

void pci_query_sweep_work(const pci_query_job *job, pci_work *work)
{
    const pc_graph *graph = job->graph;
    bool is_sum = pci_query_is_sum(job), is_exact = job->options.arithmetic == PC_EXACT;
    bool by_halves = is_sum ? graph->symmetric : pci_query_has_halves(job);
    double length = (double)job->query->length * (by_halves ? 0.5 : 1);
    double bits = growth_bits(graph) * length, n_words = fmax(1, ceil(bits / 64));
    if (is_sum) /* words follow the first one at a quarter of its cost; half as many on the way */
        pci_cost_passes(job->context, graph, length * (1 + n_words / 8) + 2, work);
    else if (is_exact)
        pci_cost_sweeps(job->context, graph,
                        &(pci_voyage){.n_vectors = n_vectors(job),
                                      .length = (uint64_t)ceil(length),
                                      .bits = bits,
                                      .n_limbs = (uint32_t)n_words},
                        work);
    else
        pci_cost_passes(job->context, graph, length * (double)n_vectors(job), work);
    if (!is_sum && is_exact) /* limits and certificate */
        pci_cost_passes(job->context, graph, length * (1 + job->options.n_certify_rounds), work);
}

static double sweep_seconds(const pci_query_job *job)
{
    pci_work work = {{0}};
    pci_query_sweep_work(job, &work);
    return pci_cost_seconds(job->context, &work);
}

/* ---- The matrix ------------------------------------------------------------------------------ */

static bool may_make_matrix(const pci_query_job *job)
{
    return job->query->paths == PC_PATHS_ALL && job->graph->n <= PCI_MAX_DENSE_VERTICES &&
           job->graph->n > 0 && job->query->length > 0;
}

/* How many matrices are made, shorter ones in less time. */
static double n_matrices(const pc_query *query)
{
    return query->each || query->up_to ? (1 + (double)query->length) / 2 : 1;
}

/* About what squaring takes: as many planes as each level's counts want, at seven bits and a
 * half. */
static double guess_matrix_seconds(const pci_query_job *job)
{
    uint64_t length = job->query->length;
    pc_plan plan = {.n_vertices = job->graph->n, .symmetric = job->graph->symmetric};
    pci_work work = {{0}};
    double step_bits = growth_bits(job->graph);
    for (uint64_t l = length; l > 1; l /= 2) {
        double n_planes = fmax(1, step_bits * (double)l / 7.5);
        plan.levels[1] = (pc_level){.length = l, .n_products = (uint32_t)fmin(n_planes, 1e6)};
        pci_cost_level(job->context, job->graph, &plan, 1, &work);
    }
    return n_matrices(job->query) * pci_cost_seconds(job->context, &work);
}

/* INFINITY when it cannot be made; *plan says why not. */
static pc_status matrix_seconds(const pci_query_job *job, pc_plan *plan, double *seconds)
{
    pc_context *context = job->context;
    char before[sizeof context->message];
    memcpy(before, context->message, sizeof before);
    *plan = (pc_plan){0};
    pc_status status = pci_query_matrix_plan(job, plan);
    *seconds = status == PC_OK ? n_matrices(job->query) * plan->predicted_seconds : INFINITY;
    bool is_too_large = status == PC_ERR_MEMORY && !pci_plan_fits(plan);
    if (is_too_large || status == PC_ERR_RANGE || status == PC_ERR_ENGINE) {
        *plan = (pc_plan){.method = PC_METHOD_DENSE, .engine = "cpu"};
        memcpy(context->message, before, sizeof before); /* it is no failure of the query */
        return PC_OK;
    }
    return status;
}

/* ---- The choice ------------------------------------------------------------------------------ */

static void weigh(const pci_query_job *job, const pc_plan *matrix, double by_matrix,
                  double by_sweeps, pc_method method, pc_plan *weighed)
{
    bool takes_sweeps = method == PC_METHOD_SWEEP;
    pci_plan_weigh(weighed, &(pc_alternative){.method = PC_METHOD_SWEEP,
                                              .engine = pci_engine_cpu.name,
                                              .sweep_length = job->query->length,
                                              .predicted_seconds = isinf(by_sweeps) ? 0 : by_sweeps,
                                              .why_not = isinf(by_sweeps) ? "too many passes" : "",
                                              .is_chosen = takes_sweeps});
    if (matrix->method != PC_METHOD_SWEEP)
        pci_plan_weigh(weighed,
                       &(pc_alternative){.method = matrix->method,
                                         .engine = matrix->engine,
                                         .sweep_length = matrix->sweep_length,
                                         .predicted_seconds = isinf(by_matrix) ? 0 : by_matrix,
                                         .why_not = isinf(by_matrix) ? "too large" : "",
                                         .is_chosen = !takes_sweeps});
}

pc_status pci_query_choose(const pci_query_job *job, pc_method *method, pc_plan *weighed)
{
    pc_plan matrix;
    bool may_sweep = !pci_too_many_passes(job->graph, job->query->length);
    double by_matrix, by_sweeps = may_sweep ? sweep_seconds(job) : INFINITY;
    pc_method chosen = PC_METHOD_SWEEP;
    weighed->n_alternatives = 0;
    weighed->predicted_seconds = isinf(by_sweeps) ? 0 : by_sweeps;
    if (may_make_matrix(job) && by_sweeps > guess_matrix_seconds(job)) {
        pc_status status = matrix_seconds(job, &matrix, &by_matrix);
        if (status != PC_OK)
            return status;
        if (by_matrix < by_sweeps && matrix.method != PC_METHOD_SWEEP) {
            chosen = matrix.method;
            weighed->predicted_seconds = by_matrix;
        }
        weigh(job, &matrix, by_matrix, by_sweeps, chosen, weighed);
    }
    *method = chosen;
    return PC_OK;
}
