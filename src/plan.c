/* Makes plans: levels by binary powering, moduli from proved bounds, memory from both. */
#include "src/plan.h"

#include "src/bound.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    BLOCK_BYTES = 8 << 20,
    SMALL_THINGS_BYTES = 64 << 10, /* a run, its lists, the odd vector */
    DEFAULT_CERTIFY_ROUNDS = 2
};

/* Left-to-right binary powering: one level for A, then each further bit of length squares, and a 1
 * bit steps. */
static void list_levels(uint64_t length, pc_plan *plan)
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

/* Planes that a level's product or step works on. */
static uint32_t n_products(const pc_level *before, const pc_level *level)
{
    return before->n_moduli ? pci_moduli_n_planes(level->n_moduli) : 1;
}

static void predict(pc_plan *plan, double ops_per_second, const pc_level *before, pc_level *level)
{
    double n = (double)plan->n_vertices;
    double ops = level->is_step ? 2 * n * (double)plan->n_arcs : 2 * n * n * n;
    if (!level->is_step && plan->symmetric)
        ops /= 2;
    /* a step adds bytes where a product multiplies and adds them: about 8 times slower */
    level->predicted_seconds =
        ops * n_products(before, level) / ops_per_second * (level->is_step ? 8 : 1);
    plan->predicted_seconds += level->predicted_seconds;
}

static pc_status plan_exact(pc_context *context, const pc_graph *graph,
                            const pci_schedule *schedule, double ops_per_second, pc_plan *plan)
{
    uint64_t lengths[PC_MAX_LEVELS];
    double bits[PC_MAX_LEVELS];
    for (uint32_t l = 0; l < plan->n_levels; l++)
        lengths[l] = plan->levels[l].length;
    pc_status status = pci_bound(context, graph, plan->n_levels, lengths,
                                 pci_moduli_max_bits(&schedule->moduli), bits);
    if (status != PC_OK)
        return status;
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l], *before = level - (l > 0);
        level->bound_bits = bits[l];
        if (bits[l] > log2(PCI_MAX_PLAIN) || before->n_moduli) {
            uint32_t needed = pci_moduli_for_bits(&schedule->moduli, bits[l]);
            level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
        }
        plan->bound_bits = bits[l];
        if (l > 0) {
            level->n_products = n_products(before, level);
            predict(plan, ops_per_second, before, level);
        }
    }
    plan->n_limbs = (uint32_t)(plan->bound_bits / 64) + 1;
    return PC_OK;
}

/* Each squaring of words below the modulus M is exact below n M^2, then reduced. */
static pc_status plan_modular(const pci_schedule *schedule, double ops_per_second, pc_plan *plan)
{
    double modulus_bits = log2((double)plan->modulus) + 1e-9;
    double square_bits = 2 * modulus_bits + log2((double)plan->n_vertices + 1);
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l], *before = level - (l > 0);
        level->bound_bits = modulus_bits;
        level->n_moduli = pci_moduli_for_bits(&schedule->moduli, square_bits);
        if (l > 0 && !level->is_step) {
            level->n_products = level->n_moduli;
            predict(plan, ops_per_second, before, level);
        }
    }
    plan->bound_bits = modulus_bits;
    plan->n_limbs = 1;
    return PC_OK;
}

static uint64_t graph_bytes(const pc_graph *graph)
{
    uint64_t per_arc = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * per_arc;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The most that the levels, then the delivery, hold at once. */
static uint64_t exact_bytes(const pci_schedule *schedule, const pc_plan *plan, uint64_t row_bytes)
{
    uint64_t peak = 0, n = plan->n_vertices;
    const pc_level *last = NULL;
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        const pc_level *level = &plan->levels[l];
        uint32_t n_in = last && last->n_moduli ? level->n_moduli : 0;
        peak = max_u64(peak, schedule->engine->level_bytes(n, n_in, level->n_moduli, level->is_step,
                                                           plan->n_threads));
        last = level;
    }
    uint32_t n_planes = last->n_moduli ? pci_moduli_n_planes(last->n_moduli) : 1;
    uint64_t n_rows = schedule->holds_result ? n : pci_plan_block_rows(plan);
    uint64_t certificate =
        n * sizeof(uint64_t) * (2 * (uint64_t)schedule->options.n_certify_rounds + 1);
    return max_u64(peak, n_planes * schedule->engine->plane_bytes(n) + n_rows * row_bytes +
                             (schedule->options.n_certify_rounds > 0 ? certificate : 0));
}

static uint64_t needed_bytes(const pc_graph *graph, const pci_schedule *schedule,
                             const pc_plan *plan)
{
    uint64_t n = plan->n_vertices, words = n * n * sizeof(uint64_t);
    uint64_t bytes = graph_bytes(graph) + SMALL_THINGS_BYTES;
    if (!plan->n_levels)
        return bytes + (schedule->holds_result ? words : pci_plan_block_rows(plan) * n * 8);
    if (plan->arithmetic == PC_EXACT)
        return bytes + exact_bytes(schedule, plan, n * plan->n_limbs * sizeof(uint64_t));
    uint64_t result = schedule->holds_result ? words : 0;
    if (plan->arithmetic == PC_FLOAT)
        return bytes + 2 * words + result;
    uint32_t r = plan->levels[0].n_moduli;
    uint64_t squaring = schedule->engine->level_bytes(n, r, r, false, plan->n_threads);
    return bytes + words + max_u64(result, squaring);
}

static void print_size(uint64_t bytes, char *text, size_t size)
{
    snprintf(text, size, bytes < 10000000000u ? "%.1f MB" : "%.0f MB", (double)bytes / 1e6);
}

static pc_status check_memory(pc_context *context, const pci_schedule *schedule,
                              const pc_plan *plan)
{
    char needed[32], available[32];
    if (plan->memory_bytes <= plan->memory_available_bytes)
        return PC_OK;
    print_size(plan->memory_bytes, needed, sizeof needed);
    print_size(plan->memory_available_bytes, available, sizeof available);
    return pci_fail(context, PC_ERR_MEMORY,
                    "%" PRIu64 " vertices and counts of %.0f bits need %s of memory, and there are "
                    "%s; %stake a shorter length, count modulo a number (--mod M), or give it a "
                    "machine with more",
                    plan->n_vertices, floor(plan->bound_bits) + 1, needed, available,
                    schedule->holds_result ? "stream the rows instead of keeping them, " : "");
}

static pc_status check_options(pc_context *context, const pc_count_options *options)
{
    if (options->arithmetic == PC_MODULAR &&
        (options->modulus < 2 || options->modulus >= UINT64_C(1) << 63))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "modulus %" PRIu64 ": give one from 2 to 2^63 - 1", options->modulus);
    if ((unsigned)options->arithmetic > PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown arithmetic %d",
                        (int)options->arithmetic);
    if (options->n_certify_rounds < PC_CERTIFY_NONE || options->n_certify_rounds > 64)
        return pci_fail(context, PC_ERR_ARGUMENT, "%d rounds of certificate: give 0 to 64",
                        options->n_certify_rounds);
    return PC_OK;
}

static pc_status check_vertices(pc_context *context, const pc_graph *graph)
{
    if (graph->n <= PCI_MAX_DENSE_VERTICES)
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "the graph has %" PRIu64 " vertices; whole matrices end at %d", graph->n,
                    PCI_MAX_DENSE_VERTICES);
}

uint64_t pci_plan_block_rows(const pc_plan *plan)
{
    uint64_t row_bytes = plan->n_vertices * 8 * (plan->n_limbs ? plan->n_limbs : 1);
    uint64_t n_rows = row_bytes ? BLOCK_BYTES / row_bytes : 1;
    n_rows = max_u64(n_rows, (uint64_t)plan->n_threads);
    return n_rows < plan->n_vertices ? n_rows : plan->n_vertices;
}

static pc_status fill_plan(pc_context *context, const pc_graph *graph, uint64_t length,
                           pci_schedule *schedule, pc_plan *plan)
{
    double ops_per_second = 0;
    *plan = (pc_plan){
        .engine = schedule->engine->name,
        .n_threads = pci_n_threads(context),
        .symmetric = graph->symmetric,
        .arithmetic = schedule->options.arithmetic,
        .modulus = schedule->options.arithmetic == PC_MODULAR ? schedule->options.modulus : 0,
        .n_vertices = graph->n,
        .n_arcs = pci_graph_n_arcs(graph),
        .length = length,
        .n_limbs = schedule->options.arithmetic == PC_FLOAT ? 0 : 1,
    };
    pc_status status = schedule->engine->describe(context, &plan->kernel, &ops_per_second);
    if (status != PC_OK)
        return status;
    list_levels(length, plan);
    if (plan->n_levels && plan->arithmetic == PC_EXACT)
        return plan_exact(context, graph, schedule, ops_per_second, plan);
    if (plan->n_levels && plan->arithmetic == PC_MODULAR)
        return plan_modular(schedule, ops_per_second, plan);
    return PC_OK;
}

pc_status pci_plan_make(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, bool holds_result, pci_schedule *schedule,
                        pc_plan *plan)
{
    schedule->engine = &pci_engine_cpu;
    schedule->options = options ? *options : (pc_count_options){0};
    schedule->holds_result = holds_result;
    pci_moduli_fill(&schedule->moduli);
    pc_status status = check_options(context, &schedule->options);
    if (!schedule->options.n_certify_rounds)
        schedule->options.n_certify_rounds = DEFAULT_CERTIFY_ROUNDS;
    if (status == PC_OK)
        status = check_vertices(context, graph);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = fill_plan(context, graph, length, schedule, plan);
    if (status != PC_OK)
        return status;
    plan->seconds.bound = pci_now_seconds() - start;
    plan->memory_bytes = needed_bytes(graph, schedule, plan);
    plan->memory_available_bytes = pci_memory_available(context);
    if (!context->memory_limit_bytes) /* the graph is there already */
        plan->memory_available_bytes += graph_bytes(graph);
    return check_memory(context, schedule, plan);
}

pc_status pc_plan_make(pc_context *context, const pc_graph *graph, uint64_t length,
                       const pc_count_options *options, int holds_result, pc_plan *plan)
{
    pci_schedule schedule;
    pc_plan made;
    pc_status status =
        pci_plan_make(context, graph, length, options, holds_result, &schedule, &made);
    if (status == PC_OK) {
        made.seconds.bound = 0;
        *plan = made;
    }
    return status;
}

pc_status pc_plan_last(const pc_context *context, pc_plan *plan)
{
    if (!context->has_plan)
        return PC_ERR_ARGUMENT;
    *plan = context->plan;
    return PC_OK;
}
