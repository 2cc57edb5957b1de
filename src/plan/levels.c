/* Levels by binary powering, and their moduli from proved limits. */
#include "src/plan/plan.h"

#include "src/engine/engine.h"
#include "src/plan/limits.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LIMITS = 4096 /* lengths that are all bounded; of longer powers only the levels are */
};

/* ---- Which levels ---------------------------------------------------------------------------- */

/* Left-to-right binary powering: one level for A, then each further bit of length squares, and a 1
 * bit steps. Between blocks, half the length is powered, and a reduced product makes the rest. */
static void list_levels(uint64_t length, pc_plan_info *info)
{
    bool is_reduced = info->n_blocks && length > 1 && info->arithmetic == PC_EXACT;
    uint64_t powered = is_reduced ? length / 2 : length;
    if (powered)
        info->levels[info->n_levels++] = (pc_level){.length = 1};
    for (int bit = powered ? 63 - __builtin_clzll(powered) : 0; bit-- > 0;) {
        uint64_t prefix = powered >> bit;
        info->levels[info->n_levels++] = (pc_level){.length = prefix & ~UINT64_C(1)};
        if (prefix & 1)
            info->levels[info->n_levels++] = (pc_level){.length = prefix, .is_step = 1};
    }
    if (is_reduced)
        info->levels[info->n_levels++] =
            (pc_level){.length = length, .is_step = (int)(length & 1), .is_reduced = 1};
}

/* ---- Moduli ---------------------------------------------------------------------------------- */

/* int8 products of a level, or planes that its step works on; of sums over blocks, those of each
 * modulus. */
static uint32_t n_products(const pc_level *before, const pc_level *level)
{
    if (!before->n_moduli && !level->is_reduced)
        return 1;
    return level->is_step && !level->is_reduced ? pci_moduli_n_planes(level->n_moduli)
                                                : pci_moduli_n_products(level->n_moduli);
}

/* Moduli for the first level that has residues, which needs n_needed. All its residues come from
 * the same sums, or words, so those that the next level will need cost less now than when they are
 * worked out from the others. Sums that wide moduli are made from are stored first: those are
 * extended to, but for words. */
static uint32_t n_first_moduli(const pci_moduli *moduli, uint32_t n_needed, const pc_level *next,
                               bool is_swept)
{
    uint32_t n_next = pci_moduli_for_bits(moduli, next->bound_bits);
    return n_next > n_needed && (is_swept || n_next <= PCI_N_NARROW) ? n_next : n_needed;
}

/* Moduli that carry the entries of each level. Words are loaded as residues, never plain, and so are entries between
 * classes, whose products scale an operand. */
static void settle_moduli(const pci_moduli *moduli, pc_plan_info *info)
{
    for (uint32_t l = 0; l < info->n_levels && info->method != PC_METHOD_SWEEP; l++) {
        pc_level *level = &info->levels[l], *before = level - (l > 0);
        double bits = level->bound_bits;
        /* Sums over blocks have no limit of their own that would let them stay plain. */
        if (bits > log2(PCI_MAX_PLAIN) || before->n_moduli || level->is_reduced ||
            level->is_swept || info->n_classes) {
            uint32_t needed = pci_moduli_for_bits(moduli, bits);
            if (!before->n_moduli && l + 1 < info->n_levels)
                needed = n_first_moduli(moduli, needed, level + 1, level->is_swept);
            level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
        }
        if (l > 0)
            level->n_products = n_products(before, level);
    }
}

void pci_levels_begin(const pci_moduli *moduli, uint64_t sweep_length, pc_plan_info *info)
{
    uint32_t first = 0;
    info->sweep_length = sweep_length;
    info->method = !sweep_length                  ? PC_METHOD_DENSE
                   : sweep_length == info->length ? PC_METHOD_SWEEP
                                                  : PC_METHOD_HYBRID;
    while (sweep_length && info->levels[first].length != sweep_length)
        first++;
    info->n_levels -= first;
    memmove(info->levels, info->levels + first, info->n_levels * sizeof *info->levels);
    if (sweep_length) {
        info->levels[0].is_swept = 1;
        info->levels[0].is_step = 0;
    }
    settle_moduli(moduli, info);
}

void pci_levels_end_in_diagonal(const pci_moduli *moduli, pc_plan_info *info)
{
    uint32_t last = info->n_levels - 1;
    int is_step = info->n_levels && info->levels[last].is_step;
    if (!info->n_levels || last < 1 + (uint32_t)is_step)
        return; /* there is no product */
    const pc_level *half = &info->levels[last - 1 - (uint32_t)is_step];
    double bits = info->levels[last].bound_bits;
    uint32_t n_moduli = pci_moduli_for_bits(moduli, bits);
    if (is_step && !half->n_moduli)
        return; /* a step may leave the range of a plain plane */
    info->n_levels = last + 1 - (uint32_t)is_step;
    info->levels[info->n_levels - 1] =
        (pc_level){.length = info->length,
                   .is_step = is_step,
                   .is_diagonal = 1,
                   .bound_bits = bits,
                   .n_moduli = n_moduli > half->n_moduli ? n_moduli : half->n_moduli};
}

static uint32_t sum_of_products(const pc_plan_info *info)
{
    uint32_t n = 0;
    for (uint32_t l = 0; l < info->n_levels; l++)
        n += info->levels[l].n_products;
    return n;
}

void pci_levels_end_directly(pc_plan_info *info)
{
    pc_plan_info direct = *info;
    uint32_t last = info->n_levels - 1;
    if (info->n_levels < 2 || info->levels[last].is_step || info->levels[last].is_reduced ||
        info->levels[last].is_diagonal)
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
    if (sum_of_products(&direct) <= sum_of_products(info))
        *info = direct;
}

/* Squares whose digits can be multiplied: each entry of P is proved to have two, and each sum of
 * theirs to fit into an accumulator. */
void pci_levels_square_digits(const pci_moduli *moduli, pc_plan_info *info)
{
    for (uint32_t l = 1; l < info->n_levels; l++) {
        pc_level *level = &info->levels[l], *before = level - 1;
        bool is_square = !level->is_step && !level->is_reduced && !level->is_diagonal;
        if (!is_square || !before->n_moduli || info->n_classes ||
            before->bound_bits > log2(PCI_MAX_DIRECT) || level->bound_bits > log2(PCI_MAX_SUM) ||
            level->n_products < pci_class_n_products(PCI_WIDE))
            continue;
        before->n_moduli = PCI_N_DIGIT_MODULI; /* no extension follows */
        if (l > 1 && before[-1].n_moduli > before->n_moduli)
            before->n_moduli = before[-1].n_moduli;
        if (l > 1)
            before->n_products = n_products(before - 1, before);
        level->is_by_digits = 1;
        level->n_products = pci_class_n_products(PCI_WIDE);
        uint32_t needed = pci_moduli_for_bits(moduli, level->bound_bits);
        if (l + 1 < info->n_levels)
            needed = n_first_moduli(moduli, needed, level + 1, false);
        level->n_moduli = needed < before->n_moduli ? before->n_moduli : needed;
    }
}

bool pci_levels_are_too_wide(const pci_moduli *moduli, const pc_plan_info *info)
{
    bool are = false;
    for (uint32_t l = 0; l < info->n_levels; l++)
        are = are || !pci_moduli_for_bits(moduli, info->levels[l].bound_bits);
    return are;
}

uint64_t pci_levels_longest_sweep(const pc_plan_info *info)
{
    uint64_t longest = 0;
    for (uint32_t l = 0; l + 1 < info->n_levels; l++) {
        const pc_level *level = &info->levels[l];
        bool is_prefix = level->length == 2;
        for (int bit = 1; bit < 64 && level->length > 1; bit++)
            is_prefix = is_prefix || info->length >> bit == level->length;
        if (is_prefix && level->bound_bits < PCI_SWEPT_WORD_BITS)
            longest = level->length;
    }
    return longest;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Fills in the limits of the powers of all levels, and of the result. */
static pc_status limit_exact(const pci_question *question, pc_plan_info *info)
{
    uint64_t lengths[PC_MAX_LEVELS + 1];
    double bits[PC_MAX_LEVELS + 1];
    uint32_t n = info->n_levels;
    const pc_partition *partition = question->query.partition;
    pci_limits *limits = question->limits;
    pc_status status;
    for (uint32_t l = 0; l < n; l++)
        lengths[l] = info->levels[l].length;
    if (!pci_plan_is_reduced(info) && partition) /* of what rows will be summed to */
        lengths[n++] = info->length;
    if (info->length > MOST_LIMITS)
        status = pci_bound(question->context, question->graph, partition, n, lengths, PCI_MAX_BITS,
                           bits);
    else
        status = pci_limits_reach(limits, lengths[n - 1]);
    for (uint32_t l = 0; info->length <= MOST_LIMITS && l < n && status == PC_OK; l++)
        status = partition && l + 1 == n ? pci_limits_of_blocks(limits, &bits[l])
                                         : pci_limits_of(limits, lengths[l], &bits[l]);
    if (status != PC_OK)
        return status;
    for (uint32_t l = 0; l < info->n_levels; l++)
        info->levels[l].bound_bits = bits[l];
    info->bound_bits = bits[n - 1];
    info->n_limbs = (uint32_t)(info->bound_bits / 64) + 1;
    return PC_OK;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

pc_status pci_levels_make(const pci_question *question, uint64_t length, pc_plan_info *info)
{
    info->length = length;
    info->n_levels = 0;
    list_levels(length, info);
    if (info->arithmetic == PC_EXACT)
        return info->n_levels || info->n_blocks ? limit_exact(question, info) : PC_OK;
    if (!info->n_levels || info->arithmetic != PC_MODULAR)
        return PC_OK;
    /* Each squaring of words below the modulus M is exact below n M^2, then reduced. */
    double modulus_bits = log2((double)info->modulus) + 1e-9;
    double square_bits = 2 * modulus_bits + log2((double)info->n_vertices + 1);
    for (uint32_t l = 0; l < info->n_levels; l++) {
        pc_level *level = &info->levels[l];
        level->bound_bits = modulus_bits;
        level->n_moduli = pci_moduli_for_bits(question->moduli, square_bits);
        if (l > 0 && !level->is_step)
            level->n_products = level->n_moduli;
    }
    info->bound_bits = modulus_bits;
    info->n_limbs = 1;
    return PC_OK;
}

double pci_levels_done(const pc_plan_info *info, uint32_t l)
{
    double before = 0, all = 0;
    for (uint32_t i = 0; i < info->n_levels; i++) {
        before += i < l ? info->levels[i].predicted_seconds : 0;
        all += info->levels[i].predicted_seconds;
    }
    return all > 0 ? before / all : (double)l / info->n_levels;
}
