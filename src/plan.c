/* Makes plans: levels by binary powering, moduli from proved bounds, and of the ways that there are
 * (src/plan_choose.c) the fastest that fits. */
#include "src/plan.h"

#include "src/bound.h"
#include "src/count_swept.h"
#include "src/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LIMITS = 4096 };

/* Left-to-right binary powering: one level for A, then each further bit of length squares, and a 1
 * bit steps. */
static void list_powers(uint64_t length, pc_plan *plan)
{
    if (!length)
        return;
    int bit = 63 - __builtin_clzll(length);
    plan->levels[plan->n_levels++] = (pc_level){.length = 1};
    while (bit-- > 0) {
        uint64_t prefix = length >> bit;
        plan->levels[plan->n_levels++] = (pc_level){.length = prefix & ~UINT64_C(1)};
        if (prefix & 1)
            plan->levels[plan->n_levels++] = (pc_level){.length = prefix, .is_step = 1};
    }
}

/* Between blocks, half the length is powered, and a reduced product makes the rest. */
static void list_levels(uint64_t length, pc_plan *plan)
{
    bool is_reduced = plan->n_blocks && length > 1 && plan->arithmetic == PC_EXACT;
    list_powers(is_reduced ? length / 2 : length, plan);
    if (is_reduced)
        plan->levels[plan->n_levels++] =
            (pc_level){.length = length, .is_step = (int)(length & 1), .is_reduced = 1};
}

/* Planes that a level's product or step works on; of sums over blocks, one for each modulus. */
static uint32_t n_products(const pc_level *before, const pc_level *level)
{
    return before->n_moduli || level->is_reduced ? pci_moduli_n_planes(level->n_moduli) : 1;
}

/* Moduli that carry the entries of each level. Words are loaded as residues, never plain, and so as
 * many as their square wants. */
static void settle_moduli(const pci_moduli *moduli, pc_plan *plan)
{
    for (uint32_t l = 0; l < plan->n_levels && plan->method != PC_METHOD_SWEEP; l++) {
        pc_level *level = &plan->levels[l], *before = level - (l > 0);
        double bits = plan->levels[l + (level->is_swept != 0)].bound_bits;
        /* Sums over blocks have no limit of their own that would let them stay plain. */
        if (bits > log2(PCI_MAX_PLAIN) || before->n_moduli || level->is_reduced ||
            level->is_swept) {
            uint32_t needed = pci_moduli_for_bits(moduli, bits);
            level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
        }
        if (l > 0)
            level->n_products = n_products(before, level);
    }
}

void pci_plan_levels(const pci_moduli *moduli, uint64_t sweep_length, pc_plan *plan)
{
    uint32_t first = 0;
    plan->sweep_length = sweep_length;
    plan->method = !sweep_length                  ? PC_METHOD_DENSE
                   : sweep_length == plan->length ? PC_METHOD_SWEEP
                                                  : PC_METHOD_HYBRID;
    while (sweep_length && plan->levels[first].length != sweep_length)
        first++;
    plan->n_levels -= first;
    memmove(plan->levels, plan->levels + first, plan->n_levels * sizeof *plan->levels);
    if (sweep_length) {
        plan->levels[0].is_swept = 1;
        plan->levels[0].is_step = 0;
    }
    settle_moduli(moduli, plan);
}

uint64_t pci_plan_longest_sweep(const pc_plan *plan)
{
    uint64_t longest = 0;
    for (uint32_t l = 0; l + 1 < plan->n_levels; l++) {
        const pc_level *level = &plan->levels[l];
        bool is_prefix = level->length == 2;
        for (int bit = 1; bit < 64 && level->length > 1; bit++)
            is_prefix = is_prefix || plan->length >> bit == level->length;
        if (is_prefix && level->bound_bits < PCI_SWEPT_WORD_BITS)
            longest = level->length;
    }
    return longest;
}

/* Limits of what each level makes; of all lengths, for whoever sweeps, unless they are too many. */
static pc_status limit_levels(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                              uint32_t n_lengths, const uint64_t *lengths, double *bits)
{
    if (schedule->partition || lengths[n_lengths - 1] > MOST_LIMITS)
        return pci_bound(context, graph, schedule->partition, n_lengths, lengths,
                         pci_moduli_max_bits(&schedule->moduli), bits);
    pc_status status = pci_schedule_limits(context, graph, lengths[n_lengths - 1], schedule);
    for (uint32_t l = 0; l < n_lengths && status == PC_OK; l++)
        bits[l] = schedule->limits[lengths[l]];
    return status;
}

static pc_status limit_exact(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                             pc_plan *plan)
{
    uint64_t lengths[PC_MAX_LEVELS + 1];
    double bits[PC_MAX_LEVELS + 1];
    uint32_t n_lengths = plan->n_levels;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        lengths[l] = plan->levels[l].length;
    if (!pci_plan_is_reduced(plan) && schedule->partition) /* of what rows will be summed to */
        lengths[n_lengths++] = plan->length;
    pc_status status = limit_levels(context, graph, schedule, n_lengths, lengths, bits);
    if (status != PC_OK)
        return status;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        plan->levels[l].bound_bits = bits[l];
    plan->bound_bits = bits[n_lengths - 1];
    plan->n_limbs = (uint32_t)(plan->bound_bits / 64) + 1;
    return PC_OK;
}

/* Each squaring of words below the modulus M is exact below n M^2, then reduced. */
static void plan_modular(const pci_schedule *schedule, pc_plan *plan)
{
    double modulus_bits = log2((double)plan->modulus) + 1e-9;
    double square_bits = 2 * modulus_bits + log2((double)plan->n_vertices + 1);
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l];
        level->bound_bits = modulus_bits;
        level->n_moduli = pci_moduli_for_bits(&schedule->moduli, square_bits);
        if (l > 0 && !level->is_step)
            level->n_products = level->n_moduli;
    }
    plan->bound_bits = modulus_bits;
    plan->n_limbs = 1;
}

static pc_status check_partition(pc_context *context, const pci_request *request)
{
    if (!request->partition || request->partition->n == request->graph->n)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "the partition has %" PRIu64 " vertices, the graph %" PRIu64,
                    request->partition->n, request->graph->n);
}

/* Rows may be streamed of graphs whose matrix could not be held. */
static bool may_stream(const pci_request *request)
{
    return !request->partition && !request->holds_result;
}

static pc_status check_vertices(pc_context *context, const pci_request *request, pc_method method)
{
    uint64_t n = request->graph->n;
    bool is_dense = method == PC_METHOD_DENSE || method == PC_METHOD_HYBRID;
    if (n <= PCI_MAX_DENSE_VERTICES || (!is_dense && may_stream(request)))
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "the graph has %" PRIu64 " vertices; whole matrices end at %d%s", n,
                    PCI_MAX_DENSE_VERTICES,
                    may_stream(request) ? " unless they are swept (--method sweep)" : "");
}

static pc_status check_method(pc_context *context, const pci_request *request, pc_method method,
                              pc_arithmetic arithmetic)
{
    if (method == PC_METHOD_SWEEP && request->partition)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "counts between blocks end with a reduced product, which sweeps alone do "
                        "not reach; count with --method hybrid or dense");
    if (method == PC_METHOD_HYBRID && arithmetic != PC_EXACT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a hybrid counts exactly, not modulo a number or in doubles; count with "
                        "--method dense or sweep");
    if (method == PC_METHOD_HYBRID && request->length < 4)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "length %" PRIu64 " is too short for sweeps first and squaring after; "
                        "count with --method dense or sweep",
                        request->length);
    return check_vertices(context, request, method);
}

pc_plan pci_plan_of(const pc_context *context, const pc_graph *graph, uint64_t length,
                    const pc_count_options *options)
{
    return (pc_plan){
        .engine = pci_engine_cpu.name,
        .kernel = "",
        .device = "",
        .n_threads = pci_n_threads(context),
        .symmetric = graph->symmetric,
        .arithmetic = options->arithmetic,
        .modulus = options->arithmetic == PC_MODULAR ? options->modulus : 0,
        .n_vertices = graph->n,
        .n_arcs = pci_graph_n_arcs(graph),
        .length = length,
        .n_limbs = options->arithmetic == PC_FLOAT ? 0 : 1,
    };
}

/* The levels of a dense plan, and the limits of all that is counted. */
static pc_status fill_levels(pc_context *context, const pci_request *request,
                             pci_schedule *schedule, pc_plan *plan)
{
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    list_levels(request->length, plan);
    if (plan->arithmetic == PC_EXACT && (plan->n_levels || plan->n_blocks))
        status = limit_exact(context, request->graph, schedule, plan);
    else if (plan->n_levels && plan->arithmetic == PC_MODULAR)
        plan_modular(schedule, plan);
    plan->seconds.bound = pci_now_seconds() - start;
    return status;
}

/* *plan, which has the levels of a dense plan, becomes that of one way. */
static pc_status plan_way(pc_context *context, const pci_request *request, const char *cpu_because,
                          const pci_way *way, pci_schedule *schedule, pc_plan *plan)
{
    if (way->method == PC_METHOD_SWEEP) {
        plan->n_levels = 0;
        plan->method = PC_METHOD_SWEEP;
        return pci_swept_plan(context, request->graph, cpu_because, schedule, plan);
    }
    if (plan->arithmetic == PC_EXACT)
        pci_plan_levels(&schedule->moduli, way->sweep_length, plan);
    plan->method = way->method;
    pc_status status = pci_plan_engine(context, request->graph, cpu_because, schedule, plan);
    if (status == PC_OK && way->method == PC_METHOD_HYBRID)
        status = pci_swept_plan_words(context, request->graph, schedule, plan);
    return status;
}

/* A device may be faster at squaring than the processors are in any way: *plan then becomes that of
 * squaring, and *is_taken true. */
static pc_status try_device(pc_context *context, const pci_request *request, const pci_way *best,
                            pci_schedule *schedule, pc_plan *plan, bool *is_taken)
{
    static const pci_way squaring = {.method = PC_METHOD_DENSE};
    pc_plan dense = *plan;
    char before[sizeof context->message];
    memcpy(before, context->message, sizeof before);
    pc_status status = plan_way(context, request, NULL, &squaring, schedule, &dense);
    *is_taken = status == PC_OK && dense.n_devices > 0 && dense.predicted_seconds < best->seconds;
    if (*is_taken)
        *plan = dense;
    if (status == PC_ERR_MEMORY && !pci_plan_fits(&dense)) {
        /* the best way may take less */
        memcpy(context->message, before, sizeof before);
        status = PC_OK;
    }
    return status;
}

/* The fastest way that fits in memory; when none does, what the one that takes least says. */
static pc_status plan_best(pc_context *context, const pci_request *request, const char *cpu_because,
                           int n_ways, const pci_way *ways, pci_schedule *schedule, pc_plan *plan)
{
    pc_plan dense = *plan;
    pc_status status = PC_OK;
    bool is_taken = false;
    if (!cpu_because && context->devices.kind == PCI_DEVICE_AUTO &&
        schedule->options.method == PC_METHOD_AUTO && ways[0].method != PC_METHOD_DENSE &&
        ways[0].seconds > PCI_CUDA_START_SECONDS && dense.n_vertices <= PCI_MAX_DENSE_VERTICES)
        status = try_device(context, request, &ways[0], schedule, plan, &is_taken);
    if (status != PC_OK || is_taken)
        return status;
    int least = 0;
    uint64_t least_bytes = UINT64_MAX;
    char before[sizeof context->message];
    memcpy(before, context->message, sizeof before);
    for (int w = 0; w < n_ways; w++) {
        *plan = dense;
        status = plan_way(context, request, cpu_because, &ways[w], schedule, plan);
        if (status == PC_OK) /* that others do not fit is no failure of this call */
            memcpy(context->message, before, sizeof before);
        if (status != PC_ERR_MEMORY || pci_plan_fits(plan))
            return status;
        if (plan->memory_bytes < least_bytes) {
            least = w;
            least_bytes = plan->memory_bytes;
        }
    }
    if (least == n_ways - 1)
        return status;
    *plan = dense;
    return plan_way(context, request, cpu_because, &ways[least], schedule, plan);
}

/* Leaves the ways of the method that was asked for. */
static pc_status keep_method(pc_context *context, pc_method method, int *n_ways, pci_way *ways)
{
    for (int w = 0; w < *n_ways && method != PC_METHOD_AUTO; w++)
        if (ways[w].method == method) {
            ways[0] = ways[w];
            *n_ways = 1;
            return PC_OK;
        }
    if (method == PC_METHOD_AUTO)
        return PC_OK;
    return method == PC_METHOD_HYBRID
               ? pci_fail(context, PC_ERR_ARGUMENT,
                          "counts of length 2 may pass 2^63 already, too wide for a hybrid to "
                          "begin with; count with --method dense or sweep")
               : pci_fail(context, PC_ERR_RANGE,
                          "sweeps of that length would pass over the graph as many times; count "
                          "with --method dense, which squares");
}

static void tell_ways(int n_ways, const pci_way *ways, pc_plan *plan)
{
    bool is_told = false;
    plan->n_alternatives = 0;
    for (int w = 0; w < n_ways; w++) {
        bool is_chosen = !plan->n_devices && ways[w].method == plan->method;
        if (!(ways[w].seconds > 0))
            continue;
        is_told = is_told || is_chosen;
        pci_plan_weigh(plan, &(pc_alternative){.method = ways[w].method,
                                               .engine = pci_engine_cpu.name,
                                               .sweep_length = ways[w].sweep_length,
                                               .predicted_seconds = ways[w].seconds,
                                               .why_not = "",
                                               .is_chosen = is_chosen});
    }
    if (!is_told)
        pci_plan_weigh(plan, &(pc_alternative){.method = plan->method,
                                               .engine = plan->engine,
                                               .sweep_length = plan->sweep_length,
                                               .predicted_seconds = plan->predicted_seconds,
                                               .why_not = "",
                                               .is_chosen = 1});
}

/* Which way is the fastest on the processors is known from the limits alone; where a device is
 * asked for, it squares. */
static pc_status choose_way(pc_context *context, const pci_request *request,
                            const char *cpu_because, pci_schedule *schedule, pc_plan *plan)
{
    pci_way ways[PCI_MOST_WAYS], kept[PCI_MOST_WAYS];
    int n_ways = pci_plan_ways(context, request, schedule, plan, ways), n_kept = n_ways;
    pc_method method = schedule->options.method;
    bool on_device = !cpu_because && context->devices.kind == PCI_DEVICE_CUDA;
    if (method == PC_METHOD_AUTO && on_device && plan->n_vertices <= PCI_MAX_DENSE_VERTICES)
        method = PC_METHOD_DENSE;
    if (n_ways == 0)
        return pci_fail(
            context, PC_ERR_RANGE,
            "the graph has too many vertices to be squared, and sweeps of length %" PRIu64
            " would pass over it that many times; count a shorter length",
            plan->length);
    memcpy(kept, ways, sizeof kept);
    pc_status status = keep_method(context, method, &n_kept, kept);
    if (status == PC_OK)
        status = plan_best(context, request, cpu_because, n_kept, kept, schedule, plan);
    if (status == PC_OK)
        tell_ways(n_ways, ways, plan);
    return status;
}

pc_status pci_plan_make(pc_context *context, const pci_request *request, const char *cpu_because,
                        pci_schedule *schedule, pc_plan *plan)
{
    *schedule = (pci_schedule){
        .context = context, .partition = request->partition, .holds_result = request->holds_result};
    pci_moduli_fill(&schedule->moduli);
    pc_status status = pci_options_complete(context, request->options, &schedule->options);
    if (status == PC_OK)
        status =
            check_method(context, request, schedule->options.method, schedule->options.arithmetic);
    if (status == PC_OK)
        status = check_partition(context, request);
    if (status != PC_OK)
        return status;
    *plan = pci_plan_of(context, request->graph, request->length, &schedule->options);
    plan->n_blocks = request->partition ? request->partition->n_blocks : 0;
    status = fill_levels(context, request, schedule, plan);
    return status == PC_OK ? choose_way(context, request, cpu_because, schedule, plan) : status;
}

pc_status pci_schedule_limits(pc_context *context, const pc_graph *graph, uint64_t length,
                              pci_schedule *schedule)
{
    if (schedule->limits && schedule->limits_length >= length)
        return PC_OK;
    pci_schedule_free(schedule);
    schedule->limits_length = length;
    return pci_bound_all(context, graph, length, &schedule->limits);
}

void pci_schedule_free(pci_schedule *schedule)
{
    if (schedule->limits)
        pci_free(schedule->context, schedule->limits);
    schedule->limits = NULL;
}

pc_status pci_plan_check_memory(pc_context *context, const pci_schedule *schedule,
                                const pc_plan *plan)
{
    char counts[48] = "doubles";
    if (pci_plan_fits(plan))
        return PC_OK;
    if (plan->arithmetic != PC_FLOAT)
        snprintf(counts, sizeof counts, "counts of %.0f bits", floor(plan->bound_bits) + 1);
    return pci_fail(context, PC_ERR_MEMORY,
                    "%" PRIu64 " vertices and %s need %.1f MB of memory, and there are %.1f MB; "
                    "%stake a shorter length, count modulo a number (--mod M), or give it a "
                    "machine with more",
                    plan->n_vertices, counts, (double)plan->memory_bytes / 1e6,
                    (double)plan->memory_available_bytes / 1e6,
                    schedule->holds_result ? "stream the rows instead of keeping them, " : "");
}

static pc_status make_plan(pc_context *context, const pci_request *request, pc_plan *plan)
{
    if (!context || !request->graph || !plan)
        return pci_fail_null(context, "graph or plan");
    pci_schedule schedule;
    pc_plan made;
    pc_status status = pci_plan_make(context, request, NULL, &schedule, &made);
    if (status == PC_OK) {
        made.seconds.bound = 0;
        *plan = made;
    }
    pci_schedule_free(&schedule);
    return status;
}

pc_status pc_plan_make(pc_context *context, const pc_graph *graph, uint64_t length,
                       const pc_count_options *options, int holds_result, pc_plan *plan)
{
    return make_plan(context, &(pci_request){graph, NULL, length, options, holds_result}, plan);
}

pc_status pc_plan_coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                          uint64_t length, const pc_count_options *options, int holds_result,
                          pc_plan *plan)
{
    if (!context || !partition)
        return pci_fail_null(context, "partition");
    return make_plan(context, &(pci_request){graph, partition, length, options, holds_result},
                     plan);
}

pc_frame pc_plan_frame(const pc_plan *plan, const pc_labels *labels)
{
    if (!plan)
        return (pc_frame){.rows = labels, .columns = labels};
    return (pc_frame){
        .rows = labels, .columns = labels, .n_limbs = plan->n_limbs, .symmetric = plan->symmetric};
}

pc_status pc_plan_last(const pc_context *context, pc_plan *plan)
{
    if (!context || !plan || !context->has_plan)
        return PC_ERR_ARGUMENT;
    *plan = context->plan;
    return PC_OK;
}
