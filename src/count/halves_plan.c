/* Decides whether halves are faster, and predicts what they take. */
#include "src/count/halves_plan.h"

#include "src/vectors/long_vector.h"

#include <math.h>
#include <string.h>

enum {
    CLOSED_BATCH = 128,
    LEAST_BATCH = 8,
    PRODUCTS = 4 /* of two words, added up, in the time that checking a word takes */
};

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Numbers the vertices at either end of pairs, and those at each end alone: whole lengths take a
 * vector for each vertex of the end that has fewer. */
static pc_status choose_vertices(pci_halves_plan *plan)
{
    pc_context *context = plan->question->context;
    const pc_query *query = &plan->question->query;
    const uint64_t *ends[] = {query->from, query->to};
    uint64_t n = plan->question->graph->n, n_of[2];
    uint64_t most = plan->of_diagonal || 2 * query->n_asked > n ? n : 2 * query->n_asked;
    plan->vertices = pci_alloc(context, most * sizeof *plan->vertices);
    if (!plan->of_diagonal)
        plan->vector_of = pci_alloc(context, n * sizeof *plan->vector_of);
    if (!plan->vertices || !(plan->of_diagonal || plan->vector_of))
        return pci_fail_memory(context, "the vertices of pairs", n * 12);
    for (int i = 0; i < 2 && !plan->of_diagonal; i++)
        n_of[i] = pci_number_vertices(n, query->n_asked, ends[i], 0, plan->vector_of);
    if (!plan->of_diagonal) {
        plan->n_vectors =
            pci_number_vertices(n, query->n_asked, query->from, n_of[1], plan->vector_of);
        for (uint64_t i = 0; i < 2 * query->n_asked; i++) {
            uint64_t vertex = ends[i % 2][i / 2];
            plan->vertices[plan->vector_of[vertex]] = vertex;
        }
        plan->n_whole = n_of[0] < n_of[1] ? n_of[0] : n_of[1];
        return PC_OK;
    }
    plan->n_vectors = plan->n_whole = n;
    for (uint64_t v = 0; v < n; v++)
        plan->vertices[v] = v;
    return PC_OK;
}

/* ---- Whether it pays ------------------------------------------------------------------------- */

/* The predicted seconds of vectors of which every entry is read and certified, once or after each
 * step, and of n_products dot products of two of them. */
static double seconds_of(const pci_halves_plan *plan, uint64_t n_vectors, uint64_t length,
                         double bits, double n_products)
{
    const pci_question *question = plan->question;
    double n_rounds = question->options.n_certify_rounds;
    double n_limbs = floor(bits / 64) + 1, row_words = (double)question->graph->n * n_limbs;
    double n_reads = pci_question_has_lengths(question) ? (double)length : 1;
    pci_sweep_work sweeps = {
        .n_vectors = n_vectors, .length = length, .bits = bits, .n_limbs = (uint32_t)n_limbs};
    pci_work work = {{0}};
    pci_cost_sweeps(question->context, question->graph, &sweeps, &work);
    pci_cost_passes(question->context, question->graph, (double)length * n_rounds, &work);
    work.units[PCI_PART_ROWS] += (n_reads - 1) * (double)n_vectors * row_words;
    work.units[PCI_PART_CERTIFY] +=
        (n_reads * (double)n_vectors * n_rounds + n_products * n_limbs / PRODUCTS) * row_words;
    return pci_cost_seconds(question->context, &work);
}

/* Tells whether halves are faster, or whole lengths too wide. An odd length takes one more step for
 * each product. */
static pc_status decide(const pci_halves_plan *plan, bool *pays)
{
    const pci_question *question = plan->question;
    uint64_t length = question->query.length, half = plan->half.query.length;
    double n_lengths = pci_question_has_lengths(question) ? (double)length : 1;
    double n_products =
        (double)(plan->n_entries * (uint64_t)pci_question_n_copies(plan->question)) * n_lengths;
    pc_status status = pci_limits_reach(question->limits, length);
    *pays = status == PC_ERR_RANGE;
    if (status != PC_OK)
        return *pays ? PC_OK : status;
    const double *bits = pci_limits_bits(question->limits);
    double whole = seconds_of(plan, plan->n_whole, length, bits[length], 0);
    double halves = seconds_of(plan, plan->n_vectors, half, bits[half], n_products);
    if (plan->is_odd) {
        pci_work steps = {{0}};
        pci_cost_passes(question->context, question->graph, (double)plan->n_entries, &steps);
        halves += pci_cost_seconds(question->context, &steps);
    }
    *pays = halves < whole;
    return PC_OK;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

bool pci_halves_stay_in_parts(const pci_halves_plan *plan)
{
    return plan->question->graph->parts && !plan->of_diagonal;
}

pci_sweep_options pci_halves_sweep_options(const pci_halves_plan *plan)
{
    const pci_question *question = plan->question;
    double n_additions = (double)pci_graph_n_arcs(question->graph) * (double)plan->n_batch;
    return (pci_sweep_options){
        .n_vectors = (uint32_t)plan->n_batch,
        .length = plan->half.query.length,
        .bits = plan->vectors.bits,
        .n_threads = pci_threads_for(question->context, n_additions * plan->vectors.n_limbs)};
}

/* The bytes of one length, or of several in batches. Rows of pairs of one length are kept until all
 * are there; those of closed paths are multiplied as they come. */
static double bytes_for(const pci_halves_plan *plan)
{
    const pci_question *question = plan->question;
    const pc_graph *graph = question->graph;
    double n = (double)(pci_halves_stay_in_parts(plan) ? graph->parts->first[1] : graph->n);
    double row_words = n * plan->vectors.n_limbs, n_steps = (double)plan->half.query.length;
    double n_entries = (double)(plan->n_entries * (uint64_t)pci_question_n_copies(plan->question)) *
                       plan->entry_words;
    if (!pci_question_has_lengths(question)) {
        double scratch = 3.0 * pci_n_threads(question->context) * plan->entry_words;
        double words = (plan->of_diagonal ? 0 : (double)plan->n_vectors * row_words) + n_entries +
                       scratch + (plan->is_odd ? row_words + 2 * n : 0);
        return plan->vectors.bytes + 8 * words;
    }
    n = (double)graph->n;
    pci_sweep_options sweep = pci_halves_sweep_options(plan);
    double words =
        2 * (double)plan->n_batch * n * plan->vectors.n_limbs + n_entries * (double)plan->n_lengths;
    return (double)plan->vectors.sweeps->bytes(graph, &sweep) + 8 * (words + 4 * n) +
           pci_certificate_bytes(n_steps * (double)plan->n_vectors, n,
                                 question->options.n_certify_rounds);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Plans the vectors of half the length. *why_not says that there is no memory for them. */
static pc_status plan_vectors(const pci_sweep_ops *sweeps, pci_halves_plan *plan,
                              const char **why_not)
{
    const pci_question *question = plan->question;
    const pc_query *query = &question->query;
    bool has_lengths = pci_question_has_lengths(question);
    double available = (double)question->available_bytes;
    uint64_t half = plan->half.query.length, n = question->graph->n;
    pc_status status = pci_vectors_plan_make(&plan->half, sweeps, &plan->vectors);
    bool is_too_large = status == PC_ERR_MEMORY && plan->vectors.bytes > available;
    if (status == PC_OK) {
        const double *bits = plan->vectors.bits;
        uint32_t n_limbs = plan->vectors.n_limbs;
        /* Vectors of one step more than the half are no wider than a step makes them. */
        double last =
            plan->is_odd ? bits[half] + pci_step_bits(question->graph) : bits[query->length - half];
        plan->answer_bits = bits[half] + last + log2((double)(n ? n : 1)) +
                            (query->up_to ? log2((double)query->length) : 0);
        /* Sums of fewer than 2^32 products of n < 2^32 terms, carried; with a step between, whose
         * rows sum up to 2^96. */
        plan->entry_words =
            has_lengths ? (uint32_t)pci_row_dot_words(n_limbs, n_limbs) : 2 * n_limbs + 2;
        plan->n_batch =
            plan->of_diagonal && plan->n_vectors > CLOSED_BATCH ? CLOSED_BATCH : plan->n_vectors;
        while (has_lengths && plan->of_diagonal && plan->n_batch > LEAST_BATCH &&
               bytes_for(plan) > available)
            plan->n_batch /= 2;
        plan->bytes = bytes_for(plan);
        is_too_large = plan->bytes > available;
    }
    if (!is_too_large)
        return status;
    *why_not = "no memory for vectors of half the length";
    return PC_OK;
}

/* *why_not is "" if halves are expected to pay and fit in memory. */
static pc_status decide_all(const pci_question *question, const pci_sweep_ops *sweeps,
                            pci_halves_plan *plan, const char **why_not)
{
    const pc_query *query = &question->query;
    bool has_lengths = pci_question_has_lengths(question), pays = false;
    *plan = (pci_halves_plan){.question = question,
                              .of_diagonal = question->kind->reads == PCI_READS_DIAGONAL,
                              .is_odd = !has_lengths && query->length % 2,
                              .n_lengths = query->each ? query->length : 1,
                              .half = *question};
    plan->n_entries = plan->of_diagonal ? question->graph->n : query->n_asked;
    pc_status status = choose_vertices(plan);
    plan->half.query = (pc_query){.kind = PC_QUERY_FROM,
                                  .length = (query->length + has_lengths) / 2,
                                  .n_asked = plan->n_vectors,
                                  .from = plan->vertices,
                                  .each = has_lengths};
    plan->half.kind = pci_kind_row(PC_QUERY_FROM);
    *why_not = plan->of_diagonal && plan->is_odd && question->graph->parts
                   ? "rows of all vertices take no further step in parts"
                   : "";
    if (status != PC_OK || **why_not)
        return status;
    status = decide(plan, &pays);
    if (status == PC_OK && !pays)
        *why_not = "vectors of the whole length are expected to be faster";
    return status == PC_OK && pays ? plan_vectors(sweeps, plan, why_not) : status;
}

pc_status pci_halves_plan_make(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    const char *why_not = "";
    pc_status status = pci_plan_query(question, engine, plan);
    if (status != PC_OK || plan->status != PC_OK)
        return status;
    pci_halves_plan *halves = pci_plan_choice(question, sizeof *halves, plan);
    if (!halves)
        return PC_ERR_MEMORY;
    status = decide_all(question, pci_engine_sweeps(engine), halves, &why_not);
    if (*why_not)
        pci_plan_refuse(plan, PC_ERR_MEMORY, "%s", why_not);
    info->sweep_length = pci_halves_n_steps(halves);
    info->n_vectors = halves->n_vectors;
    info->n_limbs = (uint32_t)(halves->answer_bits / 64) + 1;
    info->bound_bits = halves->answer_bits;
    pci_plan_note_bytes(question, halves->bytes, plan);
    return pci_plan_settle(question, status, false, plan);
}

void pci_halves_plan_free(void *halves)
{
    pci_halves_plan *plan = halves;
    if (!plan->question)
        return;
    pci_vectors_plan_free(&plan->vectors);
    pci_free(plan->question->context, plan->vertices);
    pci_free(plan->question->context, plan->vector_of);
}
