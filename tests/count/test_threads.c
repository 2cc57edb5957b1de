/* Contexts in several threads at once, a graph shared between them, and the same bytes whatever the
 * number of threads. CUnit is only asked by the thread that runs the case. */
#include "src/core/context.h"
#include "tests/support/fixture.h"
#include "tests/support/guarded_memory.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_WORKERS = 4, N_MANY_WORKERS = 64, N_ROUNDS = 25 };

/* Holds the task of one thread, which it repeats, and the result. */
typedef struct worker {
    pthread_t thread;
    edge_set edges;
    const pc_graph *shared; /* count this graph; NULL: make one of edges each time */
    uint64_t k;
    integer_matrix expected;
    int n_rounds;
    uint64_t n_wrong, n_failed;
} worker;

/* One count on a context of its own. */
static void count_once(worker *w, int n_threads)
{
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    pc_counts *counts = NULL;
    bool ok = pc_context_create(&context) == PC_OK;
    if (ok)
        context->thread_seconds = LITTLE_SECONDS;
    ok = ok && pc_context_set_threads(context, n_threads) == PC_OK &&
         (w->shared != NULL || edge_set_load(context, &w->edges, &graph) == PC_OK) &&
         pc_count(context, w->shared != NULL ? w->shared : graph, w->k, NULL, &counts) == PC_OK;
    w->n_failed += !ok;
    w->n_wrong += ok ? n_wrong_counts(counts, &w->expected) : 0;
    pc_counts_free(counts);
    pc_graph_free(graph);
    if (context != NULL)
        pc_context_free(context);
}

static void *work(void *user)
{
    worker *w = user;
    for (int round = 0; round < w->n_rounds; round++)
        count_once(w, 1 + round % 3);
    return NULL;
}

static void run_workers(worker *workers, int n_workers, int n_rounds)
{
    for (int w = 0; w < n_workers; w++) {
        workers[w].n_rounds = n_rounds;
        CU_ASSERT_EQUAL_FATAL(pthread_create(&workers[w].thread, NULL, work, &workers[w]), 0);
    }
    for (int w = 0; w < n_workers; w++)
        CU_ASSERT_EQUAL_FATAL(pthread_join(workers[w].thread, NULL), 0);
    for (int w = 0; w < n_workers; w++) {
        CU_ASSERT_EQUAL(workers[w].n_failed, 0);
        CU_ASSERT_EQUAL(workers[w].n_wrong, 0);
        integer_matrix_free(&workers[w].expected);
        edge_set_free(&workers[w].edges);
    }
}

/* The environment says how many threads there may be: as many as a context can be given. */
TEST("more threads than there can be")
{
    OWNED(pc_context) *context = new_context(0);
    int usual = omp_get_max_threads();
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i == 0 ? 1 << 30 : INT_MAX);
        CU_ASSERT_EQUAL(pci_n_threads(context), 1024);
        CU_ASSERT_EQUAL(pci_threads_for(context, 1e300), 1024);
    }
    omp_set_num_threads(usual);
}

TEST("many contexts at once")
{
    worker workers[N_MANY_WORKERS] = {0};
    random_source source = {205};
    for (int w = 0; w < N_MANY_WORKERS; w++) {
        workers[w].edges = edge_set_density(&source, 8 + (uint64_t)w % 24, 300, w % 2);
        workers[w].k = 1 + 3 * (uint64_t)w % 40;
        workers[w].expected = oracle_count(&workers[w].edges, workers[w].k);
    }
    run_workers(workers, N_MANY_WORKERS, 4);
}

TEST("one graph in several threads")
{
    worker workers[N_WORKERS] = {0};
    random_source source = {201};
    OWNED(edge_set) edges = edge_set_density(&source, 90, 150, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int w = 0; w < N_WORKERS; w++) {
        workers[w].shared = graph;
        workers[w].k = 2 + 7 * (uint64_t)w;
        workers[w].expected = oracle_count(&edges, workers[w].k);
    }
    run_workers(workers, N_WORKERS, N_ROUNDS);
}

typedef struct talker {
    pthread_t thread;
    int number;
    int n_wrong;
} talker;

/* Fails again and again; each failure must find its own number in its own message. */
static void *fail_often(void *user)
{
    talker *t = user;
    OWNED(pc_context) *context = NULL;
    char number[32];
    if (pc_context_create(&context) != PC_OK) {
        t->n_wrong = 1;
        return NULL;
    }
    for (int round = 0; round < 2000; round++) {
        int bad = -(t->number * 100000 + round) - 1;
        snprintf(number, sizeof number, "%d", bad);
        t->n_wrong += pc_context_set_threads(context, bad) != PC_ERR_ARGUMENT ||
                      strstr(pc_context_message(context), number) == NULL;
    }
    return NULL;
}

TEST("messages do not mix")
{
    talker talkers[N_WORKERS] = {0};
    for (int t = 0; t < N_WORKERS; t++) {
        talkers[t].number = t + 1;
        CU_ASSERT_EQUAL_FATAL(pthread_create(&talkers[t].thread, NULL, fail_often, &talkers[t]), 0);
    }
    for (int t = 0; t < N_WORKERS; t++) {
        CU_ASSERT_EQUAL_FATAL(pthread_join(talkers[t].thread, NULL), 0);
        CU_ASSERT_EQUAL(talkers[t].n_wrong, 0);
    }
}

static bool is_same(const pc_rows *a, const pc_rows *b)
{
    return a->n_rows == b->n_rows && a->n_columns == b->n_columns && a->n_limbs == b->n_limbs &&
           a->exponent == b->exponent &&
           (a->limbs != NULL
                ? memcmp(a->limbs, b->limbs,
                         a->n_rows * a->n_columns * a->n_limbs * sizeof *a->limbs)
                : memcmp(a->values, b->values, a->n_rows * a->n_columns * sizeof *a->values)) == 0;
}

/* Counts of edges on n_threads, with both objects they need kept alive. */
typedef struct run {
    pc_context *context;
    pc_graph *graph;
    pc_counts *counts;
} run;

static run run_with(const edge_set *edges, uint64_t k, pc_arithmetic arithmetic, int n_threads)
{
    pc_count_options options = {.arithmetic = arithmetic,
                                .modulus = arithmetic == PC_MODULAR ? 1000000007 : 0};
    run r = {.context = new_context(n_threads)};
    r.graph = new_graph(r.context, edges);
    MUST(pc_count(r.context, r.graph, k, &options, &r.counts));
    return r;
}

static void end_run(run *r)
{
    pc_counts_free(r->counts);
    pc_graph_free(r->graph);
    pc_context_free(r->context);
}
#define release_run end_run

TEST("same bytes for any thread count")
{
    static const int thread_counts[] = {2, 3, 4, 5, 7, 16, 61};
    static const pc_arithmetic arithmetics[] = {PC_EXACT, PC_MODULAR, PC_FLOAT};
    random_source source = {202};
    for (int graph = 0; graph < 4; graph++) {
        OWNED(edge_set) edges =
            edge_set_density(&source, 97 + 40 * (uint64_t)graph, 250, graph % 2);
        for (int a = 0; a < 3; a++) {
            pc_rows alone, together;
            OWNED(run) one = run_with(&edges, 13, arithmetics[a], 1);
            pc_counts_rows(one.counts, &alone);
            for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
                OWNED(run) many = run_with(&edges, 13, arithmetics[a], thread_counts[t]);
                pc_counts_rows(many.counts, &together);
                CU_ASSERT_TRUE(is_same(&alone, &together));
            }
        }
    }
}

enum { FORK_THREADS = 4 };

/* ---- As many as pay ------------------------------------------------------------------------------ */

static int n_running(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks))
        n++;
    if (tasks)
        closedir(tasks);
    return n;
}

/* Makes a graph and counts in it, in a thread that has no team yet: the team would still be there. */
static void *count_little(void *user)
{
    int n_before = n_running();
    random_source source = {205};
    OWNED(edge_set) edges = edge_set_density(&source, 100, 100, false);
    OWNED(pc_context) *context = NULL;
    MUST(pc_context_create(&context));
    MUST(pc_context_set_threads(context, FORK_THREADS));
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_TOTAL, PC_QUERY_CLOSED};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int a = PC_EXACT; a <= PC_FLOAT; a++) {
            const pc_count_options options = {.arithmetic = (pc_arithmetic)a,
                                              .modulus = a == PC_MODULAR ? 1000003 : 0};
            const pc_query query = {.kind = kinds[k], .length = 12};
            MUST(pc_query_run(context, graph, &query, &options, count_answers, NULL));
        }
    *(int *)user = n_running() - n_before;
    return NULL;
}

TEST("one thread does alone what takes little")
{
    pthread_t thread;
    int n_started = -1;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, count_little, &n_started), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_join(thread, NULL), 0);
    CU_ASSERT_EQUAL(n_started, 0);
}

TEST("work has as many threads as it is worth")
{
    static const struct {
        double seconds;
        int n_threads, n_expected;
    } rows[] = {{0, 8, 1},      {2.9e-3, 8, 1},  {3.1e-3, 8, 4},  {3.1e-3, 1, 1},
                {3.9e-3, 8, 4}, {4.1e-3, 8, 8},  {7.9e-3, 16, 8}, {8.1e-3, 16, 16},
                {1, 6, 6},      {INFINITY, 8, 8}};
    OWNED(pc_context) *context = NULL;
    MUST(pc_context_create(&context));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MUST(pc_context_set_threads(context, rows[i].n_threads));
        CU_ASSERT_EQUAL(pci_threads_worth(context, rows[i].seconds), rows[i].n_expected);
    }
}

/* A plan tells its threads; a question within another one has no more of them. */
TEST("plans have as many threads as they are worth")
{
    random_source source = {206};
    OWNED(edge_set) few = edge_set_density(&source, 50, 150, false);
    OWNED(edge_set) many = edge_set_density(&source, 900, 100, false);
    const edge_set *sets[] = {&few, &many};
    OWNED(pc_context) *context = NULL;
    MUST(pc_context_create(&context));
    MUST(pc_context_set_threads(context, FORK_THREADS));
    for (int n_worth = 0; n_worth < 3; n_worth++)
        for (int i = 0; i < 2; i++) {
            OWNED(pc_graph) *graph = new_graph(context, sets[i]);
            pc_plan_info plan;
            context->n_worth = n_worth;
            MUST(plan_matrix(context, graph, 20, NULL, 0, &plan));
            CU_ASSERT_EQUAL(plan.n_threads, i == 0 ? 1 : n_worth ? n_worth : FORK_THREADS);
            CU_ASSERT_EQUAL(context->n_worth, n_worth);
        }
}

/* ---- After a fork ------------------------------------------------------------------------------- */

enum { MOST_SECONDS = 100 };

/* Counts in each arithmetic; the exact ones are compared. */
static bool counts_are_right(const edge_set *edges, const integer_matrix *expected, uint64_t k)
{
    bool right = true;
    for (int a = PC_EXACT; a <= PC_FLOAT; a++) {
        OWNED(run) r = run_with(edges, k, (pc_arithmetic)a, FORK_THREADS);
        right = right && (a != PC_EXACT || n_wrong_counts(r.counts, expected) == 0);
    }
    return right;
}

/* Threads of a plan that is made here. */
static uint32_t n_planned_threads(const edge_set *edges)
{
    pc_plan_info plan = {0};
    OWNED(run) r = run_with(edges, 60, PC_EXACT, FORK_THREADS);
    plan_last(r.context, &plan);
    return (uint32_t)plan.n_threads;
}

/* Returns the exit status of a child, which is 0 when its counts are right. A child that hangs is ended. */
static int fork_and_count(const edge_set *edges, const integer_matrix *expected, uint64_t k,
                          uint32_t n_threads)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        bool is_right = counts_are_right(edges, expected, k);
        _exit(!is_right ? 1 : n_planned_threads(edges) != n_threads ? 2 : 0);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

TEST("counts after a fork")
{
    random_source source = {203};
    OWNED(edge_set) edges = edge_set_density(&source, 150, 300, true);
    OWNED(integer_matrix) expected = oracle_count(&edges, 12);
    CU_ASSERT_TRUE(counts_are_right(&edges, &expected, 12));
    CU_ASSERT_EQUAL(fork_and_count(&edges, &expected, 12, 1), 0);
    CU_ASSERT_TRUE(counts_are_right(&edges, &expected, 12));
    CU_ASSERT_EQUAL(n_planned_threads(&edges), FORK_THREADS); /* the parent's are still there */
}

/* A thread that has made no call yet: its child may use as many threads as it likes. */
static void *fork_first(void *user)
{
    random_source source = {204};
    OWNED(edge_set) edges = edge_set_density(&source, 100, 300, false);
    OWNED(integer_matrix) expected = oracle_count(&edges, 9);
    *(int *)user = fork_and_count(&edges, &expected, 9, FORK_THREADS);
    return NULL;
}

TEST("threads after a fork")
{
    pthread_t thread;
    int status = -1;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, fork_first, &status), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_join(thread, NULL), 0);
    CU_ASSERT_EQUAL(status, 0);
}
