/* Routes that send vectors through the sparse graph. */
#include "src/plan/route.h"

#include "src/plan/query_cost.h"

#include <inttypes.h>
#include <math.h>

/* The rate at which arcs are copied to a device, in bytes a second. */
static const double ARC_BYTES_PER_SECOND = 4e9;

/* ---- Engines --------------------------------------------------------------------------------- */

/* Sets the engine that sends the vectors, and predicts how long this work takes there. */
static pc_status plan_engine(const pci_request *request, const pci_engine *engine,
                             const pci_work *work, pci_route *route)
{
    pc_context *context = request->context;
    pc_plan_info *plan = &route->plan;
    pci_engine_info info;
    pc_status status = engine->describe(context, &info);
    if (status != PC_OK)
        return status;
    route->engine = engine;
    plan->method = PC_METHOD_SWEEP;
    plan->engine = engine->name;
    plan->device = info.device;
    plan->n_devices = info.n_devices > 1 ? 1 : info.n_devices; /* sweeps use the first one */
    route->seconds = plan->predicted_seconds =
        pci_route_is_on_device(request, route)
            ? pci_cost_device_sweep_seconds(work) +
                  (double)plan->n_arcs * sizeof(uint32_t) / ARC_BYTES_PER_SECOND
            : pci_cost_query_seconds(context, work);
    if (!pci_route_is_on_device(request, route))
        return PC_OK;
    route->seconds += pci_cuda_start_seconds(context);
    if (!engine->sweeps)
        pci_route_refuse(route, PC_ERR_ENGINE,
                         "the CUDA engine has no sweeps; sweep on the CPU (--device cpu)");
    return PC_OK;
}

/* Handles a part of a plan that failed: the route is refused, unless no other route would help.
 * is_too_large says that the part failed because the route needs too much memory. */
static pc_status settle(const pci_request *request, pc_status status, bool is_too_large,
                        pci_route *route)
{
    if (status == PC_ERR_CANCELLED || (status == PC_ERR_MEMORY && !is_too_large))
        return status;
    if (status != PC_OK)
        pci_route_refuse(route, status, "%s", request->context->message);
    return PC_OK;
}

/* ---- Rows of a matrix ------------------------------------------------------------------------ */

static void plan_memory_of_rows(const pci_request *request, double bytes, pci_route *route)
{
    pc_plan_info *plan = &route->plan;
    plan->memory_bytes = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
    plan->memory_available_bytes = pci_request_available(request);
    if (!request->context->memory_limit_bytes) /* the program is there already, as the graph is */
        plan->memory_available_bytes += pci_program_bytes(request);
    pci_route_check_memory(request, route);
}

/* A^0 is not swept. */
static void plan_identity(const pci_request *request, pci_route *route)
{
    double n = (double)request->graph->n;
    double n_rows = request->query.keeps ? n : (double)pci_plan_block_rows(&route->plan);
    double certificate = 8 * n * 4 + pci_certificate_bytes(n, n, request->options.n_certify_rounds);
    route->source = PCI_SOURCE_IDENTITY;
    plan_memory_of_rows(request,
                        n_rows * n * sizeof(uint64_t) + (double)pci_graph_bytes(request->graph) +
                            certificate + (double)pci_program_bytes(request),
                        route);
}

static pc_status plan_swept_rows(const pci_request *request, pci_route *route)
{
    pc_plan_info *plan = &route->plan;
    pc_status status =
        pci_vectors_plan_make(request, pci_engine_sweeps(route->engine), &route->vectors);
    if (status != PC_OK)
        return settle(request, status, false, route);
    if (plan->arithmetic == PC_EXACT) {
        plan->bound_bits = route->vectors.answer_bits;
        plan->n_limbs = route->vectors.n_limbs;
    }
    plan->n_levels = 1;
    plan->levels[0] =
        (pc_level){.length = plan->length, .is_swept = 1, .bound_bits = plan->bound_bits};
    if (!pci_route_is_on_device(request, route)) {
        pci_cost_plan(request->context, request->graph, request->options.n_certify_rounds, plan);
        route->seconds = plan->predicted_seconds;
    }
    plan_memory_of_rows(request, route->vectors.bytes + (double)pci_graph_bytes(request->graph),
                        route);
    return PC_OK;
}

pc_status pci_route_by_rows(const pci_request *request, const pc_plan_info *dense,
                            const pci_engine *engine, pci_route *route)
{
    uint64_t length = request->query.length;
    pci_work work = {{0}};
    route->plan = *dense;
    route->plan.n_levels = 0;
    route->plan.sweep_length = length;
    route->source = PCI_SOURCE_VECTORS;
    pci_cost_sweeps(
        request->context, request->graph,
        &(pci_sweep_work){.n_vectors = pci_plan_n_rows(dense),
                          .n_starts = (double)dense->n_vertices / (double)pci_plan_n_rows(dense),
                          .length = length,
                          .bits = dense->bound_bits,
                          .modulus = dense->modulus,
                          .n_limbs = dense->n_limbs},
        &work);
    pc_status status = plan_engine(request, engine, &work, route);
    if (status != PC_OK)
        return settle(request, status, false, route);
    if (pci_too_many_passes(request->graph, length)) {
        pci_route_refuse(route, PC_ERR_RANGE,
                         "sweeps of length %" PRIu64 " would pass over the graph that many times; "
                         "count with --method dense, which squares",
                         length);
        return PC_OK;
    }
    if (length || request->query.partition || request->query.up_to)
        return plan_swept_rows(request, route);
    plan_identity(request, route);
    return PC_OK;
}

pc_status pci_route_by_polynomial(const pci_request *request, const pc_plan_info *dense,
                                  pci_route *route)
{
    pci_recurrence_plan *recurrence = &route->recurrence;
    pc_plan_info *plan = &route->plan;
    double n = (double)request->graph->n, n_threads = pci_n_threads(request->context);
    pci_work work = {{0}};
    *plan = *dense;
    plan->n_levels = 0;
    route->source = PCI_SOURCE_POLYNOMIAL;
    pc_status status = plan_engine(request, &pci_engine_cpu, &work, route);
    if (status == PC_OK)
        status = pci_polynomial_plan_make(request->context, request->graph,
                                          request->options.n_certify_rounds, recurrence);
    if (status == PC_OK)
        status = pci_recurrence_plan_find_length(recurrence);
    if (status != PC_OK)
        return settle(request, status, false, route);
    plan->method = PC_METHOD_RECURRENCE;
    plan->sweep_length = 2 * recurrence->n_dimension;
    route->seconds = plan->predicted_seconds = pci_query_guess_polynomial_seconds(request);
    double row_words = plan->n_limbs + 2 * (double)pci_recurrence_short_words(recurrence);
    double finding = fmax(pci_recurrence_search_bytes(recurrence),
                          pci_recurrence_power_bytes(recurrence, plan->bound_bits));
    double making = pci_recurrence_numbers_bytes(recurrence) +
                    8 * ((double)recurrence->n_linear * plan->n_limbs + n_threads * n * row_words) +
                    8 * 5 * n + pci_certificate_bytes(n, n, request->options.n_certify_rounds) +
                    (request->query.keeps ? 8 * n * n * plan->n_limbs : 0);
    plan_memory_of_rows(request,
                        fmax(finding, making) + (double)pci_graph_bytes(request->graph) +
                            (double)pci_program_bytes(request),
                        route);
    return PC_OK;
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* Sets what the routes of all queries have in common. */
static pc_status begin_query(const pci_request *request, pci_source source,
                             const pci_engine *engine, pci_route *route)
{
    pc_plan_info *plan = &route->plan;
    pci_work work = {{0}};
    route->source = source;
    plan->sweep_length = plan->length;
    plan->n_vectors = 1;
    plan->memory_available_bytes = pci_request_available(request);
    pci_query_sweep_work(request, &work);
    pc_status status = plan_engine(request, engine, &work, route);
    if (status == PC_OK && pci_too_many_passes(request->graph, plan->length))
        pci_route_refuse(route, PC_ERR_RANGE,
                         "a query of length %" PRIu64 " would pass over the graph that many times; "
                         "%s",
                         plan->length,
                         request->query.paths == PC_PATHS_ALL
                             ? "count modulo a number by the method that squares (--method dense "
                               "--mod M)"
                             : "take a shorter one");
    return settle(request, status, false, route);
}

static void note_bytes(const pci_request *request, double bytes, pci_route *route)
{
    bytes += (double)pci_graph_bytes(request->graph);
    route->plan.memory_bytes = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

pc_status pci_route_by_vectors(const pci_request *request, const pci_engine *engine,
                               pci_route *route)
{
    pci_vectors_plan *vectors = &route->vectors;
    pc_plan_info *plan = &route->plan;
    pc_status status = begin_query(request, PCI_SOURCE_VECTORS, engine, route);
    if (status != PC_OK || route->status != PC_OK)
        return status;
    status = pci_vectors_plan_make(request, pci_engine_sweeps(engine), vectors);
    bool is_too_large = vectors->bytes > (double)request->available_bytes;
    plan->n_vectors = vectors->n_vectors;
    plan->n_limbs = vectors->n_limbs;
    plan->bound_bits = vectors->answer_bits;
    note_bytes(request, vectors->bytes, route);
    return settle(request, status, is_too_large, route);
}

pc_status pci_route_by_single(const pci_request *request, const pci_engine *engine,
                              pci_route *route)
{
    pci_single_plan *single = &route->single;
    pc_plan_info *plan = &route->plan;
    pc_status status = begin_query(request, PCI_SOURCE_SINGLE, engine, route);
    if (status != PC_OK || route->status != PC_OK)
        return status;
    status = pci_single_plan_make(request, single);
    bool is_too_large = single->bytes > (double)request->available_bytes;
    plan->sweep_length = single->n_steps;
    plan->n_limbs = single->n_totals ? single->total_words : single->row_words;
    plan->bound_bits = single->answer_bits;
    note_bytes(request, single->bytes, route);
    return settle(request, status, is_too_large, route);
}

pc_status pci_route_by_recurrence(const pci_request *request, pci_route *route)
{
    pci_recurrence_plan *recurrence = &route->recurrence;
    pc_plan_info *plan = &route->plan;
    uint64_t length = request->query.length, modulus = request->options.modulus;
    pci_work work = {{0}};
    route->source = PCI_SOURCE_RECURRENCE;
    pc_status status = plan_engine(request, &pci_engine_cpu, &work, route);
    plan->method = PC_METHOD_RECURRENCE;
    route->seconds = plan->predicted_seconds = pci_query_guess_recurrence_seconds(request);
    plan->memory_available_bytes = pci_request_available(request);
    if (status == PC_OK)
        status = pci_recurrence_plan_make(request->context, request->graph, &request->query,
                                          modulus, request->options.n_certify_rounds, recurrence);
    if (status == PC_OK && !modulus)
        status = pci_recurrence_plan_find_length(recurrence);
    if (status != PC_OK)
        return settle(request, status, false, route);
    plan->sweep_length = 2 * recurrence->n_dimension;
    plan->n_vectors = request->query.kind == PC_QUERY_CLOSED ? plan->n_vertices : 1;
    plan->bound_bits = modulus ? 0 : pci_recurrence_term_bits(recurrence, length);
    if (plan->bound_bits > PCI_MAX_BITS) {
        pci_route_refuse(route, PC_ERR_RANGE,
                         "counts of length %" PRIu64 " may be wider than 2^36 bits, the most that "
                         "exact counting reaches; count modulo a number (--mod M)",
                         length);
        return PC_OK;
    }
    plan->n_limbs = (uint32_t)(plan->bound_bits / 64) + 1;
    note_bytes(request,
               fmax(pci_recurrence_search_bytes(recurrence),
                    pci_recurrence_term_bytes(recurrence, plan->bound_bits)),
               route);
    pci_route_check_memory(request, route);
    return PC_OK;
}

/* What a pass of one thread takes for an arc and a word, and its plan and its check, in arcs of a pass. */
static const double ORDER_ARC = 8, ORDER_ARC_WORD = 1, ORDER_ONCE = 60;

pc_status pci_route_by_order(const pci_request *request, pci_route *route)
{
    pci_acyclic_plan *acyclic = &route->acyclic;
    pc_plan_info *plan = &route->plan;
    pci_work work = {{0}};
    bool is_acyclic = false;
    route->source = PCI_SOURCE_ACYCLIC;
    plan->memory_available_bytes = pci_request_available(request);
    pc_status status = pci_acyclic_plan_make(request, acyclic, &is_acyclic);
    double passes = (double)acyclic->n_vectors * (ORDER_ARC + ORDER_ARC_WORD * acyclic->n_words);
    if (status == PC_OK)
        pci_cost_serial_passes(request->context, request->graph, passes + ORDER_ONCE, &work);
    if (status == PC_OK)
        status = plan_engine(request, &pci_engine_cpu, &work, route);
    if (status == PC_OK && !is_acyclic)
        pci_route_refuse(route, PC_ERR_RANGE, "paths may be longer than the lengths asked for");
    if (status != PC_OK || !is_acyclic)
        return settle(request, status, false, route);
    plan->sweep_length = 0;
    plan->n_vectors = acyclic->n_vectors;
    plan->n_limbs = acyclic->n_words;
    plan->bound_bits = acyclic->bits;
    if (!pci_request_is_matrix(request)) {
        note_bytes(request, acyclic->bytes, route);
        pci_route_check_memory(request, route);
        return PC_OK;
    }
    double n = (double)request->graph->n;
    plan_memory_of_rows(request,
                        acyclic->bytes + (request->query.keeps ? 8 * n * n * plan->n_limbs : 0) +
                            (double)pci_graph_bytes(request->graph) +
                            (double)pci_program_bytes(request),
                        route);
    return PC_OK;
}

pc_status pci_route_by_halves(const pci_request *request, const pci_engine *engine,
                              pci_route *route)
{
    pci_halves_plan *halves = &route->halves;
    pc_plan_info *plan = &route->plan;
    const char *why_not = "";
    pc_status status = begin_query(request, PCI_SOURCE_HALVES, engine, route);
    if (status != PC_OK || route->status != PC_OK)
        return status;
    status = pci_halves_plan_make(request, pci_engine_sweeps(engine), halves, &why_not);
    if (*why_not)
        pci_route_refuse(route, PC_ERR_MEMORY, "%s", why_not);
    plan->sweep_length = pci_halves_n_steps(halves);
    plan->n_vectors = halves->n_vectors;
    plan->n_limbs = (uint32_t)(halves->answer_bits / 64) + 1;
    plan->bound_bits = halves->answer_bits;
    note_bytes(request, halves->bytes, route);
    return settle(request, status, false, route);
}
