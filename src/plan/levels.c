/* Levels by binary powering, and their moduli from proved limits. */
#include "src/plan/levels.h"

#include "src/engine/engine.h"
#include "src/plan/bound.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LIMITS = 4096 /* lengths that are all bounded; of longer powers only the levels are */
};

/* ---- Which levels ---------------------------------------------------------------------------- */

/* Left-to-right binary powering: one level for A, then each further bit of length squares, and a 1
 * bit steps. */
static void list_powers(uint64_t length, pc_plan_info *plan)
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
static void list_levels(uint64_t length, pc_plan_info *plan)
{
    bool is_reduced = plan->n_blocks && length > 1 && plan->arithmetic == PC_EXACT;
    list_powers(is_reduced ? length / 2 : length, plan);
    if (is_reduced)
        plan->levels[plan->n_levels++] =
            (pc_level){.length = length, .is_step = (int)(length & 1), .is_reduced = 1};
}

/* ---- Moduli ---------------------------------------------------------------------------------- */

/* int8 products of a level, or planes that its step works on; of sums over blocks, those of each modulus. */
static uint32_t n_products(const pc_level *before, const pc_level *level)
{
    if (!before->n_moduli && !level->is_reduced)
        return 1;
    return level->is_step && !level->is_reduced ? pci_moduli_n_planes(level->n_moduli)
                                                : pci_moduli_n_products(level->n_moduli);
}

/* Moduli for the first level that has residues, which needs n_needed. All its residues come from the same
 * sums, or words, so those that the next level will need cost less now than when they are worked out from
 * the others. Sums that wide moduli are made from are stored first: those are extended to, but for words. */
static uint32_t n_first_moduli(const pci_moduli *moduli, uint32_t n_needed, const pc_level *next,
                               bool is_swept)
{
    uint32_t n_next = pci_moduli_for_bits(moduli, next->bound_bits);
    return n_next > n_needed && (is_swept || n_next <= PCI_N_NARROW) ? n_next : n_needed;
}

/* Moduli that carry the entries of each level. Words are loaded as residues, never plain. */
static void settle_moduli(const pci_moduli *moduli, pc_plan_info *plan)
{
    for (uint32_t l = 0; l < plan->n_levels && plan->method != PC_METHOD_SWEEP; l++) {
        pc_level *level = &plan->levels[l], *before = level - (l > 0);
        double bits = level->bound_bits;
        /* Sums over blocks have no limit of their own that would let them stay plain. */
        if (bits > log2(PCI_MAX_PLAIN) || before->n_moduli || level->is_reduced ||
            level->is_swept) {
            uint32_t needed = pci_moduli_for_bits(moduli, bits);
            if (!before->n_moduli && l + 1 < plan->n_levels)
                needed = n_first_moduli(moduli, needed, level + 1, level->is_swept);
            level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
        }
        if (l > 0)
            level->n_products = n_products(before, level);
    }
}

void pci_levels_begin(const pci_moduli *moduli, uint64_t sweep_length, pc_plan_info *plan)
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

void pci_levels_end_in_diagonal(const pci_moduli *moduli, pc_plan_info *plan)
{
    uint32_t last = plan->n_levels - 1;
    int is_step = plan->n_levels && plan->levels[last].is_step;
    if (!plan->n_levels || last < 1 + (uint32_t)is_step)
        return; /* there is no product */
    const pc_level *half = &plan->levels[last - 1 - (uint32_t)is_step];
    double bits = plan->levels[last].bound_bits;
    uint32_t n_moduli = pci_moduli_for_bits(moduli, bits);
    if (is_step && !half->n_moduli)
        return; /* a step may leave the range of a plain plane */
    plan->n_levels = last + 1 - (uint32_t)is_step;
    plan->levels[plan->n_levels - 1] =
        (pc_level){.length = plan->length,
                   .is_step = is_step,
                   .is_diagonal = 1,
                   .bound_bits = bits,
                   .n_moduli = n_moduli > half->n_moduli ? n_moduli : half->n_moduli};
}

static uint32_t sum_of_products(const pc_plan_info *plan)
{
    uint32_t n = 0;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        n += plan->levels[l].n_products;
    return n;
}

void pci_levels_end_directly(pc_plan_info *plan)
{
    pc_plan_info direct = *plan;
    uint32_t last = plan->n_levels - 1;
    if (plan->n_levels < 2 || plan->levels[last].is_step || plan->levels[last].is_reduced ||
        plan->levels[last].is_diagonal)
        return;
    for (uint32_t l = 0; l <= last; l++) {
        pc_level *level = &direct.levels[l];
        if (l < last && level->bound_bits > log2(PCI_MAX_DIRECT))
            return;
        level->n_moduli = level->n_moduli ? 1 : 0;
        if (l > 0) /* or planes of a step, of which there are as many */
            level->n_products = level[-1].n_moduli ? pci_class_n_products(PCI_WIDE) : 1;
    }
    direct.levels[last].is_direct = 1;
    if (sum_of_products(&direct) <= sum_of_products(plan))
        *plan = direct;
}

/* Whether a level is a square whose digits can be multiplied: each of P is proved to have two, and each sum of theirs to
 * fit into an accumulator. */
static bool can_be_by_digits(const pc_level *before, const pc_level *level)
{
    bool is_square = !level->is_step && !level->is_reduced && !level->is_diagonal;
    return is_square && before->n_moduli && before->bound_bits <= log2(PCI_MAX_DIRECT) &&
           level->bound_bits <= log2(PCI_MAX_SUM) &&
           level->n_products >= pci_class_n_products(PCI_WIDE);
}

void pci_levels_square_digits(const pci_moduli *moduli, pc_plan_info *plan)
{
    for (uint32_t l = 1; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l], *before = level - 1;
        if (!can_be_by_digits(before, level))
            continue;
        before->n_moduli = PCI_N_DIGIT_MODULI; /* no extension follows */
        if (l > 1 && before[-1].n_moduli > before->n_moduli)
            before->n_moduli = before[-1].n_moduli;
        if (l > 1)
            before->n_products = n_products(before - 1, before);
        level->is_by_digits = 1;
        level->n_products = pci_class_n_products(PCI_WIDE);
        uint32_t needed = pci_moduli_for_bits(moduli, level->bound_bits);
        if (l + 1 < plan->n_levels)
            needed = n_first_moduli(moduli, needed, level + 1, false);
        level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
    }
}

bool pci_levels_are_too_wide(const pci_moduli *moduli, const pc_plan_info *plan)
{
    bool are = false;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        are = are || !pci_moduli_for_bits(moduli, plan->levels[l].bound_bits);
    return are;
}

uint64_t pci_levels_longest_sweep(const pc_plan_info *plan)
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

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Fills in the limits of the powers of all levels, each of which was reached, and of the result. */
static pc_status look_up(const pci_request *request, uint32_t n_lengths, const uint64_t *lengths,
                         double *bits)
{
    pc_status status = pci_limits_reach(request->limits, lengths[n_lengths - 1]);
    for (uint32_t l = 0; l < n_lengths && status == PC_OK; l++)
        status = request->query.partition && l + 1 == n_lengths
                     ? pci_limits_of_blocks(request->limits, &bits[l])
                     : pci_limits_of(request->limits, lengths[l], &bits[l]);
    return status;
}

static pc_status limit_exact(const pci_request *request, pc_plan_info *plan)
{
    uint64_t lengths[PC_MAX_LEVELS + 1];
    double bits[PC_MAX_LEVELS + 1];
    uint32_t n_lengths = plan->n_levels;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        lengths[l] = plan->levels[l].length;
    if (!pci_plan_is_reduced(plan) && request->query.partition) /* of what rows will be summed to */
        lengths[n_lengths++] = plan->length;
    pc_status status = plan->length > MOST_LIMITS
                           ? pci_bound(request->context, request->graph, request->query.partition,
                                       n_lengths, lengths, PCI_MAX_BITS, bits)
                           : look_up(request, n_lengths, lengths, bits);
    if (status != PC_OK)
        return status;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        plan->levels[l].bound_bits = bits[l];
    plan->bound_bits = bits[n_lengths - 1];
    plan->n_limbs = (uint32_t)(plan->bound_bits / 64) + 1;
    return PC_OK;
}

/* Each squaring of words below the modulus M is exact below n M^2, then reduced. */
static void limit_modular(const pci_moduli *moduli, pc_plan_info *plan)
{
    double modulus_bits = log2((double)plan->modulus) + 1e-9;
    double square_bits = 2 * modulus_bits + log2((double)plan->n_vertices + 1);
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l];
        level->bound_bits = modulus_bits;
        level->n_moduli = pci_moduli_for_bits(moduli, square_bits);
        if (l > 0 && !level->is_step)
            level->n_products = level->n_moduli;
    }
    plan->bound_bits = modulus_bits;
    plan->n_limbs = 1;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

pc_plan_info pci_plan_of(const pci_request *request)
{
    const pc_count_options *options = &request->options;
    return (pc_plan_info){
        .engine = pci_engine_cpu.name,
        .kernel = "",
        .device = "",
        .n_threads = pci_n_threads(request->context),
        .symmetric = request->graph->symmetric,
        .arithmetic = options->arithmetic,
        .modulus = options->arithmetic == PC_MODULAR ? options->modulus : 0,
        .n_vertices = request->graph->n,
        .n_blocks = request->query.partition ? request->query.partition->n_blocks : 0,
        .n_arcs = pci_graph_n_arcs(request->graph),
        .length = request->query.length,
        .n_limbs = options->arithmetic == PC_FLOAT ? 0 : 1,
    };
}

pc_status pci_levels_make(const pci_request *request, uint64_t length, pc_plan_info *plan)
{
    pc_status status = PC_OK;
    plan->length = length;
    plan->n_levels = 0;
    list_levels(length, plan);
    if (plan->arithmetic == PC_EXACT && (plan->n_levels || plan->n_blocks))
        status = limit_exact(request, plan);
    else if (plan->n_levels && plan->arithmetic == PC_MODULAR)
        limit_modular(request->moduli, plan);
    return status;
}
