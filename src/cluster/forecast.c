/* Predicts what a question takes on a cluster that is not there. Vectors are planned as for the whole graph, but a sweep
 * takes the memory that the largest part would take.
 * One pass over the arcs counts the vertices of others that each range needs. */
#include "pathcount_mpi.h"

#include "src/cluster/part.h"
#include "src/cpu/modular.h"
#include "src/plan/limits.h"
#include "src/count/sweep_plan.h"

#include <string.h>

enum {
    MOST_PROCESSES = 1 << 16,
    ENTRY_BYTES = 8,
    PAIR_BYTES = 16, /* of an entry of the two vectors of a certificate */
    ARC_BYTES = 4,
    WEIGHT_BYTES = 8
};

static const double MESSAGE_SECONDS = 5e-6;

typedef struct halo {
    uint64_t n_own, n_arcs, n_outer, n_given, n_neighbours; /* the most of a process, each */
    uint64_t n_local;                                       /* own and outer vertices */
    double all_outer;
} halo;

/* The graph comes first: a pointer to it is one to all. */
typedef struct imagined {
    pc_graph graph; /* the whole one, with whose arrays */
    pc_graph part;  /* own vertices of the largest part, without arcs */
    halo halo;
} imagined;

/* ---- Counting -------------------------------------------------------------------------------- */

static uint64_t largest_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* seen[v] is the last range, from 1 on, of which v is an outer vertex. */
static void count_range(const pc_graph *graph, uint32_t n_processes, const uint64_t *first,
                        uint32_t r, uint32_t *seen, uint64_t *given, halo *most)
{
    uint64_t n_outer = 0, n_neighbours = 0, n_own = first[r + 1] - first[r];
    uint64_t begin = graph->row_start[first[r]], end = graph->row_start[first[r + 1]];
    for (uint64_t a = begin; a < end; a++) {
        uint32_t v = graph->column[a];
        if ((v < first[r] || v >= first[r + 1]) && seen[v] != r + 1) {
            seen[v] = r + 1;
            n_outer++;
        }
    }
    for (uint32_t owner = 0; owner < n_processes; owner++) {
        uint64_t n = 0;
        for (uint64_t v = first[owner]; v < first[owner + 1] && owner != r; v++)
            n += seen[v] == r + 1;
        given[owner] += n;
        n_neighbours += n > 0;
    }
    most->all_outer += (double)n_outer;
    most->n_own = largest_of(most->n_own, n_own);
    most->n_arcs = largest_of(most->n_arcs, end - begin);
    most->n_outer = largest_of(most->n_outer, n_outer);
    most->n_local = largest_of(most->n_local, n_own + n_outer);
    most->n_neighbours = largest_of(most->n_neighbours, n_neighbours);
}

static pc_status count_halo(pc_context *context, const pc_graph *graph, uint32_t n_processes,
                            halo *most)
{
    uint64_t *first = pci_alloc_zero(context, n_processes + 1, sizeof *first);
    uint64_t *given = pci_alloc_zero(context, n_processes, sizeof *given);
    uint32_t *seen = pci_alloc_zero(context, graph->n + 1, sizeof *seen);
    pc_status status = first && given && seen
                           ? PC_OK
                           : pci_fail_memory(context, "a forecast", graph->n * sizeof *seen);
    *most = (halo){0};
    if (status == PC_OK)
        pci_part_ranges(graph->n, graph->row_start, (int)n_processes, first);
    for (uint32_t r = 0; r < n_processes && status == PC_OK; r++) {
        status = pci_progress(context, "halo", (double)r / n_processes);
        if (status == PC_OK)
            count_range(graph, n_processes, first, r, seen, given, most);
    }
    for (uint32_t r = 0; r < n_processes && status == PC_OK; r++)
        most->n_given = largest_of(most->n_given, given[r]);
    pci_free(context, first);
    pci_free(context, given);
    pci_free(context, seen);
    return status;
}

/* The bytes of the sweep of the largest part, whose graph is that of an `imagined`. */
static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    const imagined *i = (const imagined *)graph;
    pci_sweep_options of_part = *options;
    of_part.n_outer = i->halo.n_outer;
    return pci_sweep_bytes(&i->part, &of_part);
}

/* A sweep of some vertices has more bytes than one of none by their lines at the widest step, before the step and after
 * it, and by a byte that says whether they are live. So many lines fill whole cache lines. */
static uint64_t most_line_bytes(const pc_graph *part, const pci_sweep_options *options)
{
    enum { N_LINES = 64 };
    pc_graph some = *part, none = *part;
    some.n = N_LINES;
    none.n = 0;
    return (pci_sweep_bytes(&some, options) - pci_sweep_bytes(&none, options)) / (2 * N_LINES) - 1;
}

/* ---- Predicting ------------------------------------------------------------------------------ */

/* The bytes of a part of the graph (src/cluster/part.h), which of a directed one has its reverse beside it. */
static double part_bytes(const imagined *i)
{
    const halo *h = &i->halo;
    double arc = ARC_BYTES + (i->graph.weight ? WEIGHT_BYTES : 0);
    double bytes = arc * (double)h->n_arcs + (8 + PAIR_BYTES) * (double)h->n_own +
                   PAIR_BYTES * (double)h->n_local + 4 * (double)(h->n_outer + h->n_given);
    return i->graph.symmetric ? bytes : 2 * bytes;
}

static double units_seconds(const pc_context *context, const pc_machines *machines, pci_part part,
                            double units)
{
    return units / context->rates.per_second[part] / machines->n_threads;
}

/* The steps of one block: lines travel, then they are added. */
static pc_status predict_block(pc_context *context, const imagined *i, const pc_machines *machines,
                               const pci_sweep_options *options, pc_cluster_forecast *forecast)
{
    const halo *h = &i->halo;
    uint64_t starts[2] = {0};
    pc_graph one = i->part;
    pci_sweep *sweep;
    one.n = 1;
    one.row_start = starts;
    pc_status status = pci_sweep_create(context, &one, options, &sweep);
    if (status != PC_OK)
        return status;
    double per_line =
        8 / machines->link_bits_per_second * (double)largest_of(h->n_outer, h->n_given);
    double added = (double)h->n_arcs + (double)h->n_own;
    for (uint64_t s = 0; s < options->length; s++) {
        pci_sweep_clear_at(sweep, s);
        double line = (double)pci_sweep_line_bytes(sweep);
        forecast->all_bytes += line * h->all_outer;
        forecast->exchange_seconds += line * per_line + MESSAGE_SECONDS * (double)h->n_neighbours;
        pci_sweep_clear_at(sweep, s + 1);
        line = (double)pci_sweep_line_bytes(sweep);
        forecast->sweep_seconds +=
            units_seconds(context, machines, PCI_PART_SWEEP_FAR, line * added);
    }
    pci_sweep_free(sweep);
    return PC_OK;
}

/* Products of limits and certificates, whose vectors come from the first process and go back to it, and the answer. */
static void predict_first(pc_context *context, const imagined *i, const pc_machines *machines,
                          const pci_vectors_plan *plan, pc_cluster_forecast *forecast)
{
    double n = (double)i->graph.n, n_steps = (double)forecast->n_steps;
    double elsewhere = 1 - 1.0 / machines->n_processes;
    double pairs = (plan->n_rounds + 1) / 2 * n_steps;
    double answer = (double)plan->n_vectors * plan->n_limbs * ENTRY_BYTES * n;
    if (plan->question->query.each)
        answer *= n_steps;
    forecast->first_bytes =
        elsewhere * (2 * n * (ENTRY_BYTES * n_steps + PAIR_BYTES * pairs) + answer);
    forecast->first_seconds = 8 * forecast->first_bytes / machines->link_bits_per_second +
                              units_seconds(context, machines, PCI_PART_PASS_FAR,
                                            (double)i->halo.n_arcs * (n_steps + 2 * pairs));
}

/* Fills in the forecast from the plan of vectors. */
static pc_status predict(pc_context *context, const imagined *i, const pc_machines *machines,
                         const pci_vectors_plan *vectors, pc_cluster_forecast *forecast)
{
    const halo *h = &i->halo;
    pci_swept_options swept = pci_vectors_swept_options(vectors, &i->graph, vectors->n_block);
    uint64_t width = pci_vectors_are_swept_rows(vectors) ? pci_swept_together(context, &swept)
                                                         : vectors->n_block;
    pci_sweep_options options = {.n_vectors = (uint32_t)width,
                                 .length = vectors->question->query.length,
                                 .bits = vectors->bits,
                                 .n_threads = 1};
    double n_blocks = (double)((vectors->n_vectors + width - 1) / width);
    uint64_t line_bytes = most_line_bytes(&i->part, &options);
    uint64_t part = (uint64_t)part_bytes(i);
    *forecast = (pc_cluster_forecast){.n_steps = options.length,
                                      .n_vectors = vectors->n_vectors,
                                      .n_together = width,
                                      .own_vertices = h->n_own,
                                      .own_arcs = h->n_arcs,
                                      .outer_vertices = h->n_outer,
                                      .given_vertices = h->n_given,
                                      .outer_part = h->all_outer / machines->n_processes /
                                                    (double)(i->graph.n ? i->graph.n : 1),
                                      .line_bytes = line_bytes,
                                      .step_bytes = (double)line_bytes * (double)h->n_outer,
                                      .memory_bytes = part + sweep_bytes(&i->graph, &options),
                                      .first_memory_bytes = part + pci_bytes(vectors->bytes)};
    pc_status status = predict_block(context, i, machines, &options, forecast);
    forecast->all_bytes *= n_blocks;
    forecast->sweep_seconds *= n_blocks;
    forecast->exchange_seconds *= n_blocks;
    predict_first(context, i, machines, vectors, forecast);
    forecast->seconds =
        forecast->sweep_seconds + forecast->exchange_seconds + forecast->first_seconds;
    uint64_t most = largest_of(forecast->memory_bytes, forecast->first_memory_bytes);
    return status != PC_OK || most <= machines->memory_bytes
               ? status
               : pci_fail(context, PC_ERR_MEMORY,
                          "a process would need %.4g GB and has %.4g: take more processes",
                          (double)most / 1e9, (double)machines->memory_bytes / 1e9);
}

/* The vectors are sent along the graph, or along its reverse where the question wants that. */
static pc_status plan_and_predict(pc_context *context, pci_question *question, imagined *i,
                                  const pc_machines *machines, pc_cluster_forecast *forecast)
{
    static const pci_sweep_ops sweeps = {.bytes = sweep_bytes, .on_processors = true};
    const pc_graph *graph = &i->graph, *along = graph;
    pc_graph *turned = NULL;
    pci_vectors_plan vectors = {0};
    if (question->kind->reversed && !graph->symmetric) {
        pc_status status = pci_graph_reverse(context, graph, &turned);
        if (status != PC_OK)
            return status;
        along = turned;
    }
    pc_status status = count_halo(context, along, machines->n_processes, &i->halo);
    i->part = (pc_graph){.context = context,
                         .n = i->halo.n_own,
                         .largest_row_sum = pci_graph_largest_row_sum(along)};
    pc_graph_free(turned);
    if (status == PC_OK)
        status = pci_limits_create(context, graph, NULL, question->query.length, PCI_MAX_BITS,
                                   &question->limits);
    if (status == PC_OK)
        status = pci_vectors_plan_make(question, &sweeps, &vectors);
    if (status == PC_OK)
        status = predict(context, i, machines, &vectors, forecast);
    pci_vectors_plan_free(&vectors);
    pci_limits_free(question->limits);
    return status;
}

pc_status pc_cluster_predict(pc_context *context, const pc_graph *graph, const pc_query *query,
                             const pc_count_options *options, const pc_machines *machines,
                             pc_cluster_forecast *forecast)
{
    pci_question question = {0};
    if (!context || !graph || !query || !machines || !forecast)
        return pci_fail_null(context, "graph, query, machines or forecast");
    if (graph->parts || (options && options->arithmetic != PC_EXACT))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a cluster is predicted of a whole graph and exact counts");
    if (!machines->n_processes || machines->n_processes > MOST_PROCESSES || !machines->n_threads ||
        !(machines->link_bits_per_second > 0))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a cluster has 1 to %d processes, threads and a link", MOST_PROCESSES);
    uint64_t limit = context->memory_limit_bytes;
    imagined i = {.graph = *graph};
    context->memory_limit_bytes = machines->memory_bytes;
    pc_status status = pci_question_make(context, &i.graph, query, options, &question);
    question.limits = NULL;
    if (status == PC_OK) /* the graph is whole here, and in parts there */
        status = pci_question_check_parts(&question);
    if (status == PC_OK)
        status = plan_and_predict(context, &question, &i, machines, forecast);
    context->memory_limit_bytes = limit;
    return status;
}
