/* Adds the rows of an answer up, length by length. */
#include <gmp.h>

#include "src/run/trace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct sum {
    uint64_t *words; /* [n_limbs] */
    double value;    /* ... of doubles, in units of 2^exponent */
    int64_t exponent;
} sum;

typedef struct trace {
    const pci_request *request;
    pci_sink *sink;
    uint32_t n_limbs; /* of the sum; 0: doubles */
    sum sums[2];      /* of the same entries: both must be the same */
} trace;

/* Adds a double of any exponent: the sum keeps the larger of the two. */
static void add_double(sum *t, double value, int64_t exponent)
{
    int64_t apart = exponent - t->exponent, most = 4000;
    int shift = (int)(apart > most ? most : apart < -most ? -most : apart);
    if (shift > 0) {
        t->value = ldexp(t->value, -shift) + value;
        t->exponent = exponent;
    } else {
        t->value += ldexp(value, shift);
    }
}

static void add_rows(const trace *t, const pc_rows *rows, sum *to)
{
    uint64_t modulus = t->request->options.modulus;
    for (uint64_t e = 0; e < rows->n_rows; e++)
        if (rows->values)
            add_double(to, rows->values[e], rows->exponent);
        else if (t->request->options.arithmetic == PC_MODULAR)
            *to->words = (*to->words + rows->limbs[e]) % modulus; /* both are below 2^63 */
        else
            mpn_add(to->words, to->words, t->n_limbs, rows->limbs + e * rows->n_limbs,
                    rows->n_limbs);
}

static bool are_same(const trace *t)
{
    const sum *a = &t->sums[0], *b = &t->sums[1];
    return memcmp(a->words, b->words, t->n_limbs * sizeof *a->words) == 0 && a->value == b->value &&
           a->exponent == b->exponent;
}

/* Passes the sum of a length on, and begins the next one. */
static pc_status deliver(trace *t, uint64_t length)
{
    if (!are_same(t))
        return pci_fail_check(t->request->context, "the trace of length %" PRIu64, length);
    pc_rows rows = {.n_rows = 1, .n_columns = 1, .n_limbs = t->n_limbs};
    if (t->n_limbs)
        rows.limbs = t->sums[0].words;
    else
        rows.values = &t->sums[0].value;
    rows.exponent = t->n_limbs ? 0 : t->sums[0].exponent;
    pc_status status = pci_sink_take(t->sink, length, &rows);
    for (int i = 0; i < 2; i++) {
        memset(t->sums[i].words, 0, ((size_t)t->n_limbs + 1) * sizeof *t->sums[i].words);
        t->sums[i].value = 0;
        t->sums[i].exponent = 0;
    }
    return status;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    trace *t = user;
    for (int i = 0; i < 2; i++)
        add_rows(t, rows, &t->sums[i]);
    bool is_last = rows->first_row + rows->n_rows == t->request->graph->n;
    return is_last ? deliver(t, length) : PC_OK;
}

/* A graph without vertices has answers without rows. */
static pc_status deliver_zeros(trace *t)
{
    const pc_query *query = &t->request->query;
    pc_status status = PC_OK;
    for (uint64_t l = query->each ? 1 : query->length; l <= query->length && status == PC_OK; l++) {
        status = deliver(t, l);
        if (l == UINT64_MAX)
            break;
    }
    return status;
}

pc_status pci_run_trace(pc_plan *plan, pci_sink *sink)
{
    pc_context *context = plan->request.context;
    trace t = {.request = &plan->request, .sink = sink, .n_limbs = plan->n_trace_limbs};
    pci_sink adding = {.context = context, .deliver = take, .user = &t};
    size_t n_words = (size_t)t.n_limbs + 1;
    sink->modulus = plan->request.options.modulus;
    uint64_t *words = pci_alloc_zero(context, 2 * n_words, sizeof *words);
    if (!words)
        return pci_fail_memory(context, "a trace", 2 * n_words * sizeof *words);
    t.sums[0].words = words;
    t.sums[1].words = words + n_words;
    pc_status status = pci_run_routes(plan, &adding);
    if (status == PC_OK && !plan->request.graph->n)
        status = deliver_zeros(&t);
    pci_free(context, words);
    return status;
}
