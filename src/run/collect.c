/* The answers of a query, kept: one matrix whose rows are those of the answers, one after the other. */
#include "src/run/run.h"

#include "src/core/number.h"
#include "src/rows/counts.h"

#include <math.h>
#include <string.h>

typedef struct collecting {
    const pci_request *request;
    pc_counts *answers; /* made when the first rows tell their width */
} collecting;

static uint64_t answer_rows(const pci_request *request)
{
    if (request->is_trace) /* of whose query the kind is that of closed paths */
        return 1;
    switch (request->query.kind) {
    case PC_QUERY_FROM:
    case PC_QUERY_TO:
    case PC_QUERY_PAIRS:
        return request->query.n_asked;
    case PC_QUERY_TOTAL:
        return 1;
    case PC_QUERY_MATRIX:
        return request->query.partition ? request->query.partition->n_blocks : request->graph->n;
    default:
        return request->graph->n;
    }
}

/* Makes room for answers like the rows. */
static pc_status make_room(collecting *c, const pc_rows *rows)
{
    pc_context *context = c->request->context;
    const pc_query *query = &c->request->query;
    uint64_t n_rows, n_words = rows->n_limbs ? rows->n_limbs : 1, bytes;
    if (__builtin_mul_overflow(query->each ? query->length : 1, answer_rows(c->request), &n_rows) ||
        __builtin_mul_overflow(n_rows, rows->n_columns, &bytes) ||
        __builtin_mul_overflow(bytes, n_words * sizeof(uint64_t), &bytes))
        bytes = UINT64_MAX;
    if (!pci_memory_has(context, (double)bytes))
        return pci_fail_memory(context, "the answers", bytes);
    return pci_counts_create(context, n_rows, rows->n_columns, rows->n_limbs, &c->answers);
}

static pc_status collect_rows(void *user, uint64_t length, const pc_rows *rows)
{
    collecting *c = user;
    pc_context *context = c->request->context;
    pc_status status = c->answers ? PC_OK : make_room(c, rows);
    if (status != PC_OK)
        return status;
    const pc_query *query = &c->request->query;
    uint64_t before = query->each ? (length - 1) * answer_rows(c->request) : 0;
    size_t at = (before + rows->first_row) * rows->n_columns, n = rows->n_rows * rows->n_columns;
    if (rows->limbs)
        memcpy(c->answers->limbs + at * rows->n_limbs, rows->limbs, n * rows->n_limbs * 8);
    for (size_t e = 0; rows->values && e < n; e++) {
        c->answers->values[at + e] = pci_number_scale(rows->values[e], rows->exponent);
        if (isinf(c->answers->values[at + e]))
            return pci_fail(context, PC_ERR_RANGE,
                            "a number of the answer passes the range of doubles: count exactly, or "
                            "take the rows by pc_plan_run");
    }
    return PC_OK;
}

/* The answer has no rows: neither have the answers. */
static pc_status collect_nothing(collecting *c)
{
    pc_rows none = {.n_limbs = c->request->options.arithmetic != PC_FLOAT};
    return c->answers ? PC_OK : make_room(c, &none);
}

pc_status pc_plan_collect(pc_plan *plan, pc_counts **answers)
{
    if (!plan || !answers)
        return pci_fail_null(plan ? plan->request.context : NULL, "plan or answers");
    collecting c = {.request = &plan->request};
    pc_status status = pc_plan_run(plan, collect_rows, &c);
    if (status == PC_OK)
        status = collect_nothing(&c);
    if (status == PC_OK)
        *answers = c.answers;
    else
        pc_counts_free(c.answers);
    return status;
}
