/* How good the plan's choice of a method is: over a grid of graphs, lengths and questions, the time of what
 * it chose beside that of each method forced, in turn, in one run. */
#include "tests/bench/report.h"

#include "pathcount_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 15, N_METHODS = 4, MOST_DEGREES = 4, MOST_LENGTHS = 3 };

/* A case is measured again until it took so long, and a method is given up that takes so many times as
 * long as what was chosen. */
static const double CASE_SECONDS = 0.3, HOPELESS = 3;

static const double GOOD = 1.3, BAD = 2;

typedef enum question { MATRIX, TOTAL, ROW, N_QUESTIONS } question;

static const char *const question_names[N_QUESTIONS] = {"matrix", "total", "one row"};
static const char *const method_names[N_METHODS] = {"auto", "dense", "sweep", "hybrid"};

/* 0: no more of them. */
typedef struct grid {
    uint64_t n, degrees[MOST_DEGREES], matrix_lengths[MOST_LENGTHS], lengths[MOST_LENGTHS];
} grid;

static const grid grids[] = {
    {100, {2, 8, 25}, {2, 16, 256}, {2, 16, 256}},
    {500, {2, 16, 125}, {2, 16, 256}, {2, 16, 256}},
    {2000, {2, 16, 125, 500}, {2, 16, 64}, {2, 16, 256}},
    {8000, {2, 16, 250, 2000}, {2, 8}, {2, 16, 256}},
};

typedef struct trial {
    bench_times times;
    bool is_out; /* cannot be done that way, or is hopeless */
} trial;

typedef struct contest {
    pc_context *context;
    const pc_graph *graph;
    uint64_t length;
    question question;
    double deadline; /* on the clock; INFINITY: none */
    trial trials[N_METHODS];
    pc_plan_info plan; /* of what was chosen */
} contest;

typedef struct tally {
    int n, n_good, n_bad;
    double worst;
} tally;

static int ask(void *user, const char *stage, double fraction)
{
    const contest *c = user;
    (void)stage;
    (void)fraction;
    return now_seconds() > c->deadline;
}

static pc_status drop_answer(void *user, uint64_t length, const pc_rows *rows)
{
    (void)user, (void)length, (void)rows;
    return PC_OK;
}

static pc_status answer(contest *c, pc_method method)
{
    static const pc_query_kind kinds[N_QUESTIONS] = {
        [MATRIX] = PC_QUERY_MATRIX, [TOTAL] = PC_QUERY_TOTAL, [ROW] = PC_QUERY_FROM};
    uint64_t vertex = 0;
    pc_count_options options = {.method = method};
    pc_query query = {.kind = kinds[c->question],
                      .length = c->length,
                      .n_asked = c->question == ROW,
                      .from = &vertex};
    return pc_query_run(c->context, c->graph, &query, &options, drop_answer, NULL);
}

static double run(contest *c, pc_method method)
{
    trial *t = &c->trials[method];
    double chosen = times_median(&c->trials[PC_METHOD_AUTO].times), start = now_seconds();
    c->deadline = method == PC_METHOD_AUTO ? INFINITY : start + 0.01 + HOPELESS * chosen;
    pc_status status = answer(c, method);
    double seconds = now_seconds() - start;
    if (status == PC_OK)
        times_add(&t->times, seconds);
    else if (method == PC_METHOD_AUTO)
        bench_die("%s", pc_context_message(c->context));
    t->is_out = status != PC_OK;
    if (method == PC_METHOD_AUTO)
        c->plan = *pc_plan_last(c->context);
    return seconds;
}

static void run_rounds(contest *c)
{
    double spent = 0;
    for (int r = 0; r < MOST_ROUNDS && (r < LEAST_ROUNDS || spent < CASE_SECONDS); r++)
        for (int i = 0; i < N_METHODS; i++) {
            int method = r == 0 ? i : (r + i) % N_METHODS; /* nobody always comes after the same */
            if (!c->trials[method].is_out)
                spent += run(c, (pc_method)method);
        }
}

static void print_seconds(const trial *t)
{
    if (t->times.n > 0)
        printf(" %10.6f", times_median(&t->times));
    else
        printf(" %10s", "-");
}

static void judge(contest *c, uint64_t degree, tally *all)
{
    double chosen = times_median(&c->trials[PC_METHOD_AUTO].times), best = INFINITY;
    for (int m = 1; m < N_METHODS; m++)
        if (c->trials[m].times.n > 0)
            best = fmin(best, times_median(&c->trials[m].times));
    double ratio = isinf(best) ? 1 : chosen / best;
    printf("%6lu %6lu %5lu  %-8s %-7s %10.6f", (unsigned long)pc_graph_n_vertices(c->graph),
           (unsigned long)degree, (unsigned long)c->length, question_names[c->question],
           method_names[c->plan.method], c->plan.predicted_seconds);
    for (int m = 0; m < N_METHODS; m++)
        print_seconds(&c->trials[m]);
    printf("  %5.2f%s\n", ratio, ratio > BAD ? "  BAD" : ratio > GOOD ? "  poor" : "");
    all->n++;
    all->n_good += ratio <= GOOD;
    all->n_bad += ratio > BAD;
    all->worst = fmax(all->worst, ratio);
}

static void run_case(pc_context *context, const pc_graph *graph, uint64_t degree, uint64_t length,
                     question question, tally *all)
{
    contest c = {.context = context, .graph = graph, .length = length, .question = question};
    pc_context_set_progress(context, ask, &c);
    run_rounds(&c);
    pc_context_set_progress(context, NULL, NULL);
    judge(&c, degree, all);
    fflush(stdout);
}

static void run_graph(pc_context *context, const grid *g, uint64_t degree, tally *all)
{
    pc_graph *graph = NULL;
    if (pc_generate_erdos_renyi(context, g->n, g->n * degree / 2, degree, 0, &graph) != PC_OK)
        bench_die("%s", pc_context_message(context));
    for (int q = 0; q < N_QUESTIONS; q++) {
        const uint64_t *lengths = q == MATRIX ? g->matrix_lengths : g->lengths;
        for (int l = 0; l < MOST_LENGTHS && lengths[l] > 0; l++)
            run_case(context, graph, degree, lengths[l], (question)q, all);
    }
    pc_graph_free(graph);
}

void section_plan(const bench_options *options)
{
    pc_context *context;
    tally all = {0};
    if (pc_context_create(&context) != PC_OK || pc_context_set_device(context, "cpu") != PC_OK ||
        pc_context_set_threads(context, options->n_threads) != PC_OK)
        bench_die("no context");
    report_progress("plan", "calibrating");
    if (pc_calibrate(context, NULL, NULL) != PC_OK)
        bench_die("%s", pc_context_message(context));
    printf("\nThe plan's choice: median seconds, undirected random graphs, certified\n"
           "%6s %6s %5s  %-8s %-7s %10s %10s %10s %10s %10s  %5s\n",
           "n", "degree", "k", "asked", "chosen", "predicted", "auto", "dense", "sweep", "hybrid",
           "ratio");
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (int d = 0; d < MOST_DEGREES && grids[g].degrees[d] > 0; d++)
            run_graph(context, &grids[g], grids[g].degrees[d], &all);
    printf("%d cases: %.1f%% within %.1f times the best, %d beyond %.0f times, worst %.2f\n", all.n,
           100.0 * all.n_good / all.n, GOOD, all.n_bad, BAD, all.worst);
    report_set("plan", "choice", "part_good", (double)all.n_good / all.n);
    report_set("plan", "choice", "worst", all.worst);
    pc_context_free(context);
}
