/* Recurrences as answers of their own: the call that finds one, and the growth rate of its
 * numbers. */
#include <gmp.h>

#include "src/recurrence/recurrence.h"

#include "src/core/number.h"
#include "src/count/methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_ROUNDS = 2 };

pc_status pc_recurrence_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                               uint64_t modulus, pc_recurrence **recurrence)
{
    if (!context || !graph || !query || !recurrence)
        return pci_fail_null(context, "pc_recurrence_create: context, graph, query or recurrence");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    pc_query asked = *query;
    pci_recurrence_plan plan;
    const pci_question_kind *kind = pci_kind_row(query->kind);
    bool is_vertex = kind && kind->reads == PCI_READS_ROWS && !kind->is_matrix;
    bool is_number = kind && pci_kind_is_number(kind);
    bool is_pair = kind && kind->reads == PCI_READS_ENTRIES;
    *recurrence = NULL;
    asked.up_to = 0;
    if (modulus == 1 || modulus >> 63)
        return pci_fail(context, PC_ERR_ARGUMENT, "a modulus must be 0, or from 2 to 2^63-1");
    if (!is_number && !((is_vertex || is_pair) && query->n_asked == 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a recurrence is of one number: a total, a trace, one pair, or the paths "
                        "from or to one vertex");
    if (query->paths == PC_PATHS_MARKOV)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a recurrence is of integers, not of probabilities");
    if ((kind->has_from && (!query->from || *query->from >= graph->n)) ||
        (kind->has_to && (!query->to || *query->to >= graph->n)))
        return pci_fail(context, PC_ERR_ARGUMENT, "a vertex is out of range");
    if (is_vertex) /* the vertex is one row of sums */
        asked.kind = kind->has_from ? PC_QUERY_STARTS : PC_QUERY_ENDS;
    pc_status status = pci_recurrence_plan_make(context, graph, &asked, modulus, N_ROUNDS, &plan);
    if (status == PC_OK)
        status = pci_query_check_memory(context, pci_memory_available(context),
                                        pci_recurrence_search_bytes(&plan));
    if (status == PC_OK)
        status = pci_recurrence_find(&plan, pci_find_terms, &plan, recurrence);
    if (status == PC_OK && (status = pc_graph_check(context, graph))) {
        pc_recurrence_free(*recurrence);
        *recurrence = NULL;
    }
    return status;
}

/* ---- The growth rate -------------------------------------------------------------------------- */

/* The growth rate of counts: the largest modulus R of a root of f(x) = x^d - c(1) x^(d-1) - ... -
 * c(d).
 *
 * Counts are never below 0, so R itself is a root (Pringsheim). Let t > 0, and g(x) = f(x + t).
 * When all coefficients of g are above 0, g has no root at 0 or above, so f has none at t or above,
 * and R < t. Else some root of g has a real part of 0 or more, since products of x + a and x^2 + b
 * x + c with a, b, c > 0 have coefficients above 0 only, and R >= t. So the signs of the
 * coefficients decide whether R < t for any rational t, in integers, and digits are found by
 * halving. */
enum { MOST_DIGITS = 18, WORD_BITS = 64, MOST_BITS = 62 };

typedef struct growth {
    const pc_recurrence *recurrence;
    size_t order, n_words;
    uint64_t
        *scaled; /* [order + 1][n_words], in two's complement: f times scale^d, as of x * scale */
    uint64_t *shifted; /* [order + 1][n_words] */
    bool is_root;      /* of the last t that was tried */
} growth;

/* f(x / scale) * scale^d: coefficient i, from that of x^d on, times scale^i. */
static void scale(const growth *g, uint64_t by)
{
    const pc_recurrence *recurrence = g->recurrence;
    mp_size_t n = (mp_size_t)g->n_words;
    memset(g->scaled, 0, (g->order + 1) * g->n_words * sizeof *g->scaled);
    g->scaled[0] = 1;
    for (size_t i = 1; i <= g->order; i++) {
        uint64_t *to = g->scaled + i * g->n_words;
        memcpy(to, recurrence->number + (i - 1) * recurrence->n_words,
               recurrence->n_words * sizeof *to);
        for (size_t j = 0; j < i && by > 1; j++)
            mpn_mul_1(to, to, n, by);
        if (!recurrence->is_negative[i - 1])
            mpn_neg(to, to, n);
    }
}

/* Tells whether R * scale < t. */
static bool is_below(growth *g, uint64_t t)
{
    size_t n = g->n_words;
    memcpy(g->shifted, g->scaled, (g->order + 1) * n * sizeof *g->scaled);
    for (size_t end = g->order; end > 0; end--) { /* divided by x - t, again and again */
        uint64_t *rest = g->shifted + end * n;
        for (size_t i = 1; i <= end; i++)
            mpn_addmul_1(g->shifted + i * n, g->shifted + (i - 1) * n, (mp_size_t)n, t);
        bool is_zero = pci_number_trim(rest, n) == 0;
        if (end == g->order)
            g->is_root = is_zero;
        if (is_zero || rest[n - 1] >> (WORD_BITS - 1))
            return false;
    }
    return true;
}

/* The greatest t >= least with t <= R * scale. PC_ERR_RANGE when it is too large. */
static pc_status find_digits(growth *g, uint64_t least, uint64_t *digits)
{
    uint64_t low = least,
             high = least > 0 ? least : 1; /* low <= R * scale, as far as it is known */
    pc_context *context = g->recurrence->plan.context;
    while (!is_below(g, high)) {
        if (high >> MOST_BITS)
            return pci_fail(context, PC_ERR_RANGE, "the growth rate is 2^%d or more", MOST_BITS);
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        pc_status status =
            pci_progress(context, "growth", 1 - log2((double)(high - low)) / WORD_BITS);
        if (status != PC_OK)
            return status;
        if (is_below(g, middle))
            high = middle;
        else
            low = middle;
    }
    is_below(g, low);
    *digits = low;
    return PC_OK;
}

/* Finds the digits before the point first, which say how many come behind it, and writes them. */
static pc_status find(growth *g, int n_digits, char *text, size_t size, int *is_exact)
{
    const pc_recurrence *recurrence = g->recurrence;
    pc_context *context = recurrence->plan.context;
    uint64_t whole, digits, by = 1;
    int n_behind = n_digits - 1;
    double sum_bits = log2((double)g->order + 1) + WORD_BITS * (double)recurrence->n_words;
    g->n_words = (size_t)(((double)(g->order + 1) * WORD_BITS + sum_bits) / WORD_BITS) + 2;
    size_t bytes = 2 * (g->order + 1) * g->n_words * sizeof *g->scaled;
    double needed = 16 * (double)(g->order + 1) * (double)g->n_words;
    pc_status status = pci_query_check_memory(context, pci_memory_available(context), needed);
    if (status == PC_OK && !(g->scaled = pci_alloc(context, bytes)))
        status = pci_fail_memory(context, "a growth rate", bytes);
    if (status != PC_OK)
        return status;
    g->shifted = g->scaled + (g->order + 1) * g->n_words;
    scale(g, 1);
    status = find_digits(g, 1, &whole);
    if (status != PC_OK)
        return status;
    for (uint64_t rest = whole; rest >= 10; rest /= 10)
        n_behind -= n_behind > 0;
    for (int i = 0; i < n_behind; i++)
        by *= 10;
    scale(g, by);
    status = find_digits(g, whole * by, &digits);
    if (status != PC_OK)
        return status;
    *is_exact = g->is_root;
    for (; *is_exact && n_behind > 0 && digits % 10 == 0; n_behind--) {
        digits /= 10;
        by /= 10;
    }
    if (n_behind == 0)
        snprintf(text, size, "%" PRIu64, digits);
    else
        snprintf(text, size, "%" PRIu64 ".%0*" PRIu64, digits / by, n_behind, digits % by);
    return PC_OK;
}

pc_status pc_recurrence_growth(const pc_recurrence *recurrence, int n_digits, char *text,
                               size_t size, int *is_exact)
{
    if (!recurrence)
        return PC_ERR_ARGUMENT;
    pc_context *context = recurrence->plan.context;
    if (!text || !is_exact)
        return pci_fail_null(context, "pc_recurrence_growth: text or is_exact");
    growth g = {.recurrence = recurrence, .order = recurrence->info.order};
    if (n_digits < 1 || n_digits > MOST_DIGITS || size < PC_GROWTH_BYTES)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "pc_recurrence_growth: digits are 1 to 18, and bytes at least %d",
                        PC_GROWTH_BYTES);
    if (recurrence->info.modulus)
        return pci_fail(context, PC_ERR_ARGUMENT, "residues have no growth rate");
    if (g.order == 0)
        return pci_fail(context, PC_ERR_RANGE,
                        "there is no growth rate: all counts are 0 from length %" PRIu64 " on",
                        recurrence->info.start);
    pc_status status = find(&g, n_digits, text, size, is_exact);
    pci_free(context, g.scaled);
    return status;
}
