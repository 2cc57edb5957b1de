/* Plans by powers of the whole matrix: the time and the memory of squaring on an engine. */
#include "src/count/square.h"

#include "src/certify/certify.h"
#include "src/cpu/modular.h"

#include <inttypes.h>
#include <math.h>

enum { SMALL_THINGS_BYTES = 64 << 10 /* a run, its lists, the odd vector */ };

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

/* The memory that making rows takes, without the graph: the most that is held at once, by the levels
 * or by the delivery. */
static uint64_t rows_bytes(const pci_question *question, const pci_plan *plan,
                           const pci_forecast *forecast, const pc_plan_info *info, bool keeps)
{
    uint64_t n = info->n_vertices, words = n * n * sizeof(uint64_t), result = keeps ? words : 0;
    uint64_t n_rows = pci_plan_n_rows(info);
    uint64_t n_held = keeps ? n_rows : pci_plan_block_rows(info);
    uint32_t n_rounds = (uint32_t)question->options.n_certify_rounds;
    if (!info->n_levels)
        return keeps ? words : n_held * n * 8;
    if (info->arithmetic == PC_FLOAT)
        return 2 * words + result;
    if (info->arithmetic == PC_MODULAR && !pci_keeps_power(question, plan))
        return words + max_u64(result, forecast->levels);
    uint64_t rows = n_held * n_rows * info->n_limbs * sizeof(uint64_t);
    uint64_t certificate =
        sizeof(uint64_t) * 4 * n +
        (uint64_t)pci_certificate_bytes((double)n_rows, (double)n_rows, (int)n_rounds);
    uint64_t aggregates = /* where rows are on a device */
        info->n_devices ? pci_aggregates_bytes(n_rows, info->n_limbs, 2 * n_rounds) + n_rows : 0;
    return max_u64(forecast->levels, forecast->power + rows + certificate + aggregates);
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Tells whether rows stay on the device, where they are aggregated and certified. The taker of the
 * rows of an answer is not known yet: nobody is supposed to want all of them unless they are
 * kept. */
static bool rows_stay(const pci_question *question, const pci_plan *plan)
{
    return plan->engine->aggregate && !question->query.keeps;
}

/* Predicts the time of the device, and of what the host does for it. */
static void predict_on_device(const pci_question *question, const pci_plan *plan,
                              double ops_per_second, pc_plan_info *info)
{
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    pci_work host = {{0}};
    pci_cost_around(context, graph, info, question->options.n_certify_rounds, &host);
    const pc_level *last = &info->levels[info->n_levels ? info->n_levels - 1 : 0];
    double n_rows = (double)pci_plan_n_rows(info), n_products = n_rows * n_rows * last->n_moduli;
    double collect_seconds = last->is_swept || last->is_diagonal
                                 ? 0
                                 : n_products * info->n_limbs / DEVICE_COLLECT_PER_SECOND;
    host.units[PCI_PART_COLLECT] = 0;
    if (rows_stay(question, plan))
        host.units[PCI_PART_CERTIFY] = 0;
    info->predicted_seconds = pci_cost_seconds(context, &host) + collect_seconds;
    for (uint32_t l = 0; l < info->n_levels; l++) {
        pci_work work = {{0}};
        pci_cost_level(context, graph, info, l, &work);
        info->levels[l].predicted_seconds = work.units[PCI_PART_PRODUCT] / ops_per_second +
                                            work.units[PCI_PART_PLANE] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_EXTEND] / DEVICE_BYTES_PER_SECOND +
                                            work.units[PCI_PART_STEP] / DEVICE_BYTES_PER_SECOND +
                                            pci_cost_device_sweep_seconds(&work);
        info->predicted_seconds += info->levels[l].predicted_seconds;
    }
}

/* The time of transfers: results that are kept go to the host; modulo a number, each power that is
 * squared goes to the device and back, unless it stays there. */
static double transfer_seconds(const pci_question *question, const pci_plan *plan,
                               const pci_engine_info *engine)
{
    const pc_plan_info *info = &plan->info;
    uint64_t n_matrices = info->n_limbs;
    double n = (double)pci_plan_n_rows(info);
    bool goes_back = info->arithmetic == PC_MODULAR && !pci_keeps_power(question, plan);
    if (!(engine->transfer_per_second > 0) || (!goes_back && rows_stay(question, plan)))
        return 0;
    if (goes_back) {
        n_matrices = 0;
        n = (double)info->n_vertices;
        for (uint32_t l = 1; l < info->n_levels; l++)
            n_matrices += info->levels[l].is_step ? 0 : 2;
    }
    return (double)n_matrices * n * n * sizeof(uint64_t) / engine->transfer_per_second;
}

/* ---- The plan ------------------------------------------------------------------------------- */

/* Adds the host memory of a hybrid while its rows are swept and loaded. Planes on a device do not
 * count here. */
static pc_status add_swept_rows(const pci_question *question, pci_plan *plan)
{
    const pc_graph *graph = question->graph;
    pc_plan_info *info = &plan->info, loaded = *info;
    pci_forecast first = {0};
    double n = (double)graph->n, words = n * n * sizeof(uint64_t);
    double available = (double)info->memory_available_bytes;
    double graphs = (double)pci_graph_bytes(graph) * (graph->symmetric ? 1 : 2);
    uint64_t *n_together = plan->choice;
    pc_status status = pci_limits_hold(question->limits, info->sweep_length);
    loaded.n_levels = 1;
    if (status == PC_OK && !pci_plan_is_on_device(question, plan) && graph->n)
        status = plan->engine->forecast(question->context, graph, &loaded, &first);
    if (status != PC_OK)
        return status;
    pci_swept_options swept = pci_hybrid_sweep(question, plan, graph);
    uint64_t n_rows = graph->n ? pci_swept_batch(question->context, &swept, graph->n) : 1;
    double bytes;
    for (;; n_rows = (n_rows + 1) / 2) {
        swept.most_starts = n_rows;
        bytes = words + graphs + (double)pci_swept_bytes(question->context, &swept);
        if (n_rows == 1 || bytes <= available)
            break;
    }
    *n_together = n_rows;
    bytes = fmax(bytes, words + (double)pci_graph_bytes(graph) + (double)first.power);
    info->memory_bytes = max_u64(info->memory_bytes, pci_bytes(bytes));
    return PC_OK;
}

/* Asks the engine for its forecast, and completes the plan with it. */
static pc_status plan_on_engine(const pci_question *question, const pci_engine_info *engine,
                                pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    pci_forecast forecast = {0};
    pc_status status = PC_OK;
    if (pci_plan_n_most(info) > plan->engine->n_moduli)
        status = pci_fail(question->context, PC_ERR_RANGE,
                          "counts of length %" PRIu64 " may be wider than %.0f bits, the most that "
                          "products on a GPU make; count on the CPU (--device cpu)",
                          info->length,
                          floor(pci_moduli_max_bits(question->moduli, plan->engine->n_moduli)));
    if (status != PC_OK)
        return status;
    if (engine->squares_digits && info->arithmetic == PC_EXACT)
        pci_levels_square_digits(question->moduli, info);
    info->engine = plan->engine->name;
    info->kernel = engine->kernel;
    info->device = engine->device;
    info->n_devices = engine->n_devices;
    if (info->n_levels && info->n_vertices && info->arithmetic != PC_FLOAT)
        status = plan->engine->forecast(question->context, question->graph, info, &forecast);
    if (status != PC_OK)
        return status;
    info->device_memory_bytes = forecast.device;
    info->device_memory_available_bytes = forecast.device_available;
    pc_context *context = question->context;
    bool is_on_device = pci_plan_is_on_device(question, plan);
    if (!is_on_device) {
        if (!context->rates.is_measured)
            context->rates.per_second[PCI_PART_PRODUCT] =
                engine->ops_per_second / pci_n_threads(context);
        pci_cost_plan(context, question->graph, question->options.n_certify_rounds, info);
        if (info->arithmetic == PC_FLOAT && question->options.n_certify_rounds)
            info->predicted_seconds *= 2; /* doubles are computed twice */
    } else {
        predict_on_device(question, plan, engine->ops_per_second, info);
        info->predicted_seconds += transfer_seconds(question, plan, engine);
    }
    plan->seconds = info->predicted_seconds + (is_on_device ? pci_cuda_start_seconds(context) : 0);
    info->memory_available_bytes = pci_question_available(question);
    info->memory_bytes = pci_graph_bytes(question->graph) + SMALL_THINGS_BYTES;
    if (!info->n_blocks || pci_plan_is_reduced(info)) {
        info->memory_bytes += rows_bytes(question, plan, &forecast, info, question->query.keeps);
        return PC_OK;
    }
    pc_plan_info summed = *info; /* its rows pass by, and their sums are held, ... */
    summed.n_blocks = 0;
    uint64_t n_held = (uint64_t)pci_question_n_copies(question) + !!question->query.keeps;
    info->memory_bytes += rows_bytes(question, plan, &forecast, &summed, false) +
                          (uint64_t)info->n_blocks * info->n_blocks * 8 *
                              (info->n_limbs ? info->n_limbs : 1) * n_held;
    return PC_OK;
}

/* Sets the levels that begin with the swept length, for the engine of the plan. */
static void begin_levels(const pci_question *question, const pc_plan_info *dense,
                         uint64_t sweep_length, bool may_be_diagonal, pci_plan *plan)
{
    double rows_bytes = (double)question->graph->n * (double)question->graph->n * sizeof(uint64_t);
    bool may_hold_rows = /* that are all made at once: one word an entry */
        question->query.keeps ||
        rows_bytes <= PCI_ALL_ROWS_SHARE * (double)pci_question_available(question);
    if (!dense->length)
        plan->method = &pci_by_identity;
    plan->info = *dense;
    plan->info.method = PC_METHOD_DENSE;
    if (dense->arithmetic == PC_EXACT)
        pci_levels_begin(question->moduli, sweep_length, &plan->info);
    if (may_be_diagonal && dense->arithmetic == PC_EXACT && question->only_diagonal &&
        plan->engine->diagonal)
        pci_levels_end_in_diagonal(question->moduli, &plan->info);
    if (dense->arithmetic == PC_EXACT && plan->engine->square_direct && may_hold_rows)
        pci_levels_end_directly(&plan->info);
}

/* Makes the first square a step, where A is so sparse that the device takes less time for it. */
static void step_first(const pci_question *question, const pci_engine_info *engine,
                       pc_plan_info *dense)
{
    double n = (double)dense->n_vertices, n_arcs = (double)pci_graph_n_arcs(question->graph);
    pc_level *square = &dense->levels[1];
    if (dense->n_levels < 3 || dense->arithmetic != PC_EXACT || square->is_step)
        return;
    double step = n * (n + n_arcs) / DEVICE_BYTES_PER_SECOND;
    double product = n * n * n * (question->graph->symmetric ? 1 : 2) / engine->ops_per_second;
    square->is_step = step < product;
}

pc_status pci_square_plan(const pci_question *question, const pc_plan_info *dense,
                          uint64_t sweep_length, const pci_engine *engine, pci_plan *plan)
{
    if (sweep_length && !plan->choice && !pci_plan_choice(question, sizeof(uint64_t), plan))
        return PC_ERR_MEMORY;
    pc_plan_info all = *dense;
    pci_engine_info of_engine;
    plan->engine = engine;
    pc_status status = engine->describe(question->context, &of_engine);
    if (status == PC_OK && pci_plan_is_on_device(question, plan))
        step_first(question, &of_engine, &all);
    begin_levels(question, &all, sweep_length, true, plan);
    if (status == PC_OK)
        status = plan_on_engine(question, &of_engine, plan);
    if (status == PC_ERR_MEMORY && pci_plan_is_diagonal(&plan->info)) {
        begin_levels(question, &all, sweep_length, false, plan); /* rows need not fit at once */
        status = plan_on_engine(question, &of_engine, plan);
    }
    if (status == PC_OK && sweep_length)
        status = add_swept_rows(question, plan);
    if (status == PC_OK && question->graph->parts && dense->arithmetic == PC_MODULAR &&
        dense->length && !pci_keeps_power(question, plan))
        pci_plan_refuse(plan, PC_ERR_ARGUMENT,
                        "a graph in parts is squared modulo a number that is larger than all "
                        "weights; count with --method sweep, or in one process");
    if (status == PC_OK)
        pci_plan_check_memory(question, plan);
    else if (status == PC_ERR_CANCELLED)
        return status;
    else
        pci_plan_refuse(plan, status, "%s", question->context->message);
    return PC_OK;
}

pc_status pci_square_plan_length(const pci_question *question, const pci_plan *plan,
                                 uint64_t length, pci_plan *made)
{
    pc_plan_info dense = pci_info_of(question);
    pc_status status = pci_levels_make(question, length, &dense);
    if (status != PC_OK)
        return status;
    uint64_t sweep_length =
        plan->info.method == PC_METHOD_HYBRID && length >= 4 ? pci_levels_longest_sweep(&dense) : 0;
    return pci_square_plan(question, &dense, sweep_length, plan->engine, made);
}

/* ---- Hybrids --------------------------------------------------------------------------------- */

/* A hybrid is for exact counts only, and its first level is never one plain plane. */
static int rank_hybrid(const pci_question *question)
{
    bool can = question->kind->is_matrix && pci_may_square(question) &&
               question->dense->arithmetic == PC_EXACT && question->dense->n_levels &&
               !pci_is_for_device(question) && pci_levels_longest_sweep(question->dense) > 1;
    return can ? PCI_RANK_BEST : PCI_CANNOT;
}

/* The fastest hybrid. */
static pc_status plan_hybrid(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    uint64_t best = 0;
    double least = INFINITY;
    for (uint64_t p = pci_levels_longest_sweep(question->dense); p > 1; p /= 2) {
        pc_plan_info info = *question->dense;
        pci_levels_begin(question->moduli, p, &info);
        pci_cost_plan(question->context, question->graph, question->options.n_certify_rounds,
                      &info);
        if (info.predicted_seconds < least) {
            best = p;
            least = info.predicted_seconds;
        }
    }
    return pci_square_plan(question, question->dense, best, engine, plan);
}

/* ---- The methods ----------------------------------------------------------------------------- */

static int rank(const pci_question *question)
{
    return question->kind->is_matrix && pci_may_square(question) ? PCI_RANK_BEST : PCI_CANNOT;
}

static pc_status plan_square(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    return pci_square_plan(question, question->dense, 0, engine, plan);
}

const pci_method pci_by_squaring = {.name = "squaring",
                                    .told = PC_METHOD_DENSE,
                                    .makes_matrix = true,
                                    .resumes = true,
                                    .rank = rank,
                                    .plan = plan_square,
                                    .run = pci_square_run};

const pci_method pci_by_hybrid = {.name = "squaring",
                                  .told = PC_METHOD_HYBRID,
                                  .makes_matrix = true,
                                  .resumes = true,
                                  .rank = rank_hybrid,
                                  .plan = plan_hybrid,
                                  .run = pci_square_run};

const pci_method pci_by_identity = {
    .name = "the identity", .told = PC_METHOD_DENSE, .makes_matrix = true, .run = pci_square_run};
