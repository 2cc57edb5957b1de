/* How good the plan's choice of a method is, and its prediction: over a grid of graphs, lengths and questions,
 * the time of what it chose beside that of each method forced, in turn, in one run. */
#include "tests/support/calls.h"
#include "tests/bench/bench.h"

#include "src/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 15, N_METHODS = 4, MOST_DEGREES = 4, MOST_LENGTHS = 3 };

/* A case is measured again until it took so long, not even once more after so long, and a method is given up that takes so many times as
 * long as what was chosen. */
static const double CASE_SECONDS = 0.3, LONG_CASE_SECONDS = 10, HOPELESS = 3;

static const double GOOD = 1.3, BAD = 2;

/* A case with a larger ratio is measured so many times as often: where processors are shared, the medians of few
 * runs of the same work differ by more. */
static const double DOUBTFUL = 1.15;
enum { MOST_PARTS = 4 };

/* Where the command measures some rates and plans again, and parts of the measured time that a prediction
 * should lie between; those of less than a millisecond are counted apart. */
static const double LONG_SECONDS = 0.1, LEAST_PART = 0.8, MOST_PART = 1.25, SHORT_SECONDS = 1e-3;

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
    int n_predicted[2], n_of_length[2]; /* well; in all: of short ones, of others */
} tally;

/* Rates as compiled in, and as the command measures them for long work. */
typedef struct machine {
    pc_context *plain, *measured;
} machine;

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

static pc_query query_of(const contest *c)
{
    static const pc_query_kind kinds[N_QUESTIONS] = {
        [MATRIX] = PC_QUERY_MATRIX, [TOTAL] = PC_QUERY_TOTAL, [ROW] = PC_QUERY_FROM};
    static const uint64_t vertex = 0;
    return (pc_query){.kind = kinds[c->question],
                      .length = c->length,
                      .n_asked = c->question == ROW,
                      .from = &vertex};
}

static pc_status answer(contest *c, pc_method method)
{
    pc_count_options options = {.method = method};
    pc_query query = query_of(c);
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

/* Each method comes after each other one as often: what ran before leaves threads and caches behind (Williams 1949).
 * The choice is first in the first round: its time sets the deadlines of the others. */
static const int orders[N_METHODS][N_METHODS] = {
    {0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}};

static void run_rounds(contest *c)
{
    double spent = 0;
    for (int r = 0;
         r < MOST_ROUNDS && spent < (r < LEAST_ROUNDS ? LONG_CASE_SECONDS : CASE_SECONDS); r++)
        for (int i = 0; i < N_METHODS; i++) {
            int method = orders[r % N_METHODS][i];
            if (!c->trials[method].is_out)
                spent += run(c, (pc_method)method);
        }
}

/* What was chosen over the best that was forced. */
static double ratio_of(const contest *c)
{
    double best = INFINITY;
    for (int m = 1; m < N_METHODS; m++)
        if (c->trials[m].times.n > 0)
            best = fmin(best, times_median(&c->trials[m].times));
    return isinf(best) ? 1 : times_median(&c->trials[PC_METHOD_AUTO].times) / best;
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
    double chosen = times_median(&c->trials[PC_METHOD_AUTO].times), ratio = ratio_of(c);
    printf("%6lu %6lu %5lu  %-8s %-7s %10.6f", (unsigned long)pc_graph_n_vertices(c->graph),
           (unsigned long)degree, (unsigned long)c->length, question_names[c->question],
           method_names[c->plan.method], c->plan.predicted_seconds);
    for (int m = 0; m < N_METHODS; m++)
        print_seconds(&c->trials[m]);
    printf("  %5.2f  %5.2f%s\n", c->plan.predicted_seconds / chosen, ratio,
           ratio > BAD    ? "  BAD"
           : ratio > GOOD ? "  poor"
                          : "");
    all->n++;
    all->n_good += ratio <= GOOD;
    all->n_bad += ratio > BAD;
    all->worst = fmax(all->worst, ratio);
    bool is_long = chosen >= SHORT_SECONDS;
    double part = c->plan.predicted_seconds / chosen;
    all->n_of_length[is_long]++;
    all->n_predicted[is_long] += part >= LEAST_PART && part <= MOST_PART;
}

/* Whether the command would measure rates before this. */
static bool is_predicted_long(contest *c)
{
    pc_plan *plan = NULL;
    pc_query query = query_of(c);
    if (pc_plan_create(c->context, c->graph, &query, NULL, &plan) != PC_OK)
        bench_die("%s", pc_context_message(c->context));
    bool is_long = pc_plan_get_info(plan)->predicted_seconds >= LONG_SECONDS;
    pc_plan_free(plan);
    return is_long;
}

static void run_case(const machine *machine, const pc_graph *graph, uint64_t degree,
                     uint64_t length, question question, tally *all)
{
    contest c = {.context = machine->plain, .graph = graph, .length = length, .question = question};
    if (is_predicted_long(&c))
        c.context = machine->measured;
    pc_context_set_progress(c.context, ask, &c);
    run_rounds(&c);
    for (int part = 1; part < MOST_PARTS && ratio_of(&c) > DOUBTFUL; part++)
        run_rounds(&c);
    pc_context_set_progress(c.context, NULL, NULL);
    judge(&c, degree, all);
    fflush(stdout);
}

static pc_context *new_context(const bench_options *options)
{
    pc_context *context;
    if (pc_context_create(&context) != PC_OK || pc_context_set_device(context, "cpu") != PC_OK ||
        pc_context_set_threads(context, options->n_threads) != PC_OK)
        bench_die("no context");
    return context;
}

/* Rates are measured anew for each graph, as by a command of its own. */
static machine new_machine(const bench_options *options)
{
    machine made = {new_context(options), new_context(options)};
    if (pc_calibrate_quickly(made.measured, NULL) != PC_OK)
        bench_die("%s", pc_context_message(made.measured));
    return made;
}

static void run_graph(const machine *machine, const grid *g, uint64_t degree, tally *all)
{
    pc_context *context = machine->plain;
    pc_graph *graph = NULL;
    if (generate_erdos_renyi(context, g->n, g->n * degree / 2, degree, 0, &graph) != PC_OK)
        bench_die("%s", pc_context_message(context));
    for (int q = 0; q < N_QUESTIONS; q++) {
        const uint64_t *lengths = q == MATRIX ? g->matrix_lengths : g->lengths;
        for (int l = 0; l < MOST_LENGTHS && lengths[l] > 0; l++)
            run_case(machine, graph, degree, lengths[l], (question)q, all);
    }
    pc_graph_free(graph);
}

static void print_tally(const tally *all)
{
    printf("%d cases: %.1f%% within %.1f times the best, %d beyond %.0f times, worst %.2f\n",
           all->n, 100.0 * all->n_good / all->n, GOOD, all->n_bad, BAD, all->worst);
    for (int l = 1; l >= 0; l--)
        printf("predictions of %s: %d of %d between %.1f and %.2f times the time\n",
               l ? "a millisecond or more" : "less", all->n_predicted[l], all->n_of_length[l],
               LEAST_PART, MOST_PART);
    report_set("plan", "choice", "part_good", (double)all->n_good / all->n);
    report_set("plan", "choice", "worst", all->worst);
    report_set("plan", "prediction", "part_good",
               (double)all->n_predicted[1] / fmax(1, all->n_of_length[1]));
}

void section_plan(const bench_options *options)
{
    tally all = {0};
    printf("\nThe plan's choice: median seconds, undirected random graphs, certified\n"
           "%6s %6s %5s  %-8s %-7s %10s %10s %10s %10s %10s  %5s  %5s\n",
           "n", "degree", "k", "asked", "chosen", "predicted", "auto", "dense", "sweep", "hybrid",
           "p/m", "ratio");
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (int d = 0; d < MOST_DEGREES && grids[g].degrees[d] > 0; d++) {
            machine machine = new_machine(options);
            run_graph(&machine, &grids[g], grids[g].degrees[d], &all);
            pc_context_free(machine.plain);
            pc_context_free(machine.measured);
        }
    print_tally(&all);
}
