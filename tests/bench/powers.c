/* Section W1..W4: powers of adjacency matrices, ours and the peers' in turn. */
#include "tests/support/calls.h"
#include "pathcount.h"
#include "tests/bench/bench.h"
#include "tests/bench/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer_place {
    const char *name;
    const char *module, *symbol; /* file in the benchmark's folder, and what it exports */
    const char *package;         /* what to install to have it */
    bool is_slow;                /* left out by --quick */
} peer_place;

static const peer_place places[] = {
    {"OpenBLAS", "peer_openblas.so", "peer_power_table", "apt install libopenblas-dev", false},
    {"NumPy", "peer_python.so", "peer_numpy_table", "apt install python3-numpy", false},
    {"GraphBLAS", "peer_graphblas.so", "peer_power_table", "apt install libgraphblas-dev", false},
    {"FLINT", "peer_flint.so", "peer_power_table", "apt install libflint-dev", true},
    {"python-flint", "peer_python.so", "peer_pyflint_table", "pip install python-flint", true},
};
enum { N_PLACES = sizeof places / sizeof *places };

/* ---- Results compared ------------------------------------------------------------------------ */

typedef struct tally {
    uint64_t n_wrong;  /* entries that are not the count */
    uint64_t n_broken; /* entries that are not what this kind of peer promises either */
    double worst_error;
} tally;

/* A count as a double, and whether that is all of it. */
static double limbs_to_double(const uint64_t *limbs, uint32_t n_limbs, bool *is_exact)
{
    double value = 0;
    int lowest = 0, highest = -1; /* bits that are set */
    for (uint32_t l = 0; l < n_limbs; l++) {
        if (limbs[l] == 0)
            continue;
        if (highest < 0)
            lowest = (int)l * 64 + __builtin_ctzll(limbs[l]);
        highest = (int)l * 64 + 63 - __builtin_clzll(limbs[l]);
    }
    for (uint32_t l = n_limbs; l-- > 0;)
        value = value * 0x1p64 + (double)limbs[l];
    *is_exact = highest - lowest < 53;
    return value;
}

static void tally_doubles(const pc_rows *ours, const uint64_t *limbs, const double *row, tally *t)
{
    for (uint64_t j = 0; j < ours->n_columns; j++) {
        bool is_exact;
        double count = limbs_to_double(limbs + j * ours->n_limbs, ours->n_limbs, &is_exact);
        double error = fabs(row[j] - count) / (count > 0 ? count : 1);
        if (!is_exact || row[j] != count)
            t->n_wrong++;
        if (!(error < 1e-6)) /* also when it is not a number */
            t->n_broken++;
        if (!(error <= t->worst_error))
            t->worst_error = error;
    }
}

/* Peers of integers: all limbs, or the lowest alone. */
static void tally_limbs(const pc_rows *ours, const uint64_t *limbs, const uint64_t *row, bool wraps,
                        tally *t)
{
    uint32_t n_limbs = ours->n_limbs;
    for (uint64_t j = 0; j < ours->n_columns; j++) {
        const uint64_t *a = limbs + j * n_limbs, *b = row + j * n_limbs;
        bool is_equal = memcmp(a, b, n_limbs * sizeof *a) == 0;
        t->n_wrong += !is_equal;
        t->n_broken += wraps ? a[0] != b[0] : !is_equal;
    }
}

static void describe_tally(const peer_power *peer, const tally *t, uint64_t n_entries, char *text,
                           size_t size)
{
    unsigned long long wrong = t->n_wrong, broken = t->n_broken, all = n_entries;
    double part = 100.0 * (double)wrong / (double)all;
    if (broken > 0)
        snprintf(text, size, "DIFFERS in %llu of %llu entries", broken, all);
    else if (wrong == 0)
        snprintf(text, size, "equal, every entry");
    else if (peer->kind == PEER_DOUBLES)
        snprintf(text, size, "%.1f%% of entries wrong, by up to %.1e of the count", part,
                 t->worst_error);
    else
        snprintf(text, size, "equal mod 2^64, %.1f%% of entries wrapped", part);
}

/* Compares a peer's result with ours, entry by entry; text says how it went. False when a peer that
 * should agree does not. */
static bool verify(const peer_power *peer, void *state, const pc_rows *ours, char *text,
                   size_t size)
{
    tally t = {0};
    uint64_t n = ours->n_columns;
    uint64_t *row = need_memory(n * ours->n_limbs * sizeof *row);
    for (uint64_t i = 0; i < ours->n_rows; i++) {
        const uint64_t *limbs = ours->limbs + i * n * ours->n_limbs;
        peer->row(state, i, ours->n_limbs, row);
        if (peer->kind == PEER_DOUBLES)
            tally_doubles(ours, limbs, (const double *)row, &t);
        else
            tally_limbs(ours, limbs, row, peer->kind == PEER_WRAPS, &t);
    }
    free(row);
    describe_tally(peer, &t, ours->n_rows * n, text, size);
    return t.n_broken == 0;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

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
    bool ok = verify(peer, state, &rows, result, size);
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
    char note[256], result[128];
    if (!run_in_turn(c, peer, state, &ours, &theirs, result, sizeof result))
        report_failure(section, place->name, result);
    double ratio = times_median(&theirs) / times_median(&ours);
    snprintf(note, sizeof note, "peer:ours %.2fx; %s: %s", ratio, peer->describe(), result);
    report_row(section, place->name, &theirs, note);
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
    const peer_power *peer = peer_load(options, place->module, place->symbol);
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
    char text[160];
    contest_start(&c);
    snprintf(text, sizeof text, "%s; length %u; %llu arcs; counts below 2^%.1f", c.work->text,
             c.work->length, (unsigned long long)c.arcs.n_arcs, c.plan.bound_bits);
    report_head(c.work->name, text);
    for (int p = 0; p < N_PLACES; p++)
        visit(&c, &places[p]);
    while (c.ours.n < options->n_runs) /* no peer at all */
        run_ours(&c);
    snprintf(text, sizeof text, "%s %s: exact, certified", pc_version(), c.plan.kernel);
    report_row(c.work->name, "pathcount", &c.ours, text);
    report_set_text(c.work->name, "pathcount", "kernel", c.plan.kernel);
    print_stages(&c);
    print_prediction(&c);
    contest_end(&c);
}
