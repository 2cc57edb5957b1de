/* Queries made ready for sweeps: bounded, fitted into memory. */
#include "src/query_plan.h"

#include "src/bound.h"
#include "src/plan.h"
#include "src/turning.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

static const uint32_t NO_VECTOR = UINT32_MAX; /* there are at most 2^32-1 */

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Numbers the different vertices of a list in order of first appearance. */
static uint64_t number_vertices(uint64_t n, uint64_t n_asked, const uint64_t *vertices,
                                uint32_t *number)
{
    uint64_t n_numbers = 0;
    memset(number, 0xff, n * sizeof *number); /* NO_VECTOR */
    for (uint64_t i = 0; i < n_asked; i++)
        if (number[vertices[i]] == NO_VECTOR)
            number[vertices[i]] = (uint32_t)n_numbers++;
    return n_numbers;
}

/* A vector for each vertex at the ends of pairs, or at their beginnings where those are fewer. */
static pc_status choose_ends(pc_context *context, const pc_graph *graph, const pc_query *query,
                             pci_query_plan *plan)
{
    size_t bytes = graph->n * sizeof *plan->vector_of, n_asked = query->n_asked;
    if (!(plan->vector_of = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "the vertices of pairs", bytes);
    uint64_t n_from = number_vertices(graph->n, n_asked, query->from, plan->vector_of);
    plan->n_vectors = number_vertices(graph->n, n_asked, query->to, plan->vector_of);
    plan->begin = query->to;
    plan->read = query->from;
    plan->turned = n_from < plan->n_vectors;
    if (plan->turned) {
        plan->n_vectors = number_vertices(graph->n, n_asked, query->from, plan->vector_of);
        plan->begin = query->from;
        plan->read = query->to;
    }
    plan->start = pci_alloc_zero(context, plan->n_vectors, sizeof *plan->start);
    if (!plan->start)
        return pci_fail_memory(context, "the vertices of pairs", plan->n_vectors * 8);
    for (uint64_t i = 0; i < n_asked; i++)
        plan->start[plan->vector_of[plan->begin[i]]] = plan->begin[i];
    return PC_OK;
}

static pc_status copy_starts(pc_context *context, uint64_t n, const uint64_t *from,
                             pci_query_plan *plan)
{
    plan->n_vectors = n;
    plan->start = pci_alloc_zero(context, n, sizeof *plan->start);
    if (!plan->start)
        return pci_fail_memory(context, "the vertices asked for", n * sizeof *plan->start);
    if (n)
        memcpy(plan->start, from, n * sizeof *from);
    return PC_OK;
}

static pc_status choose_vectors(pc_context *context, const pc_graph *graph, const pc_query *query,
                                pci_query_plan *plan)
{
    plan->turned = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_ENDS;
    switch (query->kind) {
    case PC_QUERY_FROM:
        return copy_starts(context, query->n_asked, query->from, plan);
    case PC_QUERY_TO:
        return copy_starts(context, query->n_asked, query->to, plan);
    case PC_QUERY_PAIRS:
        return choose_ends(context, graph, query, plan);
    case PC_QUERY_CLOSED:
        plan->n_vectors = graph->n;
        return PC_OK;
    case PC_QUERY_TOTAL:
    case PC_QUERY_STARTS:
    case PC_QUERY_ENDS:
        break;
    }
    plan->n_vectors = 1;
    plan->from_all = true;
    return PC_OK;
}

static bool is_certified(const pci_query_plan *plan)
{
    return plan->options.arithmetic == PC_EXACT && plan->options.n_certify_rounds > 0;
}

static pc_status choose_graphs(pc_context *context, const pc_graph *graph, pci_query_plan *plan)
{
    plan->along = plan->against = graph;
    if (graph->symmetric || !(plan->turned || is_certified(plan)))
        return PC_OK;
    pc_status status = pci_graph_reverse(context, graph, &plan->reverse);
    *(plan->turned ? &plan->along : &plan->against) = plan->reverse;
    return status;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* log2 of the sum of 2^bits[i], rounded up. */
static double log2_sum(uint64_t n, const double *bits)
{
    double most = 0, sum = 0;
    for (uint64_t i = 0; i < n; i++)
        most = fmax(most, bits[i]);
    for (uint64_t i = 0; i < n; i++)
        sum += exp2(bits[i] - most);
    return n ? (most + log2(sum)) * (1 + 0x1p-40) : 0;
}

/* From limits of the entries of powers to those of vectors and answers. A vector that is all ones
 * at first adds up n entries. */
static void widen(const pc_query *query, uint64_t n, pci_query_plan *plan)
{
    double n_bits = n ? log2((double)n) * (1 + 0x1p-40) : 0, answer = 0;
    for (uint64_t l = 0; l <= query->length; l++) {
        plan->bits[l] += plan->from_all ? n_bits : 0;
        answer = fmax(answer, query->each || l == query->length ? plan->bits[l] : 0);
    }
    if (query->up_to)
        answer = log2_sum(query->length, plan->bits + 1);
    if (query->kind == PC_QUERY_TOTAL)
        answer += n_bits;
    plan->answer_bits = answer;
    plan->n_limbs = (uint32_t)(answer / 64) + 1;
}

pc_status pci_query_limits(pc_context *context, const pc_graph *graph, const pc_query *query,
                           pci_query_plan *plan)
{
    pc_status status = pci_bound_all(context, graph, query->length, &plan->bits);
    if (status == PC_OK)
        widen(query, graph->n, plan);
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static double entry_bytes(const pci_query_plan *plan)
{
    return 8.0 * (plan->n_limbs ? plan->n_limbs : 1);
}

/* Of n_block vectors on their way. */
static double vectors_bytes(const pc_graph *graph, uint32_t n_block, const pci_query_plan *plan)
{
    if (pci_query_is_swept_rows(plan)) {
        pci_swept_options swept = pci_query_swept_options(plan, graph, n_block);
        return (double)pci_swept_bytes(plan->context, &swept);
    }
    pci_vectors_options vectors = pci_query_vectors_options(plan, n_block);
    return pci_vectors_bytes(plan->context, graph, &vectors);
}

/* Bytes that answering takes with blocks of n_block vectors; the graph is there already. */
static double bytes_for(const pc_graph *graph, uint32_t n_block, const pci_query_plan *plan)
{
    double n = (double)graph->n, n_answers = (double)pci_query_n_answers(plan);
    double bytes = vectors_bytes(graph, n_block, plan) + n * n_block * entry_bytes(plan);
    if (is_certified(plan))
        bytes += 8 * (n * 2 +
                      plan->options.n_certify_rounds * (n + n_answers * (double)plan->n_vectors));
    if (is_certified(plan) && plan->query->paths == PC_PATHS_NON_BACKTRACKING)
        bytes += pci_turning_bytes(graph, &(pci_turning_options){.n_vectors = 1, .modulus = 2});
    if (plan->query->kind == PC_QUERY_PAIRS)
        bytes += (double)plan->query->n_asked * n_answers * (entry_bytes(plan) + 8);
    if (plan->query->kind == PC_QUERY_CLOSED)
        bytes += n * n_answers * (entry_bytes(plan) + 8);
    if (!graph->symmetric)
        bytes += (double)pci_graph_n_arcs(graph) * (graph->weight ? 12 : 4) + 8 * n;
    return bytes;
}

/* Vectors that are best sent at once, where there is memory for them. */
static uint32_t most_vectors(const pc_graph *graph, const pci_query_plan *plan)
{
    uint64_t n = plan->n_vectors;
    if (pci_query_is_swept_rows(plan) && n > 0) {
        pci_swept_options swept = pci_query_swept_options(plan, graph, n);
        return (uint32_t)pci_swept_batch(plan->context, &swept, n);
    }
    /* All at once, rows of each length come without starting over. */
    uint64_t most = plan->query->each && pci_query_has_rows(plan) ? 1 << 20 : BLOCK;
    return (uint32_t)(n < most ? n : most);
}

static pc_status fit(pc_context *context, const pc_graph *graph, pci_query_plan *plan)
{
    double available = (double)pci_memory_available(context);
    uint32_t n_block = most_vectors(graph, plan);
    while (n_block > 1 && bytes_for(graph, n_block, plan) > available)
        n_block = (n_block + 1) / 2;
    plan->n_block = n_block ? n_block : 1;
    plan->bytes = bytes_for(graph, plan->n_block, plan);
    return pci_query_check_memory(context, plan->bytes);
}

pc_status pci_query_check_memory(pc_context *context, double needed)
{
    double available = (double)pci_memory_available(context);
    if (needed <= available)
        return PC_OK;
    return pci_fail(context, PC_ERR_MEMORY,
                    "the query needs %.1f MB, and there are %.1f MB; ask for less at a time, or "
                    "count modulo a number (--mod M)",
                    needed / 1e6, available / 1e6);
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_query_plan_make(const pci_query_job *job, pci_query_plan *plan)
{
    pc_context *context = job->context;
    const pc_graph *graph = job->graph;
    *plan = (pci_query_plan){.context = context,
                             .graph = job->graph,
                             .query = job->query,
                             .options = job->options,
                             .sweeps = job->sweeps};
    plan->n_limbs = plan->options.arithmetic == PC_FLOAT ? 0 : 1;
    pc_status status = choose_vectors(context, graph, job->query, plan);
    if (status == PC_OK && plan->options.arithmetic == PC_EXACT)
        status = pci_query_limits(context, graph, job->query, plan);
    if (status == PC_OK)
        status = fit(context, graph, plan);
    return status == PC_OK ? choose_graphs(context, graph, plan) : status;
}

void pci_query_plan_note(const pci_query_plan *query, pc_plan *plan)
{
    plan->n_vectors = query->n_vectors;
    plan->n_limbs = query->n_limbs;
    plan->bound_bits = query->answer_bits;
    plan->memory_bytes = (uint64_t)query->bytes + pci_plan_graph_bytes(query->graph);
}

void pci_query_plan_free(pci_query_plan *plan)
{
    pci_free(plan->context, plan->start);
    pci_free(plan->context, plan->vector_of);
    pci_free(plan->context, plan->bits);
    pc_graph_free(plan->reverse);
}
