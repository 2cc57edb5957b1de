/* A term in integers: x^n modulo the polynomial of the recurrence, by squaring.
 *
 * With n = 2 m + r and x^m = p(0) + p(1) x + ... + p(L-1) x^(L-1) modulo that polynomial,
 *
 *     a(n) = sum over i of p(i) h(i),   h(i) = sum over j of p(j) a(i + j + r),
 *
 * so only x^m is made, whose coefficients are half as wide as the term. A polynomial is squared as one integer:
 * its coefficients stand so far apart that those of the square do not touch (Kronecker, 1882). All numbers are in
 * two's complement. Then sums, and products with the few words of a coefficient of the recurrence, are right
 * modulo 2^(64 n_words) whatever the signs are, and only the width of what they end with must be known. It is
 * measured before each squaring; no limit of the numbers needs a proof. */
#include <gmp.h>

#include "src/recurrence/recurrence.h"

#include "src/core/number.h"
#include "src/plan/limits.h"

#include <math.h>
#include <string.h>

typedef struct polynomial {
    size_t n_words; /* of a coefficient */
    uint64_t *word; /* [L][n_words], or more of them */
} polynomial;

typedef struct powering {
    pc_context *context;
    const pc_recurrence *recurrence;
    size_t n_linear;           /* L */
    uint64_t coefficient_bits; /* of the widest coefficient of the recurrence */
    uint64_t rest_bits;        /* of the widest one of x^L, ..., x^(2 L - 1) */
    polynomial power;
    uint64_t *early; /* [2 L][early_words]: terms a(0), a(1), ... */
    size_t early_words;
} powering;

/* ---- Integers in two's complement ------------------------------------------------------------ */

static bool is_negative(const uint64_t *number, size_t n_words)
{
    return number[n_words - 1] >> 63;
}

/* The least b such that -2^b <= number < 2^b. */
static uint64_t signed_bits(const uint64_t *number, size_t n_words)
{
    uint64_t fill = is_negative(number, n_words) ? UINT64_MAX : 0;
    while (n_words > 0 && number[n_words - 1] == fill)
        n_words--;
    return n_words > 0 ? 64 * n_words - (uint64_t)__builtin_clzll(number[n_words - 1] ^ fill) : 0;
}

/* Words of numbers of so many bits. */
static size_t words_for(uint64_t bits)
{
    return bits / 64 + 1;
}

static void copy_wider(uint64_t *to, size_t n_to, const uint64_t *from, size_t n_from)
{
    size_t n_same = n_to < n_from ? n_to : n_from;
    int fill = is_negative(from, n_from) ? 0xff : 0;
    memmove(to, from, n_same * sizeof *to);
    memset(to + n_same, fill, (n_to - n_same) * sizeof *to);
}

void pci_add_multiple(uint64_t *to, const uint64_t *from, size_t n, bool is_less,
                      const uint64_t *factor, size_t n_factor)
{
    for (size_t w = 0; w < n_factor && w < n; w++)
        if (is_less)
            mpn_submul_1(to + w, from, (mp_size_t)(n - w), factor[w]);
        else
            mpn_addmul_1(to + w, from, (mp_size_t)(n - w), factor[w]);
}

/* The magnitude of a number of n words; returns how many words it has. */
static size_t magnitude_of(uint64_t *magnitude, const uint64_t *number, size_t n)
{
    if (is_negative(number, n))
        mpn_neg(magnitude, number, (mp_size_t)n);
    else
        memcpy(magnitude, number, n * sizeof *number);
    return pci_number_trim(magnitude, n);
}

/* ---- Polynomials ----------------------------------------------------------------------------- */

static uint64_t *coefficient(const polynomial *p, size_t i)
{
    return p->word + i * p->n_words;
}

/* Bits of the widest coefficient. */
static uint64_t widest(const powering *run, const polynomial *p)
{
    uint64_t most = 0;
    for (size_t i = 0; i < run->n_linear; i++) {
        uint64_t bits = signed_bits(coefficient(p, i), p->n_words);
        most = bits > most ? bits : most;
    }
    return most;
}

static void free_polynomial(const powering *run, polynomial *p)
{
    pci_free(run->context, p->word);
    p->word = NULL;
}

static pc_status no_memory(const powering *run, size_t n_words)
{
    return pci_fail_memory(run->context, "a term", n_words * sizeof(uint64_t));
}

/* Gives each coefficient of the power n_words, or takes it modulo 2^(64 n_words). */
static pc_status widen(powering *run, size_t n_words)
{
    polynomial *p = &run->power, wider = {.n_words = n_words};
    wider.word = pci_alloc(run->context, run->n_linear * n_words * sizeof *wider.word);
    if (!wider.word)
        return no_memory(run, run->n_linear * n_words);
    for (size_t i = 0; i < run->n_linear; i++)
        copy_wider(coefficient(&wider, i), n_words, coefficient(p, i), p->n_words);
    free_polynomial(run, p);
    *p = wider;
    return PC_OK;
}

/* Adds top * c(j) to the coefficient that ends j coefficients before end, for all j. */
static void fold(const powering *run, const uint64_t *top, uint64_t *end, size_t n_words)
{
    const pc_recurrence *recurrence = run->recurrence;
    double n_products =
        (double)run->n_linear * (double)(n_words * words_for(run->coefficient_bits));
    int n_threads = pci_threads_for(run->context, n_products);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (size_t j = 0; j < run->n_linear; j++) {
        const uint64_t *c = recurrence->number + j * recurrence->n_words;
        pci_add_multiple(end - (j + 1) * n_words, top, n_words, recurrence->is_negative[j], c,
                         pci_number_trim(c, recurrence->n_words));
    }
}

/* The power times x; its coefficients have room for coefficient_bits and a bit more. */
static pc_status multiply_by_x(powering *run)
{
    polynomial *p = &run->power;
    size_t n = run->n_linear, n_words = p->n_words;
    uint64_t *top = pci_alloc(run->context, n_words * sizeof *top);
    if (!top)
        return no_memory(run, n_words);
    memcpy(top, coefficient(p, n - 1), n_words * sizeof *top);
    memmove(coefficient(p, 1), p->word, (n - 1) * n_words * sizeof *top);
    memset(p->word, 0, n_words * sizeof *top);
    fold(run, top, p->word + n * n_words, n_words);
    pci_free(run->context, top);
    return PC_OK;
}

/* The power becomes x^exponent, exponent < L. */
static pc_status begin(powering *run, size_t exponent)
{
    free_polynomial(run, &run->power);
    run->power.n_words = 1;
    run->power.word = pci_alloc_zero(run->context, run->n_linear, sizeof(uint64_t));
    if (!run->power.word)
        return no_memory(run, run->n_linear);
    run->power.word[exponent] = 1;
    return PC_OK;
}

/* ---- Squaring -------------------------------------------------------------------------------- */

static pc_status square(powering *run)
{
    polynomial *p = &run->power;
    size_t n = run->n_linear;
    uint64_t bits = widest(run, p), sum_bits = 2 * (uint64_t)ceil(log2((double)n + 1));
    size_t n_used = words_for(bits + 1); /* after a 1 was taken off */
    size_t n_apart = words_for(2 * bits + sum_bits + run->rest_bits + run->coefficient_bits + 3);
    size_t n_packed = (n - 1) * n_apart + (n_used < n_apart ? n_used : n_apart);
    uint64_t *packed = pci_alloc(run->context, n * n_apart * sizeof *packed);
    uint64_t *product = packed ? pci_alloc(run->context, 2 * n * n_apart * sizeof *packed) : NULL;
    if (product) {
        bool is_less = false; /* the magnitude of p(0) + p(1) X + ..., X = 2^(64 n_apart) */
        for (size_t i = 0; i < n; i++) {
            uint64_t *at = packed + i * n_apart;
            copy_wider(at, n_apart, coefficient(p, i), p->n_words);
            if (is_less)
                mpn_sub_1(at, at, (mp_size_t)n_apart, 1);
            is_less = is_negative(at, n_apart);
        }
        if (is_less)
            mpn_neg(packed, packed, (mp_size_t)(n * n_apart));
        free_polynomial(run, p);
        mpn_sqr(product, packed, (mp_size_t)n_packed);
        memset(product + 2 * n_packed, 0, 2 * (n * n_apart - n_packed) * sizeof *product);
        bool was_less = false;
        for (size_t i = 0; i < 2 * n - 1; i++) { /* coefficients are taken apart in their places */
            uint64_t *at = product + i * n_apart;
            is_less = is_negative(at, n_apart);
            if (was_less)
                mpn_add_1(at, at, (mp_size_t)n_apart, 1);
            was_less = is_less;
        }
        for (size_t i = 2 * n - 2; i >= n; i--)
            fold(run, product + i * n_apart, product + i * n_apart, n_apart);
        *p = (polynomial){.n_words = n_apart, .word = product};
    }
    pci_free(run->context, packed);
    return product ? PC_OK : no_memory(run, 3 * n * n_apart);
}

/* ---- The term -------------------------------------------------------------------------------- */

/* a(0), ..., a(2 L - 1). */
static pc_status find_early(powering *run)
{
    const pc_recurrence *recurrence = run->recurrence;
    size_t n = run->n_linear, n_own = recurrence->n_words;
    double bits = pci_recurrence_term_bits(&recurrence->plan, recurrence->plan.length);
    size_t n_words = words_for((uint64_t)bits + 2);
    run->early_words = n_words = n_words > n_own ? n_words : n_own;
    run->early = pci_alloc_zero(run->context, 2 * n, n_words * sizeof *run->early);
    if (!run->early)
        return no_memory(run, 2 * n * n_words);
    for (size_t i = 0; i < 2 * n; i++) {
        uint64_t *term = run->early + i * n_words;
        if (i < n)
            memcpy(term, recurrence->number + (PC_RECURRENCE_INITIAL * n + i) * n_own,
                   n_own * sizeof *term);
        for (size_t j = 0; j < n && i >= n; j++)
            pci_add_multiple(term, term - (j + 1) * n_words, n_words, recurrence->is_negative[j],
                             recurrence->number + j * n_own, n_own);
    }
    return PC_OK;
}

/* Adds p(i) h(i) to sum[2 n_words]; room has 4 n_words words. */
static void add_product(const powering *run, size_t i, size_t r, uint64_t *room, uint64_t *sum)
{
    const polynomial *p = &run->power;
    size_t n = p->n_words, n_early = run->early_words;
    const uint64_t *own = coefficient(p, i);
    uint64_t *h = room, *magnitude = room + n, *product = room + 2 * n;
    memset(h, 0, n * sizeof *h);
    for (size_t j = 0; j < run->n_linear; j++) {
        const uint64_t *early = run->early + (i + j + r) * n_early;
        pci_add_multiple(h, coefficient(p, j), n, false, early, pci_number_trim(early, n_early));
    }
    bool is_less = is_negative(h, n) != is_negative(own, n);
    size_t n_h = magnitude_of(h, h, n), n_own = magnitude_of(magnitude, own, n);
    if (n_h == 0 || n_own == 0)
        return;
    if (n_h >= n_own)
        mpn_mul(product, h, (mp_size_t)n_h, magnitude, (mp_size_t)n_own);
    else
        mpn_mul(product, magnitude, (mp_size_t)n_own, h, (mp_size_t)n_h);
    if (is_less)
        mpn_sub(sum, sum, (mp_size_t)(2 * n), product, (mp_size_t)(n_h + n_own));
    else
        mpn_add(sum, sum, (mp_size_t)(2 * n), product, (mp_size_t)(n_h + n_own));
}

/* The sum of all p(i) h(i), by several threads, each with 6 n_words words of its own. */
static pc_status add_products(const powering *run, size_t r, uint64_t **number, size_t *n_number)
{
    size_t n = run->power.n_words, n_own = 6 * n;
    int n_threads = pci_n_threads(run->context);
    if ((size_t)n_threads > run->n_linear)
        n_threads = (int)run->n_linear;
    uint64_t *words = pci_alloc_zero(run->context, (size_t)n_threads, n_own * sizeof *words);
    if (!words)
        return no_memory(run, (size_t)n_threads * n_own);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
    for (int t = 0; t < n_threads; t++)
        for (size_t i = (size_t)t; i < run->n_linear; i += (size_t)n_threads)
            add_product(run, i, r, words + (size_t)t * n_own + 2 * n, words + (size_t)t * n_own);
    for (int t = 1; t < n_threads; t++)
        mpn_add_n(words, words, words + (size_t)t * n_own, (mp_size_t)(2 * n));
    *number = words;
    *n_number = pci_number_trim(words, 2 * n);
    return PC_OK;
}

/* The power becomes x^m. */
static pc_status make_power(powering *run, uint64_t m)
{
    const pc_recurrence *recurrence = run->recurrence;
    int shift = 0;
    for (size_t j = 0; j < run->n_linear; j++) {
        uint64_t bits =
            pci_number_bits(recurrence->number + j * recurrence->n_words, recurrence->n_words);
        run->coefficient_bits = bits > run->coefficient_bits ? bits : run->coefficient_bits;
    }
    /* The most that a coefficient of a square may gain when it is reduced: those of x^L, ..., x^(2 L - 1). */
    pc_status status = begin(run, run->n_linear - 1);
    for (size_t i = 0; i <= run->n_linear && status == PC_OK; i++) {
        uint64_t bits = widest(run, &run->power);
        size_t n_words = words_for(bits + run->coefficient_bits + 2);
        run->rest_bits = bits > run->rest_bits ? bits : run->rest_bits;
        if (n_words > run->power.n_words)
            status = widen(run, n_words + n_words / 4);
        if (status == PC_OK)
            status = multiply_by_x(run);
    }
    while (m >> shift >= run->n_linear)
        shift++;
    if (status == PC_OK)
        status = begin(run, m >> shift);
    while (shift-- > 0 && status == PC_OK) {
        status = pci_progress(run->context, "recurrence", ldexp(1, -shift - 1));
        if (status == PC_OK)
            status = square(run);
        if (status == PC_OK && m >> shift & 1)
            status = multiply_by_x(run);
    }
    return status;
}

pc_status pci_recurrence_exact_term(const pc_recurrence *recurrence, uint64_t index,
                                    uint64_t **number, size_t *n_number)
{
    powering run = {.context = recurrence->plan.context,
                    .recurrence = recurrence,
                    .n_linear = recurrence->n_linear};
    uint64_t sum_bits = (uint64_t)ceil(log2((double)run.n_linear + 1));
    pc_status status = find_early(&run);
    if (status == PC_OK)
        status = make_power(&run, index / 2);
    if (status == PC_OK)
        status =
            widen(&run, words_for(widest(&run, &run.power) + 64 * run.early_words + sum_bits + 1));
    if (status == PC_OK)
        status = add_products(&run, index % 2, number, n_number);
    free_polynomial(&run, &run.power);
    pci_free(run.context, run.early);
    return status;
}

pc_status pci_recurrence_power(const pc_recurrence *recurrence, uint64_t index, size_t n_words,
                               uint64_t **power)
{
    powering run = {.context = recurrence->plan.context,
                    .recurrence = recurrence,
                    .n_linear = recurrence->n_linear};
    pc_status status = make_power(&run, index);
    if (status == PC_OK)
        status = widen(&run, n_words);
    if (status == PC_OK)
        *power = run.power.word;
    else
        free_polynomial(&run, &run.power);
    return status;
}
