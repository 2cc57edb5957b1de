/* Whole answers: a graph is given, and the numbers that the command prints are wanted. Each is certified as every answer is;
 * the sum of a summary is also compared with one that a single vector gives along the arcs of the graph. */
#include "tests/support/calls.h"
#include "tests/bench/frame.h"

#include "src/core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "answers"

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
        status = pc_plan_run(plan, &summary, 1, NULL, NULL);
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
        status = q->kind == TRACE ? pc_plan_run(plan, NULL, 0, ignore, NULL)
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

static void tell_answer(bench *b, const question *q, const answer *a)
{
    char name[96], note[BENCH_NOTE_BYTES];
    snprintf(note, sizeof note,
             "%d GPU%s: bound %.1f, extend %.1f, product %.1f, sweep %.1f, collect %.1f, certify "
             "%.1f, deliver %.1f ms",
             a->plan.n_devices, a->plan.n_devices == 1 ? "" : "s", 1e3 * a->plan.seconds.bound,
             1e3 * a->plan.seconds.extend, 1e3 * a->plan.seconds.product,
             1e3 * a->plan.seconds.sweep, 1e3 * a->plan.seconds.collect,
             1e3 * a->plan.seconds.certify, 1e3 * a->plan.seconds.deliver);
    bench_tell(b, &(bench_row){.section = SECTION,
                               .name = name_of(q, name, sizeof name),
                               .n = q->n,
                               .milliseconds = 1e3 * a->seconds,
                               .rate = 1 / a->seconds,
                               .unit = "a second",
                               .verified = *a->total ? "a vector's sum" : "certificate",
                               .note = note});
}

/* Answers once to check and warm up, then n_rounds times; returns whether the sums agree. */
static bool ask_often(bench *b, const pc_graph *graph, const question *q, answer *answers)
{
    char total[TOTAL_BYTES] = "";
    bench_check(b, ask(b->context, graph, q, &answers[0]));
    if (b->status == PC_OK && *answers[0].total)
        bench_check(b, sweep_total(b->context, graph, q->length, total));
    bool is_right = strcmp(total, answers[0].total) == 0;
    for (int r = 0; r < b->n_rounds && b->status == PC_OK; r++)
        bench_check(b, ask(b->context, graph, q, &answers[r]));
    return is_right;
}

/* An answer that is wrong, or for which there is no memory, gets a row that says so. */
static void measure(bench *b, const question *q)
{
    char name[96];
    pc_graph *graph = NULL;
    size_t n_rounds = (size_t)b->n_rounds;
    bool is_right = true;
    answer *answers = bench_alloc(b, "answers", n_rounds, sizeof *answers);
    if (b->status == PC_OK)
        bench_check(
            b, q->edges_per_vertex
                   ? generate_barabasi_albert(b->context, q->n, q->edges_per_vertex, 1, 0, &graph)
                   : generate_erdos_renyi(b->context, q->n, q->n_edges, 1, 0, &graph));
    if (b->status == PC_OK)
        is_right = ask_often(b, graph, q, answers);
    if (b->status == PC_OK && is_right) {
        qsort(answers, n_rounds, sizeof *answers, compare_seconds);
        tell_answer(b, q, &answers[n_rounds / 2]);
    } else if (b->status == PC_OK || b->status == PC_ERR_CERTIFY) {
        bench_note(b, SECTION, name_of(q, name, sizeof name), q->n, "WRONG");
        b->n_wrong++;
        b->status = PC_OK;
    } else if (b->status == PC_ERR_MEMORY) {
        bench_note(b, SECTION, name_of(q, name, sizeof name), q->n, b->context->message);
        b->status = PC_OK;
    }
    pc_graph_free(graph);
    pci_free(b->context, answers);
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

void bench_answers(bench *b)
{
    pci_devices devices = b->context->devices;
    if (devices.kind == PCI_DEVICE_AUTO)
        b->context->devices = (pci_devices){.kind = PCI_DEVICE_CUDA};
    for (uint32_t i = 0; i < N_QUESTIONS && !b->n_sizes && b->status == PC_OK; i++)
        measure(b, &questions[i]);
    for (uint32_t i = 0; i < b->n_sizes * N_OF_A_SIZE && b->status == PC_OK; i++) {
        question q = of_size(i % N_OF_A_SIZE, b->sizes[i / N_OF_A_SIZE]);
        measure(b, &q);
    }
    b->context->devices = devices;
}
