/* Freivalds' check of the rows of a product. */
#include "src/certify/certify.h"

#include "src/core/checksum.h"
#include "src/cpu/row_ops.h"
#include "src/cpu/modular.h"
#include "src/residues/residues.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
    PRIME_BITS = 61,
    SHARING_ROUNDS = 2 /* that have the same x */
};

typedef struct certificate_round {
    uint64_t prime;  /* or the modulus of residues */
    uint64_t *y;     /* [n_rows] C x, ... */
    size_t y_stride; /* ... so many words apart */
} certificate_round;

struct pci_certificate {
    pc_reduction base; /* whose parts are the least row that is wrong, UINT64_MAX for none */
    pci_dot_digits_fn dot;
    uint64_t modulus; /* of residues, whose rounds have an x each; else 0 */
    int n_rounds;
    uint64_t *x; /* [n_rounds][n_columns] of residues, else for two rounds [low, high][n_columns] */
    uint64_t *memory;
    certificate_round rounds[];
};

static pc_status system_random(pc_context *context, size_t n, uint64_t *words)
{
    if (getentropy(words, n * sizeof *words) == 0)
        return PC_OK;
    return pci_fail(context, PC_ERR_INTERNAL, "the system gives no random numbers");
}

/* A seed, stretched by SplitMix64. */
static void stretch(uint64_t seed, size_t n, uint64_t limit, uint64_t *words)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t word = pci_scramble(seed += PCI_RANDOM_STEP);
        words[i] = (uint64_t)(((unsigned __int128)word * limit) >> 64);
    }
}

pc_status pci_random_words(pc_context *context, size_t n, uint64_t limit, uint64_t *words)
{
    uint64_t seed;
    pc_status status = system_random(context, 1, &seed);
    if (status == PC_OK)
        stretch(seed, n, limit, words);
    return status;
}

/* The first prime among the candidates that a seed is stretched to. */
static uint64_t prime_of(uint64_t seed)
{
    const uint64_t top = UINT64_C(1) << (PRIME_BITS - 1);
    uint64_t candidate;
    do
        candidate = pci_scramble(seed += PCI_RANDOM_STEP) >> (64 - PRIME_BITS) | top | 1;
    while (!pci_is_prime(candidate));
    return candidate;
}

pc_status pci_random_prime(pc_context *context, uint64_t *prime)
{
    uint64_t seed;
    pc_status status = system_random(context, 1, &seed);
    if (status == PC_OK)
        *prime = prime_of(seed);
    return status;
}

/* The words of x that round r uses. */
static uint64_t *x_of(const pci_certificate *certificate, uint64_t n_columns, int r)
{
    return certificate->x + (size_t)(certificate->modulus ? r : r - r % SHARING_ROUNDS) * n_columns;
}

/* to[j * stride] = x_j modulo a prime of 61 bits. */
static void reduce_digits(uint64_t n, const uint64_t *x, uint64_t prime, int stride, uint64_t *to)
{
    double inverse = 0x1p32 / (double)prime;
    for (uint64_t j = 0; j < n; j++)
        to[j * (size_t)stride] = pci_reduce_few(x[j], x[n + j] << 32, prime, inverse);
}

/* y = C x for n_rounds rounds that share x, side by side if the map can; room[n_columns][2]. */
static pc_status apply(const pci_operator *map, int n_rounds, certificate_round *rounds,
                       const uint64_t *x, uint64_t *room)
{
    uint64_t n = map->n_columns, primes[SHARING_ROUNDS] = {0};
    pc_status status = PC_OK;
    int n_together = n_rounds == 2 && map->apply_pair ? 2 : 1;
    for (int r = 0; r < n_rounds && status == PC_OK; r += n_together) {
        for (int k = 0; k < n_together; k++) {
            primes[k] = rounds[r + k].prime;
            reduce_digits(n, x, primes[k], n_together, room + k);
        }
        status = n_together == 2 ? map->apply_pair(map->user, primes, room, rounds[r].y)
                                 : map->apply(map->user, primes[0], room, rounds[r].y);
    }
    if (n_together == 2) {
        rounds[1].y = rounds[0].y + 1;
        rounds[0].y_stride = rounds[1].y_stride = 2;
    }
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const uint64_t *row_of(const pc_rows *rows, uint64_t row)
{
    return rows->limbs + row * rows->n_columns * rows->n_limbs;
}

/* value = 2^64 value + sum, for each of the rounds. */
static void take_sum(const certificate_round *rounds, int n_rounds, const pci_digit_sum *sum,
                     uint64_t *value)
{
    for (int r = 0; r < n_rounds; r++)
        value[r] = pci_reduce_sum(sum->low, sum->high + value[r], rounds[r].prime);
}

static bool are_right(const certificate_round *rounds, int n_rounds, const uint64_t *value,
                      uint64_t row)
{
    bool right = true;
    for (int r = 0; r < n_rounds; r++)
        right &= value[r] == rounds[r].y[row * rounds[r].y_stride];
    return right;
}

/* Counts of several words: a sum for each word, two at a time, from the highest on. For an odd number the
 * highest one comes with the next again. */
static bool wide_row_holds(const pci_certificate *certificate, int first_round, int n_rounds,
                           const pc_rows *rows, uint64_t row)
{
    const certificate_round *rounds = &certificate->rounds[first_round];
    size_t n = rows->n_columns, n_limbs = rows->n_limbs;
    const uint64_t *x = x_of(certificate, n, first_round), *limbs = row_of(rows, row);
    uint64_t value[SHARING_ROUNDS] = {0};
    pci_digits digits = {x, x + n};
    pci_digit_sum sums[2];
    for (size_t left = n_limbs; left > 0; left -= left % 2 ? 1 : 2) {
        const uint64_t *first = limbs + left - 2;
        certificate->dot(n, first, first + 1, n_limbs, &digits, sums);
        take_sum(rounds, n_rounds, &sums[1], value);
        if (left % 2 == 0)
            take_sum(rounds, n_rounds, &sums[0], value);
    }
    return are_right(rounds, n_rounds, value, rows->first_row + row);
}

/* The least of two rows of counts of one word that is wrong; UINT64_MAX for none. */
static uint64_t least_wrong(const pci_certificate *certificate, int first_round, int n_rounds,
                            const pc_rows *rows, uint64_t row, uint64_t other)
{
    const certificate_round *rounds = &certificate->rounds[first_round];
    const uint64_t *x = x_of(certificate, rows->n_columns, first_round);
    pci_digits digits = {x, x + rows->n_columns};
    pci_digit_sum sums[2];
    uint64_t value[2][SHARING_ROUNDS] = {{0}};
    certificate->dot(rows->n_columns, row_of(rows, row), row_of(rows, other), 1, &digits, sums);
    for (int k = 0; k < 2; k++)
        take_sum(rounds, n_rounds, &sums[k], value[k]);
    if (!are_right(rounds, n_rounds, value[0], rows->first_row + row))
        return row;
    return are_right(rounds, n_rounds, value[1], rows->first_row + other) ? UINT64_MAX : other;
}

static bool residues_hold(const pci_certificate *certificate, const pc_rows *rows, uint64_t row)
{
    bool holds = true;
    for (int r = 0; r < certificate->n_rounds; r++) {
        const uint64_t *x = x_of(certificate, rows->n_columns, r);
        uint64_t dot = pci_dot_mod(rows->n_columns, row_of(rows, row), 1, x, certificate->modulus);
        holds &= dot == certificate->rounds[r].y[rows->first_row + row];
    }
    return holds;
}

static pc_status fail_reduced(pc_context *context, uint64_t row)
{
    return pci_fail_check(context,
                          "row %" PRIu64 " of the result (a count is not below the modulus)", row);
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
    return wrong == UINT64_MAX ? PC_OK : fail_reduced(context, rows->first_row + wrong);
}

pc_status pci_check_reduced_records(pc_context *context, uint64_t modulus,
                                    const pci_aggregates *aggregates)
{
    for (int c = 0; modulus && c < PCI_AGGREGATE_COPIES; c++)
        for (uint64_t row = 0; row < aggregates->n; row++)
            if (*pci_record_largest(pci_record(aggregates, c, row), 1) >= modulus)
                return fail_reduced(context, row);
    return PC_OK;
}

/* ---- The check as a reduction ---------------------------------------------------------------- */

static void *create_part(pc_reduction *reduction)
{
    uint64_t *wrong = pci_alloc(reduction->context, sizeof *wrong);
    if (wrong)
        *wrong = UINT64_MAX;
    return wrong;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void check_rows(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                       uint64_t n)
{
    const pci_certificate *certificate = (const pci_certificate *)reduction;
    uint64_t *wrong = part, end = first + n;
    for (uint64_t i = first; i < end && certificate->modulus; i++)
        *wrong = least(*wrong, residues_hold(certificate, rows, i) ? UINT64_MAX : i);
    for (int r = 0; r < certificate->n_rounds && !certificate->modulus; r += SHARING_ROUNDS) {
        int n_rounds = r + 1 < certificate->n_rounds ? SHARING_ROUNDS : 1;
        for (uint64_t i = first; i < end && rows->n_limbs == 1; i += 2)
            *wrong = least(*wrong,
                           least_wrong(certificate, r, n_rounds, rows, i, i + 1 < end ? i + 1 : i));
        for (uint64_t i = first; i < end && rows->n_limbs > 1; i++)
            *wrong =
                least(*wrong, wide_row_holds(certificate, r, n_rounds, rows, i) ? UINT64_MAX : i);
    }
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
                                              .add = check_rows,
                                              .merge = merge,
                                              .end = end_check,
                                              .free = free_certificate};

double pci_certificate_bytes(double n_rows, double n_columns, double n_rounds)
{
    if (n_rounds == 0)
        return 0;
    return sizeof(uint64_t) * (n_rounds * n_rows + (n_rounds + 1 + SHARING_ROUNDS) * n_columns);
}

/* Prepares rounds r and r + 1, if there is one: primes, x, and y = C x. The words of x come from two seeds, so that there
 * are 2^81 of each number. */
static pc_status prepare_rounds(pci_certificate *certificate, const pci_operator *map, int r,
                                uint64_t *room)
{
    pc_context *context = certificate->base.context;
    uint64_t n = map->n_columns, *x = x_of(certificate, n, r);
    int n_rounds = r + 1 < certificate->n_rounds ? SHARING_ROUNDS : 1;
    certificate_round *rounds = &certificate->rounds[r];
    uint64_t seeds[2 + SHARING_ROUNDS]; /* the system is asked once */
    pc_status status = system_random(context, 2 + SHARING_ROUNDS, seeds);
    if (status != PC_OK)
        return status;
    stretch(seeds[0], n, UINT64_MAX, x);
    for (uint64_t j = 0; j < n; j++)
        x[j] &= PCI_LOW_DIGITS;
    stretch(seeds[1], n, PCI_HIGH_DIGIT + 1, x + n);
    for (int k = 0; k < n_rounds; k++)
        rounds[k].prime = prime_of(seeds[2 + k]);
    return apply(map, n_rounds, rounds, x, room);
}

static pc_status prepare(pci_certificate *certificate, const pci_operator *map)
{
    pc_context *context = certificate->base.context;
    uint64_t modulus = certificate->modulus, n = map->n_columns;
    size_t n_room = modulus ? 0 : SHARING_ROUNDS * n;
    uint64_t *room = pci_alloc(context, n_room * sizeof *room);
    pc_status status =
        room ? PC_OK : pci_fail_memory(context, "a certificate", n_room * sizeof *room);
    for (int r = 0; r < certificate->n_rounds && !modulus && status == PC_OK; r += SHARING_ROUNDS)
        status = prepare_rounds(certificate, map, r, room);
    for (int r = 0; r < certificate->n_rounds && modulus && status == PC_OK; r++) {
        certificate_round *round = &certificate->rounds[r];
        uint64_t *x = x_of(certificate, n, r);
        round->prime = modulus;
        status = pci_random_words(context, n, modulus, x);
        if (status == PC_OK)
            status = map->apply(map->user, modulus, x, round->y);
    }
    pci_free(context, room);
    return status;
}

pc_status pci_certificate_create(pc_context *context, const pci_operator *map, uint64_t modulus,
                                 int n_rounds, pci_certificate **certificate)
{
    if (modulus)
        n_rounds = pci_modular_rounds(modulus, n_rounds);
    int n_vectors = modulus ? n_rounds : n_rounds + n_rounds % SHARING_ROUNDS; /* of words of x */
    size_t n_x = (size_t)n_vectors * map->n_columns;
    size_t n_words = n_x + (size_t)n_rounds * map->n_rows;
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
    made->dot = pci_dot_digits_choose(context);
    made->modulus = modulus;
    made->n_rounds = n_rounds;
    made->x = made->memory = memory;
    for (int r = 0; r < n_rounds; r++)
        made->rounds[r] =
            (certificate_round){.y = memory + n_x + (size_t)r * map->n_rows, .y_stride = 1};
    pc_status status = prepare(made, map);
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
        certificate_round *round = &certificate->rounds[r];
        memcpy(before, round->y, bytes);
        status = map->apply(map->user, round->prime, before, round->y);
    }
    pci_free(context, before);
    return status;
}

void pci_certificate_free(pci_certificate *certificate)
{
    pc_reduction_free(certificate ? &certificate->base : NULL);
}

void pci_certificate_adopt(pci_certificate *certificate, pc_context *context)
{
    certificate->base.context = context;
}

/* ---- Rows in the memory of an engine --------------------------------------------------------- */

pc_status pci_certificate_dots(const pci_certificate *certificate, uint64_t n,
                               pci_dot_vector **dots, uint32_t *n_dots)
{
    pc_context *context = certificate->base.context;
    size_t n_rounds = (size_t)certificate->n_rounds;
    size_t bytes = n_rounds * (sizeof **dots + n * sizeof(uint64_t));
    pci_dot_vector *made = pci_alloc(context, bytes);
    if (!made)
        return pci_fail_memory(context, "a certificate", bytes);
    uint64_t *words = (uint64_t *)(made + n_rounds);
    for (int r = 0; r < certificate->n_rounds; r++, words += n) {
        const certificate_round *round = &certificate->rounds[r];
        const uint64_t *x = x_of(certificate, n, r);
        made[r] = (pci_dot_vector){round->prime, words, round->y, round->y_stride};
        if (certificate->modulus)
            memcpy(words, x, n * sizeof *words);
        else
            reduce_digits(n, x, round->prime, 1, words);
    }
    *dots = made;
    *n_dots = (uint32_t)n_rounds;
    return PC_OK;
}

pc_status pci_certificate_check_dots(const pci_certificate *certificate,
                                     const pci_aggregates *aggregates)
{
    for (uint32_t d = 0; d < aggregates->n_dots; d++)
        for (uint64_t row = 0; row < aggregates->n; row++)
            if (aggregates->dot[d * aggregates->n + row] !=
                aggregates->dots[d].y[row * aggregates->dots[d].y_stride])
                return pci_fail_check(certificate->base.context, "row %" PRIu64 " of the result",
                                      row);
    return PC_OK;
}

pc_status pci_certificate_check_run(const pci_certificate *certificate, const pci_engine *engine,
                                    pci_run *run, uint64_t n, uint32_t n_limbs)
{
    pc_context *context = certificate->base.context;
    pci_aggregates products = {.n = n, .n_limbs = n_limbs};
    pci_dot_vector *dots;
    pc_status status = pci_certificate_dots(certificate, n, &dots, &products.n_dots);
    if (status != PC_OK)
        return status;
    size_t bytes = products.n_dots * n * sizeof *products.dot;
    products.dots = dots;
    products.dot = pci_alloc(context, bytes);
    status = products.dot ? engine->aggregate(run, &products)
                          : pci_fail_memory(context, "a certificate", bytes);
    if (status == PC_OK)
        status = pci_certificate_check_dots(certificate, &products);
    pci_free(context, products.dot);
    pci_free(context, dots);
    return status;
}

pc_status pci_certificate_check(pci_certificate *certificate, const pc_rows *rows)
{
    pc_reduction *check = &certificate->base;
    return pci_reduce(check->context, &check, 1, rows);
}

/* ---- Hashes of rows ------------------------------------------------------------------------- */

uint64_t pci_row_hash(const pc_rows *rows, uint64_t row)
{
    size_t n = rows->n_columns;
    if (rows->values)
        return pci_checksum(rows->values + row * n, n * sizeof *rows->values,
                            (uint64_t)rows->exponent);
    return pci_checksum(rows->limbs + row * n * rows->n_limbs,
                        n * rows->n_limbs * sizeof *rows->limbs, rows->n_limbs);
}

static int threads_for(pc_context *context, const pc_rows *rows)
{
    double n_words = (double)rows->n_rows * (double)rows->n_columns;
    return pci_threads_for(context, n_words * (rows->n_limbs ? rows->n_limbs : 1));
}

void pci_row_hashes(pc_context *context, const pc_rows *rows, uint64_t *hashes)
{
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        hashes[i] = pci_row_hash(rows, i);
}

pc_status pci_row_hashes_check(pc_context *context, const pc_rows *rows, const uint64_t *hashes)
{
    uint64_t wrong = UINT64_MAX;
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)                  \
    reduction(min                                                                                  \
              : wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (pci_row_hash(rows, i) != hashes[i])
            wrong = i < wrong ? i : wrong;
    return wrong == UINT64_MAX
               ? PC_OK
               : pci_fail_check(context, "row %" PRIu64 " of the result, computed twice,",
                                rows->first_row + wrong);
}
