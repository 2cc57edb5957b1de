/* Makes plans: levels by binary powering, moduli from proved bounds. */
#include "src/plan.h"

#include "src/bound.h"
#include "src/options.h"

#include <inttypes.h>
#include <math.h>

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

static pc_status plan_exact(pc_context *context, const pc_graph *graph,
                            const pci_schedule *schedule, pc_plan *plan)
{
    uint64_t lengths[PC_MAX_LEVELS + 1];
    double bits[PC_MAX_LEVELS + 1];
    uint32_t n_lengths = plan->n_levels;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        lengths[l] = plan->levels[l].length;
    if (!pci_plan_is_reduced(plan) && schedule->partition) /* of what rows will be summed to */
        lengths[n_lengths++] = plan->length;
    pc_status status = pci_bound(context, graph, schedule->partition, n_lengths, lengths,
                                 pci_moduli_max_bits(&schedule->moduli), bits);
    if (status != PC_OK)
        return status;
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l], *before = level - (l > 0);
        level->bound_bits = bits[l];
        /* Sums over blocks have no limit of their own that would let them stay plain. */
        if (bits[l] > log2(PCI_MAX_PLAIN) || before->n_moduli || level->is_reduced) {
            uint32_t needed = pci_moduli_for_bits(&schedule->moduli, bits[l]);
            level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
        }
        if (l > 0)
            level->n_products = n_products(before, level);
    }
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

static pc_status check_vertices(pc_context *context, const pc_graph *graph)
{
    if (graph->n <= PCI_MAX_DENSE_VERTICES)
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "the graph has %" PRIu64 " vertices; whole matrices end at %d", graph->n,
                    PCI_MAX_DENSE_VERTICES);
}

static pc_status check_partition(pc_context *context, const pci_request *request)
{
    if (!request->partition || request->partition->n == request->graph->n)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "the partition has %" PRIu64 " vertices, the graph %" PRIu64,
                    request->partition->n, request->graph->n);
}

static pc_status fill_plan(pc_context *context, const pci_request *request,
                           const pci_schedule *schedule, pc_plan *plan)
{
    const pc_graph *graph = request->graph;
    *plan = (pc_plan){
        .n_threads = pci_n_threads(context),
        .symmetric = graph->symmetric,
        .arithmetic = schedule->options.arithmetic,
        .modulus = schedule->options.arithmetic == PC_MODULAR ? schedule->options.modulus : 0,
        .n_vertices = graph->n,
        .n_blocks = request->partition ? request->partition->n_blocks : 0,
        .n_arcs = pci_graph_n_arcs(graph),
        .length = request->length,
        .n_limbs = schedule->options.arithmetic == PC_FLOAT ? 0 : 1,
    };
    list_levels(request->length, plan);
    if (plan->arithmetic == PC_EXACT && (plan->n_levels || plan->n_blocks))
        return plan_exact(context, graph, schedule, plan);
    if (plan->n_levels && plan->arithmetic == PC_MODULAR)
        plan_modular(schedule, plan);
    return PC_OK;
}

pc_status pci_plan_make(pc_context *context, const pci_request *request, const char *cpu_because,
                        pci_schedule *schedule, pc_plan *plan)
{
    *schedule =
        (pci_schedule){.partition = request->partition, .holds_result = request->holds_result};
    pci_moduli_fill(&schedule->moduli);
    pc_status status = pci_options_complete(context, request->options, &schedule->options);
    if (status == PC_OK)
        status = check_vertices(context, request->graph);
    if (status == PC_OK)
        status = check_partition(context, request);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = fill_plan(context, request, schedule, plan);
    if (status != PC_OK)
        return status;
    plan->seconds.bound = pci_now_seconds() - start;
    return pci_plan_engine(context, request->graph, cpu_because, schedule, plan);
}

static pc_status make_plan(pc_context *context, const pci_request *request, pc_plan *plan)
{
    pci_schedule schedule;
    pc_plan made;
    pc_status status = pci_plan_make(context, request, NULL, &schedule, &made);
    if (status == PC_OK) {
        made.seconds.bound = 0;
        *plan = made;
    }
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
    return make_plan(context, &(pci_request){graph, partition, length, options, holds_result},
                     plan);
}

pc_frame pc_plan_frame(const pc_plan *plan, const pc_labels *labels)
{
    return (pc_frame){
        .rows = labels, .columns = labels, .n_limbs = plan->n_limbs, .symmetric = plan->symmetric};
}

pc_status pc_plan_last(const pc_context *context, pc_plan *plan)
{
    if (!context->has_plan)
        return PC_ERR_ARGUMENT;
    *plan = context->plan;
    return PC_OK;
}
