/* Terms far out, and the numbers of a recurrence as text. */
#include "src/recurrence/field.h"
#include "src/recurrence/recurrence.h"

#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/plan/bound.h"

#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    PRIME_BITS = 61,
    BATCH = 64 /* primes between two questions whether to go on */
};

void pc_recurrence_get_info(const pc_recurrence *recurrence, pc_recurrence_info *info)
{
    if (info)
        *info = recurrence ? recurrence->info : (pc_recurrence_info){0};
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* The place of a number of a part; n_linear * 3 when there is none. */
static size_t place_of(const pc_recurrence *recurrence, pc_recurrence_part part, uint64_t i)
{
    size_t n = recurrence->n_linear, none = 3 * n;
    if (part == PC_RECURRENCE_COEFFICIENT)
        return i >= 1 && i <= recurrence->info.order ? i - 1 : none;
    bool is_part = part == PC_RECURRENCE_INITIAL || part == PC_RECURRENCE_NUMERATOR;
    return is_part && i < n ? (size_t)part * n + i : none;
}

pc_status pc_recurrence_text(const pc_recurrence *recurrence, pc_recurrence_part part, uint64_t i,
                             char *buffer, size_t size, size_t *length)
{
    size_t place = recurrence ? place_of(recurrence, part, i) : 0;
    if (!recurrence || place == 3 * recurrence->n_linear || (!buffer && size > 0))
        return PC_ERR_ARGUMENT;
    pc_rows number = {.n_rows = 1,
                      .n_columns = 1,
                      .n_limbs = (uint32_t)recurrence->n_words,
                      .limbs = recurrence->number + place * recurrence->n_words};
    bool is_negative = recurrence->is_negative[place];
    size_t digits = 0;
    pc_status status = pc_rows_text(&number, 0, NULL, 0, &digits);
    if (status != PC_OK && status != PC_ERR_RANGE)
        return status;
    if (length)
        *length = digits + is_negative;
    if (digits + is_negative >= size)
        return PC_ERR_RANGE;
    if (is_negative)
        *buffer++ = '-';
    return pc_rows_text(&number, 0, buffer, digits + 1, NULL);
}

/* ---- Terms ----------------------------------------------------------------------------------- */

/* Memory for a term modulo a number. */
typedef struct workspace {
    uint64_t *c, *a, *scratch; /* [n + 1], [n], [3 n] */
} workspace;

static size_t workspace_words(const pc_recurrence *recurrence)
{
    return 5 * recurrence->n_linear + 2;
}

static workspace workspace_in(const pc_recurrence *recurrence, uint64_t *words)
{
    size_t n = recurrence->n_linear;
    return (workspace){.c = words, .a = words + n + 1, .scratch = words + 2 * n + 2};
}

/* a(index), as montgomery.h represents it. */
static uint64_t residue_of_term(const pc_recurrence *recurrence, const pci_montgomery *m,
                                uint64_t index, const workspace *work)
{
    if (recurrence->n_linear == 0)
        return 0;
    pci_recurrence_reduce(recurrence, m, PC_RECURRENCE_COEFFICIENT, work->c);
    pci_recurrence_reduce(recurrence, m, PC_RECURRENCE_INITIAL, work->a);
    return index < recurrence->n_linear ? work->a[index]
                                        : pci_recurrence_term(m, recurrence->n_linear, work->c,
                                                              work->a, index, work->scratch);
}

static pc_status deliver_number(uint64_t index, size_t n_words, const uint64_t *words,
                                pc_answer_fn deliver, void *user)
{
    size_t n_limbs = pci_number_trim(words, n_words);
    pc_rows rows = {.n_rows = 1,
                    .n_columns = 1,
                    .n_limbs = n_limbs > 0 ? (uint32_t)n_limbs : 1,
                    .limbs = words};
    return deliver(user, index, &rows);
}

static pc_status take_modular(const pc_recurrence *recurrence, uint64_t index, uint64_t modulus,
                              uint64_t *words, pc_answer_fn deliver, void *user)
{
    workspace work = workspace_in(recurrence, words);
    pci_montgomery m = pci_montgomery_modulo(modulus);
    uint64_t term = pci_montgomery_to(&m, residue_of_term(recurrence, &m, index, &work));
    return deliver_number(index, 1, &term, deliver, user);
}

/* Whether the term agrees with the recurrence modulo a random prime. */
static pc_status check(const pc_recurrence *recurrence, uint64_t index, const pci_garner *garner,
                       const workspace *work)
{
    uint64_t prime;
    pc_status status = pci_random_prime(recurrence->context, &prime);
    if (status != PC_OK)
        return status;
    pci_montgomery m = pci_montgomery_modulo(prime);
    uint64_t expected = pci_montgomery_to(&m, residue_of_term(recurrence, &m, index, work));
    uint64_t found = mpn_mod_1(garner->value, (mp_size_t)garner->n_words, prime);
    return found == expected ? PC_OK : pci_fail_check(recurrence->context, "a term");
}

/* The residues of a term modulo n primes, by several threads. */
static void find_residues(const pc_recurrence *recurrence, uint64_t index, int n_threads,
                          uint64_t *words, int n, const pci_montgomery *m, uint64_t *residues)
{
    size_t n_words = workspace_words(recurrence);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
    for (int t = 0; t < n_threads; t++) {
        workspace work = workspace_in(recurrence, words + (size_t)t * n_words);
        for (int i = t; i < n; i += n_threads)
            residues[i] = residue_of_term(recurrence, &m[i], index, &work);
    }
}

/* words has room for a workspace of each thread. */
static pc_status find_exact(const pc_recurrence *recurrence, uint64_t index, double bits,
                            int n_threads, uint64_t *words, pci_garner *garner)
{
    uint64_t prime = UINT64_C(1) << 61, known = 0, residues[BATCH];
    pci_montgomery m[BATCH];
    pc_status status = PC_OK;
    while (status == PC_OK && (double)known < bits + 2) {
        status = pci_progress(recurrence->context, "recurrence", (double)known / (bits + 2));
        double n_wanted = (bits + 2 - (double)known) / PRIME_BITS + 1;
        int n = n_wanted < BATCH ? (int)n_wanted : BATCH;
        for (int i = 0; i < n; i++)
            m[i] = pci_montgomery_modulo(prime = pci_prime_below(prime));
        if (status == PC_OK)
            find_residues(recurrence, index, n_threads, words, n, m, residues);
        for (int i = 0; i < n && status == PC_OK; i++)
            status = pci_garner_add(garner, &m[i], &residues[i]);
        known = status == PC_OK ? pci_garner_bits(garner) : 0;
    }
    workspace work = workspace_in(recurrence, words);
    return status == PC_OK ? check(recurrence, index, garner, &work) : status;
}

static pc_status take_exact(const pc_recurrence *recurrence, uint64_t index, int n_threads,
                            uint64_t *words, pc_answer_fn deliver, void *user)
{
    double n_powers = ceil((double)index / (double)recurrence->length);
    double bits = n_powers * recurrence->length_bits + recurrence->extra_bits;
    pci_garner garner = {.context = recurrence->context, .n_values = 1};
    if (bits > PCI_MAX_BITS)
        return pci_fail(recurrence->context, PC_ERR_RANGE,
                        "term %" PRIu64
                        " may have 2^%.0f bits; count modulo a number (--mod M) instead",
                        index, log2(bits));
    pc_status status = find_exact(recurrence, index, bits, n_threads, words, &garner);
    if (status == PC_OK)
        status = deliver_number(index, garner.n_words, garner.value, deliver, user);
    pci_garner_free(&garner);
    return status;
}

pc_status pc_recurrence_term(const pc_recurrence *recurrence, uint64_t n, uint64_t modulus,
                             pc_answer_fn deliver, void *user)
{
    if (!recurrence)
        return PC_ERR_ARGUMENT;
    pc_context *context = recurrence->context;
    uint64_t own = recurrence->info.modulus;
    if (!deliver || modulus == 1 || modulus >> 63 || (own && own != modulus))
        return pci_fail(
            context, PC_ERR_ARGUMENT,
            "pc_recurrence_term: no function, or a modulus that is not 0 and not from 2 "
            "to 2^63-1, or not that of the recurrence");
    int n_threads = modulus > 0 ? 1 : pci_n_threads(context);
    size_t n_words = (size_t)n_threads * workspace_words(recurrence);
    uint64_t *words = pci_alloc(context, n_words * sizeof *words);
    if (!words)
        return pci_fail_memory(context, "a term", n_words * sizeof *words);
    pc_status status = modulus > 0 ? take_modular(recurrence, n, modulus, words, deliver, user)
                                   : take_exact(recurrence, n, n_threads, words, deliver, user);
    pci_free(context, words);
    return status;
}
