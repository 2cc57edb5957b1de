/* Tables for the Chinese remainder theorem, made with GMP. */
#include "src/residues/crt.h"

#include <gmp.h>

/* What becomes of one multiple (M_i, or -M for the last row) in a row of the table. */
typedef void (*row_fn)(const mpz_t multiple, const pci_crt *crt, uint32_t n_columns,
                       uint64_t modulus, uint32_t *row);

static void product_of(const uint16_t *m, uint32_t r, mpz_t product)
{
    mpz_set_ui(product, 1);
    for (uint32_t i = 0; i < r; i++)
        mpz_mul_ui(product, product, m[i]);
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

static void fill_scales(pci_crt *crt)
{
    mpz_t product, multiple;
    mpz_inits(product, multiple, NULL);
    product_of(crt->m, crt->r, product);
    for (uint32_t i = 0; i < crt->r; i++) {
        mpz_divexact_ui(multiple, product, crt->m[i]);
        crt->scale[i] = inverse((uint32_t)mpz_fdiv_ui(multiple, crt->m[i]), crt->m[i]);
        crt->fraction[i] = (uint32_t)((UINT64_C(1) << crt->fraction_bits) / crt->m[i]);
    }
    mpz_clears(product, multiple, NULL);
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
    fill_scales(made);
    *crt = made;
    return PC_OK;
}

void pci_crt_free(pc_context *context, pci_crt *crt)
{
    pci_free(context, crt);
}

static pc_status make_weights(pc_context *context, const pci_crt *crt, uint32_t n_columns,
                              uint64_t modulus, row_fn fill_row, pci_weights *weights)
{
    uint32_t *table = pci_alloc_zero(context, (crt->r + 1) * (size_t)n_columns, sizeof *table);
    if (!table)
        return pci_fail_memory(context, "residue weights",
                               (crt->r + 1) * (size_t)n_columns * sizeof *table);
    mpz_t product, multiple;
    mpz_inits(product, multiple, NULL);
    product_of(crt->m, crt->r, product);
    for (uint32_t i = 0; i <= crt->r; i++) {
        if (i < crt->r)
            mpz_divexact_ui(multiple, product, crt->m[i]);
        else
            mpz_neg(multiple, product);
        fill_row(multiple, crt, n_columns, modulus, table + (size_t)i * n_columns);
    }
    mpz_clears(product, multiple, NULL);
    *weights = (pci_weights){.n_columns = n_columns, .n_rows = crt->r + 1, .weight = table};
    return PC_OK;
}

static void extension_row(const mpz_t multiple, const pci_crt *crt, uint32_t n_columns,
                          uint64_t modulus, uint32_t *row)
{
    (void)modulus;
    for (uint32_t c = 0; c < n_columns; c++)
        row[c] = (uint32_t)mpz_fdiv_ui(multiple, crt->m[crt->r + c]);
}

static void digits_row(const mpz_t multiple, const pci_crt *crt, uint32_t n_columns,
                       uint64_t modulus, uint32_t *row)
{
    (void)crt;
    (void)modulus;
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, multiple, 32 * (mp_bitcnt_t)n_columns);
    mpz_export(row, NULL, -1, sizeof *row, 0, 0, rest);
    mpz_clear(rest);
}

static void modulus_row(const mpz_t multiple, const pci_crt *crt, uint32_t n_columns,
                        uint64_t modulus, uint32_t *row)
{
    (void)crt;
    (void)n_columns;
    uint64_t rest = mpz_fdiv_ui(multiple, modulus);
    row[0] = (uint32_t)rest;
    row[1] = (uint32_t)(rest >> 32);
}

pc_status pci_weights_for_extension(pc_context *context, const pci_crt *crt, uint32_t n_new,
                                    pci_weights *weights)
{
    return make_weights(context, crt, n_new, 0, extension_row, weights);
}

pc_status pci_weights_for_digits(pc_context *context, const pci_crt *crt, uint32_t n_digits,
                                 pci_weights *weights)
{
    return make_weights(context, crt, n_digits, 0, digits_row, weights);
}

pc_status pci_weights_for_modulus(pc_context *context, const pci_crt *crt, uint64_t modulus,
                                  pci_weights *weights)
{
    return make_weights(context, crt, 2, modulus, modulus_row, weights);
}

void pci_weights_free(pc_context *context, pci_weights *weights)
{
    pci_free(context, weights->weight);
    weights->weight = NULL;
}
