/* Chooses the vectors of a query, limits their entries, and fits them into memory. */
#include "src/plan/vectors_plan.h"

#include "src/cpu/modular.h"
#include "src/vectors/non_backtracking.h"

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
static pc_status choose_ends(pci_vectors_plan *plan)
{
    pc_context *context = plan->request->context;
    const pc_graph *graph = plan->request->graph;
    const pc_query *query = &plan->request->query;
    size_t bytes = graph->n * sizeof *plan->vector_of, n_asked = query->n_asked;
    if (!(plan->vector_of = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "the vertices of pairs", bytes);
    uint64_t n_from = number_vertices(graph->n, n_asked, query->from, plan->vector_of);
    plan->n_vectors = number_vertices(graph->n, n_asked, query->to, plan->vector_of);
    plan->begin = query->to;
    plan->read = query->from;
    plan->reversed = n_from < plan->n_vectors;
    if (plan->reversed) {
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

static pc_status copy_starts(uint64_t n, const uint64_t *from, pci_vectors_plan *plan)
{
    pc_context *context = plan->request->context;
    plan->n_vectors = n;
    plan->start = pci_alloc_zero(context, n, sizeof *plan->start);
    if (!plan->start)
        return pci_fail_memory(context, "the vertices asked for", n * sizeof *plan->start);
    if (n)
        memcpy(plan->start, from, n * sizeof *from);
    return PC_OK;
}

static pc_status choose_vectors(pci_vectors_plan *plan)
{
    const pc_query *query = &plan->request->query;
    plan->reversed = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_ENDS ||
                     query->kind == PC_QUERY_MATRIX;
    switch (query->kind) {
    case PC_QUERY_FROM:
        return copy_starts(query->n_asked, query->from, plan);
    case PC_QUERY_TO:
        return copy_starts(query->n_asked, query->to, plan);
    case PC_QUERY_PAIRS:
        return choose_ends(plan);
    case PC_QUERY_CLOSED:
    case PC_QUERY_MATRIX:
        plan->blocks = query->partition;
        plan->n_vectors = plan->blocks ? plan->blocks->n_blocks : plan->request->graph->n;
        return PC_OK;
    case PC_QUERY_TOTAL:
    case PC_QUERY_STARTS:
    case PC_QUERY_ENDS:
    case PC_QUERY_TRACE: /* a request has closed paths in its place */
        break;
    }
    plan->n_vectors = 1;
    plan->from_all = true;
    return PC_OK;
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

/* Widens the limits of the entries of powers to limits of vectors and answers. A vector that begins
 * as all ones adds up n entries, one that begins as a block as many as that has vertices. */
static void widen(pci_vectors_plan *plan)
{
    const pc_query *query = &plan->request->query;
    uint64_t n = plan->request->graph->n;
    double n_bits = n ? log2((double)n) * (1 + 0x1p-40) : 0, answer = 0;
    double start = plan->from_all ? n_bits : 0;
    if (plan->blocks && plan->blocks->max_size)
        start = log2((double)plan->blocks->max_size) * (1 + 0x1p-40);
    for (uint64_t l = 0; l <= query->length; l++) {
        plan->bits[l] += start;
        answer = fmax(answer, query->each || l == query->length ? plan->bits[l] : 0);
    }
    if (query->up_to)
        answer = log2_sum(query->length, plan->bits + 1);
    if (query->kind == PC_QUERY_TOTAL)
        answer += n_bits;
    plan->answer_bits = answer;
}

pc_status pci_vectors_limits(pci_vectors_plan *plan)
{
    const pci_request *request = plan->request;
    uint64_t length = request->query.length;
    pc_status status = pci_limits_hold(request->limits, length);
    if (status != PC_OK)
        return status;
    plan->bits = pci_alloc(request->context, (length + 1) * sizeof *plan->bits);
    if (!plan->bits)
        return pci_fail_memory(request->context, "limits of all lengths", (length + 1) * 8);
    memcpy(plan->bits, pci_limits_bits(request->limits), (length + 1) * sizeof *plan->bits);
    widen(plan);
    if (plan->blocks) /* an answer adds up entries of a vector, so it has their limit, too */
        status = pci_limits_of_blocks(request->limits, &plan->answer_bits);
    plan->n_limbs = (uint32_t)(plan->answer_bits / 64) + 1;
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static double entry_bytes(const pci_vectors_plan *plan)
{
    return 8.0 * (plan->n_limbs ? plan->n_limbs : 1);
}

/* The memory of n_block vectors while they are sent. */
static double vectors_bytes(uint32_t n_block, const pci_vectors_plan *plan)
{
    pc_context *context = plan->request->context;
    const pc_graph *graph = plan->request->graph;
    if (pci_vectors_are_swept_rows(plan)) {
        pci_swept_options swept = pci_vectors_swept_options(plan, graph, n_block);
        return (double)pci_swept_bytes(context, &swept);
    }
    pci_vectors_options vectors = pci_vectors_plan_options(plan, n_block);
    return pci_vectors_bytes(context, graph, &vectors);
}

/* The memory of a certificate: the vectors of its primes, and the expected value of each answer. */
static double certificate_bytes(const pci_vectors_plan *plan)
{
    const pci_request *request = plan->request;
    const pc_graph *graph = request->graph;
    double n = (double)graph->n, n_rounds = plan->n_rounds;
    double n_rows = (double)pci_vectors_n_answers(plan) * (double)plan->n_vectors, bytes = 0;
    if (n_rounds == 0)
        return 0;
    if (pci_vectors_have_path_map(plan)) /* four vectors on the way; x and C x of each round */
        return 8 * 4 * n + pci_certificate_bytes(n_rows, n_rows, n_rounds);
    if (request->query.paths == PC_PATHS_NON_BACKTRACKING)
        bytes = pci_non_backtracking_bytes(
            graph, &(pci_non_backtracking_options){.n_vectors = 1, .modulus = 2});
    return bytes + (8 * 4 + PCI_WANTED_BYTES) * n + pci_certificate_bytes(n_rows, n, n_rounds);
}

/* Rounds of the certificate. Doubles have none, nor have residues where the rounds, which are many for a
 * modulus with small factors, take more time than the vectors, or much memory. */
static int choose_rounds(pci_vectors_plan *plan)
{
    const pc_count_options *options = &plan->request->options;
    if (options->arithmetic == PC_FLOAT)
        return 0;
    if (options->arithmetic == PC_EXACT || options->n_certify_rounds == 0)
        return options->n_certify_rounds;
    plan->n_rounds = pci_modular_rounds(options->modulus, options->n_certify_rounds);
    double most_bytes = (double)plan->request->available_bytes / 4;
    bool pays = (uint64_t)plan->n_rounds < plan->n_vectors && certificate_bytes(plan) <= most_bytes;
    return pays || pci_request_is_matrix(plan->request) ? plan->n_rounds : 0;
}

uint64_t pci_vectors_n_held(const pci_vectors_plan *plan, const pc_graph *along, uint32_t n_block)
{
    if (!pci_vectors_are_swept_rows(plan))
        return n_block;
    pci_swept_options swept = pci_vectors_swept_options(plan, along, n_block);
    return pci_swept_piece(plan->request->context, &swept, n_block);
}

/* The memory of the rows of n_block vectors, or of the whole matrix when it is kept. */
static double rows_bytes(uint32_t n_block, const pci_vectors_plan *plan)
{
    double n = (double)plan->request->graph->n, n_vectors = (double)plan->n_vectors;
    bool keeps = plan->request->query.keeps;
    double n_held = (double)pci_vectors_n_held(plan, plan->request->graph, n_block);
    double n_entries = n * (keeps && !plan->blocks ? n : n_held);
    if (plan->blocks)
        n_entries += n_vectors * (n_block + (keeps ? n_vectors : 0));
    return n_entries * entry_bytes(plan);
}

/* Bytes that answering takes with blocks of n_block vectors; the graph is there already. */
static double bytes_for(uint32_t n_block, const pci_vectors_plan *plan)
{
    const pc_graph *graph = plan->request->graph;
    const pc_query *query = &plan->request->query;
    double n = (double)graph->n, n_answers = (double)pci_vectors_n_answers(plan);
    double bytes =
        vectors_bytes(n_block, plan) + rows_bytes(n_block, plan) + certificate_bytes(plan);
    double n_picks = query->kind == PC_QUERY_PAIRS    ? (double)query->n_asked
                     : query->kind == PC_QUERY_CLOSED ? n
                                                      : 0;
    bytes += pci_request_n_copies(plan->request) * n_picks * n_answers * (entry_bytes(plan) + 8);
    if (pci_vectors_are_sent_twice(plan))
        bytes += 8 * n_answers * n_block;
    if (!graph->symmetric)
        bytes += (double)pci_graph_n_arcs(graph) * (graph->weight ? 12 : 4) + 8 * n;
    if (plan->bits) /* limits of all lengths, and a copy of them */
        bytes += 2 * sizeof *plan->bits * ((double)query->length + 1);
    if (query->kind == PC_QUERY_MATRIX)
        bytes += (double)pci_program_bytes(plan->request);
    return bytes;
}

/* The number of vectors that is sent at once when there is memory for them. */
static uint32_t most_vectors(const pci_vectors_plan *plan)
{
    const pci_request *request = plan->request;
    uint64_t n = plan->n_vectors;
    if (pci_vectors_are_swept_rows(plan) && n > 0) {
        pci_swept_options swept = pci_vectors_swept_options(plan, request->graph, n);
        return (uint32_t)pci_swept_batch(request->context, &swept, n);
    }
    /* All at once, rows of each length come without starting over. */
    uint64_t most = request->query.each && pci_vectors_are_rows(plan) ? 1 << 20 : BLOCK;
    return (uint32_t)(n < most ? n : most);
}

/* Finds a block of vectors that fits in memory. The caller refuses a matrix, in words that fit a
 * matrix. */
static pc_status fit(pci_vectors_plan *plan)
{
    const pci_request *request = plan->request;
    double available = (double)request->available_bytes;
    if (request->context->memory_limit_bytes) /* which the graph is part of */
        available -= (double)pci_graph_bytes(request->graph);
    uint32_t n_block = most_vectors(plan);
    if (pci_request_is_matrix(request) && !request->context->memory_limit_bytes)
        available += (double)pci_program_bytes(request); /* which are there already */
    while (n_block > 1 && bytes_for(n_block, plan) > available)
        n_block = (n_block + 1) / 2;
    plan->n_block = n_block ? n_block : 1;
    plan->bytes = bytes_for(plan->n_block, plan);
    return pci_request_is_matrix(request)
               ? PC_OK
               : pci_query_check_memory(request->context, request->available_bytes, plan->bytes);
}

pc_status pci_query_check_memory(pc_context *context, uint64_t available, double needed)
{
    if (needed <= (double)available)
        return PC_OK;
    return pci_fail(context, PC_ERR_MEMORY,
                    "the query needs %.1f MB, and there are %.1f MB; ask for less at a time, or "
                    "count modulo a number (--mod M)",
                    needed / 1e6, (double)available / 1e6);
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_vectors_plan_make(const pci_request *request, const pci_sweep_ops *sweeps,
                                pci_vectors_plan *plan)
{
    *plan = (pci_vectors_plan){.request = request, .sweeps = sweeps};
    plan->n_limbs = request->options.arithmetic == PC_FLOAT ? 0 : 1;
    pc_status status = choose_vectors(plan);
    if (status == PC_OK && request->options.arithmetic == PC_EXACT)
        status = pci_vectors_limits(plan);
    plan->n_rounds = choose_rounds(plan);
    return status == PC_OK ? fit(plan) : status;
}

void pci_vectors_plan_free(pci_vectors_plan *plan)
{
    if (!plan->request)
        return;
    pci_free(plan->request->context, plan->start);
    pci_free(plan->request->context, plan->vector_of);
    pci_free(plan->request->context, plan->bits);
}

pc_status pci_vectors_plan_begin(const pci_vectors_plan *plan, pci_vectors_plan *begun)
{
    const pc_graph *graph = plan->request->graph;
    *begun = *plan;
    begun->along = begun->against = graph;
    bool is_sent_back = plan->n_rounds && !pci_vectors_have_path_map(plan);
    if (graph->symmetric || !(plan->reversed || is_sent_back))
        return PC_OK;
    pc_status status = pci_graph_reverse(plan->request->context, graph, &begun->reverse);
    *(plan->reversed ? &begun->along : &begun->against) = begun->reverse;
    return status;
}

void pci_vectors_plan_end(pci_vectors_plan *begun)
{
    pc_graph_free(begun->reverse);
}
