/* Guesses of what a question takes, and what plans by different methods have in common. */
#include "src/count/methods.h"

#include "src/recurrence/recurrence.h"
#include "src/residues/residues.h"

#include <inttypes.h>
#include <math.h>

/* The rate at which arcs are copied to a device, in bytes a second. */
static const double ARC_BYTES_PER_SECOND = 4e9;

/* ---- Guesses --------------------------------------------------------------------------------- */

/* Bits by which counts grow with each step, about: log2 of the mean degree of a vertex that an arc
 * leads to. */
static double growth_bits(const pc_graph *graph)
{
    double degrees = (double)pci_graph_n_arcs(graph), squares = pci_graph_degree_squares(graph);
    double bits = degrees > 0 ? log2(fmax(1, squares / degrees)) : 0;
    return graph->info.max_weight > 1 ? bits + log2((double)graph->info.max_weight) : bits;
}

void pci_guess_added_rows(const pci_question *question, double n_limbs, pci_work *work)
{
    const double slower = 10; /* than making a row is reading it out of a sweep, and adding it */
    pci_shape shape = pci_question_shape(question);
    if (question->query.up_to)
        work->units[PCI_PART_ROWS] += slower * (double)question->query.length *
                                      (double)shape.n_rows * (double)shape.n_columns *
                                      (1 + n_limbs) / 2;
}

void pci_guess_sweep_work(const pci_question *question, pci_work *work)
{
    const pc_graph *graph = question->graph;
    bool is_single = pci_question_is_single(question);
    uint64_t modulus = question->options.modulus;
    bool is_swept =
        question->options.arithmetic == PC_EXACT ||
        (modulus && question->query.paths == PC_PATHS_ALL && pci_question_n_vectors(question) > 1);
    bool by_halves = is_single ? graph->symmetric && !pci_question_has_start(question)
                               : pci_question_has_halves(question);
    double length = (double)question->query.length * (by_halves ? 0.5 : 1);
    double step_bits = growth_bits(graph), bits = step_bits * length;
    if (is_single) /* of all ones the first step makes the degrees */
        pci_cost_single(question->context, graph,
                        &(pci_single_work){.n_steps = (uint64_t)ceil(length) - (length > 0),
                                           .growth_bits = step_bits,
                                           .n_rounds = question->options.n_certify_rounds},
                        work);
    else if (is_swept)
        pci_cost_sweeps(
            question->context, graph,
            &(pci_sweep_work){.n_vectors = pci_question_n_vectors(question),
                              .length = (uint64_t)ceil(length),
                              .bits = bits,
                              .modulus = modulus,
                              .n_limbs = modulus ? 1 : (uint32_t)fmin(bits / 64, 1e6) + 1},
            work);
    else
        pci_cost_passes(question->context, graph, /* sent twice */
                        length * (double)pci_question_n_vectors(question) *
                            (question->options.n_certify_rounds ? 2 : 1),
                        work);
    if (question->kind->is_matrix && is_swept && graph->parts)
        pci_guess_added_rows(question, modulus ? 1 : bits / 64 + 1, work);
    if (!is_single && is_swept) /* limits and certificate */
        pci_cost_passes(question->context, graph, length * (1 + question->options.n_certify_rounds),
                        work);
}

/* Times of a processor: seconds of an operation of the search, of a length of it for each prime, of
 * a word's squaring (for each bit of the number of words), and of a product of words that is
 * added. */
static const double SEARCH_SECONDS = 2.5e-9, LENGTH_SECONDS = 0.5e-6, SQUARE_SECONDS = 1e-8,
                    ADD_SECONDS = 0.5e-9;

double pci_guess_recurrence_seconds(const pci_question *question)
{
    const pc_graph *graph = question->graph;
    bool is_exact = question->options.arithmetic == PC_EXACT;
    bool is_of_integers = is_exact || !pci_is_prime(question->options.modulus);
    uint64_t n_dimension = pci_recurrence_dimension(graph, question->query.paths);
    double n = (double)n_dimension;
    double length = (double)question->query.length, step_bits = growth_bits(graph);
    double n_primes = is_of_integers ? n * (2.5 * step_bits + 0.5) / 60 + 3 : 2;
    double search =
        n_primes / (is_of_integers ? 2 * n * step_bits / 60 + 1 : 1) *
        pci_recurrence_operations(graph, &question->query, n_dimension, is_of_integers, step_bits);
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

double pci_guess_polynomial_seconds(const pci_question *question)
{
    const pc_graph *graph = question->graph;
    bool is_asked = question->options.method == PC_METHOD_RECURRENCE;
    if (!is_asked && !(pci_question_is_of_power(question) && question->query.length > 2 * graph->n))
        return INFINITY; /* it is made of 2 n sweeps */
    double n = (double)graph->n, length = (double)question->query.length;
    double step_bits = growth_bits(graph), n_words = length * step_bits / 64 + 1;
    double n_rows = question->kind->has_from ? fmin(n, (double)question->query.n_asked) : n;
    double n_products = n_rows * n * n * n_words * (n * step_bits / 128 + 1);
    pci_work passes = {{0}};
    pci_cost_passes(question->context, graph, length * (1 + question->options.n_certify_rounds),
                    &passes);
    return 2.2 * pci_guess_recurrence_seconds(question) +
           n_products * ADD_SECONDS / pci_n_threads(question->context) +
           pci_cost_seconds(question->context, &passes);
}

/* A product of twice as many vertices takes 8 times as long, and another 2 where the graph is undirected. A GPU squares
 * so many times as many lengths of a graph of many vertices, which it may be given. */
enum { ADDED_POWERS = 16, FASTER_ON_GPU = 100, MANY_VERTICES = 2048 };

bool pci_may_add_powers(const pci_question *question)
{
    const pc_graph *graph = question->graph;
    uint64_t length = question->query.length;
    uint64_t least = 2 * ADDED_POWERS * (graph->n > MANY_VERTICES ? FASTER_ON_GPU : 1);
    bool is_bounded = question->options.arithmetic == PC_MODULAR ||
                      (question->options.arithmetic == PC_EXACT &&
                       !pci_too_many_passes(graph, 2 * length)); /* each length is bounded */
    return question->query.up_to && length > least && is_bounded &&
           question->options.method == PC_METHOD_AUTO &&
           question->context->devices.kind != PCI_DEVICE_CUDA &&
           question->query.paths == PC_PATHS_ALL && !graph->parts && graph->n > 0 &&
           2 * graph->n <= PCI_MAX_DENSE_VERTICES;
}

double pci_guess_n_matrices(const pci_question *question)
{
    double n_lengths = (1 + (double)question->query.length) / 2;
    return pci_may_add_powers(question)         ? ADDED_POWERS
           : pci_question_has_lengths(question) ? n_lengths
                                                : 1;
}

/* The moduli of a level of squaring, at seven bits and a half. */
static uint32_t guess_n_moduli(const pci_question *question, double bits)
{
    if (question->options.arithmetic == PC_MODULAR) /* a level is reduced before the next one */
        bits = fmin(bits, 2 * log2((double)question->options.modulus) +
                              log2((double)question->graph->n + 1));
    return (uint32_t)fmin(fmax(1, bits / 7.5), 1e6);
}

/* About what squaring takes: as many planes as each level's counts want, those of the level before
 * extended, and the limits of the counts, before it can be planned. */
double pci_guess_matrix_seconds(const pci_question *question)
{
    uint64_t length = question->query.length;
    pc_plan_info info = {.n_vertices = question->graph->n, .symmetric = question->graph->symmetric};
    pci_work limits = {{0}};
    double step_bits = growth_bits(question->graph), seconds = 0;
    for (uint64_t l = length; l > 1; l /= 2) {
        uint32_t n_before = guess_n_moduli(question, step_bits * (double)(l / 2));
        uint32_t n_moduli = guess_n_moduli(question, step_bits * (double)l);
        info.levels[0] = (pc_level){.n_moduli = n_before};
        info.levels[1] = (pc_level){.length = l, .n_moduli = n_moduli, .n_products = n_moduli};
        seconds += pci_cost_level_seconds(question->context, question->graph, &info, 1);
    }
    if (!question->options.modulus)
        pci_cost_passes(question->context, question->graph, (double)length, &limits);
    return pci_guess_n_matrices(question) * seconds + pci_cost_seconds(question->context, &limits);
}

int pci_guess_threads(const pci_question *question)
{
    pc_context alone = *question->context;
    pci_question by_one = *question; /* thread: all times are those of one */
    pc_method asked = question->options.method;
    bool may_square = question->options.arithmetic != PC_FLOAT && asked != PC_METHOD_SWEEP;
    pci_work sweeps = {{0}};
    double seconds = INFINITY;
    if (!pci_question_is_of_walks(question))
        return pci_threads_worth(question->context, seconds);
    alone.n_worth = 1;
    by_one.context = &alone;
    pci_guess_sweep_work(&by_one, &sweeps);
    if (asked == PC_METHOD_AUTO || asked == PC_METHOD_SWEEP)
        seconds = pci_cost_seconds(&alone, &sweeps);
    if (may_square && asked != PC_METHOD_RECURRENCE)
        seconds = fmin(seconds, pci_guess_matrix_seconds(&by_one));
    if (may_square && pci_question_is_number(question))
        seconds = fmin(seconds, pci_guess_recurrence_seconds(&by_one));
    return pci_threads_worth(question->context, seconds);
}

/* ---- Whether a matrix may be squared --------------------------------------------------------- */

bool pci_is_too_wide(const pci_question *question)
{
    return question->dense->arithmetic == PC_EXACT &&
           pci_levels_are_too_wide(question->moduli, question->dense);
}

bool pci_may_square(const pci_question *question)
{
    return question->query.paths == PC_PATHS_ALL && !question->query.up_to &&
           question->dense->n_vertices <= PCI_MAX_DENSE_VERTICES && !pci_is_too_wide(question) &&
           !(question->graph->parts && question->query.partition) &&
           !pci_question_is_saved(question);
}

bool pci_is_for_device(const pci_question *question)
{
    return question->context->devices.kind == PCI_DEVICE_CUDA && pci_may_square(question) &&
           !question->graph->parts && question->options.method == PC_METHOD_AUTO;
}

/* A search takes so many seconds for a vertex or an arc, and may take so small a part of the count. */
static const double FIND_SECONDS = 2e-8, LEAST_GAIN = 50;

double pci_find_seconds(const pc_graph *graph)
{
    return FIND_SECONDS * ((double)graph->n + (double)pci_graph_n_arcs(graph));
}

bool pci_may_make_rows(const pci_question *question)
{
    const pc_query *query = &question->query;
    if (!question->kind->is_matrix || query->length == 0 || query->partition ||
        query->paths != PC_PATHS_ALL || query->each || question->options.arithmetic == PC_FLOAT ||
        question->graph->parts || question->graph->n == 0 ||
        pci_too_many_passes(question->graph, query->length))
        return false;
    if (question->options.reduce == PC_REDUCE_ALWAYS)
        return true;
    pci_work work = {{0}};
    double squaring = pci_guess_matrix_seconds(question), seconds = squaring;
    if (question->options.method != PC_METHOD_DENSE) {
        pci_guess_sweep_work(question, &work);
        seconds = fmin(seconds, pci_cost_seconds(question->context, &work));
    }
    if (question->context->devices.kind == PCI_DEVICE_CUDA && pci_may_square(question) &&
        question->options.method != PC_METHOD_SWEEP)
        seconds = squaring / FASTER_ON_GPU;
    return seconds > LEAST_GAIN * pci_find_seconds(question->graph);
}

/* ---- Engines --------------------------------------------------------------------------------- */

pc_status pci_plan_engine(const pci_question *question, const pci_engine *engine,
                          const pci_work *work, pci_plan *plan)
{
    pc_context *context = question->context;
    pc_plan_info *info = &plan->info;
    pci_engine_info of_engine;
    pc_status status = engine->describe(context, &of_engine);
    if (status != PC_OK)
        return status;
    plan->engine = engine;
    info->method = PC_METHOD_SWEEP;
    info->engine = engine->name;
    info->device = of_engine.device;
    info->n_devices =
        of_engine.n_devices > 1 ? 1 : of_engine.n_devices; /* sweeps use the first one */
    plan->seconds = info->predicted_seconds =
        pci_plan_is_on_device(question, plan)
            ? pci_cost_device_sweep_seconds(work) +
                  (double)info->n_arcs * sizeof(uint32_t) / ARC_BYTES_PER_SECOND
            : pci_cost_query_seconds(context, work);
    if (!pci_plan_is_on_device(question, plan))
        return PC_OK;
    plan->seconds += pci_cuda_start_seconds(context);
    if (!engine->sweeps)
        pci_plan_refuse(plan, PC_ERR_ENGINE,
                        "the CUDA engine has no sweeps; sweep on the CPU (--device cpu)");
    return PC_OK;
}

pc_status pci_plan_settle(const pci_question *question, pc_status status, bool is_too_large,
                          pci_plan *plan)
{
    if (status == PC_ERR_CANCELLED || (status == PC_ERR_MEMORY && !is_too_large))
        return status;
    if (status != PC_OK)
        pci_plan_refuse(plan, status, "%s", question->context->message);
    return PC_OK;
}

pc_status pci_plan_settle_power(const pci_question *question, pc_status status, double bytes,
                                pci_plan *plan)
{
    bool is_large =
        question->context->memory_limit_bytes || bytes > (double)question->available_bytes / 16;
    return pci_plan_settle(question, status, is_large, plan);
}

pc_status pci_plan_query(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    pci_work work = {{0}};
    info->sweep_length = info->length;
    info->n_vectors = 1;
    info->memory_available_bytes = pci_question_available(question);
    pci_guess_sweep_work(question, &work);
    pc_status status = pci_plan_engine(question, engine, &work, plan);
    if (status == PC_OK && pci_too_many_passes(question->graph, info->length))
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        "a query of length %" PRIu64 " would pass over the graph that many times; "
                        "%s",
                        info->length,
                        question->query.paths == PC_PATHS_ALL
                            ? "count modulo a number by the method that squares (--method dense "
                              "--mod M)"
                            : "take a shorter one");
    return pci_plan_settle(question, status, false, plan);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void pci_plan_note_bytes(const pci_question *question, double bytes, pci_plan *plan)
{
    plan->info.memory_bytes = pci_bytes(bytes + (double)pci_graph_bytes(question->graph));
}

void pci_plan_memory_of_rows(const pci_question *question, double bytes, pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    info->memory_bytes = pci_bytes(bytes + (double)pci_graph_bytes(question->graph) +
                                   (double)pci_program_bytes(question));
    info->memory_available_bytes = pci_question_available(question);
    if (!question->context->memory_limit_bytes) /* the program is there already, as the graph is */
        info->memory_available_bytes += pci_program_bytes(question);
    pci_plan_check_memory(question, plan);
}

pc_status pci_query_check_memory(pc_context *context, uint64_t available, double needed)
{
    if (needed <= (double)available)
        return PC_OK;
    return pci_fail(
        context, PC_ERR_MEMORY,
        "the query needs %s; ask for less at a time, or count modulo a number (--mod M)",
        pci_memory_lack(context, needed, (double)available).text);
}
