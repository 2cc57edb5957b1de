/* Computes the W_i and M with GMP, and the tables that kernels use. */
#include "gpu/engine/tables.h"

#include "src/residues/crt.h"

#include <gmp.h>
#include <string.h>

enum { TABLE_ALIGNMENT = 64 };

/* Puts the entries of one number (W_i, or M for i = r) into the table. */
typedef void (*put_fn)(const mpz_t number, uint32_t i, uint64_t argument, const pci_moduli *moduli,
                       const pci_gpu_tables *tables);

static size_t aligned(size_t bytes)
{
    return (bytes + TABLE_ALIGNMENT - 1) / TABLE_ALIGNMENT * TABLE_ALIGNMENT;
}

static pc_status make_tables(pc_context *context, const pci_moduli *moduli, uint32_t r,
                             size_t row_bytes, uint64_t argument, put_fn put,
                             pci_gpu_tables *tables)
{
    pci_gpu_tables made = {.r = r, .weight_at = aligned(r * sizeof(uint32_t))};
    made.modulus_at = made.weight_at + aligned(r * row_bytes);
    made.bytes = made.modulus_at + aligned(row_bytes);
    pci_crt *crt;
    pc_status status = pci_crt_create(context, moduli, r, &crt);
    if (status != PC_OK)
        return status;
    made.block = pci_alloc_zero(context, made.bytes, 1);
    if (made.block) {
        mpz_t product, number;
        mpz_init_set_ui(product, 1);
        mpz_init(number);
        for (uint32_t i = 0; i < r; i++) {
            mpz_mul_ui(product, product, crt->m[i]);
            ((uint32_t *)made.block)[i] = /* W_i / M = scale_i / m_i */
                (uint32_t)(((uint64_t)crt->scale[i] << 32) / crt->m[i]);
        }
        for (uint32_t i = 0; i < r; i++) {
            mpz_divexact_ui(number, product, crt->m[i]);
            mpz_mul_ui(number, number, crt->scale[i]);
            put(number, i, argument, moduli, &made);
        }
        put(product, r, argument, moduli, &made);
        mpz_clears(product, number, NULL);
        *tables = made;
    } else {
        status = pci_fail_memory(context, "residue tables", made.bytes);
    }
    pci_crt_free(context, crt);
    return status;
}

/* Row i of the table, the row of M for i = r. */
static uint8_t *row_of(const pci_gpu_tables *tables, uint32_t i, size_t row_bytes)
{
    return tables->block + (i < tables->r ? tables->weight_at + i * row_bytes : tables->modulus_at);
}

static void put_digits(const mpz_t number, uint32_t i, uint64_t n_digits, const pci_moduli *moduli,
                       const pci_gpu_tables *tables)
{
    (void)moduli;
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, number, 32 * (mp_bitcnt_t)n_digits);
    mpz_export(row_of(tables, i, n_digits * sizeof(uint32_t)), NULL, -1, sizeof(uint32_t), 0, 0,
               rest);
    mpz_clear(rest);
}

static void put_rest(const mpz_t number, uint32_t i, uint64_t modulus, const pci_moduli *moduli,
                     const pci_gpu_tables *tables)
{
    (void)moduli;
    uint64_t rest = mpz_fdiv_ui(number, modulus);
    memcpy(row_of(tables, i, sizeof rest), &rest, sizeof rest);
}

/* Puts column i of the table, whose rows are the new moduli. */
static void put_residues(const mpz_t number, uint32_t i, uint64_t n_new, const pci_moduli *moduli,
                         const pci_gpu_tables *tables)
{
    uint32_t r = tables->r, stride = i < r ? r : 1;
    int32_t *column = (int32_t *)row_of(tables, i < r ? 0 : r, 0) + (i < r ? i : 0);
    for (uint32_t c = 0; c < n_new; c++) {
        int32_t m = moduli->m[r + c], w = (int32_t)mpz_fdiv_ui(number, (unsigned long)m);
        bool is_narrow = m <= 256, above = 2 * w > m || w == 128; /* narrow: weights are int8 */
        column[(size_t)c * stride] = is_narrow && above ? w - m : w;
    }
}

pc_status pci_gpu_tables_digits(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                uint32_t n_digits, pci_gpu_tables *tables)
{
    return make_tables(context, moduli, r, n_digits * sizeof(uint32_t), n_digits, put_digits,
                       tables);
}

pc_status pci_gpu_tables_modular(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                 uint64_t number, pci_gpu_tables *tables)
{
    return make_tables(context, moduli, r, sizeof(uint64_t), number, put_rest, tables);
}

pc_status pci_gpu_tables_extension(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   uint32_t n_new, pci_gpu_tables *tables)
{
    return make_tables(context, moduli, r, n_new * sizeof(int32_t), n_new, put_residues, tables);
}

void pci_gpu_tables_free(pc_context *context, pci_gpu_tables *tables)
{
    pci_free(context, tables->block);
    *tables = (pci_gpu_tables){0};
}
