/* Section W1..W4: powers of adjacency matrices, ours and the peers' in turn. */
#include "tests/support/calls.h"
#include "tests/bench/peak.h"
#include "tests/bench/peers.h"
#include "tests/bench/report.h"
#include "tests/bench/workloads.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const peer_place places[] = {
    {"OpenBLAS", "peer_openblas.so", "apt install libopenblas-dev", false},
    {"NumPy", "peer_numpy.so", "apt install python3-numpy", false},
    {"GraphBLAS", "peer_graphblas.so", "apt install libgraphblas-dev", false},
    {"FLINT", "peer_flint.so", "apt install libflint-dev", true},
    {"python-flint", "peer_pyflint.so", "pip install python-flint", true},
};
enum { N_PLACES = sizeof places / sizeof *places };

/* One workload being counted. */
typedef struct contest {
    const bench_options *options;
    const workload *work;
    bench_graph arcs;
    pc_context *context;
    pc_graph *graph;
    pc_counts *counts; /* of the first run, to verify the peers with */
    bench_times ours;  /* of all runs */
    pc_plan_info plan; /* of the last */
} contest;

static void check(const contest *c, pc_status status)
{
    if (status != PC_OK)
        bench_die("%s: %s: %s", c->work->name, pc_status_text(status),
                  pc_context_message(c->context));
}

/* Idle threads of the library that ran before spin for some milliseconds. */
static void wait_for_quiet(void)
{
    usleep(60000);
}

/* One count, the whole matrix kept. */
static double run_ours(contest *c)
{
    pc_counts *counts;
    wait_for_quiet();
    double start = now_seconds();
    check(c, pc_count(c->context, c->graph, c->work->length, NULL, &counts));
    double seconds = now_seconds() - start;
    times_add(&c->ours, seconds);
    c->plan = *pc_plan_last(c->context);
    if (c->counts == NULL)
        c->counts = counts;
    else
        pc_counts_free(counts);
    return seconds;
}

static void contest_start(contest *c)
{
    c->work->make(&c->arcs);
    if (pc_context_create(&c->context) != PC_OK)
        bench_die("no context");
    check(c, pc_context_set_threads(c->context, c->options->n_threads));
    pc_graph_options how = {.direction = c->arcs.directed ? PC_DIRECTED : PC_UNDIRECTED};
    check(c, graph_from_arrays(c->context, c->arcs.n, c->arcs.n_edges, c->arcs.from, c->arcs.to,
                               NULL, &how, &c->graph));
    run_ours(c);
    c->ours.n = 0; /* the first run warms up */
}

static void contest_end(contest *c)
{
    pc_counts_free(c->counts);
    pc_graph_free(c->graph);
    pc_context_free(c->context);
    graph_free(&c->arcs);
}

static void print_head(const contest *c)
{
    printf("\n%s  %s; length %u; %llu arcs; counts below 2^%.1f\n", c->work->name, c->work->text,
           c->work->length, (unsigned long long)c->arcs.n_arcs, c->plan.bound_bits);
    printf("  %-36s %9s %9s %9s %5s %10s  %s\n", "", "median s", "least", "most", "runs",
           "peer:ours", "result");
    fflush(stdout); /* before what goes to stderr */
}

static void print_row(const char *who, const bench_times *times, double ratio, const char *result)
{
    char ratio_text[16] = "";
    if (ratio > 0)
        snprintf(ratio_text, sizeof ratio_text, "%.2fx", ratio);
    printf("  %-36s %9.4f %9.4f %9.4f %5d %10s  %s\n", who, times_median(times), times_least(times),
           times_most(times), times->n, ratio_text, result);
    fflush(stdout);
}

static bool run_peer(const peer_power *peer, void *state, bench_times *times)
{
    wait_for_quiet();
    double start = now_seconds();
    bool ok = peer->run(state);
    times_add(times, now_seconds() - start);
    return ok;
}

/* Runs in turn: ours, peer, ours, peer. The peer's first run is verified; it is the only one when
 * it is long, else it does not count. */
static bool run_in_turn(contest *c, const peer_power *peer, void *state, bench_times *ours,
                        bench_times *theirs, char *result, size_t size)
{
    pc_rows rows;
    times_add(ours, run_ours(c));
    if (!run_peer(peer, state, theirs)) {
        snprintf(result, size, "the computation failed");
        return false;
    }
    pc_counts_rows(c->counts, &rows);
    bool ok = peer_verify(peer, state, &rows, result, size);
    bool is_long = times_median(theirs) > c->options->slow_seconds;
    if (!is_long)
        ours->n = theirs->n = 0;
    while (ours->n < c->options->n_runs) {
        times_add(ours, run_ours(c));
        if (!is_long)
            ok = run_peer(peer, state, theirs) && ok;
    }
    return ok;
}

static void compete(contest *c, const peer_place *place, const peer_power *peer, void *state)
{
    const char *section = c->work->name;
    bench_times ours = {0}, theirs = {0};
    char who[64], result[128];
    snprintf(who, sizeof who, "%s %s", place->name, peer->describe());
    if (!run_in_turn(c, peer, state, &ours, &theirs, result, sizeof result))
        report_failure(section, place->name, result);
    double ratio = times_median(&theirs) / times_median(&ours);
    print_row(who, &theirs, ratio, result);
    report_set_times(section, place->name, &theirs);
    report_set(section, place->name, "peer_over_ours", ratio);
    report_set_text(section, place->name, "version", peer->describe());
    report_set_text(section, place->name, "result", result);
}

static void visit(contest *c, const peer_place *place)
{
    const bench_options *options = c->options;
    if (options->quick && place->is_slow) {
        printf("  %-36s left out by --quick\n", place->name);
        return;
    }
    report_progress(c->work->name, place->name);
    const peer_power *peer = peer_load(options, place->module, "peer_power_table");
    peer_setup setup = {&c->arcs, c->work->length, options->n_threads, options->folder,
                        options->scratch};
    void *state = peer == NULL ? NULL : peer->prepare(&setup);
    if (state == NULL) {
        printf("  %-36s not installed: %s\n", place->name, place->package);
        return;
    }
    compete(c, place, peer, state);
    peer->release(state);
}

/* int8 operations of the squarings; a symmetric product needs half. */
static double count_operations(const pc_plan_info *plan)
{
    double n = (double)plan->n_vertices, operations = 0;
    double one = plan->symmetric ? n * n * (n + 1) : 2 * n * n * n;
    for (uint32_t l = 0; l < plan->n_levels; l++)
        if (!plan->levels[l].is_step)
            operations += one * plan->levels[l].n_products;
    return operations;
}

static void print_stages(const contest *c)
{
    const pc_plan_info *plan = &c->plan;
    double part_in_crt = (plan->seconds.extend + plan->seconds.collect) / plan->seconds.total;
    printf("  stages of the last run, s: bound %.4f, load %.4f, extend %.4f, product %.4f, "
           "step %.4f,\n  sweep %.4f, collect %.4f, certify %.4f, deliver %.4f, total %.4f; extend "
           "and collect "
           "are %.0f%%\n",
           plan->seconds.bound, plan->seconds.load, plan->seconds.extend, plan->seconds.product,
           plan->seconds.step, plan->seconds.sweep, plan->seconds.collect, plan->seconds.certify,
           plan->seconds.deliver, plan->seconds.total, 100 * part_in_crt);
    report_set(c->work->name, "pathcount", "part_in_crt", part_in_crt);
    report_set(c->work->name, "pathcount", "product_seconds", plan->seconds.product);
    report_set(c->work->name, "pathcount", "bound_bits", plan->bound_bits);
}

/* What the peak of the machine, measured now, allows; next to what it took. */
static void print_prediction(const contest *c)
{
    double operations = count_operations(&c->plan);
    double peak = peak_of_kernel(c->plan.kernel, c->options->n_threads);
    if (peak == 0)
        return;
    double seconds = operations / peak;
    printf("  %.3f T int8 operations at the peak of %.2f TOPS take %.4f s; the products took "
           "%.4f s: %.0f%%\n",
           operations * 1e-12, peak * 1e-12, seconds, c->plan.seconds.product,
           100 * seconds / c->plan.seconds.product);
    report_set(c->work->name, "pathcount", "int8_operations", operations);
    report_set(c->work->name, "pathcount", "peak_ops_per_second", peak);
    report_set(c->work->name, "pathcount", "predicted_seconds", seconds);
}

void section_powers(const bench_options *options, int workload_number)
{
    contest c = {.options = options, .work = &workloads[workload_number]};
    char who[64];
    contest_start(&c);
    print_head(&c);
    for (int p = 0; p < N_PLACES; p++)
        visit(&c, &places[p]);
    while (c.ours.n < options->n_runs) /* no peer at all */
        run_ours(&c);
    snprintf(who, sizeof who, "pathcount %s %s", pc_version(), c.plan.kernel);
    print_row(who, &c.ours, 0, "exact, certified");
    report_set_times(c.work->name, "pathcount", &c.ours);
    report_set_text(c.work->name, "pathcount", "kernel", c.plan.kernel);
    print_stages(&c);
    print_prediction(&c);
    contest_end(&c);
}
