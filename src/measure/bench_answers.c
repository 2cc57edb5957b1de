/* Whole answers: a graph is given, and what the command prints is wanted. Each is certified as every answer is;
 * the sum of a summary is also compared with one that a single vector gives along the arcs of the graph. */
#include "src/measure/bench_answers.h"

#include "src/core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOTAL_BYTES = 4096, MAX_DEGREE_SHARE = 2 /* small graphs have half of all edges at most */ };

typedef enum question_kind { SUMMARY, TOP, TRACE, MODULO } question_kind;

static const uint64_t MODULUS = 1000000007;

typedef struct question {
    question_kind kind;
    uint64_t length;
    uint32_t n;
    uint64_t n_edges;
    uint64_t edges_per_vertex; /* of the preferential model; 0: n_edges at random */
} question;

/* A question about a graph of n vertices of mean degree 32. */
#define SPARSE(kind, length, n)                                                                    \
    {                                                                                              \
        kind, length, n, 16 * UINT64_C(n), 0                                                       \
    }

static const question questions[] = {
    SPARSE(SUMMARY, 8, 16384),  SPARSE(TOP, 8, 16384),
    SPARSE(TRACE, 8, 16384),    SPARSE(MODULO, 8, 16384),
    SPARSE(SUMMARY, 64, 16384), {SUMMARY, 64, 16384, 3300000, 0},
    {SUMMARY, 256, 4096, 0, 8}, SPARSE(SUMMARY, 64, 32768),
    SPARSE(SUMMARY, 8, 65536),  {SUMMARY, 4, 131071, 8 * UINT64_C(131071), 0},
};
enum { N_QUESTIONS = sizeof questions / sizeof *questions, N_OF_A_SIZE = 5 };

/* ---- One answer ------------------------------------------------------------------------------ */

typedef struct answer {
    double seconds;
    pc_plan_info plan;
    char total[TOTAL_BYTES]; /* of a summary; "" */
} answer;

static pc_status ignore(void *user, uint64_t length, const pc_rows *rows)
{
    (void)user, (void)length, (void)rows;
    return PC_OK;
}

static pc_status summarize(pc_context *context, const pc_labels *labels, pc_plan *plan,
                           const question *q, answer *a)
{
    const pc_plan_info *info = pc_plan_get_info(plan);
    pc_frame frame = {
        .rows = labels, .columns = labels, .n_limbs = info->n_limbs, .symmetric = info->symmetric};
    pc_summary_values values;
    pc_reduction *summary = NULL;
    pc_status status = pc_summary_create(context, &frame, q->kind == TOP ? 10 : 1, &summary);
    if (status == PC_OK)
        status = pc_plan_reduce(plan, &summary, 1, NULL, NULL);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    if (status == PC_OK && q->kind != MODULO)
        snprintf(a->total, sizeof a->total, "%s", values.total);
    pc_reduction_free(summary);
    return status;
}

static pc_status ask(pc_context *context, const pc_graph *graph, const question *q, answer *a)
{
    pc_query query = {.kind = q->kind == TRACE ? PC_QUERY_TRACE : PC_QUERY_MATRIX,
                      .length = q->length};
    pc_count_options options = {.arithmetic = q->kind == MODULO ? PC_MODULAR : PC_EXACT,
                                .modulus = q->kind == MODULO ? MODULUS : 0,
                                .n_certify_rounds = 2};
    pc_plan *plan = NULL;
    double start = pci_now_seconds();
    pc_status status = pc_plan_create(context, graph, &query, &options, &plan);
    if (status == PC_OK)
        status = q->kind == TRACE ? pc_plan_run(plan, ignore, NULL)
                                  : summarize(context, pc_graph_labels(graph), plan, q, a);
    a->seconds = pci_now_seconds() - start;
    if (status == PC_OK)
        a->plan = *pc_plan_get_info(plan);
    pc_plan_free(plan);
    return status;
}

/* ---- The same sum by a single vector --------------------------------------------------------- */

static pc_status write_total(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    char *text = user;
    if (pci_number_text_bytes(rows->n_limbs) > TOTAL_BYTES)
        return PC_ERR_RANGE;
    text[pci_number_text(rows->limbs, rows->n_limbs, text)] = '\0';
    return PC_OK;
}

static pc_status sweep_total(pc_context *context, const pc_graph *graph, uint64_t length,
                             char total[TOTAL_BYTES])
{
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = length};
    return pc_query_run(context, graph, &query, NULL, write_total, total);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const char *name_of(const question *q, char *name, size_t size)
{
    static const char *const kinds[] = {[SUMMARY] = "summary",
                                        [TOP] = "10 largest",
                                        [TRACE] = "trace",
                                        [MODULO] = "modulo a prime"};
    if (q->edges_per_vertex)
        snprintf(name, size, "length %d, %s, Barabasi-Albert", (int)q->length, kinds[q->kind]);
    else
        snprintf(name, size, "length %d, %s, mean degree %.0f", (int)q->length, kinds[q->kind],
                 2 * (double)q->n_edges / q->n);
    return name;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = ((const answer *)a)->seconds, y = ((const answer *)b)->seconds;
    return (x > y) - (x < y);
}

static void report_answer(const question *q, const answer *a, const pci_bench_report *report)
{
    char name[96], note[256];
    snprintf(note, sizeof note,
             "%d GPU%s: bound %.1f, extend %.1f, product %.1f, sweep %.1f, collect %.1f, certify "
             "%.1f, deliver %.1f ms",
             a->plan.n_devices, a->plan.n_devices == 1 ? "" : "s", 1e3 * a->plan.seconds.bound,
             1e3 * a->plan.seconds.extend, 1e3 * a->plan.seconds.product,
             1e3 * a->plan.seconds.sweep, 1e3 * a->plan.seconds.collect,
             1e3 * a->plan.seconds.certify, 1e3 * a->plan.seconds.deliver);
    pc_bench_row row = {.section = "answers",
                        .name = name_of(q, name, sizeof name),
                        .n = q->n,
                        .milliseconds = 1e3 * a->seconds,
                        .rate = 1 / a->seconds,
                        .unit = "a second",
                        .verified = *a->total ? "a vector's sum" : "certificate",
                        .note = note};
    report->row(report->user, &row);
}

static void report_failure(const question *q, const char *why, const pci_bench_report *report)
{
    char name[96];
    pc_bench_row row = {.section = "answers",
                        .name = name_of(q, name, sizeof name),
                        .n = q->n,
                        .unit = "",
                        .verified = "",
                        .note = why};
    report->row(report->user, &row);
}

static pc_status make_graph(pc_context *context, const question *q, pc_graph **graph)
{
    return q->edges_per_vertex
               ? pc_generate_barabasi_albert(context, q->n, q->edges_per_vertex, 1, 0, graph)
               : pc_generate_erdos_renyi(context, q->n, q->n_edges, 1, 0, graph);
}

/* Answers once to check and warm up, then n_rounds times; *is_right says whether the sums agree. */
static pc_status measure_answers(pc_context *context, const pc_graph *graph, const question *q,
                                 int n_rounds, answer *answers, bool *is_right)
{
    char total[TOTAL_BYTES];
    pc_status status = ask(context, graph, q, &answers[0]);
    if (status == PC_OK && *answers[0].total)
        status = sweep_total(context, graph, q->length, total);
    if (status != PC_OK)
        return status;
    *is_right = !*answers[0].total || strcmp(total, answers[0].total) == 0;
    for (int r = 0; r < n_rounds && status == PC_OK; r++)
        status = ask(context, graph, q, &answers[r]);
    return status;
}

static pc_status measure(pc_context *context, const question *q, int n_rounds,
                         const pci_bench_report *report, uint32_t *n_wrong)
{
    pc_graph *graph = NULL;
    bool is_right = true;
    answer *answers = pci_alloc_zero(context, (size_t)n_rounds, sizeof *answers);
    if (!answers)
        return pci_fail_memory(context, "answers", (size_t)n_rounds * sizeof *answers);
    pc_status status = make_graph(context, q, &graph);
    if (status == PC_OK)
        status = measure_answers(context, graph, q, n_rounds, answers, &is_right);
    qsort(answers, (size_t)n_rounds, sizeof *answers, compare_seconds);
    if (status == PC_OK && is_right)
        report_answer(q, &answers[n_rounds / 2], report);
    else if (status == PC_OK || status == PC_ERR_CERTIFY)
        report_failure(q, "WRONG", report);
    else if (status == PC_ERR_MEMORY)
        report_failure(q, context->message, report);
    *n_wrong += !is_right || status == PC_ERR_CERTIFY;
    pc_graph_free(graph);
    pci_free(context, answers);
    return status == PC_ERR_CERTIFY || status == PC_ERR_MEMORY ? PC_OK : status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Question i about a graph of n vertices: the first ones of the list, as far as they are about a sparse graph. */
static question of_size(uint32_t i, uint32_t n)
{
    question q = questions[i];
    uint64_t most = (uint64_t)n * (n - 1) / 2 / MAX_DEGREE_SHARE;
    q.n = n;
    q.n_edges = 16 * (uint64_t)n < most ? 16 * (uint64_t)n : most;
    return q;
}

static pc_status measure_all(pc_context *context, const pc_bench_options *options,
                             const pci_bench_report *report, uint32_t *n_wrong)
{
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < N_QUESTIONS && !options->n_sizes && status == PC_OK; i++)
        status = measure(context, &questions[i], options->n_rounds, report, n_wrong);
    for (uint32_t i = 0; i < options->n_sizes * N_OF_A_SIZE && status == PC_OK; i++) {
        question q = of_size(i % N_OF_A_SIZE, options->sizes[i / N_OF_A_SIZE]);
        status = measure(context, &q, options->n_rounds, report, n_wrong);
    }
    return status;
}

pc_status pci_bench_answers(pc_context *context, const pc_bench_options *options,
                            const pci_bench_report *report)
{
    pci_devices devices = context->devices;
    uint32_t n_wrong = 0;
    if (devices.kind == PCI_DEVICE_AUTO)
        context->devices = (pci_devices){.kind = PCI_DEVICE_CUDA};
    pc_status status = measure_all(context, options, report, &n_wrong);
    context->devices = devices;
    if (status == PC_OK && n_wrong > 0)
        return pci_fail(context, PC_ERR_CERTIFY,
                        "%u answers of the benchmark were wrong: this is a bug in pathcount or a "
                        "fault of this machine",
                        n_wrong);
    return status;
}
