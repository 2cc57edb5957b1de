/* Terms far out, and the numbers of a recurrence as text. */
#include "src/recurrence/recurrence.h"

#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/plan/limits.h"

#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Wider numbers may have so many primes of 61 bits as factors that they are checked by another one. */
enum { MOST_WORDS = 9000 };

void pc_recurrence_get_info(const pc_recurrence *recurrence, pc_recurrence_info *info)
{
    if (info)
        *info = recurrence ? recurrence->info : (pc_recurrence_info){0};
}

/* ---- Text ------------------------------------------------------------------------------------ */

pc_status pc_recurrence_text(const pc_recurrence *recurrence, pc_recurrence_part part, uint64_t i,
                             char *buffer, size_t size, size_t *length)
{
    bool is_coefficient = part == PC_RECURRENCE_COEFFICIENT;
    bool is_part =
        is_coefficient || part == PC_RECURRENCE_INITIAL || part == PC_RECURRENCE_NUMERATOR;
    if (!recurrence || !is_part || (!buffer && size > 0) || (is_coefficient && i == 0) ||
        i >= (is_coefficient ? recurrence->info.order + 1 : recurrence->n_linear))
        return PC_ERR_ARGUMENT;
    size_t place = is_coefficient ? i - 1 : (size_t)part * recurrence->n_linear + i;
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

/* a[index] of the sequence that begins with a[0], ..., a[L-1] and obeys c[1], ..., c[L], L >= 1. room[3 L]. */
static uint64_t term_of(const pci_montgomery *m, size_t n_linear, const uint64_t *c,
                        const uint64_t *a, uint64_t index, uint64_t *room)
{
    uint64_t *power = room, *product = room + n_linear, term = 0;
    memset(power, 0, n_linear * sizeof *power);
    power[0] = m->one;
    for (int bit = 64; bit-- > 0;) {
        if (!(index >> bit))
            continue;
        memset(product, 0, 2 * n_linear * sizeof *product);
        for (size_t i = 0; i < n_linear; i++)
            for (size_t j = 0; j < n_linear; j++)
                product[i + j] = pci_montgomery_add(m, product[i + j],
                                                    pci_montgomery_multiply(m, power[i], power[j]));
        bool by_x = index >> bit & 1;
        size_t top = 2 * n_linear - 1 + by_x;
        if (by_x) {
            memmove(product + 1, product, (top - 1) * sizeof *product);
            product[0] = 0;
        }
        for (size_t i = top; i-- > n_linear;) /* x^L is c[1] x^(L-1) + ... + c[L] */
            for (size_t j = 1; j <= n_linear; j++)
                product[i - j] = pci_montgomery_add(m, product[i - j],
                                                    pci_montgomery_multiply(m, product[i], c[j]));
        memcpy(power, product, n_linear * sizeof *power);
    }
    for (size_t i = 0; i < n_linear; i++)
        term = pci_montgomery_add(m, term, pci_montgomery_multiply(m, power[i], a[i]));
    return term;
}

/* Words of memory for a term modulo a number. */
static size_t room_words(const pc_recurrence *recurrence)
{
    return 5 * recurrence->n_linear + 2;
}

/* a(index), as residues.h represents it. */
static uint64_t residue_of_term(const pc_recurrence *recurrence, const pci_montgomery *m,
                                uint64_t index, uint64_t *room)
{
    size_t n = recurrence->n_linear;
    uint64_t *c = room, *a = room + n + 1;
    if (n == 0)
        return 0;
    pci_recurrence_reduce(recurrence, m, PC_RECURRENCE_COEFFICIENT, c);
    pci_recurrence_reduce(recurrence, m, PC_RECURRENCE_INITIAL, a);
    return index < n ? a[index] : term_of(m, n, c, a, index, a + n + 1);
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

/* Residues are made twice, and compared. */
static pc_status take_modular(const pc_recurrence *recurrence, uint64_t index, uint64_t modulus,
                              pc_answer_fn deliver, void *user)
{
    pc_context *context = recurrence->plan.context;
    size_t n_words = room_words(recurrence);
    uint64_t *words = pci_alloc(context, n_words * sizeof *words);
    if (!words)
        return pci_fail_memory(context, "a term", n_words * sizeof *words);
    pci_montgomery m = pci_montgomery_modulo(modulus);
    uint64_t term = residue_of_term(recurrence, &m, index, words), again = term;
    if (recurrence->plan.n_rounds)
        again = residue_of_term(recurrence, &m, index, words);
    pci_free(context, words);
    if (term != again)
        return pci_fail_check(context, "a term");
    term = pci_montgomery_to(&m, term);
    return deliver_number(index, 1, &term, deliver, user);
}

pc_status pci_recurrence_check_term(const pc_recurrence *recurrence, uint64_t index,
                                    const uint64_t *number, size_t n_number)
{
    pc_context *context = recurrence->plan.context;
    int n_rounds = recurrence->plan.n_rounds;
    size_t n_words = room_words(recurrence);
    uint64_t prime, *words = pci_alloc(context, n_words * sizeof *words);
    pc_status status = words ? PC_OK : pci_fail_memory(context, "a term", n_words * sizeof *words);
    n_rounds += n_rounds > 0 && n_number > MOST_WORDS;
    for (int round = 0; round < n_rounds && status == PC_OK; round++) {
        status = pci_random_prime(context, &prime);
        if (status != PC_OK)
            break;
        pci_montgomery m = pci_montgomery_modulo(prime);
        uint64_t expected = pci_montgomery_to(&m, residue_of_term(recurrence, &m, index, words));
        uint64_t found = n_number > 0 ? mpn_mod_1(number, (mp_size_t)n_number, prime) : 0;
        if (found != expected)
            status = pci_fail_check(context, "a term");
    }
    pci_free(context, words);
    return status;
}

static pc_status take_exact(const pc_recurrence *recurrence, uint64_t index, pc_answer_fn deliver,
                            void *user)
{
    pc_context *context = recurrence->plan.context;
    double bits = pci_recurrence_term_bits(&recurrence->plan, index);
    uint64_t *number = NULL;
    size_t n_number = 0;
    if (bits > PCI_MAX_BITS)
        return pci_fail(context, PC_ERR_RANGE,
                        "term %" PRIu64
                        " may have 2^%.0f bits; count modulo a number (--mod M) instead",
                        index, log2(bits));
    double needed = pci_recurrence_term_bytes(&recurrence->plan, bits);
    double available = (double)pci_memory_available(context);
    if (index >= recurrence->n_linear && needed > available)
        return pci_fail(
            context, PC_ERR_MEMORY,
            "term %" PRIu64
            " may have %.0f bits, which need %s; count modulo a number (--mod M) instead",
            index, bits, pci_memory_lack(context, needed, available).text);
    pc_status status = PC_OK;
    size_t n_linear = recurrence->n_linear, n_own = recurrence->n_words;
    if (index >= n_linear && n_linear > 0) {
        status = pci_recurrence_exact_term(recurrence, index, &number, &n_number);
    } else if (!(number = pci_alloc_zero(context, n_own + 1, sizeof *number))) {
        status = pci_fail_memory(context, "a term", n_own * sizeof *number);
    } else if (n_linear > 0) {
        memcpy(number, recurrence->number + (PC_RECURRENCE_INITIAL * n_linear + index) * n_own,
               n_own * sizeof *number);
        n_number = pci_number_trim(number, n_own);
    }
    if (status == PC_OK)
        status = pci_recurrence_check_term(recurrence, index, number, n_number);
    if (status == PC_OK)
        status = deliver_number(index, n_number + (n_number == 0), number, deliver, user);
    pci_free(context, number);
    return status;
}

pc_status pc_recurrence_term(const pc_recurrence *recurrence, uint64_t n, uint64_t modulus,
                             pc_answer_fn deliver, void *user)
{
    if (!recurrence)
        return PC_ERR_ARGUMENT;
    pc_context *context = recurrence->plan.context;
    uint64_t own = recurrence->info.modulus;
    if (!deliver || modulus == 1 || modulus >> 63 || (own && own != modulus))
        return pci_fail(
            context, PC_ERR_ARGUMENT,
            "pc_recurrence_term: no function, or a modulus that is not 0 and not from 2 "
            "to 2^63-1, or not that of the recurrence");
    return modulus > 0 ? take_modular(recurrence, n, modulus, deliver, user)
                       : take_exact(recurrence, n, deliver, user);
}
