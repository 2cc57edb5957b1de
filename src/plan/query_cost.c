/* Guesses of what a query takes. */
#include "src/plan/query_cost.h"

#include "src/plan/halves_plan.h"
#include "src/plan/recurrence_plan.h"
#include "src/residues/prime.h"

#include <math.h>

/* Bits by which counts grow with each step, about: log2 of the mean degree of a vertex that an arc
 * leads to. */
static double growth_bits(const pc_graph *graph)
{
    double degrees = (double)pci_graph_n_arcs(graph), squares = pci_graph_degree_squares(graph);
    double bits = degrees > 0 ? log2(fmax(1, squares / degrees)) : 0;
    return graph->info.max_weight > 1 ? bits + log2((double)graph->info.max_weight) : bits;
}

static uint64_t n_vectors(const pci_request *request)
{
    switch (request->query.kind) {
    case PC_QUERY_FROM:
    case PC_QUERY_TO:
    case PC_QUERY_PAIRS:
        return request->query.n_asked;
    case PC_QUERY_CLOSED:
        return request->graph->n;
    default:
        return 1;
    }
}

void pci_query_sweep_work(const pci_request *request, pci_work *work)
{
    const pc_graph *graph = request->graph;
    bool is_single = pci_request_is_single(request);
    uint64_t modulus = request->options.modulus;
    bool is_swept = request->options.arithmetic == PC_EXACT ||
                    (modulus && request->query.paths == PC_PATHS_ALL && n_vectors(request) > 1);
    bool by_halves = is_single ? graph->symmetric && !pci_request_has_start(request)
                               : pci_request_has_halves(request);
    double length = (double)request->query.length * (by_halves ? 0.5 : 1);
    double step_bits = growth_bits(graph), bits = step_bits * length;
    if (is_single) /* of all ones the first step makes the degrees */
        pci_cost_single(request->context, graph,
                        &(pci_single_work){.n_steps = (uint64_t)ceil(length) - (length > 0),
                                           .growth_bits = step_bits,
                                           .n_rounds = request->options.n_certify_rounds},
                        work);
    else if (is_swept)
        pci_cost_sweeps(
            request->context, graph,
            &(pci_sweep_work){.n_vectors = n_vectors(request),
                              .length = (uint64_t)ceil(length),
                              .bits = bits,
                              .modulus = modulus,
                              .n_limbs = modulus ? 1 : (uint32_t)fmin(bits / 64, 1e6) + 1},
            work);
    else
        pci_cost_passes(request->context, graph, /* sent twice */
                        length * (double)n_vectors(request) *
                            (request->options.n_certify_rounds ? 2 : 1),
                        work);
    if (!is_single && is_swept) /* limits and certificate */
        pci_cost_passes(request->context, graph, length * (1 + request->options.n_certify_rounds),
                        work);
}

/* What a processor took: seconds of an operation of the search, of a length of it for each prime, of a word's
 * squaring (for each bit of the number of words), and of a product of words that is added. */
static const double SEARCH_SECONDS = 2.5e-9, LENGTH_SECONDS = 0.5e-6, SQUARE_SECONDS = 1e-8,
                    ADD_SECONDS = 0.5e-9;

double pci_query_guess_recurrence_seconds(const pci_request *request)
{
    const pc_graph *graph = request->graph;
    bool is_exact = request->options.arithmetic == PC_EXACT;
    bool is_of_integers = is_exact || !pci_is_prime(request->options.modulus);
    double n = (double)pci_recurrence_dimension(graph, request->query.paths);
    double length = (double)request->query.length, step_bits = growth_bits(graph);
    double n_primes = is_of_integers ? n * (2.5 * step_bits + 0.5) / 60 + 3 : 2;
    double search = n_primes / (is_of_integers ? 2 * n * step_bits / 60 + 1 : 1) *
                    pci_recurrence_operations(graph, &request->query, is_of_integers, step_bits);
    double seconds = search * SEARCH_SECONDS + n_primes * 2 * n * LENGTH_SECONDS;
    double pass = (double)pci_graph_n_arcs(graph) + (double)graph->n;
    if (search > 0x1p42)
        return INFINITY;
    if (is_of_integers) /* limits of the terms */
        seconds += fmax(2 * n, 256) * pass * SEARCH_SECONDS;
    if (!is_exact)
        return seconds + 4 * n * n * log2(length + 2) * SEARCH_SECONDS;
    double n_words = length * step_bits / 64 + 1, short_words = 2.5 * n * step_bits / 64 + 1;
    return seconds + n * n_words * log2(n * n_words + 1) * SQUARE_SECONDS +
           n * n * n_words * short_words * ADD_SECONDS;
}

double pci_query_guess_polynomial_seconds(const pci_request *request)
{
    const pc_graph *graph = request->graph;
    double n = (double)graph->n, length = (double)request->query.length;
    double step_bits = growth_bits(graph), n_words = length * step_bits / 64 + 1;
    double n_rows = request->query.kind == PC_QUERY_FROM || request->query.kind == PC_QUERY_PAIRS
                        ? fmin(n, (double)request->query.n_asked)
                        : n;
    double n_products = n_rows * n * n * n_words * (n * step_bits / 128 + 1);
    pci_work passes = {{0}};
    pci_cost_passes(request->context, graph, length * (1 + request->options.n_certify_rounds),
                    &passes);
    return 2.2 * pci_query_guess_recurrence_seconds(request) +
           n_products * ADD_SECONDS / pci_n_threads(request->context) +
           pci_cost_seconds(request->context, &passes);
}

double pci_query_n_matrices(const pc_query *query)
{
    return query->each || query->up_to ? (1 + (double)query->length) / 2 : 1;
}

/* The moduli of a level of squaring, at seven bits and a half. */
static uint32_t guess_n_moduli(const pci_request *request, double bits)
{
    if (request->options.arithmetic == PC_MODULAR) /* a level is reduced before the next one */
        bits = fmin(bits, 2 * log2((double)request->options.modulus) +
                              log2((double)request->graph->n + 1));
    return (uint32_t)fmin(fmax(1, bits / 7.5), 1e6);
}

/* About what squaring takes: as many planes as each level's counts want, those of the level before extended, and
 * the limits of the counts, before it can be planned. */
double pci_query_guess_matrix_seconds(const pci_request *request)
{
    uint64_t length = request->query.length;
    pc_plan_info plan = {.n_vertices = request->graph->n, .symmetric = request->graph->symmetric};
    pci_work limits = {{0}};
    double step_bits = growth_bits(request->graph), seconds = 0;
    for (uint64_t l = length; l > 1; l /= 2) {
        uint32_t n_before = guess_n_moduli(request, step_bits * (double)(l / 2));
        uint32_t n_moduli = guess_n_moduli(request, step_bits * (double)l);
        plan.levels[0] = (pc_level){.n_moduli = n_before};
        plan.levels[1] = (pc_level){.length = l, .n_moduli = n_moduli, .n_products = n_moduli};
        seconds += pci_cost_level_seconds(request->context, request->graph, &plan, 1);
    }
    pci_cost_passes(request->context, request->graph, (double)length, &limits);
    return pci_query_n_matrices(&request->query) * seconds +
           pci_cost_seconds(request->context, &limits);
}
