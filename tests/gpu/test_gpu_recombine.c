/* The kernels that go back from residues, each alone, against GMP on the host: to integers, to
 * their remainders, and to residues modulo further moduli. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/entrywise.h"
#include "gpu/engine/tables.h"
#include "tests/gpu/gpu_device.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Integers and their residues ------------------------------------------------------------- */

/* Rows of integers X < M / 2, and their residues modulo the first r moduli on the device. */
typedef struct integers {
    pc_context *context;
    pci_moduli moduli;
    uint32_t r;
    pci_gpu_layout layout;
    uint64_t n_rows;
    mpz_t *x;            /* [n_rows][n] */
    device_block planes; /* [r][3][n_rows][n_padded] */
    device_block any;    /* the table of their addresses */
    const int8_t *narrow[PCI_N_NARROW];
} integers;

static size_t n_integers(const integers *in)
{
    return in->n_rows * in->layout.n;
}

/* Any number below M / 2; often 0 and often the greatest. */
static void random_integers(integers *in, random_source *random)
{
    OWNED(mpz_t) limit;
    gmp_randstate_t state;
    mpz_init_set_ui(limit, 1);
    gmp_randinit_default(state);
    gmp_randseed_ui(state, random_u64(random));
    for (uint32_t i = 0; i < in->r; i++)
        mpz_mul_ui(limit, limit, in->moduli.m[i]);
    mpz_add_ui(limit, limit, 1);
    mpz_fdiv_q_2exp(limit, limit, 1); /* X < M / 2 when X < (M + 1) / 2 rounded down */
    in->x = host_alloc(n_integers(in) * sizeof *in->x);
    for (size_t k = 0; k < n_integers(in); k++) {
        uint64_t dice = random_below(random, 8);
        mpz_init(in->x[k]);
        if (dice > 1)
            mpz_urandomm(in->x[k], state, limit);
        else if (dice == 1)
            mpz_sub_ui(in->x[k], limit, 1);
    }
    gmp_randclear(state);
}

/* Any int8 congruent to residue, which is less than m. */
static int8_t any_representative(random_source *random, int residue, int m)
{
    int least = residue, n = 1;
    while (least > 127)
        least -= m;
    while (least - n * m >= -128)
        n++;
    return (int8_t)(least - m * (int)random_below(random, (uint64_t)n));
}

static void put_residue(random_source *random, const mpz_t x, uint32_t index, uint32_t m,
                        int8_t *at, size_t rows_bytes)
{
    int residue = (int)mpz_fdiv_ui(x, m);
    if (!pci_modulus_is_wide(index)) {
        at[0] = any_representative(random, residue, (int)m);
        return;
    }
    residue -= 2 * residue > (int)m ? (int)m : 0;
    int high = (residue + 64) >> PCI_WIDE_RADIX_BITS, low = residue - 128 * high;
    at[0] = (int8_t)high;
    at[rows_bytes] = (int8_t)low;
    at[2 * rows_bytes] = (int8_t)(high + low);
}

static integers integers_make(random_source *random, uint32_t r, uint32_t n, uint64_t n_rows)
{
    integers in = {
        .context = new_context(1), .r = r, .layout = pci_gpu_layout_of(n), .n_rows = n_rows};
    size_t rows_bytes = n_rows * in.layout.n_padded;
    OWNED(int8_t) *host = calloc(3 * r, rows_bytes);
    const int8_t **table = host_alloc(3 * r * sizeof *table);
    CU_ASSERT_FATAL(host != NULL);
    pci_moduli_fill(&in.moduli, PCI_ANY_BITS);
    random_integers(&in, random);
    for (uint32_t i = 0; i < r; i++)
        for (size_t k = 0; k < n_integers(&in); k++)
            put_residue(random, in.x[k], i, in.moduli.m[i],
                        host + 3 * i * rows_bytes + k / n * in.layout.n_padded + k % n, rows_bytes);
    in.planes = device_copy_of(host, 3 * r * rows_bytes);
    for (uint32_t k = 0; k < 3 * r; k++)
        table[k] = (const int8_t *)in.planes.at + k * rows_bytes;
    for (uint32_t i = 0; i < r && i < PCI_N_NARROW; i++)
        in.narrow[i] = table[3 * i];
    in.any = device_copy_of(table, 3 * r * sizeof *table);
    free(table);
    return in;
}

static void integers_free(integers *in)
{
    for (size_t k = 0; k < n_integers(in); k++)
        mpz_clear(in->x[k]);
    free(in->x);
    device_free(&in->planes);
    device_free(&in->any);
    pc_context_free(in->context);
}

/* As the engine gives them, or through the table alone. */
static pci_gpu_residues residues_of(const integers *in, bool by_table)
{
    bool narrow = in->r <= PCI_N_NARROW && !by_table;
    return (pci_gpu_residues){narrow ? in->narrow : NULL, (const int8_t *const *)in->any.at, NULL};
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Digits of X, 32 bits each, that differ from those of words. */
static uint64_t n_wrong_words_of(const mpz_t x, const uint64_t *words, uint32_t n_words)
{
    uint64_t n_wrong = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        uint64_t expected = w < mpz_size(x) ? mpz_getlimbn(x, w) : 0;
        n_wrong += words[w] != expected;
    }
    return n_wrong;
}

typedef cudaError_t (*collect_fn)(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                  const uint32_t *weight, const uint32_t *modulus,
                                  uint32_t n_digits, pci_gpu_residues residues, uint64_t n_rows,
                                  uint64_t *limbs, cudaStream_t stream);

static void check_collect(const integers *in, uint32_t n_digits, bool by_table, collect_fn collect)
{
    uint32_t n_words = n_digits / 2;
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_digits(in->context, &in->moduli, in->r, n_digits, &tables) ==
                    PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block limbs = device_alloc(n_integers(in) * n_words * sizeof(uint64_t));
    pci_gpu_crt crt = {in->r, pci_gpu_tables_fraction(constants.at)};
    must(collect(&in->layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                 pci_gpu_tables_modulus(&tables, constants.at), n_digits, residues_of(in, by_table),
                 in->n_rows, (uint64_t *)limbs.at, NULL),
         "collecting");
    uint64_t *after = host_alloc(limbs.bytes), n_wrong = 0;
    device_read(&limbs, after);
    for (size_t k = 0; k < n_integers(in); k++)
        n_wrong += n_wrong_words_of(in->x[k], after + k * n_words, n_words);
    if (n_wrong)
        printf("[r %u, %u digits, n %u: %lu wrong] ", in->r, n_digits, in->layout.n,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&limbs);
    pci_gpu_tables_free(in->context, &tables);
    free(after);
}

/* Bases by their number of moduli, each with a size and rows. */
static const struct {
    uint32_t r, n, n_rows;
} bases[] = {{1, 129, 2},  {2, 1, 1},    {5, 127, 3},  {9, 257, 3},  {10, 128, 2}, {24, 129, 2},
             {33, 127, 1}, {41, 257, 1}, {48, 130, 1}, {49, 129, 3}, {50, 129, 2}, {52, 127, 1},
             {65, 31, 2},  {66, 33, 3},  {130, 65, 2}, {152, 96, 1}, {921, 33, 1}};
enum { N_BASES = sizeof bases / sizeof *bases };

TEST("collecting integers")
{
    random_source random = {1101};
    need_any_gpu();
    for (unsigned b = 0; b < N_BASES; b++) {
        integers in = integers_make(&random, bases[b].r, bases[b].n, bases[b].n_rows);
        pci_moduli moduli = in.moduli;
        mpz_t product;
        mpz_init_set_ui(product, 1);
        for (uint32_t i = 0; i < in.r; i++)
            mpz_mul_ui(product, product, moduli.m[i]);
        uint32_t whole = (uint32_t)(mpz_sizeinbase(product, 2) + 63) / 64 * 2;
        mpz_clear(product);
        for (uint32_t n_digits = 2; n_digits <= 14; n_digits += 2)
            check_collect(&in, n_digits, false, pci_gpu_collect);
        check_collect(&in, whole, false, pci_gpu_collect);
        check_collect(&in, whole, true, pci_gpu_collect);
        for (uint32_t n_digits = 2; n_digits <= whole; n_digits += 2)
            if (pci_gpu_can_collect_mma(in.r, n_digits))
                check_collect(&in, n_digits, n_digits % 4, pci_gpu_collect_mma);
        integers_free(&in);
    }
}

static void check_collect_modular(const integers *in, uint64_t number, bool by_table)
{
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_modular(in->context, &in->moduli, in->r, number, &tables) ==
                    PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block words = device_alloc(n_integers(in) * sizeof(uint64_t));
    pci_gpu_crt crt = {in->r, pci_gpu_tables_fraction(constants.at)};
    const uint64_t *modulus = pci_gpu_tables_modulus(&tables, tables.block); /* on the host */
    must(pci_gpu_collect_modular(&in->layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                                 *modulus, number, residues_of(in, by_table), in->n_rows,
                                 (uint64_t *)words.at, NULL),
         "collecting");
    uint64_t *after = host_alloc(words.bytes), n_wrong = 0;
    device_read(&words, after);
    for (size_t k = 0; k < n_integers(in); k++)
        n_wrong += after[k] != mpz_fdiv_ui(in->x[k], number);
    if (n_wrong)
        printf("[r %u, modulo %lu: %lu wrong] ", in->r, (unsigned long)number,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&words);
    pci_gpu_tables_free(in->context, &tables);
    free(after);
}

TEST("collecting modulo a number")
{
    static const uint64_t numbers[] = {1,
                                       2,
                                       97,
                                       1000000007,
                                       UINT64_C(1) << 32,
                                       (UINT64_C(1) << 61) - 1,
                                       (UINT64_C(1) << 62) + 1,
                                       (UINT64_C(1) << 63) - 1};
    random_source random = {1201};
    need_any_gpu();
    for (unsigned b = 0; b < N_BASES; b++) {
        integers in = integers_make(&random, bases[b].r, bases[b].n, bases[b].n_rows);
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
            for (unsigned by_table = 0; by_table < 2; by_table++)
                check_collect_modular(&in, numbers[k], by_table);
        integers_free(&in);
    }
}

TEST("collecting a plain plane")
{
    random_source random = {1301};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (uint32_t n_limbs = 1; n_limbs <= 4; n_limbs++) {
            pci_gpu_layout layout = pci_gpu_layout_of(plane_sizes[s]);
            size_t n = layout.n, n_rows = (n + 1) / 2;
            OWNED(int8_t) *host = calloc(n_rows, layout.n_padded);
            CU_ASSERT_FATAL(host != NULL);
            for (size_t k = 0; k < n_rows * n; k++)
                host[k / n * layout.n_padded + k % n] = (int8_t)random_below(&random, 128);
            OWNED(device_block) rows = device_copy_of(host, n_rows * layout.n_padded);
            OWNED(device_block) limbs = device_alloc(n_rows * n * n_limbs * sizeof(uint64_t));
            must(pci_gpu_collect_plain(&layout, (const int8_t *)rows.at, n_rows, n_limbs,
                                       (uint64_t *)limbs.at, NULL),
                 "collecting");
            uint64_t *after = host_alloc(limbs.bytes), n_wrong = 0;
            device_read(&limbs, after);
            for (size_t k = 0; k < n_rows * n * n_limbs; k++) {
                size_t entry = k / n_limbs;
                int value = k % n_limbs ? 0 : host[entry / n * layout.n_padded + entry % n];
                n_wrong += after[k] != (uint64_t)value;
            }
            CU_ASSERT(n_wrong == 0);
            free(after);
        }
}

/* ---- Extension ------------------------------------------------------------------------------- */

/* From the first r moduli to the n_new next. */
typedef cudaError_t (*extend_fn)(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                 const int32_t *weight, const int32_t *modulus,
                                 pci_gpu_residues residues, uint64_t n_rows, uint32_t n_new,
                                 const pci_gpu_extension *out, cudaStream_t stream);

static void check_extend_by(extend_fn extend, random_source *random, uint32_t r, uint32_t n_new,
                            uint32_t n, uint64_t n_rows)
{
    integers in = integers_make(random, r, n, n_rows);
    size_t rows_bytes = n_rows * in.layout.n_padded;
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_extension(in.context, &in.moduli, r, n_new, &tables) == PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block planes = planes_to_fill(&in.layout, n_rows, 3 * n_new);
    pci_gpu_extension *out = host_alloc(n_new * sizeof *out);
    for (uint32_t o = 0; o < n_new; o++) {
        digit_pointers d = digits_at(&planes, rows_bytes, 3 * o);
        out[o] = (pci_gpu_extension){modulus_at(r + o), {d.digit[0], d.digit[1], d.digit[2]}};
    }
    pci_gpu_crt crt = {r, pci_gpu_tables_fraction(constants.at)};
    must(extend(&in.layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                pci_gpu_tables_modulus(&tables, constants.at), residues_of(&in, false), n_rows,
                n_new, out, NULL),
         "extending");

    OWNED(int8_t) *after = host_alloc(planes.bytes);
    OWNED(int64_t) *values = host_alloc(n_integers(&in) * sizeof *values);
    uint64_t n_wrong = 0;
    device_read(&planes, after);
    for (uint32_t o = 0; o < n_new; o++) {
        for (size_t k = 0; k < n_integers(&in); k++)
            values[k] = (int64_t)mpz_fdiv_ui(in.x[k], in.moduli.m[r + o]);
        n_wrong +=
            n_wrong_residues(&in.layout, n_rows, out[o].to, after + 3 * o * rows_bytes, values);
    }
    if (n_wrong)
        printf("[r %u, %u new, n %u: %lu wrong] ", r, n_new, n, (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&planes);
    pci_gpu_tables_free(in.context, &tables);
    integers_free(&in);
    free(out);
}

static void check_extend(random_source *random, uint32_t r, uint32_t n_new, uint32_t n,
                         uint64_t n_rows)
{
    check_extend_by(pci_gpu_extend, random, r, n_new, n, n_rows);
    if (pci_gpu_can_extend_mma(r))
        check_extend_by(pci_gpu_extend_mma, random, r, n_new, n, n_rows);
}

TEST("extension to narrow moduli")
{
    random_source random = {1401};
    need_any_gpu();
    for (uint32_t r = 1; r < PCI_N_NARROW; r += is_small_run() ? 7 : 1)
        check_extend(&random, r, PCI_N_NARROW - r, plane_sizes[r % N_PLANE_SIZES], 1);
    check_extend(&random, 9, 9, 257, 257);
    check_extend(&random, 4, 5, 129, 100);
}

TEST("extension to wide moduli")
{
    static const uint32_t extensions[][2] = {{1, 50},  {9, 60},  {48, 20}, {49, 1},   {49, 8},
                                             {49, 17}, {50, 1},  {60, 9},  {60, 60},  {98, 100},
                                             {152, 9}, {153, 5}, {130, 3}, {200, 40}, {913, 8}};
    random_source random = {1501};
    need_any_gpu();
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        uint32_t r = extensions[i][0];
        check_extend(&random, r, extensions[i][1], r > 800 ? 20 : plane_sizes[i % N_PLANE_SIZES],
                     1);
    }
    check_extend(&random, 49, 11, 129, 5);
}

#endif
