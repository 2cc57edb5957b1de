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

enum { PRIME_BITS = 60 /* at least, of a prime below 2^61 */ };

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

static pc_status make_workspace(const pc_recurrence *recurrence, workspace *work)
{
    size_t n = recurrence->n_linear;
    work->c = pci_alloc(recurrence->context, (5 * n + 2) * sizeof *work->c);
    if (!work->c)
        return pci_fail_memory(recurrence->context, "a term", (5 * n + 2) * sizeof *work->c);
    work->a = work->c + n + 1;
    work->scratch = work->a + n + 1;
    return PC_OK;
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
                              const workspace *work, pc_answer_fn deliver, void *user)
{
    pci_montgomery m = pci_montgomery_modulo(modulus);
    uint64_t term = pci_montgomery_to(&m, residue_of_term(recurrence, &m, index, work));
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

static pc_status find_exact(const pc_recurrence *recurrence, uint64_t index, double bits,
                            const workspace *work, pci_garner *garner)
{
    uint64_t prime = UINT64_C(1) << 61, known = 0;
    pc_status status = PC_OK;
    while (status == PC_OK && (double)known < bits + 2) {
        status = pci_progress(recurrence->context, "recurrence", (double)known / (bits + 2));
        prime = pci_prime_below(prime);
        pci_montgomery m = pci_montgomery_modulo(prime);
        uint64_t residue = residue_of_term(recurrence, &m, index, work);
        if (status == PC_OK)
            status = pci_garner_add(garner, &m, &residue);
        known = status == PC_OK ? pci_garner_bits(garner) : 0;
    }
    return status == PC_OK ? check(recurrence, index, garner, work) : status;
}

static pc_status take_exact(const pc_recurrence *recurrence, uint64_t index, const workspace *work,
                            pc_answer_fn deliver, void *user)
{
    double n_powers = ceil((double)index / (double)recurrence->length);
    double bits = n_powers * recurrence->length_bits + recurrence->extra_bits;
    pci_garner garner = {.context = recurrence->context, .n_values = 1};
    if (bits > PCI_MAX_BITS)
        return pci_fail(recurrence->context, PC_ERR_RANGE,
                        "term %" PRIu64
                        " may have 2^%.0f bits; count modulo a number (--mod M) instead",
                        index, log2(bits));
    pc_status status = find_exact(recurrence, index, bits, work, &garner);
    if (status == PC_OK)
        status = deliver_number(index, garner.n_words, garner.value, deliver, user);
    pci_garner_free(&garner);
    return status;
}

pc_status pc_recurrence_term(const pc_recurrence *recurrence, uint64_t n, uint64_t modulus,
                             pc_answer_fn deliver, void *user)
{
    workspace work;
    if (!recurrence)
        return PC_ERR_ARGUMENT;
    if (!deliver || modulus == 1 || modulus >> 63)
        return pci_fail(
            recurrence->context, PC_ERR_ARGUMENT,
            "pc_recurrence_term: no function, or a modulus that is not 0 and not from 2 "
            "to 2^63-1");
    pc_status status = make_workspace(recurrence, &work);
    if (status != PC_OK)
        return status;
    status = modulus > 0 ? take_modular(recurrence, n, modulus, &work, deliver, user)
                         : take_exact(recurrence, n, &work, deliver, user);
    pci_free(recurrence->context, work.c);
    return status;
}
