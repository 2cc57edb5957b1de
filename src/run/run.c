/* The loop over the routes. */
#include "src/run/run.h"

#include <stdio.h>

static pc_status run_matrix(const pci_execution *run)
{
    if (!run->plan->n_vertices)
        return pci_sink_open(run->request->context, run->plan, run->sink);
    if (run->route->source == PCI_SOURCE_VECTORS)
        return pci_source_vectors(run);
    return run->plan->n_blocks && !pci_plan_is_reduced(run->plan) ? pci_sum_blocks(run)
                                                                  : pci_source_power(run);
}

static pc_status run_query(const pci_execution *run)
{
    switch (run->route->source) {
    case PCI_SOURCE_IDENTITY:
    case PCI_SOURCE_POWER:
        return pci_read_off(run);
    case PCI_SOURCE_SUMS:
        return pci_source_sums(run);
    case PCI_SOURCE_HALVES:
        return pci_request_has_lengths(run->request) ? pci_source_halves_of_lengths(run)
                                                     : pci_source_halves(run);
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
    plan->seconds.deliver += run->sink->seconds;
    if (source != PCI_SOURCE_VECTORS && source != PCI_SOURCE_SUMS && source != PCI_SOURCE_HALVES)
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
    sink->seconds = 0;
    pc_status status =
        pci_request_is_matrix(&planned->request) ? run_matrix(&run) : run_query(&run);
    double seconds = pci_now_seconds() - start;
    plan->seconds.total = planned->planning_seconds + seconds;
    settle_times(&run, seconds);
    return status;
}

/* Whether the next route may be tried after this one failed: the failure is one of the device, the
 * caller did not ask for the device, and no row of the current length was delivered. */
static bool may_go_on(const pci_request *request, const pci_route *route, const pci_sink *sink,
                      pc_status status)
{
    return (status == PC_ERR_MEMORY || status == PC_ERR_ENGINE) && !pci_route_is_on_cpu(route) &&
           request->context->devices.kind == PCI_DEVICE_AUTO && !sink->has_delivered;
}

pc_status pci_run_routes(pc_plan *planned, pci_sink *sink)
{
    const pci_request *request = &planned->request;
    pc_plan_info *plan = &planned->info;
    char reason[sizeof plan->engine_reason] = "";
    pc_status status = PC_ERR_INTERNAL;
    sink->modulus = request->options.modulus;
    for (uint32_t r = 0; r < planned->n_routes && planned->route[r]->status == PC_OK; r++) {
        const pci_route *route = planned->route[r];
        bool may_resume = !sink->n_complete || route->source == PCI_SOURCE_POWER;
        if (*reason && (!pci_route_is_on_cpu(route) || !may_resume))
            continue; /* that device has failed; lengths that are out are not passed on again */
        status = run_route(planned, route, sink, plan);
        if (*reason)
            snprintf(plan->engine_reason, sizeof plan->engine_reason, "%s", reason);
        if (status != PC_OK)
            pci_sink_reset(sink);
        if (!may_go_on(request, route, sink, status))
            return status;
        snprintf(reason, sizeof reason, "CUDA failed: %.200s", request->context->message);
    }
    return status;
}
