/* Lists the ways to answer a request, and has their routes made (listing.h).
 *
 * A matrix has three methods, and one number tells them apart: each begins with A^p. With p = 1
 * the engine loads A and squares (dense). With p = k the rows of A^k are swept (sweep). With a
 * prefix of the binary digits of k, the rows of A^p are swept into words below 2^63, the engine
 * takes these as residues, and it squares the rest of the way (hybrid). The dense plan is made
 * once. Each p is a copy of it with a cost of its own, and needs no further pass over the graph,
 * because the limits of all lengths are known. A hybrid is for exact counts only, and its first
 * level is never one plain plane. */
#include "src/plan/listing.h"

#include "src/plan/query_cost.h"
#include "src/plan/rounding.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Ranks of the routes of a query. */
enum { RANK_BEST = 0, RANK_NEXT = 1, RANK_LAST = 2 };

/* ---- What is told --------------------------------------------------------------------------- */

static const char *short_reason(const pci_route *route)
{
    if (route->status == PC_OK)
        return "";
    return route->status == PC_ERR_RANGE ? "too many passes" : "too large";
}

/* Ranks of a matrix keep apart what is not predicted alike. */
static bool is_told(const pci_route *best, const pci_route *other, bool is_matrix)
{
    if (other == best)
        return true;
    if (other->status != PC_OK)
        return other->source != PCI_SOURCE_HALVES;
    return other->plan.predicted_seconds > 0 && (!is_matrix || other->rank == best->rank);
}

/* Lists in the first route what was weighed: itself first. */
static void tell_alternatives(uint32_t n_routes, pci_route **route, bool is_matrix)
{
    pc_plan_info *plan = &route[0]->plan;
    plan->n_alternatives = 0;
    for (uint32_t i = 0; i < n_routes && plan->n_alternatives < PC_MAX_ALTERNATIVES; i++) {
        const pc_plan_info *other = &route[i]->plan;
        bool is_refused = route[i]->status != PC_OK;
        if (!is_told(route[0], route[i], is_matrix))
            continue;
        plan->alternatives[plan->n_alternatives++] =
            (pc_alternative){.method = other->method,
                             .engine = other->engine,
                             .sweep_length = other->sweep_length,
                             .predicted_seconds = is_refused ? 0 : other->predicted_seconds,
                             .why_not = short_reason(route[i]),
                             .is_chosen = i == 0};
    }
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static bool may_sweep(const pci_request *request)
{
    return !pci_too_many_passes(request->graph, request->query.length);
}

/* Whether few vectors of doubles, one a block, are surely cheaper than squaring: no times are predicted for
 * doubles. An addition of a sweep is counted as 32 multiplications of a product. */
static bool are_few_blocks(const pci_listing *list)
{
    const pci_request *request = list->request;
    double n = (double)request->graph->n, arcs = (double)pci_graph_n_arcs(request->graph);
    if (!request->query.partition)
        return false;
    return 32 * (double)request->query.partition->n_blocks * (double)request->query.length *
               (arcs + n) <
           n * n * n;
}

/* Whether the counts have more bits than products of residues can make. */
static bool is_too_wide(const pci_listing *list)
{
    return list->dense->arithmetic == PC_EXACT &&
           pci_levels_are_too_wide(list->request->moduli, list->dense);
}

/* Why only the processors can do this, or NULL. Between blocks, a length below 2 has no product
 * that can be reduced. */
static const char *why_only_cpu(const pci_listing *list, pci_source source)
{
    const pci_request *request = list->request;
    const pc_plan_info *dense = list->dense;
    bool is_swept = source == PCI_SOURCE_VECTORS;
    if (source == PCI_SOURCE_POLYNOMIAL)
        return "a recurrence is found on the CPU";
    if (request->query.up_to)
        return "matrices of lengths added up are swept on the CPU";
    if (is_swept && request->query.paths != PC_PATHS_ALL)
        return "such paths are swept on the CPU";
    if (dense->arithmetic == PC_FLOAT)
        return "doubles are counted on the CPU";
    if (!dense->n_levels || !dense->n_vertices ||
        (request->query.partition && !pci_plan_is_reduced(dense) && dense->length < 2))
        return is_swept ? "there is nothing to sweep" : "there is nothing to multiply";
    return NULL;
}

/* The sweep that the fastest hybrid begins with; 0: there is no hybrid. */
static uint64_t best_hybrid(const pci_request *request, const pc_plan_info *dense)
{
    uint64_t best = 0;
    double least = INFINITY;
    for (uint64_t p = pci_levels_longest_sweep(dense); p > 1; p /= 2) {
        pc_plan_info plan = *dense;
        pci_levels_begin(request->moduli, p, &plan);
        pci_cost_plan(request->context, request->graph, request->options.n_certify_rounds, &plan);
        if (plan.predicted_seconds < least) {
            best = p;
            least = plan.predicted_seconds;
        }
    }
    return best;
}

static void add_way(pci_listing *list, pci_source source, pc_method method, uint64_t sweep_length,
                    int rank)
{
    pc_method asked = list->request->options.method;
    if (asked == PC_METHOD_AUTO || asked == method)
        list->ways[list->n_ways++] =
            (pci_way){source, method, sweep_length, rank, why_only_cpu(list, source)};
}

/* What a polynomial of A may take; infinity where it cannot pay: it is made of 2 n sweeps. */
static double polynomial_seconds(const pci_request *request)
{
    return pci_request_is_of_power(request) && request->query.length > 2 * request->graph->n
               ? pci_query_guess_polynomial_seconds(request)
               : INFINITY;
}

static bool may_be_polynomial(const pci_listing *list, bool on_device)
{
    const pci_request *request = list->request;
    if (!pci_request_is_of_power(request) || on_device || request->graph->parts)
        return false;
    if (request->options.method == PC_METHOD_RECURRENCE)
        return true;
    double seconds =
        polynomial_seconds(request); /* finding one takes time: only where it may be the fastest */
    return isfinite(seconds) &&
           (is_too_wide(list) || seconds < 2 * pci_query_guess_matrix_seconds(request));
}

/* Whether one pass in topological order may add up the lengths of paths, all of them. */
static bool may_be_acyclic(const pci_request *request)
{
    pc_method method = request->options.method;
    return !request->graph->parts && pci_request_adds_lengths(request) &&
           request->query.length > 1 && (method == PC_METHOD_AUTO || method == PC_METHOD_SWEEP) &&
           request->context->devices.kind != PCI_DEVICE_CUDA;
}

/* Finds the ways to a matrix that the options allow. Ways to integers and residues compete by time. The times of
 * doubles are not predicted in the same way; there, sweeping is for graphs that are too large to be squared. */
static void find_ways(pci_listing *list)
{
    const pci_request *request = list->request;
    const pc_plan_info *dense = list->dense;
    bool is_exact = dense->arithmetic == PC_EXACT && dense->n_levels;
    bool is_predicted = dense->arithmetic != PC_FLOAT && dense->n_levels;
    bool may_square = request->query.paths == PC_PATHS_ALL && !request->query.up_to &&
                      dense->n_vertices <= PCI_MAX_DENSE_VERTICES && !is_too_wide(list) &&
                      !(request->graph->parts && request->query.partition) &&
                      !pci_request_is_saved(request);
    uint64_t hybrid = may_square && is_exact ? best_hybrid(request, dense) : 0;
    bool on_device = pci_device_is(list, PCI_DEVICE_CUDA) && may_square && !request->graph->parts &&
                     request->options.method == PC_METHOD_AUTO; /* a device squares */
    if (may_square)
        add_way(list, PCI_SOURCE_POWER, PC_METHOD_DENSE, 0, RANK_BEST);
    if (may_sweep(request) && !on_device)
        add_way(list, PCI_SOURCE_VECTORS, PC_METHOD_SWEEP, request->query.length,
                is_predicted || !may_square ? RANK_BEST
                : are_few_blocks(list)      ? RANK_BEST - 1
                                            : RANK_NEXT);
    if (may_be_acyclic(request))
        add_way(list, PCI_SOURCE_ACYCLIC, PC_METHOD_SWEEP, 0,
                RANK_BEST - 1); /* it follows each arc once, a sweep once a length */
    if (may_be_polynomial(list, on_device))
        add_way(list, PCI_SOURCE_POLYNOMIAL, PC_METHOD_RECURRENCE, 0, RANK_BEST);
    if (hybrid && !on_device)
        add_way(list, PCI_SOURCE_POWER, PC_METHOD_HYBRID, hybrid, RANK_BEST);
}

static pc_status refuse_ways(const pci_listing *list)
{
    const pci_request *request = list->request;
    pc_context *context = request->context;
    uint64_t length = request->query.length;
    if (is_too_wide(list))
        return pci_fail(context, PC_ERR_RANGE,
                        "counts of length %" PRIu64 " may be wider than %.0f bits, the most that "
                        "products make%s",
                        length, floor(pci_moduli_max_bits(request->moduli, PCI_N_MODULI)),
                        may_sweep(request)
                            ? "; count with --method sweep"
                            : ", and sweeps of that length would pass over the graph that many "
                              "times; count modulo a number (--mod M) or in floating point "
                              "(--float) instead");
    if (request->options.method == PC_METHOD_HYBRID)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "counts of length 2 may pass 2^63 already, too wide for a hybrid to begin "
                        "with; count with --method dense or sweep");
    if (request->query.paths != PC_PATHS_ALL || request->query.up_to)
        return pci_fail(context, PC_ERR_RANGE,
                        "a query of length %" PRIu64 " would pass over the graph that many times; "
                        "take a shorter one",
                        length);
    if (request->options.method == PC_METHOD_SWEEP)
        return pci_fail(context, PC_ERR_RANGE,
                        "sweeps of that length would pass over the graph as many times; count "
                        "with --method dense, which squares");
    return pci_fail(context, PC_ERR_RANGE,
                    "the graph has too many vertices to be squared, and sweeps of length %" PRIu64
                    " would pass over it that many times; count a shorter length",
                    length);
}

/* Drops the routes of a source: all of them, or those that are refused. */
static void drop_routes(pci_listing *list, pci_source source, bool only_refused)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n_routes; i++)
        if (list->route[i]->source == source && !(only_refused && list->route[i]->status == PC_OK))
            pci_route_free(list->request->context, list->route[i]);
        else
            list->route[n++] = list->route[i];
    list->n_routes = n;
}

static pc_status list_matrix(pci_listing *list, pc_plan_info *dense)
{
    const pci_request *request = list->request;
    pc_status status = PC_OK;
    *dense = pci_plan_of(request);
    list->dense = dense;
    if (request->query.paths == PC_PATHS_ALL && !request->query.up_to)
        status = pci_levels_make(request, request->query.length, dense);
    if (status != PC_OK)
        return status;
    find_ways(list);
    if (list->n_ways == 0)
        return refuse_ways(list);
    status = pci_listing_add_routes(list);
    drop_routes(list, PCI_SOURCE_ACYCLIC, true); /* there is a cycle */
    if (status == PC_OK && list->n_routes == 0)
        return refuse_ways(list);
    pci_listing_sort(list);
    return status;
}

/* ---- Queries --------------------------------------------------------------------------------- */

static void add_query_way(pci_listing *list, pci_source source, int rank, const char *cpu_because)
{
    list->ways[list->n_ways++] =
        (pci_way){.source = source, .rank = rank, .cpu_because = cpu_because};
}

/* Whether a recurrence is expected to be the fastest, or can do what nothing else can. */
static bool may_recur(const pci_request *request)
{
    pci_work work = {{0}};
    if (request->graph->parts)
        return false;
    if (request->options.method != PC_METHOD_AUTO)
        return request->options.method == PC_METHOD_RECURRENCE && pci_request_is_number(request);
    if (!pci_request_is_number(request) || request->context->devices.kind == PCI_DEVICE_CUDA ||
        request->query.length <= 2 * pci_recurrence_dimension(request->graph, request->query.paths))
        return false;
    double seconds = pci_query_guess_recurrence_seconds(request);
    bool is_squared = request->query.paths == PC_PATHS_ALL &&
                      request->options.arithmetic == PC_MODULAR &&
                      request->graph->n <= PCI_MAX_DENSE_VERTICES;
    if (is_squared && pci_query_guess_matrix_seconds(request) < seconds)
        return false;
    pci_query_sweep_work(request, &work);
    return isfinite(seconds) && (pci_too_many_passes(request->graph, request->query.length) ||
                                 pci_cost_seconds(request->context, &work) > seconds);
}

/* Adds the pass, and takes it off again where there is a cycle. */
static pc_status list_pass(pci_listing *list)
{
    add_query_way(list, PCI_SOURCE_ACYCLIC, RANK_BEST,
                  "no path is longer: one pass in topological order adds all lengths up");
    pc_status status = pci_listing_add_routes(list);
    list->n_ways = 0;
    if (status == PC_OK)
        drop_routes(list, PCI_SOURCE_ACYCLIC, true);
    return status;
}

/* A recurrence, and nothing else where it can be had: other ways are bounded length by length, which may
 * take longer than the answer. */
static pc_status list_recurrence(pci_listing *list)
{
    add_query_way(list, PCI_SOURCE_RECURRENCE, RANK_BEST, "a recurrence is found on the CPU");
    pc_status status = pci_listing_add_routes(list);
    list->n_ways = 0;
    return status;
}

static pc_status list_vectors(pci_listing *list, int rank)
{
    const pci_request *request = list->request;
    bool is_swept = request->options.arithmetic != PC_FLOAT && request->query.paths == PC_PATHS_ALL;
    const char *cpu_because =
        is_swept ? NULL : "only integers and residues of all paths are swept on a GPU";
    bool on_device = pci_request_has_start(request) && pci_device_is(list, PCI_DEVICE_CUDA);
    if (pci_request_is_single(request) && !on_device)
        add_query_way(list, PCI_SOURCE_SINGLE, rank, "a single vector is swept on the CPU");
    else {
        if (pci_request_has_halves(request))
            add_query_way(list, PCI_SOURCE_HALVES, rank, cpu_because);
        add_query_way(list, PCI_SOURCE_VECTORS, rank + pci_request_has_halves(request),
                      cpu_because);
    }
    return pci_listing_add_routes(list);
}

/* log2 of a limit of the entries of exact answers, each of which adds up the vertices when from_all;
 * 0 when there is none. */
static pc_status find_answer_bits(const pci_request *request, bool from_all, double *bits)
{
    pci_vectors_plan limits = {.request = request, .from_all = from_all};
    pc_status status = pci_vectors_limits(&limits);
    *bits = limits.answer_bits;
    pci_vectors_plan_free(&limits);
    return status;
}

/* Words of an answer that is read off matrices; 0: doubles. */
static pc_status find_answer_limbs(const pci_request *request, uint32_t *n_limbs)
{
    pc_query_kind kind = request->query.kind;
    bool from_all = kind == PC_QUERY_TOTAL || kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS;
    double bits;
    *n_limbs = request->options.arithmetic == PC_MODULAR;
    if (request->options.arithmetic != PC_EXACT)
        return PC_OK;
    pc_status status = find_answer_bits(request, from_all, &bits);
    *n_limbs = (uint32_t)(bits / 64) + 1;
    return status;
}

/* Bytes of the answer beside the matrix, and of the index of what is asked for; twice, where the answer
 * is read twice to be compared. */
static double answer_bytes(const pci_request *request, uint32_t n_limbs)
{
    const pc_query *query = &request->query;
    double n = (double)request->graph->n;
    bool has_list = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_PAIRS;
    double n_rows = has_list || query->kind == PC_QUERY_TO ? (double)query->n_asked
                    : query->kind == PC_QUERY_TOTAL        ? 1
                                                           : n;
    double n_columns = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO ? n : 1;
    double n_words = n_rows * n_columns * (n_limbs ? n_limbs : query->up_to ? 2 : 1);
    return 8 * pci_request_n_copies(request) * (n_words + (has_list ? n + 1 + n_rows : 0));
}

/* Turns the routes to a matrix into routes to the answers that are read off it. */
static pc_status read_off(const pci_request *request, pci_listing *matrix)
{
    uint32_t n_limbs;
    pc_status status = find_answer_limbs(request, &n_limbs);
    double bytes = answer_bytes(request, n_limbs);
    for (uint32_t i = 0; i < matrix->n_routes && status == PC_OK; i++) {
        pci_route *route = matrix->route[i];
        double needed = bytes + (double)route->plan.memory_bytes;
        route->n_answer_limbs = n_limbs;
        route->plan.memory_bytes = needed < 0x1p63 ? (uint64_t)needed : UINT64_MAX;
        route->plan.predicted_seconds *= pci_query_n_matrices(&request->query);
        route->seconds *= pci_query_n_matrices(&request->query);
        pci_route_check_memory(request, route);
    }
    return status;
}

/* Routes by whole matrices. */
static pc_status list_read_off(const pci_request *request, pci_listing *list)
{
    pci_request of_matrix = *request;
    pc_plan_info dense;
    pci_listing matrix = {.request = &of_matrix};
    of_matrix.query = (pc_query){.kind = PC_QUERY_MATRIX, .length = request->query.length};
    pc_status status = list_matrix(&matrix, &dense);
    drop_routes(&matrix, PCI_SOURCE_VECTORS, false);
    if (status == PC_OK)
        status = read_off(request, &matrix);
    memcpy(list->route + list->n_routes, matrix.route, matrix.n_routes * sizeof *matrix.route);
    list->n_routes += matrix.n_routes;
    return status;
}

/* The fastest of the first n routes; infinity when none can be taken. */
static double least_seconds(const pci_listing *list, uint32_t n)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < n; i++)
        if (list->route[i]->status == PC_OK)
            least = fmin(least, list->route[i]->seconds);
    return least;
}

/* Whether squaring may be faster than vectors, which take so many seconds, or can do what they cannot. */
static bool may_read_off(const pci_request *request, double vectors_seconds)
{
    pci_work work = {{0}};
    bool asks_for_gpu = request->context->devices.kind == PCI_DEVICE_CUDA;
    bool may_use_gpu = request->context->devices.kind == PCI_DEVICE_AUTO &&
                       isfinite(vectors_seconds) &&
                       vectors_seconds > pci_cuda_start_seconds(request->context);
    if (request->query.paths != PC_PATHS_ALL || request->graph->n > PCI_MAX_DENSE_VERTICES ||
        !request->graph->n || !request->query.length)
        return false;
    if (pci_too_many_passes(request->graph, request->query.length))
        return true;
    if (request->only_diagonal && (asks_for_gpu || may_use_gpu))
        return true; /* a GPU may need the last product's diagonal only */
    pci_query_sweep_work(request, &work);
    double sweeps = pci_cost_seconds(request->context, &work);
    return sweeps > fmin(pci_query_guess_matrix_seconds(request), polynomial_seconds(request));
}

/* Puts matrices before vectors where they are expected to be faster, else after them. */
static void rank_matrices(pci_listing *list, uint32_t first)
{
    double vectors = least_seconds(list, first);
    for (uint32_t i = first; i < list->n_routes; i++)
        list->route[i]->rank = list->route[i]->seconds < vectors ? RANK_BEST - 1 : RANK_LAST;
}

static pc_status list_query(pci_listing *list)
{
    const pci_request *request = list->request;
    pc_method method = request->options.method;
    if (pci_request_is_saved(request)) {
        add_query_way(list, PCI_SOURCE_VECTORS, RANK_BEST, NULL);
        return pci_listing_add_routes(list);
    }
    pc_status status = may_recur(request)        ? list_recurrence(list)
                       : may_be_acyclic(request) ? list_pass(list)
                                                 : PC_OK;
    bool is_last = method != PC_METHOD_AUTO || /* or nothing else reaches so far */
                   (request->options.arithmetic == PC_EXACT &&
                    pci_too_many_passes(request->graph, request->query.length));
    if (status != PC_OK || (list->n_routes && (is_last || list->route[0]->status == PC_OK)))
        return status;
    if (method != PC_METHOD_AUTO && method != PC_METHOD_SWEEP) {
        status = list_read_off(request, list);
    } else {
        status = list_vectors(list, RANK_BEST);
        uint32_t n_vectors = list->n_routes;
        if (status == PC_OK && method == PC_METHOD_AUTO &&
            may_read_off(request, least_seconds(list, n_vectors))) {
            pc_status matrix = list_read_off(request, list);
            if (matrix != PC_ERR_RANGE && matrix != PC_ERR_ENGINE)
                status = matrix; /* a matrix that cannot be made is no failure of the query */
        }
        rank_matrices(list, n_vectors);
    }
    pci_listing_sort(list);
    return status;
}

/* ---- Traces ---------------------------------------------------------------------------------- */

/* Widens what routes tell of closed paths to what it is of their sum. A route that reads it off
 * matrices tells of the matrix. */
static pc_status widen_trace(pc_plan *plan)
{
    const pci_request *request = &plan->request;
    double n = (double)request->graph->n, bits;
    plan->n_trace_limbs = request->options.arithmetic == PC_MODULAR;
    if (plan->route[0]->source == PCI_SOURCE_RECURRENCE)
        return PC_OK;
    if (request->options.arithmetic != PC_EXACT)
        return PC_OK;
    pc_status status = find_answer_bits(request, false, &bits);
    bits += n > 1 ? log2(n) * (1 + 0x1p-40) : 0;
    plan->n_trace_limbs = (uint32_t)(bits / 64) + 1;
    for (uint32_t i = 0; i < plan->n_routes && status == PC_OK; i++) {
        pc_plan_info *info = &plan->route[i]->plan;
        if (plan->route[i]->source != PCI_SOURCE_VECTORS &&
            plan->route[i]->source != PCI_SOURCE_HALVES)
            continue;
        info->bound_bits = bits;
        info->n_limbs = plan->n_trace_limbs;
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status list_routes(pc_plan *plan)
{
    const pci_request *request = &plan->request;
    pci_listing list = {.request = request};
    pc_plan_info dense;
    pc_status status =
        pci_request_is_matrix(request) ? list_matrix(&list, &dense) : list_query(&list);
    plan->n_routes = list.n_routes;
    memcpy(plan->route, list.route, sizeof list.route);
    if (status != PC_OK)
        return status;
    const pci_route *best = plan->route[0];
    if (best->status != PC_OK)
        return pci_fail(request->context, best->status, "%s", best->why_not);
    bool is_matrix = pci_request_is_matrix(request);
    if (is_matrix || plan->n_routes > 1)
        tell_alternatives(plan->n_routes, plan->route, is_matrix);
    return PC_OK;
}

/* log2 of what no count between vertices or blocks passes. */
static double most_bits(const pc_graph *graph, uint64_t length)
{
    uint64_t largest = pci_graph_largest_row_sum(graph); /* or more, when it is the largest word */
    double step = log2((double)largest + 1) + (largest == UINT64_MAX ? log2((double)graph->n) : 0);
    return (double)length * step + 2 * log2((double)graph->n + 1);
}

pc_status pci_plan_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                        const pc_count_options *options, pc_plan *plan)
{
    double start = pci_now_seconds();
    double started_seconds = context->cuda_start_seconds;
    plan->n_routes = 0;
    pc_status status = pci_request_make(context, graph, query, options, &plan->request);
    if (status != PC_OK)
        return status;
    plan->checksum = pci_request_checksum(&plan->request);
    pci_moduli_fill(&plan->moduli, most_bits(graph, query->length));
    plan->request.moduli = &plan->moduli;
    status = pci_limits_create(context, graph, query->partition, query->length, PCI_MAX_BITS,
                               &plan->request.limits);
    if (status != PC_OK)
        return status;
    status = list_routes(plan);
    if (status == PC_OK && plan->request.is_trace)
        status = widen_trace(plan);
    for (uint32_t r = 0; r < plan->n_routes && status == PC_OK; r++)
        if (plan->route[r]->status == PC_OK)
            status = pci_route_relative_error(&plan->request, plan->route[r],
                                              &plan->route[r]->plan.relative_error);
    pci_limits_rest(plan->request.limits);
    plan->bound_seconds =
        pci_now_seconds() - start - (context->cuda_start_seconds - started_seconds);
    if (status != PC_OK) {
        pci_plan_end(plan);
        return status;
    }
    plan->info = plan->route[0]->plan;
    plan->info.seconds.start = context->cuda_start_seconds;
    return PC_OK;
}

void pci_plan_end(pc_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_routes; i++)
        pci_route_free(plan->request.context, plan->route[i]);
    pci_limits_free(plan->request.limits);
}
