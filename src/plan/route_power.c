/* Routes by powers of the whole matrix: the time and the memory of squaring on an engine. */
#include "src/plan/route.h"

#include "src/cpu/modular.h"

#include <inttypes.h>
#include <math.h>

enum {
    BLOCK_BYTES = 8 << 20,
    SMALL_THINGS_BYTES = 64 << 10 /* a run, its lists, the odd vector */
};

/* Of the memory there is, what a block of all rows may take. */
static const double ALL_ROWS_SHARE = 0.25;

/* The rate at which planes are read or written on a device: a third of the memory rate of an
 * H100. */
static const double DEVICE_BYTES_PER_SECOND = 1e12;

/* Residues times words of results, as an H200 recombines rows and aggregates them. */
static const double DEVICE_COLLECT_PER_SECOND = 1.2e12;

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

uint64_t pci_plan_block_rows(const pc_plan_info *plan)
{
    uint64_t n = pci_plan_n_rows(plan), row_bytes = n * 8 * (plan->n_limbs ? plan->n_limbs : 1);
    if (plan->n_devices > 0)
        return pci_plan_device_rows(plan);
    if (pci_plan_is_direct(plan))
        return n;
    if (plan->symmetric && pci_plan_n_most(plan) > PCI_N_NARROW &&
        (double)n * (double)row_bytes <= ALL_ROWS_SHARE * (double)plan->memory_available_bytes)
        return n; /* of all rows together only half of the entries are made of residues */
    uint64_t n_rows = max_u64(row_bytes ? BLOCK_BYTES / row_bytes : 1, (uint64_t)plan->n_threads);
    return n_rows < n ? n_rows : n;
}

/* Of aggregates, and of the vectors of their dot products, where rows are on a device. */
static uint64_t aggregates_bytes(const pci_request *request, const pc_plan_info *plan, uint64_t n)
{
    uint32_t n_dots = (uint32_t)request->options.n_certify_rounds;
    return plan->n_devices ? pci_aggregates_bytes(n, plan->n_limbs, 2 * n_dots) + n : 0;
}

/* The most memory that is held at once, by the levels or by the delivery. */
static uint64_t exact_bytes(const pci_request *request, const pci_forecast *forecast,
                            const pc_plan_info *plan, bool keeps)
{
    uint64_t n = pci_plan_n_rows(plan);
    uint64_t n_rows = keeps ? n : pci_plan_block_rows(plan);
    uint64_t rows = n_rows * n * plan->n_limbs * sizeof(uint64_t);
    uint64_t certificate =
        sizeof(uint64_t) * 4 * plan->n_vertices +
        (uint64_t)pci_certificate_bytes((double)n, (double)n, request->options.n_certify_rounds);
    uint64_t aggregates = aggregates_bytes(request, plan, n);
    return max_u64(forecast->levels, forecast->power + rows + certificate + aggregates);
}

bool pci_route_keeps_power(const pci_request *request, const pci_route *route)
{
    const pc_graph *graph = request->graph;
    uint64_t n_arcs = graph->weight ? pci_graph_n_arcs(graph) : 0;
    uint64_t modulus = request->options.modulus;
    if (graph->parts && graph->info.max_weight >= modulus)
        return false;
    for (uint64_t a = 0; a < n_arcs; a++)
        if (graph->weight[a] >= modulus)
            return false;
    return route->engine->reduce_modulo && route->engine->aggregate && modulus > 1;
}

/* The memory that making rows takes, without the graph. */
static uint64_t rows_bytes(const pci_request *request, const pci_route *route,
                           const pci_forecast *forecast, const pc_plan_info *plan, bool keeps)
{
    uint64_t n = plan->n_vertices, words = n * n * sizeof(uint64_t);
    if (!plan->n_levels)
        return keeps ? words : pci_plan_block_rows(plan) * n * 8;
    if (plan->arithmetic == PC_EXACT ||
        (plan->arithmetic == PC_MODULAR && pci_route_keeps_power(request, route)))
        return exact_bytes(request, forecast, plan, keeps);
    uint64_t result = keeps ? words : 0;
    if (plan->arithmetic == PC_FLOAT)
        return 2 * words + result;
    return words + max_u64(result, forecast->levels);
}

static uint64_t needed_bytes(const pci_request *request, const pci_route *route,
                             const pci_forecast *forecast)
{
    const pc_plan_info *plan = &route->plan;
    uint64_t bytes = pci_graph_bytes(request->graph) + SMALL_THINGS_BYTES, n = plan->n_blocks;
    if (!n || pci_plan_is_reduced(plan))
        return bytes + rows_bytes(request, route, forecast, plan, request->query.keeps);
    pc_plan_info summed = *plan; /* its rows pass by, and their sums are held, ... */
    summed.n_blocks = 0;
    uint64_t n_held = (uint64_t)pci_request_n_copies(request) + !!request->query.keeps;
    return bytes + rows_bytes(request, route, forecast, &summed, false) +
           n * n * 8 * (plan->n_limbs ? plan->n_limbs : 1) * n_held;
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Whether rows stay on the device, where they are aggregated and certified. What takes the rows of an answer
 * is not known yet: nobody is supposed to want all of them unless they are kept. */
static bool rows_stay(const pci_request *request, const pci_route *route)
{
    return route->engine->aggregate && !request->query.keeps;
}

/* Residues times words of the rows that a device makes of them. */
static double collected_products(const pc_plan_info *plan)
{
    const pc_level *last = &plan->levels[plan->n_levels ? plan->n_levels - 1 : 0];
    double n_rows = (double)pci_plan_n_rows(plan);
    return last->is_swept || last->is_diagonal ? 0
                                               : n_rows * n_rows * last->n_moduli * plan->n_limbs;
}

/* Predicts the time of the device, and of what the host does for it. */
static void predict_on_device(const pci_request *request, const pci_route *route,
                              double ops_per_second, pc_plan_info *plan)
{
    pc_context *context = request->context;
    const pc_graph *graph = request->graph;
    pci_work host = {{0}};
    pci_cost_around(context, graph, plan, request->options.n_certify_rounds, &host);
    double collect_seconds = collected_products(plan) / DEVICE_COLLECT_PER_SECOND;
    host.units[PCI_PART_COLLECT] = 0;
    if (rows_stay(request, route))
        host.units[PCI_PART_CERTIFY] = 0;
    plan->predicted_seconds = pci_cost_seconds(context, &host) + collect_seconds;
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pci_work work = {{0}};
        pci_cost_level(context, graph, plan, l, &work);
        plan->levels[l].predicted_seconds = work.units[PCI_PART_PRODUCT] / ops_per_second +
                                            work.units[PCI_PART_PLANE] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_EXTEND] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_STEP] / DEVICE_BYTES_PER_SECOND +
                                            pci_cost_device_sweep_seconds(&work);
        plan->predicted_seconds += plan->levels[l].predicted_seconds;
    }
}

/* The time of transfers: results that are kept go to the host; modulo a number, each power that is squared goes to the
 * device and back, unless it stays there. */
static double transfer_seconds(const pci_request *request, const pci_route *route,
                               const pci_engine_info *info)
{
    const pc_plan_info *plan = &route->plan;
    uint64_t n_matrices = plan->n_limbs;
    double n = (double)pci_plan_n_rows(plan);
    bool goes_back = plan->arithmetic == PC_MODULAR && !pci_route_keeps_power(request, route);
    if (!(info->transfer_per_second > 0) || (!goes_back && rows_stay(request, route)))
        return 0;
    if (goes_back) {
        n_matrices = 0;
        n = (double)plan->n_vertices;
        for (uint32_t l = 1; l < plan->n_levels; l++)
            n_matrices += plan->levels[l].is_step ? 0 : 2;
    }
    return (double)n_matrices * n * n * sizeof(uint64_t) / info->transfer_per_second;
}

/* ---- The route ------------------------------------------------------------------------------- */

static void predict(const pci_request *request, const pci_engine_info *info, pci_route *route)
{
    pc_context *context = request->context;
    pc_plan_info *plan = &route->plan;
    if (!pci_route_is_on_device(request, route)) {
        if (!context->rates.is_measured)
            context->rates.per_second[PCI_PART_PRODUCT] =
                info->ops_per_second / pci_n_threads(context);
        pci_cost_plan(context, request->graph, request->options.n_certify_rounds, plan);
        if (plan->arithmetic == PC_FLOAT && request->options.n_certify_rounds)
            plan->predicted_seconds *= 2; /* doubles are computed twice */
    } else {
        predict_on_device(request, route, info->ops_per_second, plan);
        plan->predicted_seconds += transfer_seconds(request, route, info);
    }
    route->seconds = plan->predicted_seconds +
                     (pci_route_is_on_device(request, route) ? pci_cuda_start_seconds(context) : 0);
}

/* Adds the host memory of a hybrid while its rows are swept and loaded. Planes on a device do not
 * count here. */
static pc_status add_swept_rows(const pci_request *request, pci_route *route)
{
    const pc_graph *graph = request->graph;
    pc_plan_info *plan = &route->plan, loaded = *plan;
    pci_forecast first = {0};
    double n = (double)graph->n, words = n * n * sizeof(uint64_t);
    double available = (double)plan->memory_available_bytes;
    double graphs = (double)pci_graph_bytes(graph) * (graph->symmetric ? 1 : 2);
    pc_status status = pci_limits_hold(request->limits, plan->sweep_length);
    loaded.n_levels = 1;
    if (status == PC_OK && !pci_route_is_on_device(request, route) && graph->n)
        status = route->engine->forecast(request->context, graph, &loaded, &first);
    if (status != PC_OK)
        return status;
    pci_swept_options swept = pci_route_swept_options(request, route, graph);
    uint64_t n_rows = graph->n ? pci_swept_batch(request->context, &swept, graph->n) : 1;
    double bytes;
    for (;; n_rows = (n_rows + 1) / 2) {
        swept.most_starts = n_rows;
        bytes = words + graphs + (double)pci_swept_bytes(request->context, &swept);
        if (n_rows == 1 || bytes <= available)
            break;
    }
    route->n_swept_rows = n_rows;
    bytes = fmax(bytes, words + (double)pci_graph_bytes(graph) + (double)first.power);
    plan->memory_bytes = max_u64(plan->memory_bytes, bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX);
    return PC_OK;
}

pci_swept_options pci_route_swept_options(const pci_request *request, const pci_route *route,
                                          const pc_graph *along)
{
    return (pci_swept_options){.sweeps = pci_engine_sweeps(route->engine),
                               .along = along,
                               .length = route->plan.sweep_length,
                               .bits = pci_limits_bits(request->limits),
                               .n_limbs = 1,
                               .most_starts = route->n_swept_rows ? route->n_swept_rows : along->n};
}

/* Asks the engine for its forecast, and completes the route with it. */
static pc_status plan_on_engine(const pci_request *request, pci_route *route)
{
    pc_plan_info *plan = &route->plan;
    pci_engine_info info;
    pci_forecast forecast = {0};
    pc_status status = route->engine->describe(request->context, &info);
    if (status == PC_OK && pci_plan_n_most(plan) > route->engine->n_moduli)
        status = pci_fail(request->context, PC_ERR_RANGE,
                          "counts of length %" PRIu64 " may be wider than %.0f bits, the most that "
                          "products on a GPU make; count on the CPU (--device cpu)",
                          plan->length,
                          floor(pci_moduli_max_bits(request->moduli, route->engine->n_moduli)));
    if (status != PC_OK)
        return status;
    if (info.squares_digits && plan->arithmetic == PC_EXACT)
        pci_levels_square_digits(request->moduli, plan);
    plan->engine = route->engine->name;
    plan->kernel = info.kernel;
    plan->device = info.device;
    plan->n_devices = info.n_devices;
    if (plan->n_levels && plan->n_vertices && plan->arithmetic != PC_FLOAT)
        status = route->engine->forecast(request->context, request->graph, plan, &forecast);
    if (status != PC_OK)
        return status;
    plan->device_memory_bytes = forecast.device;
    plan->device_memory_available_bytes = forecast.device_available;
    predict(request, &info, route);
    plan->memory_available_bytes = pci_request_available(request);
    plan->memory_bytes = needed_bytes(request, route, &forecast);
    return PC_OK;
}

/* Whether rows that are all made at once may be held: one word an entry. */
static bool may_hold_rows(const pci_request *request)
{
    double n = (double)request->graph->n;
    return request->query.keeps ||
           n * n * sizeof(uint64_t) <= ALL_ROWS_SHARE * (double)pci_request_available(request);
}

/* Sets the levels that begin with the swept length, for the engine of the route. */
static void begin_levels(const pci_request *request, const pc_plan_info *dense,
                         uint64_t sweep_length, bool may_be_diagonal, pci_route *route)
{
    route->source = dense->length ? PCI_SOURCE_POWER : PCI_SOURCE_IDENTITY;
    route->plan = *dense;
    route->plan.method = PC_METHOD_DENSE;
    if (dense->arithmetic == PC_EXACT)
        pci_levels_begin(request->moduli, sweep_length, &route->plan);
    if (may_be_diagonal && dense->arithmetic == PC_EXACT && request->only_diagonal &&
        route->engine->diagonal)
        pci_levels_end_in_diagonal(request->moduli, &route->plan);
    if (dense->arithmetic == PC_EXACT && route->engine->square_direct && may_hold_rows(request))
        pci_levels_end_directly(&route->plan);
}

pc_status pci_route_by_power(const pci_request *request, const pc_plan_info *dense,
                             uint64_t sweep_length, const pci_engine *engine, pci_route *route)
{
    route->engine = engine;
    begin_levels(request, dense, sweep_length, true, route);
    pc_status status = plan_on_engine(request, route);
    if (status == PC_ERR_MEMORY && pci_plan_is_diagonal(&route->plan)) {
        begin_levels(request, dense, sweep_length, false, route); /* rows need not fit at once */
        status = plan_on_engine(request, route);
    }
    if (status == PC_OK && sweep_length)
        status = add_swept_rows(request, route);
    if (status == PC_OK && request->graph->parts && dense->arithmetic == PC_MODULAR &&
        dense->length && !pci_route_keeps_power(request, route))
        pci_route_refuse(route, PC_ERR_ARGUMENT,
                         "a graph in parts is squared modulo a number that is larger than all "
                         "weights; count with --method sweep, or in one process");
    if (status == PC_OK)
        pci_route_check_memory(request, route);
    else if (status == PC_ERR_CANCELLED)
        return status;
    else
        pci_route_refuse(route, status, "%s", request->context->message);
    return PC_OK;
}

pc_status pci_route_of_length(const pci_request *request, const pci_route *route, uint64_t length,
                              pci_route *made)
{
    pc_plan_info dense = pci_plan_of(request);
    pc_status status = pci_levels_make(request, length, &dense);
    if (status != PC_OK)
        return status;
    uint64_t sweep_length = route->plan.method == PC_METHOD_HYBRID && length >= 4
                                ? pci_levels_longest_sweep(&dense)
                                : 0;
    return pci_route_by_power(request, &dense, sweep_length, route->engine, made);
}
