/* Tables for the Chinese remainder theorem. Only functions of GMP are used that take no memory: without
 * memory GMP ends the program. */
#include <gmp.h>

#include "src/residues/crt.h"

#include <string.h>

/* M_i, or -M for the last row of a table. */
typedef struct crt_multiple {
    bool is_negative;
    mp_size_t n;
    mp_limb_t limb[PCI_CRT_LIMBS];
} crt_multiple;

/* Returns the limbs of the product of r moduli. */
static uint32_t multiply_moduli(const uint16_t *m, uint32_t r, uint64_t *product)
{
    mp_size_t n = 1;
    product[0] = 1;
    for (uint32_t i = 0; i < r; i++) {
        mp_limb_t carry = mpn_mul_1(product, product, n, m[i]);
        if (carry)
            product[n++] = carry;
    }
    return (uint32_t)n;
}

static void product_of(const uint16_t *m, uint32_t r, crt_multiple *product)
{
    product->is_negative = false;
    product->n = multiply_moduli(m, r, product->limb);
}

/* The product without its factor m. */
static void divide(const crt_multiple *product, uint16_t m, crt_multiple *quotient)
{
    quotient->is_negative = false;
    quotient->n = product->n;
    mpn_divrem_1(quotient->limb, 0, product->limb, product->n, m);
    while (quotient->n > 1 && quotient->limb[quotient->n - 1] == 0)
        quotient->n--;
}

/* From 0 to modulus - 1, of negative multiples too. */
static uint64_t rest_of(const crt_multiple *multiple, uint64_t modulus)
{
    uint64_t rest = mpn_mod_1(multiple->limb, multiple->n, modulus);
    return multiple->is_negative && rest > 0 ? modulus - rest : rest;
}

/* x^-1 mod m for coprime x and m, by the extended Euclidean algorithm. */
static uint32_t inverse(uint32_t x, uint32_t m)
{
    int64_t r0 = m, r1 = x % m, t0 = 0, t1 = 1;
    while (r1) {
        int64_t quotient = r0 / r1, rest = r0 % r1, t = t0 - quotient * t1;
        r0 = r1;
        r1 = rest;
        t0 = t1;
        t1 = t;
    }
    return (uint32_t)(t0 < 0 ? t0 + m : t0);
}

pc_status pci_crt_create(pc_context *context, const pci_moduli *moduli, uint32_t r, pci_crt **crt)
{
    size_t bytes = sizeof(pci_crt) + 2 * r * sizeof(uint32_t);
    pci_crt *made = pci_alloc(context, bytes);
    if (!made)
        return pci_fail_memory(context, "residue tables", bytes);
    uint32_t *tables = (uint32_t *)(made + 1);
    *made = (pci_crt){
        .r = r,
        .m = moduli->m,
        .fraction_bits = r <= PCI_N_NARROW ? PCI_NARROW_FRACTION_BITS : PCI_WIDE_FRACTION_BITS,
        .scale = tables,
        .fraction = tables + r,
    };
    crt_multiple product, multiple;
    product_of(made->m, r, &product);
    for (uint32_t i = 0; i < r; i++) {
        divide(&product, made->m[i], &multiple);
        made->scale[i] = inverse((uint32_t)rest_of(&multiple, made->m[i]), made->m[i]);
        made->fraction[i] = (uint32_t)((UINT64_C(1) << made->fraction_bits) / made->m[i]);
    }
    *crt = made;
    return PC_OK;
}

void pci_crt_free(pc_context *context, pci_crt *crt)
{
    pci_free(context, crt);
}

/* Makes a table of zeros. */
static pc_status weights_of_zeros(pc_context *context, uint32_t n_columns, uint32_t n_rows,
                                  pci_weights *weights)
{
    size_t bytes = pci_weights_bytes(n_columns, n_rows);
    *weights = (pci_weights){
        .n_columns = n_columns, .n_rows = n_rows, .weight = pci_alloc_zero(context, bytes, 1)};
    return weights->weight ? PC_OK : pci_fail_memory(context, "residue weights", bytes);
}

/* One multiple in row i of a table: as digits, negative ones as two's complement; or modulo a modulus that is not 0. */
static void fill_row(const crt_multiple *multiple, uint64_t modulus, uint32_t i,
                     const pci_weights *weights)
{
    uint64_t carry = multiple->is_negative, rest = modulus ? rest_of(multiple, modulus) : 0;
    for (uint32_t c = 0; c < weights->n_columns; c++) {
        uint32_t l = c / 2;
        uint32_t digit = l < multiple->n ? (uint32_t)(multiple->limb[l] >> 32 * (c % 2)) : 0;
        uint64_t sum = (multiple->is_negative ? ~digit : digit) + carry;
        pci_weights_put(weights, i, c, modulus ? (uint32_t)(rest >> 32 * (c % 2)) : (uint32_t)sum);
        carry = sum >> 32;
    }
}

/* column[i * PCI_CRT_TILE]: M_i and -M modulo a modulus below 2^32. M_i is what is before m_i times what is
 * after it, so no division of wide numbers is needed. */
static void fill_residues(const pci_crt *crt, uint64_t modulus, uint32_t *column)
{
    uint64_t product = 1 % modulus;
    for (size_t i = 0; i < crt->r; i++) {
        column[i * PCI_CRT_TILE] = (uint32_t)product;
        product = product * crt->m[i] % modulus;
    }
    column[(size_t)crt->r * PCI_CRT_TILE] = (uint32_t)(product ? modulus - product : 0);
    product = 1 % modulus;
    for (size_t i = crt->r; i-- > 0;) {
        column[i * PCI_CRT_TILE] = (uint32_t)(column[i * PCI_CRT_TILE] * product % modulus);
        product = product * crt->m[i] % modulus;
    }
}

pc_status pci_weights_create(pc_context *context, const pci_crt *crt, pci_target target,
                             uint64_t value, pci_weights *weights)
{
    bool is_extension = target == PCI_TARGET_MODULI, is_modulus = target == PCI_TARGET_MODULUS;
    uint32_t n_new = (uint32_t)value;
    uint32_t n_columns = is_modulus ? 2 : is_extension ? (n_new + 1) / 2 : 2 * n_new;
    const uint16_t *m = crt->m + crt->r;
    crt_multiple product, multiple;
    pc_status status = weights_of_zeros(context, n_columns, crt->r + 1, weights);
    if (status != PC_OK)
        return status;
    for (uint32_t c = 0; c < n_columns && is_extension; c++)
        fill_residues(crt, (uint64_t)m[2 * c] * (2 * c + 1 < n_new ? m[2 * c + 1] : 1),
                      pci_weights_tile(weights, c) + c % PCI_CRT_TILE);
    if (is_extension)
        return PC_OK;
    product_of(crt->m, crt->r, &product);
    for (uint32_t i = 0; i < crt->r; i++) {
        divide(&product, crt->m[i], &multiple);
        fill_row(&multiple, is_modulus ? value : 0, i, weights);
    }
    product.is_negative = true;
    fill_row(&product, is_modulus ? value : 0, crt->r, weights);
    return PC_OK;
}

void pci_weights_free(pc_context *context, pci_weights *weights)
{
    pci_free(context, weights->weight);
    weights->weight = NULL;
}

/* ---- Trees ---------------------------------------------------------------------------------- */

/* Trees of products of moduli. GMP's products of numbers of this size take their scratch from the stack. */

/* A leaf of fewer moduli takes no longer than its halves and the products that join them. */
enum { MOST_LEAF_MODULI = 640 };

static uint32_t leaves_of(uint32_t r)
{
    uint32_t n_leaves = 1;
    while (n_leaves < PCI_MOST_LEAVES && r > n_leaves * MOST_LEAF_MODULI)
        n_leaves *= 2;
    return n_leaves > 1 ? n_leaves : 0;
}

/* Limbs of a sum of up to PCI_N_MODULI terms below the product. */
static uint32_t sum_limbs(const pci_crt_tree *tree, uint32_t node)
{
    return tree->n_limbs[node] + 1;
}

/* ---- Making ---------------------------------------------------------------------------------- */

uint64_t pci_crt_tree_bytes(uint32_t r)
{
    uint64_t n_leaves = leaves_of(r), n_levels = 1, leaf = n_leaves ? r / n_leaves + 1 : 0;
    for (uint64_t n = n_leaves; n > 1; n /= 2)
        n_levels++;
    return n_leaves * pci_weights_bytes((uint32_t)leaf / 2 + 6, (uint32_t)leaf) +
           n_levels * (n_leaves + 1) * (leaf / 4 + 2) * sizeof(uint64_t);
}

/* Limbs that the product of so many moduli may have. */
static uint32_t limbs_for(uint32_t n_moduli)
{
    return n_moduli / 4 + 1;
}

static pc_status make_leaf(pc_context *context, const pci_crt *crt, uint32_t leaf,
                           pci_crt_tree *tree)
{
    uint32_t node = tree->n_leaves + leaf, n = tree->n_limbs[node];
    uint32_t n_rows = tree->first[leaf + 1] - tree->first[leaf];
    uint64_t quotient[PCI_CRT_LIMBS];
    pc_status status =
        weights_of_zeros(context, 2 * sum_limbs(tree, node), n_rows, &tree->weights[leaf]);
    for (uint32_t i = 0; i < n_rows && status == PC_OK; i++) {
        mpn_divrem_1(quotient, 0, tree->product[node], n, crt->m[tree->first[leaf] + i]);
        for (uint32_t c = 0; c < 2 * n; c++)
            pci_weights_put(&tree->weights[leaf], i, c,
                            (uint32_t)(quotient[c / 2] >> 32 * (c % 2)));
    }
    tree->limb[leaf + 1] = tree->limb[leaf] + sum_limbs(tree, node);
    return status;
}

pc_status pci_crt_tree_create(pc_context *context, const pci_crt *crt, pci_crt_tree *tree)
{
    uint32_t n_leaves = leaves_of(crt->r), n_limbs = 0;
    pc_status status = PC_OK;
    if (!n_leaves)
        return PC_OK;
    for (uint32_t l = 0; l <= n_leaves; l++)
        tree->first[l] = (uint32_t)((uint64_t)crt->r * l / n_leaves);
    for (uint32_t n = n_leaves; n > 0; n /= 2)
        n_limbs += n * limbs_for(crt->r / n + 1);
    tree->memory = pci_alloc(context, n_limbs * sizeof *tree->memory);
    if (!tree->memory)
        return pci_fail_memory(context, "residue tables", n_limbs * sizeof *tree->memory);
    tree->n_leaves = n_leaves;
    uint64_t *free = tree->memory;
    for (uint32_t n = n_leaves; n > 0; n /= 2) /* node i has the moduli of leaves side by side */
        for (uint32_t i = n; i < 2 * n; i++) {
            uint32_t width = n_leaves / n, leaf = (i - n) * width;
            uint32_t first = tree->first[leaf], r = tree->first[leaf + width] - first;
            tree->product[i] = free;
            tree->n_limbs[i] = multiply_moduli(crt->m + first, r, free);
            free += limbs_for(r);
        }
    for (uint32_t l = 0; l < n_leaves && status == PC_OK; l++)
        status = make_leaf(context, crt, l, tree);
    return status;
}

void pci_crt_tree_free(pc_context *context, pci_crt_tree *tree)
{
    for (uint32_t l = 0; l < tree->n_leaves; l++)
        pci_weights_free(context, &tree->weights[l]);
    pci_free(context, tree->memory);
    *tree = (pci_crt_tree){0};
}

/* ---- Joining --------------------------------------------------------------------------------- */

/* product[n_a + n_b] */
static void multiply(const uint64_t *a, uint32_t n_a, const uint64_t *b, uint32_t n_b,
                     uint64_t *product)
{
    if (n_a >= n_b)
        mpn_mul(product, a, n_a, b, n_b);
    else
        mpn_mul(product, b, n_b, a, n_a);
}

/* The sum of a node takes the place of those of its halves, which lie side by side. */
static void join(const pci_crt_tree *tree, uint32_t node, const uint64_t *halves, uint64_t *sum)
{
    uint64_t product[2][PCI_LEAF_LIMBS];
    uint32_t left = 2 * node, right = left + 1, n = sum_limbs(tree, node);
    multiply(halves, sum_limbs(tree, left), tree->product[right], tree->n_limbs[right], product[0]);
    multiply(halves + sum_limbs(tree, left), sum_limbs(tree, right), tree->product[left],
             tree->n_limbs[left], product[1]);
    mpn_add_n(sum, product[0], product[1], n); /* what is beyond n is 0 */
}

void pci_crt_tree_join(const pci_crt_tree *tree, uint32_t q, uint64_t *sums, uint32_t n_limbs,
                       uint64_t *limbs)
{
    for (uint32_t n = tree->n_leaves / 2; n > 0; n /= 2) {
        const uint64_t *halves = sums;
        uint64_t *sum = sums;
        for (uint32_t i = n; i < 2 * n; i++) {
            join(tree, i, halves, sum);
            halves += sum_limbs(tree, 2 * i) + sum_limbs(tree, 2 * i + 1);
            sum += sum_limbs(tree, i);
        }
    }
    uint32_t n = tree->n_limbs[1];
    sums[n] -= mpn_submul_1(sums, tree->product[1], n, q);
    uint32_t n_set = n < n_limbs ? n : n_limbs; /* X is below the product */
    memcpy(limbs, sums, n_set * sizeof *limbs);
    memset(limbs + n_set, 0, (n_limbs - n_set) * sizeof *limbs);
}
