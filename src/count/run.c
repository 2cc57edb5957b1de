/* Tries the plans of a question in their order, and adds the rows of an answer up where the kind of
 * question says so. */
#include "src/count/methods.h"

#include <stdio.h>
#include <string.h>

/* ---- One plan -------------------------------------------------------------------------------- */

pc_status pci_run_plan(const pc_plan *plans, const pci_plan *plan, pci_sink *sink,
                       pc_plan_info *info)
{
    const pci_question *question = &plans->question;
    pci_execution run = {.question = question, .plan = plan, .info = info, .sink = sink};
    pc_context *context = question->context;
    double start = pci_now_seconds();
    int n_worth = context->n_worth;
    context->n_worth = plan->info.n_threads;
    *info = plan->info;
    info->seconds.start = context->cuda_start_seconds;
    info->seconds.bound = plans->bound_seconds;
    sink->seconds = sink->certify_seconds = 0;
    pc_status status = PC_OK;
    if (plan->method->makes_matrix && !question->kind->is_matrix)
        status = pci_read_off(&run);
    else if (info->n_vertices || !question->kind->is_matrix) /* or there are no rows */
        status = plan->method->run(&run);
    context->n_worth = n_worth;
    double seconds = pci_now_seconds() - start;
    info->seconds.total = plans->bound_seconds + seconds;
    pci_sink_add_seconds(sink, info);
    /* Where nothing but vectors was computed, the time that neither checking nor passing on took is
     * the time of sweeping. */
    if (plan->method->only_sweeps) {
        info->seconds.sweep = seconds - info->seconds.certify - info->seconds.deliver;
        if (info->n_levels)
            info->levels[0].seconds = info->seconds.sweep;
    }
    return status;
}

/* ---- Plans in their order -------------------------------------------------------------------- */

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

static pc_status try_plans(pc_plan *plans, pci_sink *sink)
{
    const pci_question *question = &plans->question;
    pc_plan_info *info = &plans->info;
    char reason[sizeof info->engine_reason] = "", wrong[sizeof info->recomputed] = "";
    char second[sizeof wrong];
    pc_status status = PC_ERR_INTERNAL;
    sink->modulus = question->options.modulus;
    for (uint32_t r = 0; can_be_taken(plans, r);) {
        const pci_plan *plan = plans->plan[r];
        if (*reason && (!pci_plan_is_on_cpu(plan) || !may_resume(plan, sink))) {
            r++; /* that device has failed; lengths that are out are not passed on again */
            continue;
        }
        status = pci_run_plan(plans, plan, sink, info);
        if (*reason)
            snprintf(info->engine_reason, sizeof info->engine_reason, "%s", reason);
        memcpy(info->recomputed, wrong, sizeof wrong);
        if (status != PC_OK)
            pci_sink_reset(sink);
        /* The next plan may be tried after the device of this one failed where the caller did not
         * ask for the device, and no row of the current length was delivered. */
        bool may_go_on = (status == PC_ERR_MEMORY || status == PC_ERR_ENGINE) &&
                         !pci_plan_is_on_cpu(plan) && !sink->has_delivered &&
                         question->context->devices.kind == PCI_DEVICE_AUTO;
        if (status == PC_ERR_CERTIFY && *wrong) {
            describe(plan, question->context, sizeof second, second);
            return pci_fail(
                question->context, PC_ERR_CERTIFY,
                "%s; it was computed again: %s; this is a bug in pathcount or a fault of this "
                "machine: test its memory and its GPU",
                wrong, second);
        }
        if (status == PC_ERR_CERTIFY) {
            describe(plan, question->context, sizeof wrong, wrong);
            r = second_route(plans, r, sink);
        } else if (may_go_on) {
            snprintf(reason, sizeof reason, "CUDA failed: %.200s", question->context->message);
            r++;
        } else {
            return status;
        }
    }
    return status;
}

/* ---- Rows that are added up, length by length ------------------------------------------------ */

typedef struct summing {
    uint64_t n_rows; /* of a length */
    pci_sink *sink;
    pci_gathered total;
} summing;

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    summing *t = user;
    pci_gathered_add_rows(&t->total, rows);
    return rows->first_row + rows->n_rows == t->n_rows
               ? pci_gathered_deliver(&t->total, length, false, t->sink)
               : PC_OK;
}

static pc_status add_up(pc_plan *plans, pci_sink *sink)
{
    const pci_question *question = &plans->question;
    const pc_query *query = &question->query;
    summing t = {.n_rows = pci_question_shape(question).n_rows, .sink = sink};
    pci_sink adding = {.context = question->context, .deliver = take, .user = &t};
    sink->modulus = question->options.modulus;
    pc_status status =
        pci_gathered_create(question, "the trace", 1, 1, plans->n_sum_limbs, &t.total);
    if (status == PC_OK)
        status = try_plans(plans, &adding);
    /* A graph without vertices has answers without rows. */
    for (uint64_t l = query->each ? 1 : query->length;
         !t.n_rows && l <= query->length && status == PC_OK; l++) {
        status = pci_gathered_deliver(&t.total, l, false, sink);
        if (l == UINT64_MAX)
            break;
    }
    pci_gathered_free(&t.total);
    return status;
}

pc_status pci_run_plans(pc_plan *plans, pci_sink *sink)
{
    bool is_added = plans->question.kind->is_summed && !plans->plan[0]->method->is_shortcut;
    return is_added ? add_up(plans, sink) : try_plans(plans, sink);
}
