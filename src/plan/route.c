/* What all routes have in common. */
#include "src/plan/route.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

pci_route *pci_route_create(const pci_request *request)
{
    pci_route *route = pci_alloc_zero(request->context, 1, sizeof *route);
    if (!route)
        return NULL;
    route->engine = &pci_engine_cpu;
    route->plan = pci_plan_of(request);
    return route;
}

void pci_route_free(pc_context *context, pci_route *route)
{
    if (!route)
        return;
    pci_vectors_plan_free(&route->vectors);
    pci_halves_plan_free(&route->halves);
    pci_free(context, route);
}

void pci_route_refuse(pci_route *route, pc_status status, const char *format, ...)
{
    va_list arguments;
    if (route->status != PC_OK)
        return;
    va_start(arguments, format);
    vsnprintf(route->why_not, sizeof route->why_not, format, arguments);
    va_end(arguments);
    route->status = status;
}

void pci_route_explain(pci_route *route, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(route->plan.engine_reason, sizeof route->plan.engine_reason, format, arguments);
    va_end(arguments);
}

void pci_route_check_memory(const pci_request *request, pci_route *route)
{
    const pc_plan_info *plan = &route->plan;
    char counts[48] = "doubles";
    if (pci_route_fits(route))
        return;
    if (plan->arithmetic != PC_FLOAT)
        snprintf(counts, sizeof counts, "counts of %.0f bits", floor(plan->bound_bits) + 1);
    pci_route_refuse(route, PC_ERR_MEMORY,
                     "%" PRIu64 " vertices and %s need %.1f MB of memory, and there are %.1f MB; "
                     "%stake a shorter length, count modulo a number (--mod M), or give it a "
                     "machine with more",
                     plan->n_vertices, counts, (double)plan->memory_bytes / 1e6,
                     (double)plan->memory_available_bytes / 1e6,
                     request->query.keeps ? "stream the rows instead of keeping them, " : "");
}
