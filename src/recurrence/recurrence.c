/* Finds the recurrence of an answer, and proves it.
 *
 * The answers of a graph with n vertices obey a recurrence of at most N = n lengths (N is larger for paths that
 * never turn back). Modulo a prime the shortest one is found from 2 N residues (Berlekamp and Massey, 1969). It
 * is no longer than the one of the integers, because that one holds modulo the prime as well. Integer
 * coefficients come from several primes of the same, greatest length L (Garner, 1959). What they leave of an answer,
 *
 *     r(i) = a(i) - c(1) a(i-1) - ... - c(L) a(i-L),   L <= i < L + N,
 *
 * is 0 modulo each prime. When the product of the primes exceeds what |r(i)| can be, r(i) is 0. And r
 * itself obeys a recurrence of N lengths, so all of r is 0: c holds for ever, and nothing shorter does.
 *
 * Residues modulo a prime obey their own shortest recurrence, which 2 N of them give. */
#include <gmp.h>

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

/* Integers modulo the product of the primes that were added. */
typedef struct integers {
    size_t n;             /* integers */
    size_t n_words, room; /* of an integer: that are used, and that there is memory for */
    uint64_t *value;      /* [n][room]: at least 0 and below the product */
    uint64_t *product;    /* [room] of the primes */
} integers;

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
    integers integers; /* [N_PARTS][n_linear] of all primes */
} search;

/* The residues of the first n_terms answers, modulo the prime of m. */
static pc_status find_terms(search *s, const pci_montgomery *m, size_t n_terms)
{
    pc_status status = s->find_terms(s->user, m->p, n_terms, s->a);
    for (size_t i = 0; i < n_terms && status == PC_OK; i++)
        s->a[i] = pci_montgomery_of(m, s->a[i]);
    return status;
}

/* ---- Integers of their residues --------------------------------------------------------------- */

static void free_integers(search *s)
{
    pci_free(s->context, s->integers.value);
    pci_free(s->context, s->integers.product);
    s->integers.value = s->integers.product = NULL;
}

/* Makes room for one more word, or for those that are expected. */
static pc_status grow(search *s)
{
    integers *old = &s->integers, grown = *old;
    size_t room = grown.room = old->room > 0 ? old->room + old->room / 4 + 1 : s->plan->n_words;
    grown.value = pci_alloc_zero(s->context, old->n + 1, room * sizeof *grown.value);
    grown.product = pci_alloc_zero(s->context, room, sizeof *grown.product);
    if (!grown.value || !grown.product) {
        pci_free(s->context, grown.value);
        pci_free(s->context, grown.product);
        return pci_fail_memory(s->context, "a recurrence", old->n * room * sizeof *grown.value);
    }
    for (size_t i = 0; i < old->n && old->n_words > 0; i++)
        memcpy(grown.value + i * room, old->value + i * old->room,
               old->n_words * sizeof *grown.value);
    if (old->n_words > 0)
        memcpy(grown.product, old->product, old->n_words * sizeof *grown.product);
    free_integers(s);
    *old = grown;
    return PC_OK;
}

static uint64_t residue_of(const pci_montgomery *m, const uint64_t *value, size_t n_words)
{
    return n_words > 0 ? pci_montgomery_of(m, mpn_mod_1(value, (mp_size_t)n_words, m->p)) : 0;
}

/* Adds a prime, which differs from those before, with the residue of each integer. With x known modulo the
 * product M, x + M t is known modulo M p for t = (r - x) / M modulo p. PC_ERR_MEMORY: then nothing is changed. */
static pc_status add_residues(search *s, const pci_montgomery *m, const uint64_t *residues)
{
    integers *all = &s->integers;
    size_t n = all->n_words, n_product = n > 0 ? n : 1;
    pc_status status = n == all->room ? grow(s) : PC_OK;
    if (status != PC_OK)
        return status;
    if (n == 0)
        all->product[0] = 1;
    uint64_t inverse = pci_montgomery_invert(m, residue_of(m, all->product, n_product));
    for (size_t i = 0; i < all->n; i++) {
        uint64_t *value = all->value + i * all->room;
        uint64_t rest = pci_montgomery_subtract(m, residues[i], residue_of(m, value, n));
        uint64_t factor = pci_montgomery_to(m, pci_montgomery_multiply(m, rest, inverse));
        if (n == 0)
            value[0] = factor;
        else
            value[n] = mpn_addmul_1(value, all->product, (mp_size_t)n, factor);
    }
    uint64_t carry = mpn_mul_1(all->product, all->product, (mp_size_t)n_product, m->p);
    if (n > 0)
        all->product[n] = carry;
    all->n_words = n + 1;
    return PC_OK;
}

/* The magnitude of integer i, taken with the sign that makes it smaller, in magnitude[n_words]; returns whether
 * it is below 0. That is right for magnitudes of at least two bits fewer than the product has. */
static bool take_signed(const integers *all, size_t i, uint64_t *magnitude)
{
    const uint64_t *value = all->value + i * all->room;
    mp_size_t n = (mp_size_t)all->n_words;
    if (n == 0)
        return false;
    mpn_sub_n(magnitude, all->product, value, n);
    bool is_less = mpn_cmp(magnitude, value, n) < 0;
    if (!is_less)
        mpn_copyi(magnitude, value, n);
    return is_less;
}

/* ---- One prime ------------------------------------------------------------------------------- */

size_t pci_shortest_recurrence(const pci_montgomery *m, size_t n, const uint64_t *a, uint64_t *c,
                               uint64_t *scratch)
{
    /* The last recurrence that was shorter, the index where it failed, and what it left there. */
    uint64_t *before = scratch, *kept = scratch + n + 1, left = m->one;
    size_t n_linear = 0, n_before = 0, age = 1;
    memset(c, 0, (n + 1) * sizeof *c);
    memset(before, 0, (n + 1) * sizeof *before);
    for (size_t i = 0; i < n; i++, age++) {
        uint64_t rest = a[i];
        for (size_t j = 1; j <= n_linear; j++)
            rest = pci_montgomery_subtract(m, rest, pci_montgomery_multiply(m, c[j], a[i - j]));
        if (rest == 0)
            continue;
        uint64_t factor = pci_montgomery_multiply(m, rest, pci_montgomery_invert(m, left));
        bool grows = 2 * n_linear <= i;
        if (grows)
            memcpy(kept, c, (n_linear + 1) * sizeof *c);
        /* c is 1 - c[1] x - ..., so what the one before says is taken off with its sign turned. */
        c[age] = pci_montgomery_add(m, c[age], factor);
        for (size_t j = 1; j <= n_before; j++)
            c[age + j] = pci_montgomery_subtract(m, c[age + j],
                                                 pci_montgomery_multiply(m, factor, before[j]));
        if (!grows)
            continue;
        memset(before, 0, (n + 1) * sizeof *before);
        memcpy(before, kept, (n_linear + 1) * sizeof *c);
        n_before = n_linear;
        n_linear = i + 1 - n_linear;
        left = rest;
        age = 0;
    }
    return n_linear;
}

/* Adds a prime. A recurrence that is shorter modulo it than modulo others says nothing; one that is longer begins
 * anew. */
static pc_status add_prime(search *s, uint64_t prime)
{
    pci_montgomery m = pci_montgomery_modulo(prime);
    size_t n_terms = 2 * s->plan->n_dimension;
    pc_status status = find_terms(s, &m, n_terms);
    if (status != PC_OK)
        return status;
    size_t n = pci_shortest_recurrence(&m, n_terms, s->a, s->c, s->scratch);
    if (n < s->n_linear)
        return PC_OK;
    if (n > s->n_linear || !s->found) {
        free_integers(s);
        pci_free(s->context, s->found);
        s->n_linear = n;
        s->integers = (integers){.n = N_PARTS * n};
        s->found = pci_alloc(s->context, (N_PARTS * n + 1) * sizeof *s->found);
        if (!s->found)
            return pci_fail_memory(s->context, "a recurrence", n * 24);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t numerator = s->a[i];
        for (size_t j = 1; j <= i; j++)
            numerator = pci_montgomery_subtract(&m, numerator,
                                                pci_montgomery_multiply(&m, s->c[j], s->a[i - j]));
        s->found[i] = s->c[i + 1];
        s->found[n + i] = s->a[i];
        s->found[2 * n + i] = numerator;
    }
    return add_residues(s, &m, s->found);
}

/* ---- Enough primes --------------------------------------------------------------------------- */

/* Primes are added until their product exceeds what a rest can be, whose limit needs one of 1 + |c(1)| + ... + |c(L)|. */
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
        if (status != PC_OK)
            break;
        size_t n_words = s->integers.n_words;
        uint64_t *magnitude = pci_alloc(s->context, (n_words + 1) * sizeof *magnitude), most = 0;
        if (!magnitude)
            return pci_fail_memory(s->context, "a recurrence", n_words * sizeof *magnitude);
        for (size_t i = 0; i < s->n_linear; i++) {
            take_signed(&s->integers, i, magnitude);
            uint64_t width = pci_number_bits(magnitude, n_words);
            most = width > most ? width : most;
        }
        pci_free(s->context, magnitude);
        needed = (double)most + log2((double)s->n_linear + 1) + s->plan->term_bits + 3;
        bits = (double)pci_number_bits(s->integers.product, n_words);
    }
    return status;
}

/* ---- The result ------------------------------------------------------------------------------ */

static pc_status keep(const search *s, pc_recurrence *made)
{
    size_t n = s->n_linear, n_words = s->integers.n_words;
    made->n_linear = made->plan.n_linear = n;
    made->n_words = made->plan.n_words = n_words;
    made->number = pci_alloc(s->context, (N_PARTS * n * n_words + 1) * sizeof *made->number);
    made->is_negative = pci_alloc(s->context, N_PARTS * n + 1);
    if (!made->number || !made->is_negative)
        return pci_fail_memory(s->context, "a recurrence", N_PARTS * n * n_words * 8);
    for (size_t i = 0; i < N_PARTS * n; i++) {
        uint64_t *number = made->number + i * n_words;
        made->is_negative[i] = !s->plan->prime && take_signed(&s->integers, i, number);
        if (s->plan->prime)
            *number = s->integers.value[i * s->integers.room];
    }
    made->info.n_initial = n;
    made->info.n_terms = 2 * s->plan->n_dimension;
    made->info.n_primes = (uint32_t)n_words;
    return PC_OK;
}

/* Number i of all parts, modulo m. */
static uint64_t number_modulo(const pc_recurrence *recurrence, size_t i, uint64_t m)
{
    size_t n_words = recurrence->n_words;
    uint64_t rest = mpn_mod_1(recurrence->number + i * n_words, (mp_size_t)n_words, m);
    return recurrence->is_negative[i] && rest > 0 ? m - rest : rest;
}

void pci_recurrence_reduce(const pc_recurrence *recurrence, const pci_montgomery *m,
                           pc_recurrence_part part, uint64_t *to)
{
    size_t n = recurrence->n_linear, at = part == PC_RECURRENCE_COEFFICIENT;
    to[0] = 0;
    for (size_t i = 0; i < n; i++)
        to[i + at] = pci_montgomery_of(m, number_modulo(recurrence, (size_t)part * n + i, m->p));
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

static pc_status find(search *s, pc_recurrence *made)
{
    pc_context *context = s->context;
    s->n_room = 2 * s->plan->n_dimension + NEW_TERMS;
    s->a = pci_alloc(context, s->n_room * sizeof *s->a);
    s->c = pci_alloc(context, (s->n_room + 1) * sizeof *s->c);
    s->scratch = pci_alloc(context, 2 * (s->n_room + 1) * sizeof *s->scratch);
    pc_status status = s->a && s->c && s->scratch
                           ? PC_OK
                           : pci_fail_memory(context, "a recurrence", 4 * s->n_room * sizeof *s->a);
    if (status == PC_OK)
        status = search_all(s);
    if (status == PC_OK)
        status = keep(s, made);
    uint64_t prime = s->plan->prime; /* checked once; integers modulo random primes */
    for (int r = 0; status == PC_OK && r < s->plan->n_rounds && (r == 0 || !s->plan->prime); r++) {
        if (!s->plan->prime)
            status = pci_random_prime(context, &prime);
        if (status == PC_OK)
            status = check_prime(s, made, prime);
    }
    free_integers(s);
    pci_free(context, s->a);
    pci_free(context, s->c);
    pci_free(context, s->scratch);
    pci_free(context, s->found);
    return status;
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
    pc_recurrence_info *info = &made->info;
    info->modulus = plan->modulus;
    info->is_shortest = plan->modulus == plan->prime;
    if (status != PC_OK) {
        pc_recurrence_free(made);
        return status;
    }
    size_t n_words = made->n_words;
    for (size_t i = 0; i < N_PARTS * made->n_linear && !info->is_shortest; i++) {
        uint64_t *number = made->number + i * n_words; /* the modulus is not prime */
        uint64_t rest = number_modulo(made, i, plan->modulus);
        memset(number, 0, n_words * sizeof *number);
        *number = rest;
        made->is_negative[i] = 0;
    }
    info->order = info->n_initial; /* coefficients of 0 at the end belong to the start */
    while (info->order > 0 && !pci_number_trim(made->number + (info->order - 1) * n_words, n_words))
        info->order--;
    info->start = info->n_initial - info->order;
    *recurrence = made;
    return PC_OK;
}

void pc_recurrence_free(pc_recurrence *recurrence)
{
    if (!recurrence)
        return;
    pci_free(recurrence->plan.context, recurrence->number);
    pci_free(recurrence->plan.context, recurrence->is_negative);
    pci_free(recurrence->plan.context, recurrence);
}
