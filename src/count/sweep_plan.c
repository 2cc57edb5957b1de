/* Chooses the vectors of a query, limits their entries, and fits them into memory. */
#include "src/count/sweep_plan.h"

#include "src/count/square.h"
#include "src/cpu/modular.h"
#include "src/vectors/non_backtracking.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

/* ---- Vectors --------------------------------------------------------------------------------- */

uint64_t pci_number_vertices(uint64_t n, uint64_t n_asked, const uint64_t *vertices,
                             uint64_t n_before, uint32_t *number)
{
    const uint32_t none = UINT32_MAX; /* there are at most 2^32-1 vectors */
    uint64_t n_numbers = n_before;
    if (!n_before)
        memset(number, 0xff, n * sizeof *number);
    for (uint64_t i = 0; i < n_asked; i++)
        if (number[vertices[i]] == none)
            number[vertices[i]] = (uint32_t)n_numbers++;
    return n_numbers;
}

/* A vector for each vertex at the ends of pairs, or at their beginnings where those are fewer. */
static pc_status choose_ends(pci_vectors_plan *plan)
{
    pc_context *context = plan->question->context;
    const pc_query *query = &plan->question->query;
    uint64_t n = plan->question->graph->n, n_asked = query->n_asked;
    size_t bytes = n * sizeof *plan->vector_of;
    if (!(plan->vector_of = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "the vertices of pairs", bytes);
    uint64_t n_from = pci_number_vertices(n, n_asked, query->from, 0, plan->vector_of);
    plan->n_vectors = pci_number_vertices(n, n_asked, query->to, 0, plan->vector_of);
    plan->reversed = n_from < plan->n_vectors;
    plan->begin = plan->reversed ? query->from : query->to;
    plan->read = plan->reversed ? query->to : query->from;
    if (plan->reversed)
        plan->n_vectors = pci_number_vertices(n, n_asked, query->from, 0, plan->vector_of);
    plan->start = pci_alloc_zero(context, plan->n_vectors, sizeof *plan->start);
    if (!plan->start)
        return pci_fail_memory(context, "the vertices of pairs", plan->n_vectors * 8);
    for (uint64_t i = 0; i < n_asked; i++)
        plan->start[plan->vector_of[plan->begin[i]]] = plan->begin[i];
    return PC_OK;
}

static pc_status choose_vectors(pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    const pc_query *query = &question->query;
    const pci_question_kind *kind = question->kind;
    plan->reversed = kind->reversed;
    plan->from_all = pci_kind_is_of_all(kind);
    if (kind->has_from && kind->has_to)
        return choose_ends(plan);
    plan->blocks = query->partition;
    plan->n_vectors = plan->blocks ? plan->blocks->n_blocks : pci_question_n_vectors(question);
    if (!kind->has_from && !kind->has_to)
        return PC_OK;
    size_t bytes = plan->n_vectors * sizeof *plan->start;
    plan->start = pci_alloc_zero(question->context, plan->n_vectors, sizeof *plan->start);
    if (!plan->start)
        return pci_fail_memory(question->context, "the vertices asked for", bytes);
    if (bytes)
        memcpy(plan->start, kind->has_from ? query->from : query->to, bytes);
    return PC_OK;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* Widens the limits of the entries of powers to limits of vectors and answers. A vector that begins
 * as all ones adds up n entries, one that begins as a block as many as that has vertices. One to which its
 * start is added again has the entries of all lengths before it, too. */
static void widen(pci_vectors_plan *plan)
{
    const pc_query *query = &plan->question->query;
    uint64_t n = plan->question->graph->n, length = query->length;
    double n_bits = n ? log2((double)n) * (1 + 0x1p-40) : 0, answer = 0, sum = 0;
    double start = plan->from_all ? n_bits : 0;
    if (plan->blocks && plan->blocks->max_size)
        start = log2((double)plan->blocks->max_size) * (1 + 0x1p-40);
    for (uint64_t l = 0; l <= length; l++) {
        plan->bits[l] += start;
        bool is_part = query->up_to ? l > 0 : query->each || l == length;
        answer = fmax(answer, is_part ? plan->bits[l] : 0);
    }
    for (uint64_t l = 1; query->up_to && l <= length; l++) /* log2 of a sum, rounded up */
        sum += exp2(plan->bits[l] - answer);
    if (query->up_to)
        answer = length ? (answer + log2(sum)) * (1 + 0x1p-40) : 0;
    if (plan->question->kind->reads == PCI_READS_TOTAL)
        answer += n_bits;
    plan->answer_bits = answer;
    for (uint64_t l = 1; pci_vectors_are_swept_rows(plan) && query->up_to && l <= length; l++) {
        double most = fmax(plan->bits[l - 1], plan->bits[l]),
               least = fmin(plan->bits[l - 1], plan->bits[l]);
        plan->bits[l] = (most + log2(1 + exp2(least - most))) * (1 + 0x1p-40);
    }
}

/* Sets n_limbs, bits and answer_bits of exact answers, of a plan that knows its question and from_all. PC_ERR_MEMORY. */
static pc_status limit_answers(pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    uint64_t length = question->query.length;
    pc_status status = pci_limits_hold(question->limits, length);
    if (status != PC_OK)
        return status;
    plan->bits = pci_alloc(question->context, (length + 1) * sizeof *plan->bits);
    if (!plan->bits)
        return pci_fail_memory(question->context, "limits of all lengths", (length + 1) * 8);
    memcpy(plan->bits, pci_limits_bits(question->limits), (length + 1) * sizeof *plan->bits);
    widen(plan);
    if (plan->blocks) /* an answer adds up entries of a vector, so it has their limit, too */
        status = pci_limits_of_blocks(question->limits, &plan->answer_bits);
    plan->n_limbs = (uint32_t)(plan->answer_bits / 64) + 1;
    return status;
}

pc_status pci_vectors_answer_bits(const pci_question *question, bool from_all, double *bits)
{
    pci_vectors_plan limits = {.question = question, .from_all = from_all};
    pc_status status = limit_answers(&limits);
    *bits = limits.answer_bits;
    pci_vectors_plan_free(&limits);
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The memory of a certificate: the vectors of its primes, and the expected value of each answer. */
static double certificate_bytes(const pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    const pc_graph *graph = question->graph;
    double n = (double)graph->n, n_rounds = plan->n_rounds;
    double n_rows = (double)pci_vectors_n_answers(plan) * (double)plan->n_vectors, bytes = 0;
    if (n_rounds == 0)
        return 0;
    if (question->query.paths == PC_PATHS_NON_BACKTRACKING)
        bytes = pci_non_backtracking_bytes(
            graph, &(pci_non_backtracking_options){.n_vectors = 1, .modulus = 2});
    /* Four vectors on the way, and what few of them want; x and C x of each round. */
    return bytes + (8 * 4 + (plan->start ? PCI_WANTED_BYTES : 0)) * n +
           pci_certificate_bytes(n_rows, plan->blocks ? n_rows : n, n_rounds);
}

uint64_t pci_vectors_n_held(const pci_vectors_plan *plan, const pc_graph *along, uint32_t n_block)
{
    if (!pci_vectors_are_swept_rows(plan))
        return n_block;
    pci_swept_options swept = pci_vectors_swept_options(plan, along, n_block);
    return pci_swept_piece(plan->question->context, &swept, n_block);
}

/* Bytes that answering takes with blocks of n_block vectors; the graph is there already. */
static double bytes_for(uint32_t n_block, const pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    const pc_graph *graph = question->graph;
    const pc_query *query = &question->query;
    double n = (double)graph->n, n_answers = (double)pci_vectors_n_answers(plan);
    double n_vectors = (double)plan->n_vectors,
           entry_bytes = 8.0 * (plan->n_limbs ? plan->n_limbs : 1);
    double bytes = certificate_bytes(plan);
    if (pci_vectors_are_swept_rows(plan)) {
        pci_swept_options swept = pci_vectors_swept_options(plan, graph, n_block);
        bytes += (double)pci_swept_bytes(question->context, &swept);
    } else {
        pci_vectors_options vectors = pci_vectors_plan_options(plan, n_block);
        bytes += pci_vectors_bytes(question->context, graph, &vectors);
    }
    /* The rows of these vectors, or of the whole matrix when it is kept. */
    double n_entries =
        n * (query->keeps && !plan->blocks ? n : (double)pci_vectors_n_held(plan, graph, n_block));
    if (plan->blocks)
        n_entries += n_vectors * (n_block + (query->keeps ? n_vectors : 0));
    bytes += n_entries * entry_bytes;
    double n_picks =
        pci_kind_has_entries(question->kind) ? (double)pci_question_shape(question).n_rows : 0;
    bytes += pci_question_n_copies(question) * n_picks * n_answers * (entry_bytes + 8);
    if (pci_vectors_are_sent_twice(plan))
        bytes += 8 * n_answers * n_block;
    if (!graph->symmetric)
        bytes += (double)pci_graph_n_arcs(graph) * (graph->weight ? 12 : 4) + 8 * n;
    if (plan->bits) /* limits of all lengths, and a copy of them */
        bytes += 2 * sizeof *plan->bits * ((double)query->length + 1);
    return bytes;
}

/* Finds a block of vectors that fits in memory: all at once, rows of each length come without
 * starting over. The caller refuses a matrix, in words that fit a matrix. */
static pc_status fit(pci_vectors_plan *plan)
{
    const pci_question *question = plan->question;
    bool is_limited = question->context->memory_limit_bytes; /* which the graph is part of */
    double available = (double)question->available_bytes;
    uint64_t n = plan->n_vectors;
    uint64_t most = question->query.each && pci_vectors_are_rows(plan) ? 1 << 20 : BLOCK;
    uint32_t n_block = (uint32_t)(n < most ? n : most);
    available -= is_limited ? (double)pci_graph_bytes(question->graph) : 0;
    if (question->kind->is_matrix && is_limited)
        available -= (double)pci_program_bytes(question); /* else they are there already */
    if (pci_vectors_are_swept_rows(plan) && n > 0) {
        pci_swept_options swept = pci_vectors_swept_options(plan, question->graph, n);
        n_block = (uint32_t)pci_swept_batch(question->context, &swept, n);
    }
    while (n_block > 1 && bytes_for(n_block, plan) > available)
        n_block = (n_block + 1) / 2;
    plan->n_block = n_block ? n_block : 1;
    plan->bytes = bytes_for(plan->n_block, plan);
    return question->kind->is_matrix
               ? PC_OK
               : pci_query_check_memory(question->context, question->available_bytes, plan->bytes);
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_vectors_plan_make(const pci_question *question, const pci_sweep_ops *sweeps,
                                pci_vectors_plan *plan)
{
    const pc_count_options *options = &question->options;
    bool is_modular = options->arithmetic == PC_MODULAR;
    *plan = (pci_vectors_plan){.question = question, .sweeps = sweeps};
    plan->n_limbs = options->arithmetic == PC_FLOAT ? 0 : 1;
    /* Doubles have no rounds of a certificate, nor have residues where the rounds, which are many
     * for a modulus with small factors, take more time than the vectors, or much memory. */
    plan->n_rounds = options->arithmetic == PC_EXACT ? options->n_certify_rounds : 0;
    pc_status status = choose_vectors(plan);
    if (status == PC_OK && options->arithmetic == PC_EXACT)
        status = limit_answers(plan);
    if (is_modular && options->n_certify_rounds) {
        plan->n_rounds = pci_modular_rounds(options->modulus, options->n_certify_rounds);
        bool pays = (uint64_t)plan->n_rounds < plan->n_vectors &&
                    certificate_bytes(plan) <= (double)question->available_bytes / 4;
        plan->n_rounds = pays || question->kind->is_matrix ? plan->n_rounds : 0;
    }
    return status == PC_OK ? fit(plan) : status;
}

void pci_vectors_plan_free(pci_vectors_plan *plan)
{
    if (!plan->question)
        return;
    pci_free(plan->question->context, plan->start);
    pci_free(plan->question->context, plan->vector_of);
    pci_free(plan->question->context, plan->bits);
}

pc_status pci_vectors_plan_begin(const pci_vectors_plan *plan, pci_vectors_plan *begun)
{
    const pc_query *query = &plan->question->query;
    const pc_graph *graph = plan->question->graph;
    *begun = *plan;
    begun->along = graph;
    begun->paths = (pci_path_operator){.context = plan->question->context,
                                       .graph = graph,
                                       .partition = plan->blocks,
                                       .length = query->length,
                                       .each = query->each,
                                       .up_to = query->up_to,
                                       .never_turns = query->paths == PC_PATHS_NON_BACKTRACKING,
                                       .adds_rows = plan->from_all,
                                       .n_listed = plan->n_vectors,
                                       .listed = plan->start};
    if (graph->symmetric || !(plan->reversed || plan->n_rounds))
        return PC_OK;
    pc_status status = pci_graph_reverse(plan->question->context, graph, &begun->reverse);
    *(plan->reversed ? &begun->along : &begun->paths.graph) = begun->reverse;
    return status;
}

void pci_vectors_plan_end(pci_vectors_plan *begun)
{
    pc_graph_free(begun->reverse);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* A^0 is not swept. */
static pc_status plan_rows(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    const pc_plan_info *dense = question->dense;
    const pc_graph *graph = question->graph;
    pc_plan_info *info = &plan->info;
    uint64_t length = question->query.length;
    int n_rounds = question->options.n_certify_rounds;
    double n = (double)graph->n;
    pci_work work = {{0}};
    plan->info = *dense;
    info->n_levels = 0;
    info->sweep_length = length;
    pci_cost_sweeps(
        question->context, graph,
        &(pci_sweep_work){.n_vectors = pci_plan_n_rows(dense),
                          .n_starts = (double)dense->n_vertices / (double)pci_plan_n_rows(dense),
                          .length = length,
                          .bits = dense->bound_bits,
                          .modulus = dense->modulus,
                          .n_limbs = dense->n_limbs},
        &work);
    pc_status status = pci_plan_engine(question, engine, &work, plan);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    if (pci_too_many_passes(graph, length)) {
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        "sweeps of length %" PRIu64 " would pass over the graph that many times; "
                        "count with --method dense, which squares",
                        length);
        return PC_OK;
    }
    if (!length && !question->query.partition && !question->query.up_to) {
        double n_rows = question->query.keeps ? n : (double)pci_plan_block_rows(info);
        double certificate = 8 * n * 4 + pci_certificate_bytes(n, n, n_rounds);
        plan->method = &pci_by_identity;
        pci_plan_memory_of_rows(question, n_rows * n * sizeof(uint64_t) + certificate, plan);
        return PC_OK;
    }
    pci_vectors_plan *vectors = pci_plan_choice(question, sizeof *vectors, plan);
    if (!vectors)
        return PC_ERR_MEMORY;
    status = pci_vectors_plan_make(question, pci_engine_sweeps(plan->engine), vectors);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    if (info->arithmetic == PC_EXACT) {
        info->bound_bits = vectors->answer_bits;
        info->n_limbs = vectors->n_limbs;
    }
    info->n_levels = 1;
    info->levels[0] = (pc_level){.length = length, .is_swept = 1, .bound_bits = info->bound_bits};
    if (!pci_plan_is_on_device(question, plan)) {
        pci_work adding = {{0}};
        pci_cost_plan(question->context, graph, n_rounds, info);
        if (!pci_vectors_are_swept_rows(vectors))
            pci_guess_added_rows(question, info->n_limbs, &adding);
        info->predicted_seconds += pci_cost_seconds(question->context, &adding);
        plan->seconds = info->predicted_seconds;
    }
    pci_plan_memory_of_rows(question, vectors->bytes, plan);
    return PC_OK;
}

static pc_status plan_vectors(const pci_question *question, const pci_engine *engine,
                              pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    pc_status status = pci_plan_query(question, engine, plan);
    if (status != PC_OK || plan->status != PC_OK)
        return status;
    pci_vectors_plan *vectors = pci_plan_choice(question, sizeof *vectors, plan);
    if (!vectors)
        return PC_ERR_MEMORY;
    status = pci_vectors_plan_make(question, pci_engine_sweeps(engine), vectors);
    bool is_too_large = vectors->bytes > (double)question->available_bytes;
    info->n_vectors = vectors->n_vectors;
    info->n_limbs = vectors->n_limbs;
    info->bound_bits = vectors->answer_bits;
    pci_plan_note_bytes(question, vectors->bytes, plan);
    return pci_plan_settle(question, status, is_too_large, plan);
}

pc_status pci_sweep_plan(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    return question->kind->is_matrix ? plan_rows(question, engine, plan)
                                     : plan_vectors(question, engine, plan);
}
