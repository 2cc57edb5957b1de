/* Recurrences of answers: their terms come from vectors that are sent along the arcs, modulo
 * primes. */
#include "src/recurrence/recurrence.h"

#include "src/count/sweep_plan.h"
#include "src/count/methods.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Terms ----------------------------------------------------------------------------------- */

typedef struct terms {
    const pci_recurrence_plan *plan;
    uint64_t prime;
    uint64_t *a; /* [n_terms] */
} terms;

/* The number, the one of the vertex that is meant, or the sum of those on the diagonal. */
static pc_status take_term(void *user, uint64_t length, const pc_rows *rows)
{
    const terms *t = user;
    bool is_vertex = t->plan->kind->reads == PCI_READS_SUMS;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (!is_vertex || rows->first_row + i == t->plan->vertex)
            t->a[length] = (t->a[length] + rows->limbs[i * rows->n_limbs]) % t->prime;
    return PC_OK;
}

/* A pci_terms_fn; user is the pci_recurrence_plan. A failure here fails the check of the
 * recurrence, so nothing is computed twice. */
pc_status pci_find_terms(void *user, uint64_t prime, size_t n_terms, uint64_t *a)
{
    static const pci_method *const sweeps[] = {&pci_by_sweeps, NULL};
    const pci_recurrence_plan *plan = user;
    terms t = {.plan = plan, .prime = prime, .a = a};
    pci_sink sink = {.context = plan->context, .deliver = take_term, .user = &t, .modulus = prime};
    const pc_count_options options = {.arithmetic = PC_MODULAR,
                                      .modulus = prime,
                                      .method = PC_METHOD_SWEEP,
                                      .n_certify_rounds = PC_CERTIFY_NONE};
    pc_query query = plan->query;
    pc_plan made;
    pc_plan_info info = {0};
    query.length = n_terms - 1;
    memset(a, 0, n_terms * sizeof *a);
    pci_reads reads = plan->kind->reads; /* the paths without an arc */
    a[0] = plan->adds_up                                             ? 0
           : reads == PCI_READS_TOTAL || reads == PCI_READS_DIAGONAL ? plan->graph->n
           : reads == PCI_READS_ENTRIES                              ? *query.from == *query.to
                                                                     : 1;
    a[0] %= prime;
    if (n_terms < 2 || !plan->graph->n)
        return PC_OK;
    pc_status status = pci_plans_make(sweeps, plan->context, plan->graph, &query, &options, &made);
    if (status != PC_OK)
        return status;
    status = pci_by_sweeps.run(&(pci_execution){
        .question = &made.question, .plan = made.plan[0], .info = &info, .sink = &sink});
    pci_plans_end(&made);
    for (size_t l = 1; plan->adds_up && l < n_terms; l++)
        a[l] = (a[l] + a[l - 1]) % prime;
    return status;
}

/* ---- The run -------------------------------------------------------------------------------- */

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    return pci_sink_take(user, length, rows);
}

static pc_status run_recurrence(const pci_execution *run)
{
    pci_recurrence_plan plan = *(const pci_recurrence_plan *)run->plan->choice;
    pc_recurrence *recurrence = NULL;
    double start = pci_now_seconds();
    pc_status status = pci_recurrence_find(&plan, pci_find_terms, &plan, &recurrence);
    run->info->seconds.sweep = pci_now_seconds() - start;
    if (status == PC_OK)
        status = pc_recurrence_term(recurrence, run->question->query.length, plan.modulus,
                                    take_number, run->sink);
    run->info->seconds.product =
        pci_now_seconds() - start - run->info->seconds.sweep - run->sink->seconds;
    pc_recurrence_free(recurrence);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

static pc_status plan_recurrence(const pci_question *question, const pci_engine *engine,
                                 pci_plan *plan)
{
    pci_recurrence_plan *recurrence = pci_plan_choice(question, sizeof *recurrence, plan);
    pc_plan_info *info = &plan->info;
    uint64_t length = question->query.length, modulus = question->options.modulus;
    pci_work work = {{0}};
    if (!recurrence)
        return PC_ERR_MEMORY;
    pc_status status = pci_plan_engine(question, engine, &work, plan);
    info->method = PC_METHOD_RECURRENCE;
    plan->seconds = info->predicted_seconds = pci_guess_recurrence_seconds(question);
    info->memory_available_bytes = pci_question_available(question);
    if (status == PC_OK)
        status = pci_recurrence_plan_make(question->context, question->graph, &question->query,
                                          modulus, question->options.n_certify_rounds, recurrence);
    if (status == PC_OK && !modulus)
        status = pci_recurrence_plan_find_length(recurrence);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    info->sweep_length = 2 * recurrence->n_dimension;
    info->n_vectors = question->kind->reads == PCI_READS_DIAGONAL ? info->n_vertices : 1;
    info->bound_bits = modulus ? 0 : pci_recurrence_term_bits(recurrence, length);
    if (info->bound_bits > PCI_MAX_BITS) {
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        "counts of length %" PRIu64 " may be wider than 2^36 bits, the most that "
                        "exact counting reaches; count modulo a number (--mod M)",
                        length);
        return PC_OK;
    }
    info->n_limbs = (uint32_t)(info->bound_bits / 64) + 1;
    pci_plan_note_bytes(question,
                        fmax(pci_recurrence_search_bytes(recurrence),
                             pci_recurrence_term_bytes(recurrence, info->bound_bits)),
                        plan);
    pci_plan_check_memory(question, plan);
    return PC_OK;
}

/* It is tried where it is expected to be the fastest, or can do what nothing else can. */
static int rank(const pci_question *question)
{
    pci_work work = {{0}};
    if (question->graph->parts || question->kind->is_matrix)
        return PCI_CANNOT;
    if (question->options.method != PC_METHOD_AUTO)
        return question->options.method == PC_METHOD_RECURRENCE && pci_question_is_number(question)
                   ? PCI_RANK_BEST
                   : PCI_CANNOT;
    if (!pci_question_is_number(question) || question->context->devices.kind == PCI_DEVICE_CUDA ||
        question->query.length <=
            2 * pci_recurrence_dimension(question->graph, question->query.paths))
        return PCI_CANNOT;
    double seconds = pci_guess_recurrence_seconds(question);
    bool is_squared = question->query.paths == PC_PATHS_ALL &&
                      question->options.arithmetic == PC_MODULAR &&
                      question->graph->n <= PCI_MAX_DENSE_VERTICES;
    if (is_squared && pci_guess_matrix_seconds(question) < seconds)
        return PCI_CANNOT;
    pci_guess_sweep_work(question, &work);
    bool pays =
        isfinite(seconds) && (pci_too_many_passes(question->graph, question->query.length) ||
                              pci_cost_seconds(question->context, &work) > seconds);
    return pays ? PCI_RANK_BEST : PCI_CANNOT;
}

const pci_method pci_by_recurrence = {.name = "a recurrence",
                                      .told = PC_METHOD_RECURRENCE,
                                      .cpu_because = "a recurrence is found on the CPU",
                                      .is_shortcut = true,
                                      .rank = rank,
                                      .plan = plan_recurrence,
                                      .run = run_recurrence};
