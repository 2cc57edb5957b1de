/* The calls that count: each is a question, planned and run. */
#include "src/count/methods.h"

#include "graphs/partition.h"
#include "src/core/number.h"
#include "src/count/halves_plan.h"
#include "src/count/square.h"
#include "src/count/sweep_plan.h"
#include "src/rows/counts.h"

#include <math.h>
#include <string.h>

/* All methods, in the order in which they are listed; NULL ends them. */
static const pci_method *const methods[] = {
    &pci_by_squaring, &pci_by_vector,     &pci_by_halves,     &pci_by_sweeps,
    &pci_by_pass,     &pci_by_recurrence, &pci_by_polynomial, &pci_by_added_powers,
    &pci_by_hybrid,   &pci_by_quotient,   &pci_by_cover,      &pci_by_formulas,
    &pci_by_search,   &pci_by_sets,       &pci_by_shortest,   NULL};

/* ---- Plans ----------------------------------------------------------------------------------- */

pc_status pc_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan **plan)
{
    if (!context || !graph || !query || !plan)
        return pci_fail_null(context, "graph, query or plan");
    pc_plan *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a plan", sizeof *made);
    pc_status status = pci_plans_make(methods, context, graph, query, options, made);
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
    pci_plans_end(plan);
    pci_free(plan->question.context, plan);
}

const pc_plan_info *pc_plan_get_info(const pc_plan *plan)
{
    return plan ? &plan->info : NULL;
}

/* Runs a plan, and keeps what it then tells for pc_plan_last. The question, and what it was asked
 * of, must be what they were at first. */
static pc_status run_plan(pc_plan *plan, pci_sink *sink)
{
    const pci_question *question = &plan->question;
    const pc_partition *partition = question->query.partition;
    pc_context *context = question->context;
    pc_status status = pci_run_plans(plan, sink);
    double start = pci_now_seconds();
    if (status != PC_OK)
        return status;
    if (plan->checksum != pci_question_checksum(question))
        status = pci_fail_check(context, "the question, which changed in memory,");
    if (status == PC_OK && question->options.n_certify_rounds)
        status = pc_graph_check(context, question->graph);
    if (status == PC_OK && question->options.n_certify_rounds && partition)
        status = pci_partition_check(context, partition);
    if (status != PC_OK) {
        pci_sink_reset(sink);
        return status;
    }
    double seconds = pci_now_seconds() - start;
    plan->info.seconds.certify += seconds;
    plan->info.seconds.total += seconds;
    context->plan = plan->info;
    context->has_plan = true;
    return PC_OK;
}

pc_status pc_plan_run(pc_plan *plan, pc_reduction *const *reductions, uint32_t n_reductions,
                      pc_answer_fn deliver, void *user)
{
    bool has_all = plan && (reductions || !n_reductions) && (n_reductions || deliver);
    for (uint32_t i = 0; has_all && i < n_reductions; i++)
        has_all = reductions[i] != NULL;
    pc_context *context = plan ? plan->question.context : NULL;
    if (!has_all)
        return pci_fail_null(context, "plan, reductions or deliver");
    if (plan->question.query.keeps)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the plan was made to keep its matrix: call pc_plan_collect");
    if (n_reductions && !plan->question.kind->is_matrix)
        return pci_fail(context, PC_ERR_ARGUMENT, "only the rows of a matrix can be reduced");
    pci_sink sink = {.context = context,
                     .reductions = reductions,
                     .n_reductions = n_reductions,
                     .deliver = deliver,
                     .user = user};
    for (uint32_t i = 0; i < n_reductions; i++) {
        if (plan->question.options.n_certify_rounds == 0)
            pci_reduction_end_twin(reductions[i]);
        pci_reduction_clear(reductions[i]);
    }
    return run_plan(plan, &sink);
}

/* ---- Answers that are kept ------------------------------------------------------------------- */

typedef struct collecting {
    const pci_question *question;
    pc_counts *answers; /* made when the first rows tell their width */
} collecting;

static uint64_t answer_rows(const pci_question *question)
{
    return question->kind->is_summed ? 1 : pci_question_shape(question).n_rows;
}

/* Makes room for answers like the rows. */
static pc_status make_room(collecting *c, const pc_rows *rows)
{
    pc_context *context = c->question->context;
    const pc_query *query = &c->question->query;
    uint64_t n_rows, n_words = rows->n_limbs ? rows->n_limbs : 1, bytes;
    if (__builtin_mul_overflow(query->each ? query->length : 1, answer_rows(c->question),
                               &n_rows) ||
        __builtin_mul_overflow(n_rows, rows->n_columns, &bytes) ||
        __builtin_mul_overflow(bytes, n_words * sizeof(uint64_t), &bytes))
        bytes = UINT64_MAX;
    if (!pci_memory_has(context, (double)bytes))
        return pci_fail_memory(context, "the answers", bytes);
    return pci_counts_create(context, n_rows, rows->n_columns, rows->n_limbs, &c->answers);
}

static pc_status collect_rows(void *user, uint64_t length, const pc_rows *rows)
{
    collecting *c = user;
    pc_context *context = c->question->context;
    pc_status status = c->answers ? PC_OK : make_room(c, rows);
    if (status != PC_OK)
        return status;
    const pc_query *query = &c->question->query;
    uint64_t before = query->each ? (length - 1) * answer_rows(c->question) : 0;
    size_t at = (before + rows->first_row) * rows->n_columns, n = rows->n_rows * rows->n_columns;
    if (rows->limbs)
        memcpy(c->answers->limbs + at * rows->n_limbs, rows->limbs, n * rows->n_limbs * 8);
    for (size_t e = 0; rows->values && e < n; e++) {
        c->answers->values[at + e] = pci_number_scale(rows->values[e], rows->exponent);
        if (isinf(c->answers->values[at + e]))
            return pci_fail(context, PC_ERR_RANGE,
                            "a number of the answer passes the range of doubles: count exactly, or "
                            "take the rows by pc_plan_run");
    }
    return PC_OK;
}

/* The rows of a matrix go where they stay. */
static pc_status keep(pc_plan *plan, pc_counts **counts)
{
    pci_sink sink = {.context = plan->question.context,
                     .keeps = true,
                     .n_kept = pci_question_shape(&plan->question).n_rows};
    pc_status status = run_plan(plan, &sink);
    if (status == PC_OK) /* there may be no rows */
        status = pci_sink_open(&sink, plan->info.n_limbs);
    if (status == PC_OK)
        *counts = sink.result;
    return status;
}

pc_status pc_plan_collect(pc_plan *plan, pc_counts **answers)
{
    if (!plan || !answers)
        return pci_fail_null(plan ? plan->question.context : NULL, "plan or answers");
    if (plan->question.query.keeps)
        return keep(plan, answers);
    collecting c = {.question = &plan->question};
    pc_status status = pc_plan_run(plan, NULL, 0, collect_rows, &c);
    /* An answer without rows has answers without rows. */
    pc_rows none = {.n_limbs = plan->question.options.arithmetic != PC_FLOAT};
    if (status == PC_OK && !c.answers)
        status = make_room(&c, &none);
    if (status == PC_OK)
        *answers = c.answers;
    else
        pc_counts_free(c.answers);
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
    pc_status status = pci_plans_make(methods, context, graph, &query, options, &plan);
    if (status != PC_OK)
        return status;
    status = keep(&plan, counts);
    pci_plans_end(&plan);
    return status;
}

pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user)
{
    pc_plan plan;
    if (!context || !graph || !query || !deliver)
        return pci_fail_null(context, "graph, query or deliver");
    pc_status status = pci_plans_make(methods, context, graph, query, options, &plan);
    if (status != PC_OK)
        return status;
    status = pc_plan_run(&plan, NULL, 0, deliver, user);
    pci_plans_end(&plan);
    return status;
}
