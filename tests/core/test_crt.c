/* Residues to integers and to further residues, against GMP, for each instruction set. */
#include "tests/support/fixture.h"

#include "src/cpu/row_ops.h"
#include "tests/support/random_graph.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 150, ROOM = 192 /* N up to a multiple of PCI_CHUNK */, N_ROWS = 3, DIGITS = 3 };

typedef struct fixture {
    pc_context *context;
    pci_moduli moduli;
    int8_t *memory; /* [PCI_N_MODULI][DIGITS][ROOM] */
    int8_t *plane[PCI_N_MODULI];
    mpz_t value[N];
} fixture;

typedef struct instruction_set {
    const pci_row_ops *ops;
    bool available;
} instruction_set;

static int list_sets(instruction_set *sets)
{
    int n = 0;
    sets[n++] = (instruction_set){&pci_row_ops_portable, true};
#ifdef PCI_HAVE_AVX2
    sets[n++] = (instruction_set){&pci_row_ops_avx2, __builtin_cpu_supports("avx2")};
#endif
#ifdef PCI_HAVE_AVX512
    sets[n++] = (instruction_set){&pci_row_ops_avx512, __builtin_cpu_supports("avx512vnni")};
#endif
    return n;
}

static void fixture_open(fixture *f)
{
    MUST(pc_context_create(&f->context));
    pci_moduli_fill(&f->moduli, PCI_ANY_BITS);
    f->memory = calloc((size_t)PCI_N_MODULI * DIGITS, ROOM);
    CU_ASSERT_FATAL(f->memory != NULL);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++)
        f->plane[i] = f->memory + (size_t)i * DIGITS * ROOM;
    for (int e = 0; e < N; e++)
        mpz_init(f->value[e]);
}

static void fixture_close(fixture *f)
{
    for (int e = 0; e < N; e++)
        mpz_clear(f->value[e]);
    free(f->memory);
    pc_context_free(f->context);
}

/* Any representative from -m to m - 1 that an int8 (or two digits) holds, not just the centred. */
static void set_residue(fixture *f, random_source *random, uint32_t i, int e)
{
    int32_t m = f->moduli.m[i], x = (int32_t)mpz_fdiv_ui(f->value[e], (unsigned long)m);
    int8_t *plane = f->plane[i] + e;
    if (2 * x > m || (2 * x == m && random_below(random, 2)))
        x -= m;
    if (i < PCI_N_NARROW) {
        if (x > 127)
            x -= m;
        if (x >= 0 && x - m >= -128 && random_below(random, 4) == 0)
            x -= m;
        plane[0] = (int8_t)x;
        return;
    }
    int32_t radix = pci_modulus_is_wide(i) ? 128 : 256;
    int32_t high = (x + radix / 2 + 256 * radix) / radix - 256, low = x - radix * high;
    plane[0] = (int8_t)high;
    plane[ROOM] = (int8_t)low;
    if (radix == 128)
        plane[2 * ROOM] = (int8_t)(high + low);
}

/* Values below half of the product of r moduli, the edges among them. */
static void fill(fixture *f, random_source *random, uint32_t r)
{
    OWNED(mpz_t) limit;
    mpz_init_set_ui(limit, 1);
    for (uint32_t i = 0; i < r; i++)
        mpz_mul_ui(limit, limit, f->moduli.m[i]);
    mpz_tdiv_q_2exp(limit, limit, 1);
    gmp_randstate_t state;
    gmp_randinit_default(state);
    gmp_randseed_ui(state, random_u64(random));
    for (int e = 0; e < N; e++) {
        mpz_urandomm(f->value[e], state, limit);
        if (e % 4 == 1)
            mpz_tdiv_q_2exp(f->value[e], f->value[e], random_below(random, 12 * r + 1));
        if (e % 8 == 2)
            mpz_sub_ui(f->value[e], limit, 1 + (unsigned)e / 8);
        if (e % 8 == 3)
            mpz_set_ui(f->value[e], (unsigned)e / 8);
        for (uint32_t i = 0; i < r; i++)
            set_residue(f, random, i, e);
    }
    gmp_randclear(state);
}

/* n entries that lie side by side, as one row or as several. */
static pci_row_tile tile_of(uint32_t r, size_t n)
{
    size_t n_rows = r % 2 ? 1 : N_ROWS;
    return (pci_row_tile){n_rows, n / n_rows, n / n_rows};
}

static int n_wrong_limbs(fixture *f, const uint64_t *limbs, uint32_t n_limbs)
{
    int wrong = 0;
    OWNED(mpz_t) got;
    mpz_init(got);
    for (int e = 0; e < N; e++) {
        mpz_import(got, n_limbs, -1, 8, 0, 0, limbs + (size_t)e * n_limbs);
        wrong += mpz_cmp(got, f->value[e]) != 0;
    }
    return wrong;
}

static void check_collect(fixture *f, const pci_row_ops *ops, uint32_t r, bool by_pairs)
{
    uint32_t n_limbs = (pci_moduli_n_planes(r) * 8 + 63) / 64;
    OWNED(uint64_t) *limbs = malloc((size_t)N * n_limbs * 8);
    pci_recombination how;
    CU_ASSERT_FATAL(limbs != NULL);
    MUST(pci_recombination_create(f->context, &f->moduli, r, PCI_TARGET_LIMBS, n_limbs, &how));
    int32_t *pairs = how.pairs.pair;
    if (!by_pairs) /* the plain twin works for any base */
        how.pairs.pair = NULL;
    memset(limbs, 0xa5, (size_t)N * n_limbs * 8);
    ops->collect(&how, tile_of(r, N), (const int8_t *const *)f->plane, ROOM, n_limbs, limbs,
                 tile_of(r, N).n_columns * n_limbs);
    CU_ASSERT(n_wrong_limbs(f, limbs, n_limbs) == 0);
    how.pairs.pair = pairs;
    pci_recombination_free(f->context, &how);
}

static int n_wrong_residues(fixture *f, uint32_t first, uint32_t n_new)
{
    int wrong = 0;
    for (uint32_t i = first; i < first + n_new; i++)
        for (int e = 0; e < N; e++) {
            const int8_t *at = f->plane[i] + e;
            int32_t m = f->moduli.m[i], x = at[0];
            if (pci_modulus_is_wide(i)) {
                x = 128 * at[0] + at[ROOM];
                wrong += at[2 * ROOM] != at[0] + at[ROOM];
            } else if (i >= PCI_N_NOT_FULL) {
                x = 256 * at[0] + at[ROOM];
            }
            x = (x % m + m) % m;
            wrong += (unsigned long)x != mpz_fdiv_ui(f->value[e], (unsigned long)m);
        }
    return wrong;
}

static void check_extend(fixture *f, const pci_row_ops *ops, uint32_t r, uint32_t n_new,
                         bool by_pairs)
{
    pci_recombination how;
    MUST(pci_recombination_create(f->context, &f->moduli, r, PCI_TARGET_MODULI, n_new, &how));
    int32_t *pairs = how.pairs.pair;
    if (!by_pairs)
        how.pairs.pair = NULL;
    memset(f->plane[r], 0xa5, (size_t)n_new * DIGITS * ROOM);
    ops->extend(&how, tile_of(r, ROOM), (const int8_t *const *)f->plane, f->plane + r, ROOM);
    CU_ASSERT(n_wrong_residues(f, r, n_new) == 0);
    how.pairs.pair = pairs;
    pci_recombination_free(f->context, &how);
}

static void check_modulus(fixture *f, const pci_row_ops *ops, uint32_t r, uint64_t modulus)
{
    uint64_t words[N];
    int wrong = 0;
    pci_recombination how;
    MUST(pci_recombination_create(f->context, &f->moduli, r, PCI_TARGET_MODULUS, modulus, &how));
    ops->collect_modular(&how, N, (const int8_t *const *)f->plane, ROOM, modulus, words);
    for (int e = 0; e < N; e++)
        wrong += words[e] != mpz_fdiv_ui(f->value[e], modulus);
    CU_ASSERT(wrong == 0);
    pci_recombination_free(f->context, &how);
}

/* Both ways: by pairs, which are not there for large bases, and the plain one. */
static void check_base(fixture *f, const pci_row_ops *ops, uint32_t r, uint32_t n_new)
{
    for (int pairs = 0; pairs < (r <= PCI_MAX_PAIRED ? 2 : 1); pairs++) {
        check_collect(f, ops, r, pairs);
        if (n_new)
            check_extend(f, ops, r, n_new, pairs);
    }
}

TEST("narrow bases to integers and further moduli")
{
    fixture f;
    random_source random = {.state = 11};
    instruction_set sets[3];
    int n_sets = list_sets(sets);
    fixture_open(&f);
    for (uint32_t r = 1; r <= PCI_N_NARROW; r++) {
        fill(&f, &random, r);
        for (int s = 0; s < n_sets; s++)
            if (sets[s].available)
                check_base(&f, sets[s].ops, r, 1 + (uint32_t)random_below(&random, 60));
    }
    fixture_close(&f);
}

TEST("wide bases to integers and further moduli")
{
    static const uint32_t bases[] = {50,
                                     51,
                                     53,
                                     80,
                                     127,
                                     200,
                                     PCI_MAX_PAIRED,
                                     PCI_MAX_PAIRED + 1,
                                     600,
                                     PCI_N_NOT_FULL - 2,
                                     PCI_N_NOT_FULL,
                                     PCI_N_NOT_FULL + 1,
                                     1800,
                                     PCI_N_MODULI};
    fixture f;
    random_source random = {.state = 12};
    instruction_set sets[3];
    int n_sets = list_sets(sets);
    fixture_open(&f);
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        uint32_t r = bases[b], n_new = r < PCI_N_MODULI ? 5 : 0;
        fill(&f, &random, r);
        for (int s = 0; s < n_sets; s++) {
            if (sets[s].available)
                check_base(&f, sets[s].ops, r, n_new);
        }
    }
    fixture_close(&f);
}

TEST("residues to words modulo a number")
{
    static const uint64_t moduli[] = {2, 255, UINT64_C(4294967296), UINT64_C(2305843009213693951),
                                      (UINT64_C(1) << 63) - 1};
    fixture f;
    random_source random = {.state = 13};
    instruction_set sets[3];
    int n_sets = list_sets(sets);
    fixture_open(&f);
    for (uint32_t r = 1; r <= 24; r++) {
        fill(&f, &random, r);
        for (int s = 0; s < n_sets; s++)
            for (size_t i = 0; sets[s].available && i < sizeof moduli / sizeof *moduli; i++)
                check_modulus(&f, sets[s].ops, r, moduli[i]);
    }
    fixture_close(&f);
}
