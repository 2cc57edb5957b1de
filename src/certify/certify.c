/* Freivalds' check of the rows of a product. */
#include "src/certify/certify.h"

#include "src/cpu/modular.h"
#include "src/core/scramble.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { PRIME_BITS = 61 };

struct pci_certificate {
    pc_reduction base; /* whose parts are the least row that is wrong, UINT64_MAX for none */
    pci_dot_mod_fn dot;
    int n_rounds;
    uint64_t *memory;
    pci_dot_vector rounds[]; /* modulo a prime, or the modulus of residues: x random, y = C x */
};

static pc_status system_random(pc_context *context, uint64_t *word)
{
    if (getentropy(word, sizeof *word) == 0)
        return PC_OK;
    return pci_fail(context, PC_ERR_INTERNAL, "the system gives no random numbers");
}

/* A seed from the system, stretched by SplitMix64. */
pc_status pci_random_words(pc_context *context, size_t n, uint64_t limit, uint64_t *words)
{
    uint64_t state;
    pc_status status = system_random(context, &state);
    for (size_t i = 0; i < n && status == PC_OK; i++) {
        uint64_t word = pci_scramble(state += PCI_RANDOM_STEP);
        words[i] = (uint64_t)(((unsigned __int128)word * limit) >> 64);
    }
    return status;
}

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t power = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            power = pci_multiply_mod(power, base, modulus);
        base = pci_multiply_mod(base, base, modulus);
    }
    return power;
}

/* Whether odd n > 2 passes the test of Miller and Rabin to this base. */
static bool is_probable_prime(uint64_t n, uint64_t base)
{
    int twos = __builtin_ctzll(n - 1);
    uint64_t power = power_mod(base, (n - 1) >> twos, n);
    if (power == 1 || power == n - 1)
        return true;
    for (int t = 1; t < twos; t++) {
        power = pci_multiply_mod(power, power, n);
        if (power == n - 1)
            return true;
    }
    return false;
}

/* Of odd numbers above 37 and below 2^64 only primes pass the test to all of these bases (Sorenson and
 * Webster, 2015). GMP would end the program if it had no memory for its test. */
static bool is_prime(uint64_t n)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
        if (n % bases[b] == 0 || !is_probable_prime(n, bases[b]))
            return false;
    return true;
}

pc_status pci_random_prime(pc_context *context, uint64_t *prime)
{
    const uint64_t top = UINT64_C(1) << (PRIME_BITS - 1);
    pc_status status;
    do {
        status = pci_random_words(context, 1, top, prime);
        *prime |= top | 1;
    } while (status == PC_OK && !is_prime(*prime));
    return status;
}

/* Prepares a prime, unless there is a modulus; x; and y = C x. */
static pc_status prepare_round(pc_context *context, const pci_operator *map, uint64_t modulus,
                               pci_dot_vector *round)
{
    round->modulus = modulus;
    pc_status status = modulus ? PC_OK : pci_random_prime(context, &round->modulus);
    if (status == PC_OK)
        status = pci_random_words(context, map->n_columns, round->modulus, round->x);
    return status == PC_OK ? map->apply(map->user, round->modulus, round->x, round->y) : status;
}

/* sum over j of count_j x_j: a dot product a limb, put together by Horner's rule in 2^64. */
static bool row_holds(const pci_dot_vector *round, pci_dot_mod_fn dot_mod, const pc_rows *rows,
                      uint64_t row)
{
    uint64_t p = round->modulus, radix = (uint64_t)(((unsigned __int128)1 << 64) % p), value = 0;
    const uint64_t *limbs = rows->limbs + row * rows->n_columns * rows->n_limbs;
    for (uint32_t l = rows->n_limbs; l-- > 0;) {
        uint64_t dot = dot_mod(rows->n_columns, limbs + l, rows->n_limbs, round->x, p);
        value = (pci_multiply_mod(value, radix, p) + dot) % p;
    }
    return value == round->y[rows->first_row + row];
}

pc_status pci_check_reduced(pc_context *context, uint64_t modulus, const pc_rows *rows)
{
    uint64_t row_words = rows->n_columns * rows->n_limbs, wrong = UINT64_MAX;
    if (modulus == 0)
        return PC_OK;
    int n_threads = pci_threads_for(context, (double)rows->n_rows * (double)row_words);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(min : wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        bool is_wrong = false;
        for (uint64_t e = 0; e < row_words; e++)
            is_wrong |= rows->limbs[i * row_words + e] >= modulus;
        if (is_wrong)
            wrong = i < wrong ? i : wrong;
    }
    return wrong == UINT64_MAX
               ? PC_OK
               : pci_fail_check(context,
                                "row %" PRIu64 " of the result (a count is not below the modulus)",
                                rows->first_row + wrong);
}

/* ---- The check as a reduction ---------------------------------------------------------------- */

static void *create_part(pc_reduction *reduction)
{
    uint64_t *wrong = pci_alloc(reduction->context, sizeof *wrong);
    if (wrong)
        *wrong = UINT64_MAX;
    return wrong;
}

static void free_part(pc_reduction *reduction, void *part)
{
    pci_free(reduction->context, part);
}

static void check_rows(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                       uint64_t n)
{
    const pci_certificate *certificate = (const pci_certificate *)reduction;
    uint64_t *wrong = part;
    for (uint64_t i = first; i < first + n; i++)
        for (int r = 0; r < certificate->n_rounds; r++)
            if (!row_holds(&certificate->rounds[r], certificate->dot, rows, i))
                *wrong = i < *wrong ? i : *wrong;
}

static void merge(pc_reduction *reduction, void *into, void *from)
{
    uint64_t *least = into, *other = from;
    (void)reduction;
    *least = *other < *least ? *other : *least;
    *other = UINT64_MAX;
}

static pc_status end_check(pc_reduction *reduction, const pc_rows *rows)
{
    uint64_t *wrong = pci_reduction_whole(reduction), row = *wrong;
    *wrong = UINT64_MAX;
    return row == UINT64_MAX ? PC_OK
                             : pci_fail_check(reduction->context, "row %" PRIu64 " of the result",
                                              rows->first_row + row);
}

static void free_certificate(pc_reduction *reduction)
{
    pci_certificate *certificate = (pci_certificate *)reduction;
    pci_free(reduction->context, certificate->memory);
    pci_free(reduction->context, certificate);
}

static const pci_reduction_ops CERTIFICATE = {.create_part = create_part,
                                              .free_part = free_part,
                                              .add = check_rows,
                                              .merge = merge,
                                              .end = end_check,
                                              .free = free_certificate};

pc_status pci_certificate_create(pc_context *context, const pci_operator *map, uint64_t modulus,
                                 int n_rounds, pci_certificate **certificate)
{
    if (modulus)
        n_rounds = pci_modular_rounds(modulus, n_rounds);
    size_t round_words = map->n_rows + map->n_columns, n_words = (size_t)n_rounds * round_words;
    pci_certificate *made =
        pci_alloc_zero(context, 1, sizeof *made + (size_t)n_rounds * sizeof *made->rounds);
    uint64_t *memory = pci_alloc(context, n_words * sizeof *memory);
    if (!made || !memory) {
        pci_free(context, made);
        pci_free(context, memory);
        return pci_fail_memory(context, "a certificate", n_words * sizeof *memory);
    }
    made->base =
        (pc_reduction){.ops = &CERTIFICATE, .context = context, .entry_operations = n_rounds};
    made->dot = modulus ? pci_dot_mod : pci_dot_mod_choose(context);
    made->n_rounds = n_rounds;
    made->memory = memory;
    pc_status status = PC_OK;
    for (int r = 0; r < n_rounds && status == PC_OK; r++) {
        made->rounds[r].x = memory + (size_t)r * round_words;
        made->rounds[r].y = made->rounds[r].x + map->n_columns;
        status = prepare_round(context, map, modulus, &made->rounds[r]);
    }
    if (status == PC_OK)
        *certificate = made;
    else
        pci_certificate_free(made);
    return status;
}

pc_status pci_certificate_advance(pci_certificate *certificate, const pci_operator *map)
{
    pc_context *context = certificate->base.context;
    size_t bytes = map->n_columns * sizeof(uint64_t);
    uint64_t *before = pci_alloc(context, bytes);
    if (!before)
        return pci_fail_memory(context, "a certificate", bytes);
    pc_status status = PC_OK;
    for (int r = 0; r < certificate->n_rounds && status == PC_OK; r++) {
        pci_dot_vector *round = &certificate->rounds[r];
        memcpy(before, round->y, bytes);
        status = map->apply(map->user, round->modulus, before, round->y);
    }
    pci_free(context, before);
    return status;
}

void pci_certificate_free(pci_certificate *certificate)
{
    pc_reduction_free(certificate ? &certificate->base : NULL);
}

const pci_dot_vector *pci_certificate_dots(const pci_certificate *certificate, uint32_t *n_dots)
{
    *n_dots = (uint32_t)certificate->n_rounds;
    return certificate->rounds;
}

pc_status pci_certificate_check_dots(const pci_certificate *certificate,
                                     const pci_aggregates *aggregates)
{
    for (uint32_t d = 0; d < aggregates->n_dots; d++)
        for (uint64_t row = 0; row < aggregates->n; row++)
            if (aggregates->dot[d * aggregates->n + row] != aggregates->dots[d].y[row])
                return pci_fail_check(certificate->base.context, "row %" PRIu64 " of the result",
                                      row);
    return PC_OK;
}

pc_status pci_certificate_check_run(const pci_certificate *certificate, const pci_engine *engine,
                                    pci_run *run, uint64_t n, uint32_t n_limbs)
{
    pc_context *context = certificate->base.context;
    pci_aggregates products = {.n = n, .n_limbs = n_limbs};
    products.dots = pci_certificate_dots(certificate, &products.n_dots);
    size_t bytes = products.n_dots * n * sizeof *products.dot;
    products.dot = pci_alloc(context, bytes);
    if (!products.dot)
        return pci_fail_memory(context, "a certificate", bytes);
    pc_status status = engine->aggregate(run, &products);
    if (status == PC_OK)
        status = pci_certificate_check_dots(certificate, &products);
    pci_free(context, products.dot);
    return status;
}

pc_status pci_certificate_check(pci_certificate *certificate, const pc_rows *rows)
{
    pc_reduction *check = &certificate->base;
    return pci_reduce(check->context, &check, 1, rows);
}
