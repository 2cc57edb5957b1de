/* The loop over the routes. */
#include "src/run/run.h"

#include <stdio.h>
#include <string.h>

static pc_status run_matrix(const pci_execution *run)
{
    if (!run->plan->n_vertices)
        return pci_sink_open(run->request->context, run->plan, run->sink);
    if (run->route->source == PCI_SOURCE_VECTORS)
        return pci_source_vectors(run);
    if (run->route->source == PCI_SOURCE_POLYNOMIAL)
        return pci_source_polynomial(run);
    if (run->route->source == PCI_SOURCE_ACYCLIC)
        return pci_source_acyclic(run);
    return run->plan->n_blocks && !pci_plan_is_reduced(run->plan) ? pci_sum_blocks(run)
                                                                  : pci_source_power(run);
}

static pc_status run_query(const pci_execution *run)
{
    switch (run->route->source) {
    case PCI_SOURCE_IDENTITY:
    case PCI_SOURCE_POWER:
    case PCI_SOURCE_POLYNOMIAL:
        return pci_read_off(run);
    case PCI_SOURCE_SINGLE:
        return pci_source_single(run);
    case PCI_SOURCE_HALVES:
        return pci_request_has_lengths(run->request) ? pci_source_halves_of_lengths(run)
                                                     : pci_source_halves(run);
    case PCI_SOURCE_ACYCLIC:
        return pci_source_acyclic(run);
    case PCI_SOURCE_RECURRENCE:
        return pci_source_recurrence(run);
    case PCI_SOURCE_VECTORS:
        break;
    }
    return pci_source_vectors(run);
}

/* Where nothing but vectors was computed, the time that neither checking nor passing on took is the
 * time of sweeping. */
static void settle_times(const pci_execution *run, double run_seconds)
{
    pc_plan_info *plan = run->plan;
    pci_source source = run->route->source;
    pci_sink_add_seconds(run->sink, plan);
    if (source != PCI_SOURCE_VECTORS && source != PCI_SOURCE_SINGLE &&
        source != PCI_SOURCE_HALVES && source != PCI_SOURCE_ACYCLIC)
        return;
    plan->seconds.sweep = run_seconds - plan->seconds.certify - plan->seconds.deliver;
    if (plan->n_levels)
        plan->levels[0].seconds = plan->seconds.sweep;
}

static pc_status run_route(const pc_plan *planned, const pci_route *route, pci_sink *sink,
                           pc_plan_info *plan)
{
    pci_execution run = {.request = &planned->request, .route = route, .plan = plan, .sink = sink};
    double start = pci_now_seconds();
    *plan = route->plan;
    plan->seconds.start = planned->request.context->cuda_start_seconds;
    plan->seconds.bound = planned->bound_seconds;
    sink->seconds = sink->certify_seconds = 0;
    pc_status status =
        pci_request_is_matrix(&planned->request) ? run_matrix(&run) : run_query(&run);
    double seconds = pci_now_seconds() - start;
    plan->seconds.total = planned->bound_seconds + seconds;
    settle_times(&run, seconds);
    return status;
}

/* Whether the next route may be tried after the device of this one failed: the caller did not ask for
 * the device, and no row of the current length was delivered. */
static bool may_go_on(const pci_request *request, const pci_route *route, const pci_sink *sink,
                      pc_status status)
{
    return (status == PC_ERR_MEMORY || status == PC_ERR_ENGINE) && !pci_route_is_on_cpu(route) &&
           request->context->devices.kind == PCI_DEVICE_AUTO && !sink->has_delivered;
}

static bool can_be_taken(const pc_plan *planned, uint32_t r)
{
    return r < planned->n_routes && planned->route[r]->status == PC_OK;
}

/* Lengths that are out are passed on again by vectors, but not by powers. */
static bool may_resume(const pci_route *route, const pci_sink *sink)
{
    return !sink->n_complete || route->source == PCI_SOURCE_POWER;
}

/* The route to try when the result of route r failed its check: the next one or, where that cannot go
 * on with what was delivered, the same. */
static uint32_t second_route(const pc_plan *planned, uint32_t r, const pci_sink *sink)
{
    if (!can_be_taken(planned, r + 1))
        return r;
    const pci_route *route = planned->route[r], *next = planned->route[r + 1];
    bool has_same_rows = route->plan.n_limbs == next->plan.n_limbs && next->plan.n_limbs;
    return may_resume(next, sink) && (has_same_rows || !sink->has_delivered) ? r + 1 : r;
}

static const char *name_of(pci_source source)
{
    static const char *const names[] = {[PCI_SOURCE_IDENTITY] = "the identity",
                                        [PCI_SOURCE_POWER] = "squaring",
                                        [PCI_SOURCE_VECTORS] = "sweeps",
                                        [PCI_SOURCE_SINGLE] = "a sweep of one vector",
                                        [PCI_SOURCE_HALVES] = "sweeps of half the length",
                                        [PCI_SOURCE_RECURRENCE] = "a recurrence",
                                        [PCI_SOURCE_POLYNOMIAL] = "a polynomial",
                                        [PCI_SOURCE_ACYCLIC] = "a pass in topological order"};
    return names[source];
}

/* What failed its check, and how it had been computed. */
static void describe(const pci_route *route, const pc_context *context, size_t size, char *text)
{
    const pc_plan_info *plan = &route->plan;
    snprintf(text, size, "%.320s (by %s on %s, %s%s%.100s)", context->message,
             name_of(route->source), plan->engine, plan->kernel, *plan->device ? ", " : "",
             plan->device);
}

/* The second failure: names both. */
static pc_status fail_twice(const pci_route *route, pc_context *context, const char *first)
{
    char second[sizeof context->plan.recomputed];
    describe(route, context, sizeof second, second);
    return pci_fail(context, PC_ERR_CERTIFY,
                    "%s; it was computed again: %s; this is a bug in pathcount or a fault of this "
                    "machine: test its memory and its GPU",
                    first, second);
}

pc_status pci_run_routes(pc_plan *planned, pci_sink *sink)
{
    const pci_request *request = &planned->request;
    pc_plan_info *plan = &planned->info;
    char reason[sizeof plan->engine_reason] = "", wrong[sizeof plan->recomputed] = "";
    pc_status status = PC_ERR_INTERNAL;
    sink->modulus = request->options.modulus;
    for (uint32_t r = 0; can_be_taken(planned, r);) {
        const pci_route *route = planned->route[r];
        if (*reason && (!pci_route_is_on_cpu(route) || !may_resume(route, sink))) {
            r++; /* that device has failed; lengths that are out are not passed on again */
            continue;
        }
        status = run_route(planned, route, sink, plan);
        if (*reason)
            snprintf(plan->engine_reason, sizeof plan->engine_reason, "%s", reason);
        memcpy(plan->recomputed, wrong, sizeof wrong);
        if (status != PC_OK)
            pci_sink_reset(sink);
        if (status == PC_ERR_CERTIFY && *wrong)
            return fail_twice(route, request->context, wrong);
        if (status == PC_ERR_CERTIFY) {
            describe(route, request->context, sizeof wrong, wrong);
            r = second_route(planned, r, sink);
        } else if (may_go_on(request, route, sink, status)) {
            snprintf(reason, sizeof reason, "CUDA failed: %.200s", request->context->message);
            r++;
        } else {
            return status;
        }
    }
    return status;
}
