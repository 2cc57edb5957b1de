/* Queries answered by the whole matrix: made as a count would, of each length anew, and its rows
 * read as they come. */
#include <gmp.h>

#include "src/deliver.h"
#include "src/query_doubles.h"
#include "src/query_plan.h"

#include <string.h>

typedef struct matrix_query {
    const pci_query_job *job;
    pc_context *context;
    uint32_t n_limbs; /* words of an answer; 0: doubles */
    uint64_t n_rows, n_columns;
    uint64_t *first,
        *asked;      /* FROM, PAIRS: row v is asked for by asked[first[v] .. first[v + 1]] */
    uint64_t *limbs; /* the answer: [n_rows][n_columns][n_limbs], or ... */
    double *values;  /* ... [n_rows][n_columns], in units of 2^exponent */
    int64_t exponent;
    double *sum; /* doubles added up: of the lengths so far, in units of its own */
    int64_t sum_exponent;
} matrix_query;

/* ---- Reading rows ---------------------------------------------------------------------------- */

/* Adds an entry of the rows to one of the answer. */
static void add(const matrix_query *query, uint64_t to, const pc_rows *rows, uint64_t from)
{
    if (rows->values)
        query->values[to] += rows->values[from];
    else if (query->job->options.arithmetic == PC_MODULAR)
        query->limbs[to] = (query->limbs[to] + rows->limbs[from]) %
                           query->job->options.modulus; /* both are below 2^63 */
    else {
        uint64_t *sum = query->limbs + to * query->n_limbs;
        mpn_add(sum, sum, query->n_limbs, rows->limbs + from * rows->n_limbs, rows->n_limbs);
    }
}

/* Row v, whose entries begin at `at`. */
static void read_row(const matrix_query *query, uint64_t v, const pc_rows *rows, uint64_t at)
{
    const pc_query *asked = query->job->query;
    uint64_t n = rows->n_columns;
    switch (asked->kind) {
    case PC_QUERY_FROM:
        for (uint64_t i = query->first[v]; i < query->first[v + 1]; i++)
            for (uint64_t j = 0; j < n; j++)
                add(query, query->asked[i] * n + j, rows, at + j);
        break;
    case PC_QUERY_TO:
        for (uint64_t i = 0; i < asked->n_asked; i++)
            add(query, i * n + v, rows, at + asked->to[i]);
        break;
    case PC_QUERY_PAIRS:
        for (uint64_t i = query->first[v]; i < query->first[v + 1]; i++)
            add(query, query->asked[i], rows, at + asked->to[query->asked[i]]);
        break;
    case PC_QUERY_TOTAL:
        for (uint64_t j = 0; j < n; j++)
            add(query, 0, rows, at + j);
        break;
    case PC_QUERY_STARTS:
        for (uint64_t j = 0; j < n; j++)
            add(query, v, rows, at + j);
        break;
    case PC_QUERY_ENDS:
        for (uint64_t j = 0; j < n; j++)
            add(query, j, rows, at + j);
        break;
    case PC_QUERY_CLOSED:
        add(query, v, rows, at + v);
        break;
    }
}

static pc_status take(void *user, const pc_rows *rows)
{
    matrix_query *query = user;
    if (rows->n_limbs > query->n_limbs)
        return pci_fail(query->context, PC_ERR_INTERNAL, "rows are wider than their limit");
    query->exponent = rows->exponent;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        read_row(query, rows->first_row + i, rows, i * rows->n_columns);
    return PC_OK;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void clear(const matrix_query *query)
{
    uint64_t n = query->n_rows * query->n_columns;
    if (query->limbs)
        memset(query->limbs, 0, n * query->n_limbs * sizeof *query->limbs);
    else
        memset(query->values, 0, n * sizeof *query->values);
}

static bool is_zero(const double *values, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* Doubles of one more length into the sum. Of zeros the exponent says nothing; of others it is
 * never much less than that of a shorter length, as entries of one matrix differ by 2^500 at most
 * and no count falls when its paths go one arc further. */
static pc_status add_doubles(matrix_query *query)
{
    uint64_t n = query->n_rows * query->n_columns;
    if (is_zero(query->values, n))
        return PC_OK;
    pc_status status = pci_doubles_add(query->context, n, query->values, query->exponent,
                                       query->sum, &query->sum_exponent);
    clear(query);
    return status;
}

static pc_status deliver(const matrix_query *query, uint64_t length)
{
    pc_rows rows = {.n_rows = query->n_rows,
                    .n_columns = query->n_columns,
                    .n_limbs = query->n_limbs,
                    .limbs = query->limbs,
                    .values = query->sum ? query->sum : query->values};
    if (rows.values)
        rows.exponent = query->sum ? query->sum_exponent : query->exponent;
    return rows.n_rows ? query->job->deliver(query->job->user, length, &rows) : PC_OK;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Of a query of several lengths the first ones are too short for a hybrid. */
static pc_count_options options_of(const pci_query_job *job, uint64_t length)
{
    pc_count_options options = job->options;
    if (length < 4 && length < job->query->length)
        options.method = PC_METHOD_DENSE;
    if (options.n_certify_rounds == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    return options;
}

static void add_seconds(const pc_plan *before, pc_plan *plan)
{
    plan->seconds.bound += before->seconds.bound;
    plan->seconds.load += before->seconds.load;
    plan->seconds.extend += before->seconds.extend;
    plan->seconds.product += before->seconds.product;
    plan->seconds.step += before->seconds.step;
    plan->seconds.sweep += before->seconds.sweep;
    plan->seconds.collect += before->seconds.collect;
    plan->seconds.certify += before->seconds.certify;
    plan->seconds.deliver += before->seconds.deliver;
    plan->seconds.total += before->seconds.total;
}

/* *plan becomes that of this length, with the times of all so far. */
static pc_status count_length(matrix_query *query, uint64_t length, pc_plan *plan)
{
    pc_count_options options = options_of(query->job, length);
    pci_destination destination = {.deliver = take, .user = query};
    pci_request request = {query->job->graph, NULL, length, &options, false};
    pc_plan counted;
    pc_status status = pci_count(query->context, &request, &destination, &counted);
    if (status != PC_OK)
        return status;
    add_seconds(plan, &counted);
    counted.memory_bytes = plan->memory_bytes;
    *plan = counted;
    return query->sum ? add_doubles(query) : PC_OK;
}

static pc_status count_all(matrix_query *query, pc_plan *plan)
{
    const pc_query *asked = query->job->query;
    bool is_one = !asked->each && !asked->up_to;
    pc_status status = PC_OK;
    for (uint64_t l = is_one ? asked->length : 1; l <= asked->length && status == PC_OK; l++) {
        if (asked->each)
            clear(query);
        status = count_length(query, l, plan);
        if (status == PC_OK && asked->each)
            status = deliver(query, l);
        if (l == UINT64_MAX)
            break;
    }
    return status == PC_OK && !asked->each ? deliver(query, asked->length) : status;
}

/* ---- Ready for it ---------------------------------------------------------------------------- */

static pc_status find_shape(const pci_query_job *job, matrix_query *query)
{
    const pc_query *asked = job->query;
    pc_query_kind kind = asked->kind;
    bool is_asked = kind == PC_QUERY_FROM || kind == PC_QUERY_TO || kind == PC_QUERY_PAIRS;
    *query = (matrix_query){.job = job, .context = job->context, .n_columns = 1};
    query->n_rows = is_asked ? asked->n_asked : kind == PC_QUERY_TOTAL ? 1 : job->graph->n;
    if (kind == PC_QUERY_FROM || kind == PC_QUERY_TO)
        query->n_columns = job->graph->n;
    query->n_limbs = job->options.arithmetic == PC_MODULAR;
    if (job->options.arithmetic != PC_EXACT)
        return PC_OK;
    pci_query_plan limits = {.context = job->context,
                             .query = asked,
                             .options = job->options,
                             .from_all = kind == PC_QUERY_TOTAL || kind == PC_QUERY_STARTS ||
                                         kind == PC_QUERY_ENDS};
    pc_status status = pci_query_limits(job->context, job->graph, asked, &limits);
    query->n_limbs = limits.n_limbs;
    pci_query_plan_free(&limits);
    return status;
}

static bool has_index(const matrix_query *query)
{
    pc_query_kind kind = query->job->query->kind;
    return kind == PC_QUERY_FROM || kind == PC_QUERY_PAIRS;
}

/* Plans, and makes sure that the answer fits beside the matrix. */
static pc_status plan_matrix(const pci_query_job *job, matrix_query *query, pc_plan *plan)
{
    pc_count_options options = options_of(job, job->query->length);
    pci_request request = {job->graph, NULL, job->query->length, &options, false};
    pci_schedule schedule;
    pc_status status = pci_plan_make(job->context, &request, NULL, &schedule, plan);
    pci_schedule_free(&schedule);
    if (status == PC_OK)
        status = find_shape(job, query);
    if (status != PC_OK)
        return status;
    double n_words = (double)query->n_rows * (double)query->n_columns;
    if (query->n_limbs)
        n_words *= query->n_limbs;
    else if (job->query->up_to)
        n_words *= 2;
    if (has_index(query))
        n_words += (double)job->graph->n + 1 + (double)query->n_rows;
    double bytes = n_words * sizeof(uint64_t) + (double)plan->memory_bytes;
    plan->memory_bytes = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
    return pci_plan_check_memory(job->context, &schedule, plan);
}

pc_status pci_query_matrix_plan(const pci_query_job *job, pc_plan *plan)
{
    matrix_query query;
    return plan_matrix(job, &query, plan);
}

/* Sorts what is asked by its row. */
static void index_rows(const matrix_query *query)
{
    uint64_t *first = query->first, n = query->job->graph->n;
    const uint64_t *from = query->job->query->from;
    for (uint64_t i = 0; i < query->n_rows; i++)
        first[from[i] + 1]++;
    for (uint64_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (uint64_t i = query->n_rows; i-- > 0;)
        query->asked[--first[from[i] + 1]] = i;
    memmove(first, first + 1, n * sizeof *first); /* each has come to where its row begins */
    first[n] = query->n_rows;
}

static pc_status make_room(matrix_query *query)
{
    pc_context *context = query->context;
    uint64_t n = query->n_rows * query->n_columns, n_vertices = query->job->graph->n;
    bool has_room = true;
    if (has_index(query)) {
        query->first = pci_alloc_zero(context, n_vertices + 1, sizeof *query->first);
        query->asked = pci_alloc(context, query->n_rows * sizeof *query->asked);
        has_room = query->first && query->asked;
    }
    if (query->n_limbs)
        query->limbs = pci_alloc_zero(context, n, query->n_limbs * sizeof *query->limbs);
    else
        query->values = pci_alloc_zero(context, n, sizeof *query->values);
    if (!query->n_limbs && query->job->query->up_to) {
        query->sum = pci_alloc_zero(context, n, sizeof *query->sum);
        has_room = has_room && query->sum;
    }
    if (!has_room || !(query->limbs || query->values))
        return pci_fail_memory(context, "the answers", n * sizeof *query->limbs);
    if (has_index(query))
        index_rows(query);
    return PC_OK;
}

pc_status pci_query_matrix(const pci_query_job *job, pc_plan *plan)
{
    matrix_query query;
    double start = pci_now_seconds();
    pc_status status = plan_matrix(job, &query, plan);
    if (status != PC_OK)
        return status;
    plan->seconds.bound = plan->seconds.total = pci_now_seconds() - start;
    status = make_room(&query);
    if (status == PC_OK)
        status = count_all(&query, plan);
    pci_free(job->context, query.first);
    pci_free(job->context, query.asked);
    pci_free(job->context, query.limbs);
    pci_free(job->context, query.values);
    pci_free(job->context, query.sum);
    return status;
}
