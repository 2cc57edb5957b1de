/* Rows of residues and of doubles, as a query makes them.
 *
 * Certificate of residues: C x = A (A (... x)) modulo M for random x. A wrong row passes once in q,
 * the least prime factor of M, so small q take more rounds. */
#include "src/swept_other.h"

#include "src/counts.h"
#include "src/modular.h"
#include "src/number.h"
#include "src/power_modular.h"
#include "src/query_plan.h"

#include <math.h>
#include <string.h>

/* Doubles that shared an exponent must not fall below this. */
static const double SMALLEST = 0x1p-900;

typedef struct other_count {
    pc_context *context;
    const pc_graph *graph;
    pc_plan *plan;
    pci_destination *destination;
    int n_rounds;
    uint64_t *random, *expected; /* [n_rounds][n] */
    int64_t *exponent;           /* [n] of rows that are kept; NULL: they are not */
    double own_seconds;          /* not spent in sweeps */
} other_count;

/* ---- Residues: certified --------------------------------------------------------------------- */

static pc_status expect_round(const other_count *count, int round, uint64_t *other)
{
    uint64_t n = count->graph->n, modulus = count->plan->modulus;
    int n_threads = pci_threads_for(count->context, (double)pci_graph_n_arcs(count->graph));
    uint64_t *x = count->random + (uint64_t)round * n, *y = count->expected + (uint64_t)round * n;
    pc_status status = pci_random_words(count->context, n, modulus, x);
    memcpy(y, x, n * sizeof *y);
    for (uint64_t l = 0; l < count->plan->length && status == PC_OK; l++) {
        status = pci_progress(count->context, "certify", (double)l / (double)count->plan->length);
        pci_graph_multiply_mod(count->graph, n_threads, y, modulus, other);
        memcpy(y, other, n * sizeof *y);
    }
    return status;
}

static pc_status expect(other_count *count)
{
    uint64_t n = count->graph->n;
    size_t n_words = (2 * (size_t)count->n_rounds + 1) * n;
    double start = pci_now_seconds();
    count->random = pci_alloc(count->context, n_words * sizeof *count->random);
    if (!count->random)
        return pci_fail_memory(count->context, "certificates", n_words * sizeof *count->random);
    count->expected = count->random + (size_t)count->n_rounds * n;
    pc_status status = PC_OK;
    for (int r = 0; r < count->n_rounds && status == PC_OK; r++)
        status = expect_round(count, r, count->expected + (size_t)count->n_rounds * n);
    count->plan->seconds.certify += pci_now_seconds() - start;
    return status;
}

static pc_status confirm(const other_count *count, const pc_rows *rows)
{
    uint64_t n = count->graph->n, n_wrong = 0;
    double n_words = (double)rows->n_rows * (double)n * count->n_rounds;
    int n_threads = pci_threads_for(count->context, n_words);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : n_wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (int r = 0; r < count->n_rounds; r++)
            n_wrong += pci_dot_mod(n, rows->limbs + i * n, 1, count->random + (uint64_t)r * n,
                                   count->plan->modulus) !=
                       count->expected[(uint64_t)r * n + rows->first_row + i];
    if (!n_wrong)
        return PC_OK;
    return pci_fail(count->context, PC_ERR_CERTIFY,
                    "rows modulo the number given failed their check and were not delivered: this "
                    "is a bug in pathcount or a fault of this machine");
}

/* ---- Doubles that are kept: one exponent ----------------------------------------------------- */

static pc_status share_exponent(const other_count *count)
{
    pc_counts *result = count->destination->result;
    uint64_t n = result->n_rows, n_lost = 0;
    int n_threads = pci_threads_for(count->context, (double)n * (double)n);
    int64_t most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = count->exponent[i] > most ? count->exponent[i] : most;
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : n_lost)
    for (uint64_t i = 0; i < n; i++) {
        double factor = pci_number_scale(1, count->exponent[i] - most),
               *row = result->values + i * n;
        for (uint64_t j = 0; j < n; j++) {
            double scaled = row[j] * factor;
            n_lost += row[j] > 0 && scaled < SMALLEST;
            row[j] = scaled;
        }
    }
    result->exponent = most;
    if (!n_lost)
        return PC_OK;
    return pci_fail(count->context, PC_ERR_RANGE,
                    "counts differ by more than 2^500, too much for doubles with one exponent; "
                    "count exactly, or modulo a number (--mod M)");
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    other_count *count = user;
    double start = pci_now_seconds();
    pc_status status = count->n_rounds ? confirm(count, rows) : PC_OK;
    double certified = pci_now_seconds();
    if (status == PC_OK)
        status = pci_deliver_rows(count->destination, rows);
    if (count->exponent)
        count->exponent[rows->first_row] = rows->exponent;
    double end = pci_now_seconds();
    count->plan->seconds.certify += certified - start;
    count->plan->seconds.deliver += end - certified;
    count->own_seconds += end - start;
    return status;
}

/* The query from every vertex; vertices is to be freed. */
static pc_status make_job(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          uint64_t length, pc_query *query, pci_query_job *job, uint64_t **vertices)
{
    uint64_t n = graph->n, *all = pci_alloc(context, n * sizeof *all);
    if (!all)
        return pci_fail_memory(context, "the vertices", n * sizeof *all);
    for (uint64_t v = 0; v < n; v++)
        all[v] = v;
    *query = (pc_query){.kind = PC_QUERY_FROM, .length = length, .n_asked = n, .from = all};
    *job = (pci_query_job){
        .context = context, .graph = graph, .query = query, .options = schedule->options};
    *vertices = all;
    return PC_OK;
}

static int rounds_of(const pci_schedule *schedule, const pc_plan *plan)
{
    return plan->arithmetic == PC_MODULAR
               ? pci_modular_rounds(plan->modulus, schedule->options.n_certify_rounds)
               : 0;
}

pc_status pci_other_plan(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                         pc_plan *plan, double *bytes)
{
    pc_query query;
    pci_query_job job;
    pci_query_plan made;
    uint64_t *vertices;
    pc_status status = make_job(context, graph, schedule, plan->length, &query, &job, &vertices);
    if (status != PC_OK)
        return status;
    status = pci_query_plan_make(&job, &made);
    pci_query_plan_free(&made);
    pci_free(context, vertices);
    double n = (double)graph->n;
    *bytes = made.bytes + n * sizeof *vertices * (2 + 2 * rounds_of(schedule, plan));
    if (plan->arithmetic == PC_MODULAR)
        plan->bound_bits = log2((double)plan->modulus) + 1e-9;
    return status;
}

pc_status pci_count_other(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pci_destination *destination, pc_plan *plan)
{
    other_count count = {.context = context,
                         .graph = graph,
                         .plan = plan,
                         .destination = destination,
                         .n_rounds = rounds_of(schedule, plan)};
    pc_query query;
    pci_query_job job;
    uint64_t *vertices = NULL;
    pc_plan of_query = *plan;
    bool shares = destination->keeps && plan->arithmetic == PC_FLOAT;
    pc_status status = make_job(context, graph, schedule, plan->length, &query, &job, &vertices);
    if (status == PC_OK && count.n_rounds)
        status = expect(&count);
    if (status == PC_OK && shares &&
        !(count.exponent = pci_alloc_zero(context, graph->n, sizeof *count.exponent)))
        status = pci_fail_memory(context, "exponents", graph->n * sizeof *count.exponent);
    if (status == PC_OK)
        status = pci_destination_open(context, plan, destination);
    double start = pci_now_seconds();
    job.deliver = take;
    job.user = &count;
    if (status == PC_OK)
        status = pci_query_sweeps(&job, &of_query);
    plan->seconds.sweep = plan->levels[0].seconds = pci_now_seconds() - start - count.own_seconds;
    if (status == PC_OK && shares)
        status = share_exponent(&count);
    pci_free(context, count.exponent);
    pci_free(context, count.random);
    pci_free(context, vertices);
    return status;
}
