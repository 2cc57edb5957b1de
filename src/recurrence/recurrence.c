/* Finds the recurrence of an answer, and proves it.
 *
 * The answers of a graph with n vertices obey a recurrence of at most N = n lengths (N is larger for paths that
 * never turn back). Modulo a prime the shortest one is found from 2 N residues. It is no longer than the
 * one of the integers, because that one holds modulo the prime as well. Integer coefficients come from
 * several primes of the same, greatest length L. What they leave of an answer,
 *
 *     r(i) = a(i) - c(1) a(i-1) - ... - c(L) a(i-L),   L <= i < L + N,
 *
 * is 0 modulo each prime. When the product of the primes exceeds what |r(i)| can be, r(i) is 0. And r
 * itself obeys a recurrence of N lengths, so all of r is 0: c holds for ever, and nothing shorter does.
 *
 * Residues modulo a prime obey their own shortest recurrence, which 2 N of them give. */
#include <gmp.h>

#include "src/residues/field.h"
#include "src/recurrence/recurrence.h"

#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/residues/residues.h"

#include <math.h>
#include <string.h>

enum {
    N_PARTS = 3,
    NEW_TERMS = 16 /* beyond those that the recurrence is found from, for the last check */
};

typedef struct search {
    pc_context *context;
    const pci_recurrence_plan *plan;
    pci_terms_fn find_terms;
    void *user;
    size_t n_room;     /* residues that there is memory for */
    uint64_t *a, *c;   /* [n_room], [n_room + 1]: residues, and their recurrence */
    uint64_t *scratch; /* [2][n_room + 1] */
    uint64_t *found;   /* [N_PARTS][n_linear] of a prime */
    size_t n_linear;
    pci_garner garner;
} search;

/* The residues of the first n_terms answers, modulo the prime of m. */
static pc_status find_terms(search *s, const pci_montgomery *m, size_t n_terms)
{
    pc_status status = s->find_terms(s->user, m->p, n_terms, s->a);
    for (size_t i = 0; i < n_terms && status == PC_OK; i++)
        s->a[i] = pci_montgomery_of(m, s->a[i]);
    return status;
}

/* ---- One prime ------------------------------------------------------------------------------- */

/* Puts the parts of the recurrence c of a into found. */
static void note_parts(search *s, const pci_montgomery *m)
{
    size_t n = s->n_linear;
    for (size_t i = 0; i < n; i++) {
        uint64_t numerator = s->a[i];
        for (size_t j = 1; j <= i; j++)
            numerator = pci_montgomery_subtract(m, numerator,
                                                pci_montgomery_multiply(m, s->c[j], s->a[i - j]));
        s->found[i] = s->c[i + 1];
        s->found[n + i] = s->a[i];
        s->found[2 * n + i] = numerator;
    }
}

/* Begins anew, with primes of a recurrence that is longer than those before. */
static pc_status lengthen(search *s, size_t n_linear)
{
    pci_garner_free(&s->garner);
    pci_free(s->context, s->found);
    s->n_linear = n_linear;
    s->garner = (pci_garner){
        .context = s->context, .n_values = N_PARTS * n_linear, .first_room = s->plan->n_words};
    s->found = pci_alloc(s->context, (N_PARTS * n_linear + 1) * sizeof *s->found);
    return s->found ? PC_OK : pci_fail_memory(s->context, "a recurrence", n_linear * 24);
}

/* Adds a prime. A recurrence that is shorter modulo it than modulo others says nothing. */
static pc_status add_prime(search *s, uint64_t prime)
{
    pci_montgomery m = pci_montgomery_modulo(prime);
    size_t n_terms = 2 * s->plan->n_dimension;
    pc_status status = find_terms(s, &m, n_terms);
    if (status != PC_OK)
        return status;
    size_t n_linear = pci_shortest_recurrence(&m, n_terms, s->a, s->c, s->scratch);
    if (n_linear < s->n_linear)
        return PC_OK;
    if (n_linear > s->n_linear || !s->found)
        status = lengthen(s, n_linear);
    if (status != PC_OK)
        return status;
    note_parts(s, &m);
    return pci_garner_add(&s->garner, &m, s->found);
}

/* ---- Enough primes --------------------------------------------------------------------------- */

/* log2 of a limit of 1 + |c(1)| + ... + |c(L)|, as they are now. */
static pc_status coefficient_bits(const search *s, double *bits)
{
    size_t n_words = s->garner.n_words;
    uint64_t *magnitude = pci_alloc(s->context, (n_words + 1) * sizeof *magnitude), most = 0;
    if (!magnitude)
        return pci_fail_memory(s->context, "a recurrence", n_words * sizeof *magnitude);
    for (size_t i = 0; i < s->n_linear; i++) {
        pci_garner_signed(&s->garner, i, magnitude);
        uint64_t width = pci_number_bits(magnitude, n_words);
        most = width > most ? width : most;
    }
    pci_free(s->context, magnitude);
    *bits = (double)most + log2((double)s->n_linear + 1);
    return PC_OK;
}

static pc_status search_all(search *s)
{
    if (s->plan->prime)
        return add_prime(s, s->plan->prime);
    double bits = 0, needed = 1;
    uint64_t prime = UINT64_C(1) << 61;
    pc_status status = PC_OK;
    while (status == PC_OK && bits < needed) {
        status = pci_progress(s->context, "recurrence", fmin(1, bits / needed));
        prime = pci_prime_below(prime);
        if (status == PC_OK)
            status = add_prime(s, prime);
        if (status == PC_OK)
            status = coefficient_bits(s, &needed);
        needed += s->plan->term_bits + 3;
        bits = (double)pci_garner_bits(&s->garner);
    }
    return status;
}

/* ---- The result ------------------------------------------------------------------------------ */

static pc_status keep(const search *s, pc_recurrence *made)
{
    size_t n = s->n_linear, n_words = s->garner.n_words;
    made->n_linear = made->plan.n_linear = n;
    made->n_words = made->plan.n_words = n_words;
    made->number = pci_alloc(s->context, (N_PARTS * n * n_words + 1) * sizeof *made->number);
    made->is_negative = pci_alloc(s->context, N_PARTS * n + 1);
    if (!made->number || !made->is_negative)
        return pci_fail_memory(s->context, "a recurrence", N_PARTS * n * n_words * 8);
    for (size_t i = 0; i < N_PARTS * n; i++) {
        uint64_t *number = made->number + i * n_words;
        made->is_negative[i] = !s->plan->prime && pci_garner_signed(&s->garner, i, number);
        if (s->plan->prime)
            *number = s->garner.value[i * s->garner.room];
    }
    made->info.n_initial = n;
    made->info.n_terms = 2 * s->plan->n_dimension;
    made->info.n_primes = (uint32_t)n_words;
    return PC_OK;
}

/* Takes coefficients of the integers modulo a number that is not prime. */
static void reduce_numbers(uint64_t modulus, pc_recurrence *made)
{
    size_t n_words = made->n_words;
    for (size_t i = 0; i < N_PARTS * made->n_linear; i++) {
        uint64_t *number = made->number + i * n_words;
        uint64_t rest = mpn_mod_1(number, (mp_size_t)n_words, modulus);
        memset(number, 0, n_words * sizeof *number);
        *number = made->is_negative[i] && rest > 0 ? modulus - rest : rest;
        made->is_negative[i] = 0;
    }
}

/* Coefficients of 0 at the end belong to the start. */
static void find_order(pc_recurrence *made)
{
    pc_recurrence_info *info = &made->info;
    size_t n_words = made->n_words;
    info->order = info->n_initial;
    while (info->order > 0 && !pci_number_trim(made->number + (info->order - 1) * n_words, n_words))
        info->order--;
    info->start = info->n_initial - info->order;
}

void pci_recurrence_reduce(const pc_recurrence *recurrence, const pci_montgomery *m,
                           pc_recurrence_part part, uint64_t *to)
{
    size_t n = recurrence->n_linear, n_words = recurrence->n_words, first = (size_t)part * n;
    size_t at = part == PC_RECURRENCE_COEFFICIENT;
    to[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *number = recurrence->number + (first + i) * n_words;
        uint64_t rest = mpn_mod_1(number, (mp_size_t)n_words, m->p);
        if (recurrence->is_negative[first + i] && rest > 0)
            rest = m->p - rest;
        to[i + at] = pci_montgomery_of(m, rest);
    }
}

/* Holds the recurrence against residues modulo that prime, of terms too that it was not found from. */
static pc_status check_prime(search *s, const pc_recurrence *made, uint64_t prime)
{
    size_t n = made->n_linear, n_terms = 2 * s->plan->n_dimension + NEW_TERMS;
    pci_montgomery m = pci_montgomery_modulo(prime);
    pc_status status = find_terms(s, &m, n_terms);
    if (status != PC_OK)
        return status;
    uint64_t *initial = s->scratch;
    pci_recurrence_reduce(made, &m, PC_RECURRENCE_INITIAL, initial);
    bool holds = n == 0 || memcmp(initial, s->a, n * sizeof *initial) == 0;
    pci_recurrence_reduce(made, &m, PC_RECURRENCE_COEFFICIENT, s->c);
    for (size_t i = n; i < n_terms; i++) {
        uint64_t term = 0;
        for (size_t j = 1; j <= n; j++)
            term = pci_montgomery_add(&m, term, pci_montgomery_multiply(&m, s->c[j], s->a[i - j]));
        holds = holds && term == s->a[i];
    }
    return holds ? PC_OK : pci_fail_check(s->context, "a recurrence");
}

/* The same modulo random primes, or once modulo its own. */
static pc_status check(search *s, const pc_recurrence *made)
{
    uint64_t prime = s->plan->prime;
    pc_status status = PC_OK;
    if (prime)
        return s->plan->n_rounds > 0 ? check_prime(s, made, prime) : PC_OK;
    for (int round = 0; round < s->plan->n_rounds && status == PC_OK; round++) {
        status = pci_random_prime(s->context, &prime);
        if (status == PC_OK)
            status = check_prime(s, made, prime);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status prepare(search *s)
{
    pc_context *context = s->context;
    s->n_room = 2 * s->plan->n_dimension + NEW_TERMS;
    s->a = pci_alloc(context, s->n_room * sizeof *s->a);
    s->c = pci_alloc(context, (s->n_room + 1) * sizeof *s->c);
    s->scratch = pci_alloc(context, 2 * (s->n_room + 1) * sizeof *s->scratch);
    return s->a && s->c && s->scratch
               ? PC_OK
               : pci_fail_memory(context, "a recurrence", 4 * s->n_room * sizeof *s->a);
}

static void free_search(search *s)
{
    pci_garner_free(&s->garner);
    pci_free(s->context, s->a);
    pci_free(s->context, s->c);
    pci_free(s->context, s->scratch);
    pci_free(s->context, s->found);
}

static pc_status find(search *s, pc_recurrence *made)
{
    pc_status status = prepare(s);
    if (status == PC_OK)
        status = search_all(s);
    if (status == PC_OK)
        status = keep(s, made);
    return status == PC_OK ? check(s, made) : status;
}

pc_status pci_recurrence_find(const pci_recurrence_plan *plan, pci_terms_fn find_terms, void *user,
                              pc_recurrence **recurrence)
{
    pc_context *context = plan->context;
    search s = {.context = context, .plan = plan, .find_terms = find_terms, .user = user};
    pc_recurrence *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a recurrence", sizeof *made);
    made->plan = *plan;
    made->plan.graph = NULL; /* need not outlive the recurrence, as what query points to */
    made->plan.query = (pc_query){.kind = plan->query.kind};
    pc_status status = find(&s, made);
    free_search(&s);
    made->info.modulus = plan->modulus;
    made->info.is_shortest = plan->modulus == plan->prime;
    if (status == PC_OK && !made->info.is_shortest)
        reduce_numbers(plan->modulus, made);
    find_order(made);
    if (status == PC_OK)
        *recurrence = made;
    else
        pc_recurrence_free(made);
    return status;
}

void pc_recurrence_free(pc_recurrence *recurrence)
{
    if (!recurrence)
        return;
    pci_free(recurrence->plan.context, recurrence->number);
    pci_free(recurrence->plan.context, recurrence->is_negative);
    pci_free(recurrence->plan.context, recurrence);
}
