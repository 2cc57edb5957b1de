/* Chooses how to answer: asks each method of a table, on each engine, and puts the plans into
 * order.
 *
 * Plans on the processors are made first, because their cost is known without starting anything.
 * CUDA is opened only for work that takes the processors longer than the start of CUDA, about half
 * a second, unless the caller asks for a GPU.
 *
 * A query has three stages. A shortcut that can be taken ends the search: other plans are bounded
 * length by length, which may take longer than the answer. Then come vectors, and whole matrices
 * that the answer is read off, where these may be faster. A matrix has one stage, in which all
 * methods compete. Its levels are made once: with p = 1 an engine loads A and squares; with p = k
 * the rows of A^k are swept; a hybrid sweeps the rows of A^p, p a prefix of the binary digits of k,
 * into words below 2^63, which the engine takes as residues and squares the rest of the way. */

#include "src/count/methods.h"
#include "src/count/sweep_plan.h"
#include "src/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The plans of a question while they are listed. */
typedef struct listing {
    const pci_method *const *methods;
    const pci_question *question;
    uint32_t n_ways; /* methods of which plans are added now, with their ranks */
    const pci_method *way[PCI_MOST_PLANS];
    int rank[PCI_MOST_PLANS];
    uint32_t n_plans;
    pci_plan *plan[PCI_MOST_PLANS];
} listing;

/* Tells whether the context names that kind of device. */
static bool device_is(const listing *list, int kind)
{
    return (int)list->question->context->devices.kind == kind;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Plans that can be taken come first, ordered by rank and then by time. Among the plans that
 * cannot be taken, the first is the one whose reason is most useful: the one that needs the least
 * memory, if only memory is missing. */
static int compare(const pci_plan *a, const pci_plan *b)
{
    bool is_refused[] = {a->status != PC_OK, b->status != PC_OK};
    if (is_refused[0] != is_refused[1])
        return is_refused[0] - is_refused[1];
    bool is_silent[] = {a->method->is_silent, b->method->is_silent};
    if (is_refused[0] && is_silent[0] != is_silent[1]) /* what whole lengths lack tells more */
        return is_silent[0] - is_silent[1];
    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (!is_refused[0])
        return (a->seconds > b->seconds) - (a->seconds < b->seconds);
    double needed[] = {pci_plan_fits(a) ? 0 : (double)a->info.memory_bytes,
                       pci_plan_fits(b) ? 0 : (double)b->info.memory_bytes};
    return (needed[0] > needed[1]) - (needed[0] < needed[1]);
}

static void sort(listing *list)
{
    for (uint32_t i = 1; i < list->n_plans; i++) /* few, and in order where they compare equal */
        for (uint32_t j = i; j > 0 && compare(list->plan[j - 1], list->plan[j]) > 0; j--) {
            pci_plan *swap = list->plan[j];
            list->plan[j] = list->plan[j - 1];
            list->plan[j - 1] = swap;
        }
}

/* ---- What is told ---------------------------------------------------------------------------- */

/* Lists in the first plan what was weighed: itself first. Ranks of a matrix keep apart what is not
 * predicted alike. */
static void tell_alternatives(uint32_t n_plans, pci_plan **plan, bool is_matrix)
{
    pc_plan_info *info = &plan[0]->info;
    info->n_alternatives = 0;
    for (uint32_t i = 0; i < n_plans && info->n_alternatives < PC_MAX_ALTERNATIVES; i++) {
        const pc_plan_info *other = &plan[i]->info;
        pc_status status = plan[i]->status;
        bool is_told = status != PC_OK ? !plan[i]->method->is_silent
                                       : other->predicted_seconds > 0 &&
                                             (!is_matrix || plan[i]->rank == plan[0]->rank);
        if (i > 0 && !is_told)
            continue;
        info->alternatives[info->n_alternatives++] =
            (pc_alternative){.method = other->method,
                             .engine = other->engine,
                             .sweep_length = other->sweep_length,
                             .predicted_seconds = status == PC_OK ? other->predicted_seconds : 0,
                             .why_not = status == PC_OK             ? ""
                                        : status == PC_ERR_RANGE    ? "too many passes"
                                        : status == PC_ERR_ARGUMENT ? "not needed"
                                                                    : "too large",
                             .is_chosen = i == 0,
                             .n_classes = other->n_classes,
                             .n_swept = other->n_swept};
    }
}

/* ---- Engines --------------------------------------------------------------------------------- */

/* Says why only the processors can do this, or NULL. Between blocks, a length below 2 has no
 * product that can be reduced. */
static const char *why_only_cpu(const pci_question *question, const pci_method *method)
{
    const pc_plan_info *dense = question->dense;
    bool is_swept = method->told == PC_METHOD_SWEEP;
    if (!pci_question_is_of_walks(question))
        return method->cpu_because;
    if (question->kind->is_matrix && question->query.up_to && !method->adds_up)
        return "matrices of lengths added up are swept on the CPU";
    if (method->cpu_because && !method->is_on_cpu)
        return method->cpu_because;
    if (!question->kind->is_matrix)
        return question->options.arithmetic != PC_FLOAT && question->query.paths == PC_PATHS_ALL
                   ? NULL
                   : "only integers and residues of all paths are swept on a GPU";
    if (is_swept && question->query.paths != PC_PATHS_ALL)
        return "such paths are swept on the CPU";
    if (dense->arithmetic == PC_FLOAT)
        return "doubles are counted on the CPU";
    if (!dense->n_levels || !dense->n_vertices ||
        (question->query.partition && !pci_plan_is_reduced(dense) && dense->length < 2))
        return is_swept ? "there is nothing to sweep" : "there is nothing to multiply";
    return NULL;
}

static pc_status add_plan(listing *list, uint32_t way, const pci_engine *engine,
                          const char *because)
{
    const pci_method *method = list->way[way];
    pci_plan *plan = pci_plan_create(list->question, method);
    if (!plan)
        return pci_fail_memory(list->question->context, "a plan", sizeof *plan);
    list->plan[list->n_plans++] = plan;
    pc_status status = method->plan(list->question, engine, plan);
    plan->rank = list->rank[way];
    pci_plan_explain(plan, "%s", because);
    return status;
}

/* Notes in the plans from the first one on why the processors do what CUDA could do, too: reason,
 * or if it is NULL, that there is little work. */
static void explain_cpu(listing *list, uint32_t first, const char *reason)
{
    for (uint32_t i = first; i < list->n_plans; i++)
        if (why_only_cpu(list->question, list->plan[i]->method))
            continue;
        else if (reason)
            pci_plan_explain(list->plan[i], "%s", reason);
        else
            pci_plan_explain(list->plan[i], "too little work for a GPU to pay (predicted %.3f s)",
                             list->plan[i]->info.predicted_seconds);
}

/* Notes why the CPU or CUDA is preferred, in two plans that differ only in the engine. */
static void explain_choice(pci_plan *cpu, pci_plan *cuda)
{
    pci_plan *both[] = {cpu, cuda};
    for (int i = 0; i < 2; i++)
        if (cuda->status != PC_OK && cuda->status != PC_ERR_MEMORY)
            pci_plan_explain(both[i], "%s", cuda->why_not);
        else if (pci_plan_fits(cpu) && cuda->status == PC_OK)
            pci_plan_explain(both[i], "predicted %.2f s on the CPU, %.2f s with CUDA and its start",
                             cpu->seconds, cuda->seconds);
        else if (cuda->status == PC_ERR_MEMORY && pci_plan_fits(cuda)) /* of the device */
            pci_plan_explain(both[i], "%s", cuda->why_not);
        else
            pci_plan_explain(both[i], "%s needs more memory of this machine than there is",
                             cuda->status == PC_OK ? "the CPU engine" : "CUDA");
}

/* Adds a plan on CUDA for each method that is not restricted to the processors. Their plans for the
 * processors, if there are any, begin at the first one, in the same order. */
static pc_status add_cuda_plans(listing *list, uint32_t first)
{
    pc_context *context = list->question->context;
    bool has_cpu = !device_is(list, PCI_DEVICE_CUDA);
    const pci_engine *cuda = NULL;
    pc_status opened = pci_engine_cuda(context, &cuda), status = PC_OK;
    if (opened != PC_OK && has_cpu) {
        explain_cpu(list, first, context->message);
        return PC_OK;
    }
    for (uint32_t w = 0; w < list->n_ways && status == PC_OK; w++) {
        if (list->way[w]->is_on_cpu && has_cpu)
            pci_plan_explain(list->plan[first + w], "%s", list->way[w]->cpu_because);
        if (why_only_cpu(list->question, list->way[w]) || list->way[w]->is_on_cpu)
            continue;
        if (opened != PC_OK)
            return opened;
        status = add_plan(list, w, cuda, "asked for");
        if (status == PC_OK && has_cpu)
            explain_choice(list->plan[first + w], list->plan[list->n_plans - 1]);
    }
    return status;
}

/* Adds plans for a graph in parts, whose arcs are where its engine is. Its processes share the
 * work, which takes as many times less as there are of them. */
static pc_status add_parts_plans(listing *list, const pci_parts *parts)
{
    pc_status status = PC_OK;
    for (uint32_t w = 0; w < list->n_ways && status == PC_OK; w++) {
        status = add_plan(list, w, parts->engine, "the graph lies there in parts");
        if (status != PC_OK)
            break;
        pci_plan *plan = list->plan[list->n_plans - 1];
        plan->seconds /= parts->n_processes;
        plan->info.predicted_seconds /= parts->n_processes;
        for (uint32_t l = 0; l < plan->info.n_levels; l++)
            plan->info.levels[l].predicted_seconds /= parts->n_processes;
        if (plan->method->makes_matrix)
            pci_plan_explain(plan, "the moduli are shared by %d process%s", parts->n_processes,
                             parts->n_processes == 1 ? "" : "es");
    }
    return status;
}

/* Adds plans of the ways that were added, on the engines that the context allows. PC_ERR_ENGINE
 * when a device that was asked for is not there, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
static pc_status add_plans(listing *list)
{
    const pci_parts *parts = list->question->graph->parts;
    uint32_t first = list->n_plans;
    bool may_use_cuda = false;
    pc_status status = PC_OK;
    if (parts)
        return add_parts_plans(list, parts);
    /* The processors take what only they can, and the rest unless CUDA was asked for. */
    for (uint32_t w = 0; w < list->n_ways && status == PC_OK; w++) {
        const char *because = why_only_cpu(list->question, list->way[w]);
        may_use_cuda = may_use_cuda || (!because && !list->way[w]->is_on_cpu);
        if (because || !device_is(list, PCI_DEVICE_CUDA))
            status = add_plan(list, w, &pci_engine_cpu, because ? because : "asked for");
    }
    if (status != PC_OK || !may_use_cuda || device_is(list, PCI_DEVICE_CPU))
        return status;
    if (device_is(list, PCI_DEVICE_AUTO)) {
        const pci_plan *best = list->plan[0];
        for (uint32_t i = 1; i < list->n_plans; i++)
            if (compare(best, list->plan[i]) > 0)
                best = list->plan[i];
        if (best->status == PC_OK && best->seconds < PCI_CUDA_START_SECONDS) {
            explain_cpu(list, first, NULL);
            return PC_OK;
        }
    }
    return add_cuda_plans(list, first);
}

/* Adds a method as a way, if it can answer the question. */
static void add_way(listing *list, const pci_method *method)
{
    int rank = method->rank(list->question);
    if (rank == PCI_CANNOT)
        return;
    list->rank[list->n_ways] = rank;
    list->way[list->n_ways++] = method;
}

/* Drops plans whose refusal says nothing or, of matrices that answers are read off, those that are
 * swept: vectors do the same with less. */
static void drop_plans(listing *list, bool drops_sweeps)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n_plans; i++) {
        pci_plan *plan = list->plan[i];
        bool is_dropped = drops_sweeps ? plan->method->told == PC_METHOD_SWEEP
                                       : plan->method->is_dropped && plan->status != PC_OK;
        if (is_dropped)
            pci_plan_free(list->question->context, plan);
        else
            list->plan[n++] = plan;
    }
    list->n_plans = n;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static pc_status refuse_matrix(const pci_question *question)
{
    pc_context *context = question->context;
    uint64_t length = question->query.length;
    if (pci_is_too_wide(question))
        return pci_fail(context, PC_ERR_RANGE,
                        "counts of length %" PRIu64 " may be wider than %.0f bits, the most that "
                        "products make%s",
                        length, floor(pci_moduli_max_bits(question->moduli, PCI_N_MODULI)),
                        !pci_too_many_passes(question->graph, length)
                            ? "; count with --method sweep"
                            : ", and sweeps of that length would pass over the graph that many "
                              "times; count modulo a number (--mod M) or in floating point "
                              "(--float) instead");
    if (question->options.method == PC_METHOD_HYBRID)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "counts of length 2 may pass 2^63 already, too wide for a hybrid to begin "
                        "with; count with --method dense or sweep");
    if (question->query.paths != PC_PATHS_ALL || question->query.up_to)
        return pci_fail(context, PC_ERR_RANGE,
                        "a query of length %" PRIu64 " would pass over the graph that many times; "
                        "take a shorter one",
                        length);
    if (question->options.method == PC_METHOD_SWEEP)
        return pci_fail(context, PC_ERR_RANGE,
                        "sweeps of that length would pass over the graph as many times; count "
                        "with --method dense, which squares");
    return pci_fail(context, PC_ERR_RANGE,
                    "the graph has too many vertices to be squared, and sweeps of length %" PRIu64
                    " would pass over it that many times; count a shorter length",
                    length);
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* Makes the levels of a matrix and lists its plans. */
static pc_status list_matrix(listing *list, pci_question *question)
{
    pc_plan_info dense = pci_info_of(question);
    pc_method asked = question->options.method;
    pc_status status = PC_OK;
    if (question->query.paths == PC_PATHS_ALL && !question->query.up_to)
        status = pci_levels_make(question, question->query.length, &dense);
    if (status != PC_OK)
        return status;
    question->dense = &dense;
    question->makes_rows = pci_may_make_rows(question);
    for (const pci_method *const *m = list->methods; *m; m++)
        if (asked == PC_METHOD_AUTO || asked == (*m)->told || (*m)->told == PC_METHOD_AUTO)
            add_way(list, *m);
    if (list->n_ways)
        status = add_plans(list);
    drop_plans(list, false);
    if (status == PC_OK && list->n_plans == 0)
        status = refuse_matrix(question);
    sort(list);
    question->dense = NULL;
    return status;
}

/* Plans by whole matrices. */
static pc_status list_read_off(listing *list)
{
    pci_question of_matrix = *list->question;
    listing matrix = {.methods = list->methods, .question = &of_matrix};
    of_matrix.query = (pc_query){.kind = PC_QUERY_MATRIX, .length = list->question->query.length};
    of_matrix.query.up_to = pci_may_add_powers(list->question);
    of_matrix.kind = pci_kind_row(PC_QUERY_MATRIX);
    of_matrix.makes_shorter = pci_question_has_lengths(list->question);
    pci_reads reads = list->question->kind->reads;
    bool has_rows =
        reads == PCI_READS_ROWS || reads == PCI_READS_ENTRIES; /* vectors are less work */
    if (has_rows || of_matrix.makes_shorter)                   /* each length is squared anew */
        of_matrix.options.reduce = PC_REDUCE_NEVER;
    uint32_t first = list->n_plans;
    pc_status status = list_matrix(&matrix, &of_matrix);
    drop_plans(&matrix, true);
    memcpy(list->plan + first, matrix.plan, matrix.n_plans * sizeof *matrix.plan);
    list->n_plans += matrix.n_plans;
    return status == PC_OK ? pci_plan_reading(list->question, matrix.n_plans, list->plan + first)
                           : status;
}

/* Tells whether squaring may be faster than vectors, which take so many seconds, or can do what
 * they cannot. */
static bool may_read_off(const pci_question *question, double vectors_seconds)
{
    pci_work work = {{0}};
    bool asks_for_gpu = question->context->devices.kind == PCI_DEVICE_CUDA;
    bool may_use_gpu = question->context->devices.kind == PCI_DEVICE_AUTO &&
                       isfinite(vectors_seconds) &&
                       vectors_seconds > pci_cuda_start_seconds(question->context);
    if (question->query.paths != PC_PATHS_ALL || question->graph->n > PCI_MAX_DENSE_VERTICES ||
        !question->graph->n || !question->query.length || pci_question_is_saved(question))
        return false;
    if (pci_too_many_passes(question->graph, question->query.length))
        return true;
    if (question->only_diagonal && (asks_for_gpu || may_use_gpu))
        return true; /* a GPU may need the last product's diagonal only */
    pci_guess_sweep_work(question, &work);
    return pci_cost_seconds(question->context, &work) >
           fmin(pci_guess_matrix_seconds(question), pci_guess_polynomial_seconds(question));
}

/* Vectors and, where these may be faster, matrices: before vectors where they are expected to be,
 * else after them. */
static pc_status list_vectors_and_matrices(listing *list)
{
    const pci_question *question = list->question;
    pc_method asked = question->options.method;
    for (const pci_method *const *m = list->methods; *m; m++)
        if (!(*m)->is_shortcut && !(*m)->makes_matrix &&
            (asked == PC_METHOD_AUTO || asked == (*m)->told))
            add_way(list, *m);
    pc_status status = add_plans(list);
    uint32_t n_vectors = list->n_plans;
    double fastest = INFINITY;
    for (uint32_t i = 0; i < n_vectors; i++)
        if (list->plan[i]->status == PC_OK)
            fastest = fmin(fastest, list->plan[i]->seconds);
    if (status == PC_OK && question->options.method == PC_METHOD_AUTO &&
        may_read_off(question, fastest)) {
        pc_status matrix = list_read_off(list);
        if (matrix != PC_ERR_RANGE && matrix != PC_ERR_ENGINE)
            status = matrix; /* a matrix that cannot be made is no failure of the query */
    }
    for (uint32_t i = n_vectors; i < list->n_plans; i++)
        list->plan[i]->rank = list->plan[i]->seconds < fastest ? PCI_RANK_BEFORE : PCI_RANK_LAST;
    return status;
}

static pc_status list_query(listing *list)
{
    const pci_question *question = list->question;
    pc_method method = question->options.method;
    pc_status status = PC_OK;
    /* The first shortcut that is expected to pay, and is not dropped. */
    for (const pci_method *const *m = list->methods; *m && !list->n_plans && status == PC_OK; m++) {
        if ((*m)->is_shortcut)
            add_way(list, *m);
        if (list->n_ways)
            status = add_plans(list);
        list->n_ways = 0;
        if (status == PC_OK)
            drop_plans(list, false);
    }
    bool is_last = method != PC_METHOD_AUTO || /* or nothing else reaches so far */
                   (question->options.arithmetic == PC_EXACT &&
                    pci_too_many_passes(question->graph, question->query.length));
    if (status != PC_OK || (list->n_plans && (is_last || list->plan[0]->status == PC_OK)))
        return status;
    bool by_vectors = method == PC_METHOD_AUTO || method == PC_METHOD_SWEEP ||
                      !pci_question_is_of_walks(question);
    status = by_vectors ? list_vectors_and_matrices(list) : list_read_off(list);
    sort(list);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Widens what plans tell of the rows of an answer to what it is of their sum. A plan that reads
 * rows off matrices tells of the matrix, and a shortcut of the number. */
static pc_status widen_to_sum(pc_plan *plans)
{
    const pci_question *question = &plans->question;
    double n = (double)pci_question_shape(question).n_rows, bits;
    plans->n_sum_limbs = question->options.arithmetic == PC_MODULAR;
    if (plans->plan[0]->method->is_shortcut || question->options.arithmetic != PC_EXACT)
        return PC_OK;
    pc_status status = pci_vectors_answer_bits(question, false, &bits);
    bits += n > 1 ? log2(n) * (1 + 0x1p-40) : 0;
    plans->n_sum_limbs = (uint32_t)(bits / 64) + 1;
    for (uint32_t i = 0; i < plans->n_plans && status == PC_OK; i++) {
        pc_plan_info *info = &plans->plan[i]->info;
        if (!plans->plan[i]->method->only_sweeps)
            continue;
        info->bound_bits = bits;
        info->n_limbs = plans->n_sum_limbs;
    }
    return status;
}

/* Notes how many threads each plan is worth, of n_planned that it was made for. Devices, and processes that hold a graph
 * in parts, have all of them. */
static void note_threads(int n_planned, pc_plan *plans)
{
    const pc_context *context = plans->question.context;
    for (uint32_t i = 0; i < plans->n_plans; i++) {
        pci_plan *plan = plans->plan[i];
        int n_worth = pci_threads_worth(context, plan->seconds * pci_cost_threads(n_planned));
        plan->info.n_threads = !pci_plan_is_on_cpu(plan) ? pci_n_threads(context)
                               : n_worth < n_planned     ? n_worth
                                                         : n_planned;
    }
}

/* Lists the plans of a question, whatever comes of it. */
static pc_status list_plans(const pci_method *const *methods, pc_plan *plans)
{
    pci_question *question = &plans->question;
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    const pc_query *query = &question->query;
    /* No count between vertices or blocks has more bits than this. */
    uint64_t largest = pci_graph_largest_row_sum(graph); /* or more, when it is the largest word */
    double step = log2((double)largest + 1) + (largest == UINT64_MAX ? log2((double)graph->n) : 0);
    double most_bits = (double)query->length * step + 2 * log2((double)graph->n + 1);
    pci_moduli_fill(&plans->moduli, most_bits);
    question->moduli = &plans->moduli;
    pc_status status = pci_limits_create(context, graph, query->partition, query->length,
                                         PCI_MAX_BITS, &question->limits);
    if (status != PC_OK)
        return status;
    bool is_matrix = question->kind->is_matrix;
    listing list = {.methods = methods, .question = question};
    status = is_matrix ? list_matrix(&list, question) : list_query(&list);
    plans->n_plans = list.n_plans;
    memcpy(plans->plan, list.plan, sizeof list.plan);
    if (status == PC_OK && plans->plan[0]->status != PC_OK)
        status = pci_fail(context, plans->plan[0]->status, "%s", plans->plan[0]->why_not);
    if (status == PC_OK && (is_matrix || plans->n_plans > 1))
        tell_alternatives(plans->n_plans, plans->plan, is_matrix);
    if (status == PC_OK && question->kind->is_summed)
        status = widen_to_sum(plans);
    for (uint32_t i = 0; i < plans->n_plans && status == PC_OK; i++)
        if (plans->plan[i]->status == PC_OK)
            status = pci_relative_error(question, plans->plan[i]);
    pci_limits_rest(question->limits);
    return status;
}

pc_status pci_plans_make(const pci_method *const *methods, pc_context *context,
                         const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan *plans)
{
    double start = pci_now_seconds();
    double started_seconds = context->cuda_start_seconds;
    int n_worth = context->n_worth;
    pci_question *question = &plans->question;
    plans->n_plans = 0;
    pc_status status = pci_question_make(context, graph, query, options, question);
    if (status != PC_OK)
        return status;
    plans->checksum = pci_question_checksum(question);
    context->n_worth = graph->parts ? n_worth : pci_guess_threads(question);
    int n_planned = pci_n_threads(context);
    status = list_plans(methods, plans);
    context->n_worth = n_worth;
    note_threads(n_planned, plans);
    plans->bound_seconds =
        pci_now_seconds() - start - (context->cuda_start_seconds - started_seconds);
    if (status != PC_OK) {
        pci_plans_end(plans);
        return status;
    }
    plans->info = plans->plan[0]->info;
    plans->info.seconds.start = context->cuda_start_seconds;
    return PC_OK;
}

void pci_plans_end(pc_plan *plans)
{
    for (uint32_t i = 0; i < plans->n_plans; i++)
        pci_plan_free(plans->question.context, plans->plan[i]);
    pci_limits_free(plans->question.limits);
}
