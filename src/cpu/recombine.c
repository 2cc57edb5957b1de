/* Recombination tables, and the same as pairs of int16 weights. */
#include "src/cpu/row_ops.h"

/* A part of X: row i of the table, times factor. */
typedef struct part {
    uint32_t row;
    int32_t factor;
} part;

static int32_t centre(uint64_t value, uint32_t m)
{
    uint32_t rest = (uint32_t)(value % m);
    return 2 * rest > m ? (int32_t)rest - (int32_t)m : (int32_t)rest;
}

static int64_t weight_of(const pci_weights *weights, part p, uint32_t column)
{
    const uint32_t *tile = pci_weights_tile(weights, column);
    return tile[(size_t)p.row * PCI_CRT_TILE + column % PCI_CRT_TILE];
}

/* 32-bit digit c of each part as two 16-bit digits from -2^15 to 2^15 - 1; carry[i] goes on to the
 * next digit. The carry of the last digit is a multiple of the whole word and falls away. */
static void balance_digit(const pci_weights *weights, uint32_t n_parts, const part *parts,
                          uint32_t c, int64_t *carry, int16_t *low, int16_t *high)
{
    for (uint32_t i = 0; i < n_parts; i++) {
        int64_t digit = weight_of(weights, parts[i], c) * parts[i].factor + carry[i];
        low[i] = (int16_t)(uint16_t)digit;
        digit = (digit + 0x8000) >> 16; /* a negative low half borrows from the high one */
        high[i] = (int16_t)(uint16_t)digit;
        carry[i] = (digit + 0x8000) >> 16;
    }
}

/* pair[p * step]: step 1, or the columns of a tile. */
static void pair_up(const int16_t *column, uint32_t n_pairs, uint32_t step, int32_t *pair)
{
    for (uint32_t p = 0; p < n_pairs; p++)
        pair[p * step] =
            (int32_t)((uint16_t)column[2 * p] | (uint32_t)(uint16_t)column[2 * p + 1] << 16);
}

/* Column c of the pairs. */
static void put_column(const pci_pair_weights *pairs, uint32_t c, const int16_t *column)
{
    pair_up(column, pairs->n_pairs, PCI_PAIR_TILE,
            pairs->pair + c / PCI_PAIR_TILE * PCI_PAIR_TILE * pairs->n_pairs + c % PCI_PAIR_TILE);
}

static pc_status make_pairs(pc_context *context, pci_target target, pci_recombination *how)
{
    const pci_crt *crt = how->crt;
    part parts[PCI_MAX_PARTS];
    uint32_t n_parts = 0, n_columns = how->n_columns * (target == PCI_TARGET_LIMBS ? 4 : 1);
    int64_t carry[PCI_MAX_PARTS] = {0};
    int16_t low[2 * PCI_MAX_PAIRS] = {0}, high[2 * PCI_MAX_PAIRS] = {0};
    for (uint32_t i = 0; i < crt->r; i++)
        for (int bits = pci_modulus_is_wide(i) ? PCI_WIDE_RADIX_BITS : 0; bits >= 0;
             bits -= PCI_WIDE_RADIX_BITS)
            parts[n_parts++] = (part){i, centre((uint64_t)crt->scale[i] << bits, crt->m[i])};
    for (uint32_t i = 0; i < n_parts; i++) { /* 2^16 s / m to the nearest integer, below 2^15 */
        int64_t m = crt->m[parts[i].row];    /* as |s| < m / 2 */
        int64_t scaled = (int64_t)parts[i].factor * (1 << (PCI_PAIR_FRACTION_BITS + 1)) + m;
        int64_t quotient = scaled / (2 * m);
        low[i] = (int16_t)(quotient - (quotient * 2 * m > scaled));
    }
    parts[n_parts++] = (part){crt->r, 1}; /* q */
    uint32_t n_pairs = (n_parts + 1) / 2;
    uint32_t n_tiles = (n_columns + PCI_PAIR_TILE - 1) / PCI_PAIR_TILE;
    size_t n = (size_t)(n_tiles * PCI_PAIR_TILE + 1) * n_pairs;
    int32_t *pair = pci_alloc_zero(context, n, sizeof *pair);
    if (!pair)
        return pci_fail_memory(context, "residue weights", n * sizeof *pair);
    how->pairs =
        (pci_pair_weights){.n_pairs = n_pairs, .fraction = pair + n - n_pairs, .pair = pair};
    pair_up(low, n_pairs, 1, how->pairs.fraction);
    for (uint32_t c = 0; target == PCI_TARGET_MODULI && c < how->n_columns; c++) {
        uint32_t m = crt->m[crt->r + c]; /* residues modulo it and another one, in 16 signed bits */
        for (uint32_t i = 0; i < n_parts; i++) {
            uint64_t factor = (uint64_t)(parts[i].factor + (int64_t)m * m) % m;
            uint64_t weight = (uint64_t)weight_of(&how->weights, parts[i], c / 2) % m;
            low[i] = (int16_t)centre(weight * factor, m);
        }
        put_column(&how->pairs, c, low);
    }
    for (uint32_t c = 0; target == PCI_TARGET_LIMBS && c < how->weights.n_columns; c++) {
        balance_digit(&how->weights, n_parts, parts, c, carry, low, high);
        put_column(&how->pairs, 2 * c, low);
        put_column(&how->pairs, 2 * c + 1, high);
    }
    return PC_OK;
}

pc_status pci_recombination_create(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   pci_target target, uint64_t value, pci_recombination *how)
{
    pci_recombination made = {.n_columns = target == PCI_TARGET_MODULUS ? 1 : (uint32_t)value};
    pc_status status = pci_crt_create(context, moduli, r, &made.crt);
    if (status == PC_OK && target == PCI_TARGET_LIMBS)
        status = pci_crt_tree_create(context, made.crt, &made.tree);
    if (status == PC_OK && !made.tree.n_leaves)
        status = pci_weights_create(context, made.crt, target, value, &made.weights);
    if (status == PC_OK && r <= PCI_MAX_PAIRED && target != PCI_TARGET_MODULUS)
        status = make_pairs(context, target, &made);
    if (status == PC_OK)
        *how = made;
    else
        pci_recombination_free(context, &made);
    return status;
}

void pci_recombination_free(pc_context *context, pci_recombination *how)
{
    pci_free(context, how->pairs.pair);
    pci_crt_tree_free(context, &how->tree);
    pci_weights_free(context, &how->weights);
    pci_crt_free(context, how->crt);
    *how = (pci_recombination){0};
}
