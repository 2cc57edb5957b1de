/* Tries the plans of a question in their order, and adds the rows of an answer up where the kind of
 * question says so. */
#include <gmp.h>

#include "src/count/count.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- One plan -------------------------------------------------------------------------------- */

/* Where nothing but vectors was computed, the time that neither checking nor passing on took is the
 * time of sweeping. */
static void settle_times(const pci_execution *run, double run_seconds)
{
    pc_plan_info *info = run->info;
    pci_sink_add_seconds(run->sink, info);
    if (!run->plan->method->only_sweeps)
        return;
    info->seconds.sweep = run_seconds - info->seconds.certify - info->seconds.deliver;
    if (info->n_levels)
        info->levels[0].seconds = info->seconds.sweep;
}

static pc_status run_plan(const pc_plan *plans, const pci_plan *plan, pci_sink *sink,
                          pc_plan_info *info)
{
    const pci_question *question = &plans->question;
    pci_execution run = {.question = question, .plan = plan, .info = info, .sink = sink};
    double start = pci_now_seconds();
    *info = plan->info;
    info->seconds.start = question->context->cuda_start_seconds;
    info->seconds.bound = plans->bound_seconds;
    sink->seconds = sink->certify_seconds = 0;
    pc_status status;
    if (question->kind->is_matrix && !info->n_vertices)
        status = pci_sink_open(question->context, info, sink);
    else if (plan->method->makes_matrix && !question->kind->is_matrix)
        status = pci_read_off(&run);
    else
        status = plan->method->run(&run);
    double seconds = pci_now_seconds() - start;
    info->seconds.total = plans->bound_seconds + seconds;
    settle_times(&run, seconds);
    return status;
}

/* ---- Plans in their order -------------------------------------------------------------------- */

/* Tells whether the next plan may be tried after the device of this one failed: the caller did not
 * ask for the device, and no row of the current length was delivered. */
static bool may_go_on(const pci_question *question, const pci_plan *plan, const pci_sink *sink,
                      pc_status status)
{
    return (status == PC_ERR_MEMORY || status == PC_ERR_ENGINE) && !pci_plan_is_on_cpu(plan) &&
           question->context->devices.kind == PCI_DEVICE_AUTO && !sink->has_delivered;
}

static bool can_be_taken(const pc_plan *plans, uint32_t r)
{
    return r < plans->n_plans && plans->plan[r]->status == PC_OK;
}

/* Lengths that are out are passed on again by vectors, but not by powers. */
static bool may_resume(const pci_plan *plan, const pci_sink *sink)
{
    return !sink->n_complete || plan->method->resumes;
}

/* The plan to try when the result of plan r failed its check: the next one or, where that cannot go
 * on with what was delivered, the same. */
static uint32_t second_route(const pc_plan *plans, uint32_t r, const pci_sink *sink)
{
    if (!can_be_taken(plans, r + 1))
        return r;
    const pci_plan *plan = plans->plan[r], *next = plans->plan[r + 1];
    bool has_same_rows = plan->info.n_limbs == next->info.n_limbs && next->info.n_limbs;
    return may_resume(next, sink) && (has_same_rows || !sink->has_delivered) ? r + 1 : r;
}

/* Tells what failed its check, and how it had been computed. */
static void describe(const pci_plan *plan, const pc_context *context, size_t size, char *text)
{
    const pc_plan_info *info = &plan->info;
    snprintf(text, size, "%.320s (by %s on %s, %s%s%.100s)", context->message, plan->method->name,
             info->engine, info->kernel, *info->device ? ", " : "", info->device);
}

/* The second failure: names both. */
static pc_status fail_twice(const pci_plan *plan, pc_context *context, const char *first)
{
    char second[sizeof context->plan.recomputed];
    describe(plan, context, sizeof second, second);
    return pci_fail(context, PC_ERR_CERTIFY,
                    "%s; it was computed again: %s; this is a bug in pathcount or a fault of this "
                    "machine: test its memory and its GPU",
                    first, second);
}

static pc_status try_plans(pc_plan *plans, pci_sink *sink)
{
    const pci_question *question = &plans->question;
    pc_plan_info *info = &plans->info;
    char reason[sizeof info->engine_reason] = "", wrong[sizeof info->recomputed] = "";
    pc_status status = PC_ERR_INTERNAL;
    sink->modulus = question->options.modulus;
    for (uint32_t r = 0; can_be_taken(plans, r);) {
        const pci_plan *plan = plans->plan[r];
        if (*reason && (!pci_plan_is_on_cpu(plan) || !may_resume(plan, sink))) {
            r++; /* that device has failed; lengths that are out are not passed on again */
            continue;
        }
        status = run_plan(plans, plan, sink, info);
        if (*reason)
            snprintf(info->engine_reason, sizeof info->engine_reason, "%s", reason);
        memcpy(info->recomputed, wrong, sizeof wrong);
        if (status != PC_OK)
            pci_sink_reset(sink);
        if (status == PC_ERR_CERTIFY && *wrong)
            return fail_twice(plan, question->context, wrong);
        if (status == PC_ERR_CERTIFY) {
            describe(plan, question->context, sizeof wrong, wrong);
            r = second_route(plans, r, sink);
        } else if (may_go_on(question, plan, sink, status)) {
            snprintf(reason, sizeof reason, "CUDA failed: %.200s", question->context->message);
            r++;
        } else {
            return status;
        }
    }
    return status;
}

/* ---- Rows that are added up, length by length ------------------------------------------------ */

typedef struct sum {
    uint64_t *words; /* [n_limbs] */
    double value;    /* ... of doubles, in units of 2^exponent */
    int64_t exponent;
} sum;

typedef struct summing {
    const pci_question *question;
    pci_sink *sink;
    uint32_t n_limbs; /* of the sum; 0: doubles */
    sum sums[2];      /* of the same entries: both must be the same */
} summing;

/* Adds a double of any exponent: the sum keeps the larger of the two. */
static void add_double(sum *t, double value, int64_t exponent)
{
    int64_t apart = exponent - t->exponent, most = 4000;
    int shift = (int)(apart > most ? most : apart < -most ? -most : apart);
    if (shift > 0) {
        t->value = ldexp(t->value, -shift) + value;
        t->exponent = exponent;
    } else {
        t->value += ldexp(value, shift);
    }
}

static void add_rows(const summing *t, const pc_rows *rows, sum *to)
{
    uint64_t modulus = t->question->options.modulus;
    for (uint64_t e = 0; e < rows->n_rows; e++)
        if (rows->values)
            add_double(to, rows->values[e], rows->exponent);
        else if (t->question->options.arithmetic == PC_MODULAR)
            *to->words = (*to->words + rows->limbs[e]) % modulus; /* both are below 2^63 */
        else
            mpn_add(to->words, to->words, t->n_limbs, rows->limbs + e * rows->n_limbs,
                    rows->n_limbs);
}

static bool are_same(const summing *t)
{
    const sum *a = &t->sums[0], *b = &t->sums[1];
    return memcmp(a->words, b->words, t->n_limbs * sizeof *a->words) == 0 && a->value == b->value &&
           a->exponent == b->exponent;
}

/* Passes the sum of a length on, and begins the next one. */
static pc_status deliver(summing *t, uint64_t length)
{
    if (!are_same(t))
        return pci_fail_check(t->question->context, "the trace of length %" PRIu64, length);
    pc_rows rows = {.n_rows = 1, .n_columns = 1, .n_limbs = t->n_limbs};
    if (t->n_limbs)
        rows.limbs = t->sums[0].words;
    else
        rows.values = &t->sums[0].value;
    rows.exponent = t->n_limbs ? 0 : t->sums[0].exponent;
    pc_status status = pci_sink_take(t->sink, length, &rows);
    for (int i = 0; i < 2; i++) {
        memset(t->sums[i].words, 0, ((size_t)t->n_limbs + 1) * sizeof *t->sums[i].words);
        t->sums[i].value = 0;
        t->sums[i].exponent = 0;
    }
    return status;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    summing *t = user;
    for (int i = 0; i < 2; i++)
        add_rows(t, rows, &t->sums[i]);
    bool is_last = rows->first_row + rows->n_rows == t->question->graph->n;
    return is_last ? deliver(t, length) : PC_OK;
}

/* A graph without vertices has answers without rows. */
static pc_status deliver_zeros(summing *t)
{
    const pc_query *query = &t->question->query;
    pc_status status = PC_OK;
    for (uint64_t l = query->each ? 1 : query->length; l <= query->length && status == PC_OK; l++) {
        status = deliver(t, l);
        if (l == UINT64_MAX)
            break;
    }
    return status;
}

static pc_status add_up(pc_plan *plans, pci_sink *sink)
{
    pc_context *context = plans->question.context;
    summing t = {.question = &plans->question, .sink = sink, .n_limbs = plans->n_sum_limbs};
    pci_sink adding = {.context = context, .deliver = take, .user = &t};
    size_t n_words = (size_t)t.n_limbs + 1;
    sink->modulus = plans->question.options.modulus;
    uint64_t *words = pci_alloc_zero(context, 2 * n_words, sizeof *words);
    if (!words)
        return pci_fail_memory(context, "a trace", 2 * n_words * sizeof *words);
    t.sums[0].words = words;
    t.sums[1].words = words + n_words;
    pc_status status = try_plans(plans, &adding);
    if (status == PC_OK && !plans->question.graph->n)
        status = deliver_zeros(&t);
    pci_free(context, words);
    return status;
}

pc_status pci_run_plans(pc_plan *plans, pci_sink *sink)
{
    bool is_added = plans->question.kind->is_summed && !plans->plan[0]->method->is_shortcut;
    return is_added ? add_up(plans, sink) : try_plans(plans, sink);
}
