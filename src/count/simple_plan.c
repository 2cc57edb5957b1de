/* Plans of simple paths and cycles: three methods, formulas, a search and sets of vertices. */
#include "src/count/simple_rows.h"

#include <math.h>

enum { BLOCK_BYTES = 1 << 26, DEVICE_BLOCKS = 8 };

/* Formulas are made in about so long. */
static const double PROGRAM_SECONDS = 2e-4;

/* Seconds of one thread for an arc and a row of a step, and for an entry of a row, in an instruction; for words. */
static const double STEP_SECONDS[] = {0.12e-9, 1e-9}, ENTRY_SECONDS[] = {0.35e-9, 1.2e-9};

/* Bits of a limit of an entry: vertices between the ends are chosen one after the other, from those that are left, and
 * from the arcs of the vertex before. */
static double limit_choices(const pc_graph *graph, uint64_t length)
{
    double degree = (double)pci_graph_largest_degree(graph), n = (double)graph->n;
    double weight = log2(fmax(1, (double)graph->info.max_weight)), bits = 0;
    for (uint64_t l = 1; l < length && bits < 256; l++) {
        double arcs = degree - (l > 1 && graph->symmetric); /* one leads back */
        bits += log2(fmax(1, fmin(arcs, n - 1 - (double)l)));
    }
    bits += (double)length * weight;
    return bits + 1e-6 * bits;
}

/* Finds the bits of a limit of an entry: the number of choices or, where that is wide, of walks. */
static pc_status limit_bits(const pci_question *question, double *bits)
{
    const pc_graph *graph = question->graph;
    uint64_t length = question->query.length;
    uint64_t most = length < graph->n ? length : graph->n; /* longer paths do not exist */
    double sums = question->query.up_to ? pci_log2_up((double)most) : 0, walks = 0;
    *bits = limit_choices(graph, most) + sums;
    if (*bits < 64)
        return PC_OK;
    pc_status status = pci_limits_reach(question->limits, most);
    const double *limits = pci_limits_bits(question->limits);
    for (uint64_t l = 0; status == PC_OK && l <= most; l++)
        walks = fmax(walks, limits[l]);
    if (status == PC_OK)
        *bits = fmin(*bits, walks + sums);
    return status == PC_ERR_RANGE ? PC_OK : status; /* too wide, or too many passes */
}

/* The rows that are made for a question: from[n_rows], of each vertex if NULL. */
static uint64_t rows_of(const pci_question *question, const uint64_t **from, const uint64_t **to)
{
    const pci_question_kind *kind = question->kind;
    bool is_asked = !kind->is_matrix && (kind->has_from || kind->has_to);
    *from = !is_asked ? NULL : kind->has_from ? question->query.from : question->query.to;
    *to = kind->reads == PCI_READS_ENTRIES && !pci_counts_cycles(question) ? question->query.to
                                                                           : NULL;
    return is_asked ? question->query.n_asked : question->graph->n;
}

/* The same on a device: bytes of lines read by steps, and of registers by other instructions, and of rows on their way
 * back, a second; and how long it takes to begin, once CUDA is started. */
static const double DEVICE_STEP_BYTES = 3e12, DEVICE_ENTRY_BYTES = 1e12, DEVICE_ROW_BYTES = 12e9,
                    DEVICE_SECONDS = 0.02;

static double predict_on_device(const pci_question *question, const pci_program *program,
                                uint64_t n_rows, uint32_t n_words)
{
    const pc_graph *graph = question->graph;
    const pci_pass *last = &program->pass[program->n_passes - 1];
    double n = (double)graph->n, arcs = (double)pci_graph_n_arcs(graph) + n, bytes = 8 * n_words;
    double steps = bytes * arcs / DEVICE_STEP_BYTES, entries = bytes * n / DEVICE_ENTRY_BYTES;
    double once = steps * program->n_more_steps + entries * last->first;
    double row = steps * program->n_steps + entries * last->n + bytes * n / DEVICE_ROW_BYTES;
    return DEVICE_SECONDS + once * n + row * (double)n_rows;
}

static double predict_formulas(const pci_question *question, const pci_program *program,
                               uint64_t n_rows, uint32_t n_words)
{
    const pc_graph *graph = question->graph;
    const pci_pass *last = &program->pass[program->n_passes - 1];
    double n = (double)graph->n, arcs = (double)pci_graph_n_arcs(graph) + n;
    double steps = STEP_SECONDS[n_words - 1] * arcs, entries = ENTRY_SECONDS[n_words - 1] * n;
    double once = steps * program->n_more_steps + entries * last->first;
    double row = steps * program->n_steps + entries * last->n;
    double n_threads = pci_cost_threads(pci_n_threads(question->context));
    double n_blocks = ceil((double)n_rows / 8); /* each is the work of one thread */
    return once * n / n_threads + row * 8 * fmax(n_blocks / n_threads, fmin(1, n_blocks));
}

/* Notes seconds of formulas, of the longest length, and the memory that they take. */
static pc_status plan_formulas(const pci_question *question, const pci_simple_work *work,
                               bool is_on_cpu, uint64_t n_rows, double *seconds, double *bytes)
{
    const pc_graph *graph = question->graph;
    pci_formula_base base = {graph->n,      graph->n,      graph->row_start,
                             graph->column, graph->weight, NULL};
    pci_formula_base bases[] = {base, base}; /* the reversed arcs are as many */
    pci_program *program;
    *seconds = *bytes = 0;
    if (work->length == 0)
        return PC_OK;
    pc_status status =
        pci_simple_program(question->context, graph->symmetric, !graph->weight, work, &program);
    if (status != PC_OK)
        return status;
    *seconds = (is_on_cpu ? predict_formulas : predict_on_device)(question, program, n_rows,
                                                                  work->n_words);
    *seconds += PROGRAM_SECONDS / 2;
    *bytes = (1 + (question->options.n_certify_rounds > 0)) *
             pci_evaluation_bytes(question->context, program, bases,
                                  work->n_words == 1 ? PCI_NUMBERS_64 : PCI_NUMBERS_128);
    pci_program_free(question->context, program);
    return PC_OK;
}

/* Seconds that a search surely does not take: each vertex has no more than the most arcs. */
static double limit_search(const pc_graph *graph, uint64_t length, uint64_t n_rows)
{
    const double seconds_a_step = 2e-9;
    double degree = (double)pci_graph_largest_degree(graph);
    return seconds_a_step * (double)n_rows * pow(degree + 1, (double)length - 1);
}

static pc_status predict_search(const pci_question *question, const pci_simple_work *work,
                                uint64_t n_rows, const uint64_t *from, const uint64_t *to,
                                double *seconds)
{
    pc_graph *reverse = NULL;
    pci_simple_work directed = *work;
    pc_status status = PC_OK;
    if (work->length == 0 || n_rows == 0)
        return PC_OK;
    if (work->length >= work->graph->n) /* there is none so long */
        directed.length = work->up_to && work->graph->n > 1 ? work->graph->n - 1 : 1;
    *seconds = limit_search(work->graph, directed.length, n_rows);
    if (*seconds < PROGRAM_SECONDS)
        return PC_OK;
    if (!work->graph->symmetric)
        status = pci_graph_reverse(question->context, work->graph, &reverse);
    directed.reverse = reverse ? reverse : work->graph;
    if (status == PC_OK)
        status = pci_search_predict(&directed, n_rows, from, to, seconds);
    pc_graph_free(reverse);
    return status;
}

/* Predicts what a way takes. */
static pc_status predict(const pci_question *question, pc_method way, bool is_on_cpu,
                         const pci_simple_work *work, double *seconds, double *bytes)
{
    const uint64_t *from, *to;
    uint64_t n_rows = rows_of(question, &from, &to);
    pc_status status = PC_OK;
    *seconds = *bytes = 0;
    if (way == PC_METHOD_FORMULA) {
        status = plan_formulas(question, work, is_on_cpu, n_rows, seconds, bytes);
    } else if (way == PC_METHOD_SEARCH) {
        status = predict_search(question, work, n_rows, from, to, seconds);
        *bytes = pci_search_bytes(work, to != NULL);
    } else {
        *seconds = pci_sets_seconds(work, n_rows);
        *bytes = pci_sets_bytes(work);
    }
    bool is_each = question->query.each; /* about half as long in the mean, or growing */
    *seconds *= (question->options.n_certify_rounds ? 2 : 1) * (is_each ? 2 : 1);
    return status;
}

/* Says why a way does not reach so far; NULL: it does. */
static const char *why_not(const pci_question *question, pc_method way)
{
    uint64_t most = PCI_FORMULA_LENGTH + pci_counts_cycles(question);
    if (way == PC_METHOD_FORMULA && question->query.length > most)
        return "formulas count paths of at most 6 arcs, and cycles of 7; count with --method "
               "search";
    if (way == PC_METHOD_SETS && question->graph->n > PCI_MOST_SET_VERTICES)
        return "sets of vertices count in graphs of at most 26; count with --method search";
    return NULL;
}

/* Returns the bits by which the largest number of an answer may be wider than an entry. */
static double bits_of_sums(const pci_question *question)
{
    const pc_partition *partition = question->query.partition;
    double n = (double)question->graph->n;
    switch (question->kind->reads) {
    case PCI_READS_SUMS:
    case PCI_READS_DIAGONAL:
        return log2(n + 1);
    case PCI_READS_TOTAL:
        return 2 * log2(n + 1);
    default:
        return partition ? 2 * log2((double)partition->max_size + 1) : 0;
    }
}

/* Refuses what a way does not count. */
static void check_way(const pci_question *question, pc_method way, double bits, pci_plan *plan)
{
    uint64_t length = question->query.length, n_rows = plan->info.n_vectors;
    n_rows = question->kind->is_matrix ? question->graph->n : n_rows;
    if (why_not(question, way))
        pci_plan_refuse(plan, PC_ERR_ARGUMENT, "%s", why_not(question, way));
    else if (bits >= 128)
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        "numbers of such paths may have %.0f bits, and 128 are counted; take a "
                        "shorter length, or leave weights out",
                        bits);
    else if (way == PC_METHOD_FORMULA && question->options.method == PC_METHOD_AUTO && length > 1 &&
             limit_search(question->graph, length, n_rows) < PROGRAM_SECONDS)
        pci_plan_refuse(plan, PC_ERR_ARGUMENT, "a search takes less time than to make formulas");
}

/* Notes how wide numbers are, how many rows are made together, and the engine. */
static pc_status describe(const pci_question *question, const pci_engine *engine, pc_method way,
                          double bits, pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    pci_simple_choice *chosen = plan->choice;
    bool is_modular = question->options.arithmetic == PC_MODULAR;
    const uint64_t *from, *to;
    uint64_t n_rows = rows_of(question, &from, &to);
    pci_engine_info of_engine;
    pc_status status = engine->describe(question->context, &of_engine);
    if (status != PC_OK)
        return status;
    double sum_bits = bits + bits_of_sums(question);
    info->method = plan->method->told;
    info->bound_bits = is_modular ? log2((double)info->modulus) : sum_bits;
    info->n_limbs = is_modular ? 1 : (uint32_t)(sum_bits / 64) + 1;
    info->n_vectors = question->kind->is_matrix ? 0 : n_rows;
    info->engine = engine->name;
    info->device = of_engine.device;
    info->n_devices = of_engine.n_devices > 0;
    plan->engine = engine;
    *chosen = (pci_simple_choice){.way = way, .n_words = bits < 64 ? 1 : 2};
    chosen->row_bytes =
        8 * fmax(1, (double)question->graph->n) * fmax(chosen->n_words, info->n_limbs);
    double n_block =
        fmax(8.0 * pci_n_threads(question->context),
             (engine == &pci_engine_cpu ? 1 : DEVICE_BLOCKS) * BLOCK_BYTES / chosen->row_bytes);
    chosen->n_block = (uint64_t)fmin(fmax(1, (double)n_rows), n_block);
    return PC_OK;
}

static pc_status plan_rows(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pc_method way = plan->method->told;
    const pc_graph *graph = question->graph;
    bool is_on_cpu = engine == &pci_engine_cpu;
    uint64_t length = question->query.length;
    double n = (double)graph->n, graph_bytes = (double)pci_graph_bytes(graph), bits, bytes;
    const pci_shape shape = pci_question_shape(question);
    pci_simple_choice *chosen = pci_plan_choice(question, sizeof *chosen, plan);
    if (!chosen)
        return PC_ERR_MEMORY;
    pc_status status = limit_bits(question, &bits);
    if (status == PC_OK)
        status = describe(question, engine, way, bits, plan);
    if (status == PC_OK)
        check_way(question, way, bits, plan);
    if (status != PC_OK || plan->status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    pci_simple_work work = {.context = question->context,
                            .graph = graph,
                            .reverse = graph,
                            .length = length - (pci_counts_cycles(question) && length > 0),
                            .up_to = question->query.up_to,
                            .n_words = chosen->n_words};
    status = predict(question, way, is_on_cpu, &work, &plan->seconds, &bytes);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    plan->info.predicted_seconds = plan->seconds += 1e-5;
    plan->seconds += is_on_cpu ? 0 : pci_cuda_start_seconds(question->context);
    bytes += 3 * (double)chosen->n_block * chosen->row_bytes + 8 * n;
    if (question->query.keeps)
        bytes += 8 * (double)shape.n_rows * (double)shape.n_columns * plan->info.n_limbs;
    bytes += graph->symmetric ? 0 : graph_bytes;
    bytes += graph->info.n_loops ? 2 * graph_bytes : 0;
    pci_plan_memory_of_rows(question, bytes, plan);
    return PC_OK;
}

/* A way that was asked for says itself why it does not reach so far. */
static int rank_of(const pci_question *question, pc_method way)
{
    bool is_possible = !why_not(question, way) || question->options.method == way;
    bool is_simple =
        question->query.paths == PC_PATHS_SIMPLE || question->query.paths == PC_PATHS_CYCLES;
    return is_simple && is_possible ? PCI_RANK_BEST : PCI_CANNOT;
}

static int rank_of_formulas(const pci_question *question)
{
    return rank_of(question, PC_METHOD_FORMULA);
}

static int rank_of_search(const pci_question *question)
{
    return rank_of(question, PC_METHOD_SEARCH);
}

static int rank_of_sets(const pci_question *question)
{
    return rank_of(question, PC_METHOD_SETS);
}

static const char BECAUSE[] = "paths are looked for on the CPU";

const pci_method pci_by_formulas = {.name = "formulas for simple paths",
                                    .told = PC_METHOD_FORMULA,
                                    .rank = rank_of_formulas,
                                    .plan = plan_rows,
                                    .run = pci_simple_answer};

const pci_method pci_by_search = {.name = "a search for simple paths",
                                  .told = PC_METHOD_SEARCH,
                                  .cpu_because = BECAUSE,
                                  .rank = rank_of_search,
                                  .plan = plan_rows,
                                  .run = pci_simple_answer};

const pci_method pci_by_sets = {.name = "sets of vertices of simple paths",
                                .told = PC_METHOD_SETS,
                                .cpu_because = BECAUSE,
                                .rank = rank_of_sets,
                                .plan = plan_rows,
                                .run = pci_simple_answer};
