/* Adds the rows of an answer up, length by length. */
#include <gmp.h>

#include "src/run/trace.h"

#include <math.h>
#include <string.h>

typedef struct trace {
    const pci_request *request;
    pci_sink *sink;
    uint32_t n_limbs; /* of the sum; 0: doubles */
    uint64_t *sum;
    double value; /* ... of doubles, in units of 2^exponent */
    int64_t exponent;
} trace;

/* Adds a double of any exponent: the sum keeps the larger of the two. */
static void add_double(trace *t, double value, int64_t exponent)
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

static void add_rows(trace *t, const pc_rows *rows)
{
    uint64_t modulus = t->request->options.modulus;
    for (uint64_t e = 0; e < rows->n_rows; e++)
        if (rows->values)
            add_double(t, rows->values[e], rows->exponent);
        else if (t->request->options.arithmetic == PC_MODULAR)
            *t->sum = (*t->sum + rows->limbs[e]) % modulus; /* both are below 2^63 */
        else
            mpn_add(t->sum, t->sum, t->n_limbs, rows->limbs + e * rows->n_limbs, rows->n_limbs);
}

/* Passes the sum of a length on, and begins the next one. */
static pc_status deliver(trace *t, uint64_t length)
{
    pc_rows sum = {.n_rows = 1, .n_columns = 1, .n_limbs = t->n_limbs};
    if (t->n_limbs)
        sum.limbs = t->sum;
    else
        sum.values = &t->value;
    sum.exponent = t->n_limbs ? 0 : t->exponent;
    pc_status status = pci_sink_take(t->sink, length, &sum);
    memset(t->sum, 0, ((size_t)t->n_limbs + 1) * sizeof *t->sum);
    t->value = 0;
    t->exponent = 0;
    return status;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    trace *t = user;
    add_rows(t, rows);
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
    t.sum = pci_alloc_zero(context, n_words, sizeof *t.sum);
    if (!t.sum)
        return pci_fail_memory(context, "a trace", n_words * sizeof *t.sum);
    pc_status status = pci_run_routes(plan, &adding);
    if (status == PC_OK && !plan->request.graph->n)
        status = deliver_zeros(&t);
    pci_free(context, t.sum);
    return status;
}
