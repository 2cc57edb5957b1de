/* Makes the routes of all ways on each engine. The routes of the processors are made first, because
 * their cost is known without starting anything. CUDA is opened only for work that takes the
 * processors longer than the start of CUDA, about half a second. This holds for every method, unless
 * the caller asks for a GPU. */
#include "src/plan/listing.h"

#include "src/plan/engines.h"

/* ---- One route ------------------------------------------------------------------------------- */

static pc_status make_route(const pci_listing *list, const pci_way *way, const pci_engine *engine,
                            pci_route *route)
{
    const pci_request *request = list->request;
    switch (way->source) {
    case PCI_SOURCE_SINGLE:
        return pci_route_by_single(request, engine, route);
    case PCI_SOURCE_HALVES:
        return pci_route_by_halves(request, engine, route);
    case PCI_SOURCE_POLYNOMIAL:
        return pci_route_by_polynomial(request, list->dense, route);
    case PCI_SOURCE_ACYCLIC:
        return pci_route_by_order(request, route);
    case PCI_SOURCE_RECURRENCE:
        return pci_route_by_recurrence(request, route);
    case PCI_SOURCE_VECTORS:
        return pci_request_is_matrix(request)
                   ? pci_route_by_rows(request, list->dense, engine, route)
                   : pci_route_by_vectors(request, engine, route);
    case PCI_SOURCE_POWER:
    case PCI_SOURCE_IDENTITY:
        break;
    }
    return pci_route_by_power(request, list->dense, way->sweep_length, engine, route);
}

static pc_status add_route(pci_listing *list, const pci_way *way, const pci_engine *engine,
                           const char *because)
{
    pci_route *route = pci_route_create(list->request);
    if (!route)
        return pci_fail_memory(list->request->context, "a plan", sizeof *route);
    list->route[list->n_routes++] = route;
    pc_status status = make_route(list, way, engine, route);
    route->rank = way->rank;
    pci_route_explain(route, "%s", because);
    return status;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* Routes that can be taken come first, ordered by rank and then by time. Among the routes that
 * cannot be taken, the first is the one whose reason is most useful: the one that needs the least
 * memory, if only memory is missing. */
static int compare(const pci_route *a, const pci_route *b)
{
    bool is_refused[] = {a->status != PC_OK, b->status != PC_OK};
    if (is_refused[0] != is_refused[1])
        return is_refused[0] - is_refused[1];
    bool is_half[] = {a->source == PCI_SOURCE_HALVES, b->source == PCI_SOURCE_HALVES};
    if (is_refused[0] && is_half[0] != is_half[1]) /* what whole lengths lack tells more */
        return is_half[0] - is_half[1];
    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (!is_refused[0])
        return compare_doubles(a->seconds, b->seconds);
    double needed[] = {pci_route_fits(a) ? 0 : (double)a->plan.memory_bytes,
                       pci_route_fits(b) ? 0 : (double)b->plan.memory_bytes};
    return compare_doubles(needed[0], needed[1]);
}

void pci_listing_sort(pci_listing *list)
{
    for (uint32_t i = 1; i < list->n_routes; i++) /* few, and in order where they compare equal */
        for (uint32_t j = i; j > 0 && compare(list->route[j - 1], list->route[j]) > 0; j--) {
            pci_route *swap = list->route[j];
            list->route[j] = list->route[j - 1];
            list->route[j - 1] = swap;
        }
}

/* ---- Engines --------------------------------------------------------------------------------- */

/* Adds routes on the processors: for the ways that only they can take, and for the others unless
 * CUDA was asked for. */
static pc_status add_cpu_routes(pci_listing *list)
{
    pc_status status = PC_OK;
    for (int w = 0; w < list->n_ways && status == PC_OK; w++)
        if (list->ways[w].cpu_because || !pci_device_is(list, PCI_DEVICE_CUDA))
            status = add_route(list, &list->ways[w], &pci_engine_cpu,
                               list->ways[w].cpu_because ? list->ways[w].cpu_because : "asked for");
    return status;
}

/* Notes the reason in the routes of the processors that CUDA could also take. */
static void explain_cpu_routes(pci_listing *list, const char *why)
{
    for (uint32_t i = 0; i < list->n_routes; i++)
        if (pci_route_is_on_cpu(list->route[i]) && !list->ways[i].cpu_because)
            pci_route_explain(list->route[i], "%s", why);
}

/* Whether the processors finish before CUDA would have started. */
static bool is_little_work(const pci_listing *list)
{
    const pci_route *best = list->route[0];
    for (uint32_t i = 1; i < list->n_routes; i++)
        if (compare(best, list->route[i]) > 0)
            best = list->route[i];
    return best->status == PC_OK && best->seconds < PCI_CUDA_START_SECONDS;
}

static void explain_little_work(pci_listing *list)
{
    for (uint32_t i = 0; i < list->n_routes; i++)
        if (!list->ways[i].cpu_because)
            pci_route_explain(list->route[i], "too little work for a GPU to pay (predicted %.3f s)",
                              list->route[i]->plan.predicted_seconds);
}

/* Notes why the CPU or CUDA is preferred, in two routes that differ only in the engine. */
static void explain_choice(pci_route *cpu, pci_route *cuda)
{
    pci_route *both[] = {cpu, cuda};
    for (int i = 0; i < 2; i++)
        if (cuda->status != PC_OK && cuda->status != PC_ERR_MEMORY)
            pci_route_explain(both[i], "%s", cuda->why_not);
        else if (pci_route_fits(cpu) && cuda->status == PC_OK)
            pci_route_explain(both[i],
                              "predicted %.2f s on the CPU, %.2f s with CUDA and its start",
                              cpu->seconds, cuda->seconds);
        else if (cuda->status == PC_ERR_MEMORY && pci_route_fits(cuda)) /* of the device */
            pci_route_explain(both[i], "%s", cuda->why_not);
        else
            pci_route_explain(both[i], "%s needs more memory of this machine than there is",
                              cuda->status == PC_OK ? "the CPU engine" : "CUDA");
}

/* Adds a route on CUDA for each way that is not restricted to the processors. If there are routes
 * of the processors for these ways, they are already in the list, in the same order. */
static pc_status add_cuda_routes(pci_listing *list)
{
    pc_context *context = list->request->context;
    bool has_cpu = !pci_device_is(list, PCI_DEVICE_CUDA);
    const pci_engine *cuda = NULL;
    pc_status opened = pci_engine_cuda(context, &cuda), status = PC_OK;
    if (opened != PC_OK && has_cpu) {
        explain_cpu_routes(list, context->message);
        return PC_OK;
    }
    for (int w = 0; w < list->n_ways && status == PC_OK; w++) {
        if (list->ways[w].cpu_because)
            continue;
        if (opened != PC_OK)
            return opened;
        status = add_route(list, &list->ways[w], cuda, "asked for");
        if (status == PC_OK && has_cpu)
            explain_choice(list->route[w], list->route[list->n_routes - 1]);
    }
    return status;
}

/* What the processes of a graph in parts share takes as many times less as there are of them. */
static void divide_seconds(pci_route *route, int n_processes)
{
    pc_plan_info *plan = &route->plan;
    route->seconds /= n_processes;
    plan->predicted_seconds /= n_processes;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        plan->levels[l].predicted_seconds /= n_processes;
}

/* Of a graph in parts: its arcs are where its engine is. */
static pc_status add_parts_routes(pci_listing *list, const pci_parts *parts)
{
    pc_status status = PC_OK;
    for (int w = 0; w < list->n_ways && status == PC_OK; w++) {
        bool squares = list->ways[w].source == PCI_SOURCE_POWER;
        status = add_route(list, &list->ways[w], parts->engine, "the graph lies there in parts");
        if (status != PC_OK)
            break;
        pci_route *route = list->route[list->n_routes - 1];
        divide_seconds(route, parts->n_processes);
        if (squares)
            pci_route_explain(route, "the moduli are shared by %d process%s", parts->n_processes,
                              parts->n_processes == 1 ? "" : "es");
    }
    return status;
}

pc_status pci_listing_add_routes(pci_listing *list)
{
    const pci_parts *parts = list->request->graph->parts;
    bool may_use_cuda = false;
    if (parts)
        return add_parts_routes(list, parts);
    for (int w = 0; w < list->n_ways; w++)
        may_use_cuda = may_use_cuda || !list->ways[w].cpu_because;
    pc_status status = add_cpu_routes(list);
    if (status != PC_OK || !may_use_cuda || pci_device_is(list, PCI_DEVICE_CPU))
        return status;
    if (pci_device_is(list, PCI_DEVICE_AUTO) && is_little_work(list)) {
        explain_little_work(list);
        return PC_OK;
    }
    return add_cuda_routes(list);
}
