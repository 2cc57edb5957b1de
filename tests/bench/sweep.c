/* Section sweep: exact rows of powers by vectors through the sparse graph, beside GraphBLAS's chain of
 * products, whose words wrap: all pairs of W1 and W3, 64 sources and the total of a graph that no cache
 * holds; and what part of the bandwidth of memory a sweep reaches where that is what holds it up. */
#include "tests/support/calls.h"
#include <gmp.h>

#include "src/plan/limits.h"
#include "src/cpu/swept_rows.h"
#include "tests/bench/peer.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SCALE = 18,
    EDGES_A_VERTEX = 16,
    LENGTH = 8, /* of paths in that graph */
    N_SOURCES = 64,
    MAX_LENGTH = 32,
    MAX_LIMBS = 4,
    SIDE = 1024, /* of the grid */
    PRIME_BITS = 61
};

typedef struct contest {
    const bench_options *options;
    const char *name;
    pc_context *context;
    pc_graph *graph;
    bench_graph arcs; /* for peers */
    uint64_t length, n_starts;
    const uint64_t *starts; /* NULL: every vertex */
    bool is_total;          /* one number is the result; else a row for each start */
    double bits[MAX_LENGTH + 1];
    uint32_t n_limbs;
    uint64_t *result; /* [n_starts][n][n_limbs] */
    bench_times ours, theirs;
} contest;

static void check(const contest *c, pc_status status)
{
    if (status != PC_OK)
        bench_die("sweep: %s: %s", pc_status_text(status), pc_context_message(c->context));
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static void begin(contest *c, const bench_options *options)
{
    *c = (contest){.options = options};
    if (pc_context_create(&c->context) != PC_OK)
        bench_die("no context");
    check(c, pc_context_set_threads(c->context, options->n_threads));
}

static void end(contest *c)
{
    graph_free(&c->arcs);
    pc_graph_free(c->graph);
    pc_context_free(c->context);
}

static void load(contest *c)
{
    pc_graph_options how = {.direction = c->arcs.directed ? PC_DIRECTED : PC_UNDIRECTED};
    check(c, graph_from_arrays(c->context, c->arcs.n, c->arcs.n_edges, c->arcs.from, c->arcs.to,
                               NULL, &how, &c->graph));
}

static void make_workload(contest *c, const workload *work)
{
    work->make(&c->arcs);
    c->length = work->length;
    load(c);
}

static void make_rmat(contest *c)
{
    pc_model rmat = {.scale = SCALE, .edge_factor = EDGES_A_VERTEX};
    check(c, generate_rmat(c->context, &rmat, 1, 0, &c->graph));
    uint64_t n_arcs = pci_graph_n_arcs(c->graph);
    c->length = LENGTH;
    c->arcs = (bench_graph){.n = c->graph->n,
                            .n_edges = n_arcs,
                            .n_arcs = n_arcs,
                            .from = need_memory(n_arcs * sizeof(uint64_t)),
                            .to = need_memory(n_arcs * sizeof(uint64_t)),
                            .directed = true};
    for (uint64_t i = 0; i < c->graph->n; i++)
        for (uint64_t a = c->graph->row_start[i]; a < c->graph->row_start[i + 1]; a++) {
            c->arcs.from[a] = i;
            c->arcs.to[a] = c->graph->column[a];
        }
}

/* SIDE x SIDE, numbered row by row: neighbours of neighbours are near. */
static void make_grid(contest *c)
{
    uint64_t n = (uint64_t)SIDE * SIDE, n_edges = 0;
    c->arcs = (bench_graph){.n = n,
                            .from = need_memory(2 * n * sizeof(uint64_t)),
                            .to = need_memory(2 * n * sizeof(uint64_t))};
    for (uint64_t v = 0; v < n; v++) {
        c->arcs.from[n_edges] = c->arcs.from[n_edges + 1] = v;
        if (v % SIDE + 1 < SIDE)
            c->arcs.to[n_edges++] = v + 1;
        c->arcs.from[n_edges] = v;
        if (v + SIDE < n)
            c->arcs.to[n_edges++] = v + SIDE;
    }
    c->arcs.n_edges = n_edges;
    load(c);
}

/* ---- Ours ------------------------------------------------------------------------------------ */

static void bound(contest *c)
{
    uint64_t lengths[MAX_LENGTH + 1];
    for (uint64_t l = 0; l <= c->length; l++)
        lengths[l] = l;
    check(c, pci_bound(c->context, c->graph, NULL, (uint32_t)c->length + 1, lengths, 1e4, c->bits));
}

static pc_status take_total(void *user, uint64_t length, const pc_rows *rows)
{
    contest *c = user;
    (void)length;
    c->n_limbs = rows->n_limbs;
    memcpy(c->result, rows->limbs, rows->n_limbs * sizeof *c->result);
    return PC_OK;
}

static void make_total(contest *c)
{
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = c->length};
    pc_count_options how = {.n_certify_rounds = PC_CERTIFY_NONE};
    check(c, pc_query_run(c->context, c->graph, &query, &how, take_total, c));
}

/* From the graph to rows in memory that is there already, limits included. */
static void make_rows(contest *c)
{
    pci_swept *swept;
    bound(c);
    pci_swept_options how = {.sweeps = &pci_sweep_cpu,
                             .along = c->graph, /* undirected */
                             .length = c->length,
                             .bits = c->bits,
                             .n_limbs = c->n_limbs,
                             .most_starts = c->n_starts};
    check(c, pci_swept_create(c->context, &how, &swept));
    check(c, pci_swept_rows(swept, c->n_starts, c->starts, 0, c->result));
    pci_swept_free(swept);
}

static void run_ours(contest *c)
{
    wait_for_quiet();
    double start = now_seconds();
    if (c->is_total)
        make_total(c);
    else
        make_rows(c);
    times_add(&c->ours, now_seconds() - start);
}

/* ---- Verified -------------------------------------------------------------------------------- */

static uint64_t random_prime(uint64_t *state)
{
    mpz_t number;
    mpz_init_set_ui(number, random_next(state) >> (64 - PRIME_BITS) | UINT64_C(1)
                                                                          << (PRIME_BITS - 1));
    mpz_nextprime(number, number);
    uint64_t prime = mpz_get_ui(number);
    mpz_clear(number);
    return prime;
}

/* x = A^length x modulo a prime, by sums of single words */
static void plain_vector(const contest *c, uint64_t prime, uint64_t *x)
{
    uint64_t n = c->graph->n, *y = need_memory(n * sizeof *y);
    for (uint64_t l = 0; l < c->length; l++) {
        for (uint64_t i = 0; i < n; i++) {
            uint64_t sum = 0;
            for (uint64_t a = c->graph->row_start[i]; a < c->graph->row_start[i + 1]; a++) {
                sum += x[c->graph->column[a]];
                sum -= sum >= prime ? prime : 0;
            }
            y[i] = sum;
        }
        memcpy(x, y, n * sizeof *x);
    }
    free(y);
}

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t prime)
{
    return (uint64_t)((unsigned __int128)a * b % prime);
}

static uint64_t residue_of(const uint64_t *limbs, uint32_t n_limbs, uint64_t prime)
{
    uint64_t residue = 0, word = (uint64_t)(((unsigned __int128)1 << 64) % prime);
    for (uint32_t l = n_limbs; l-- > 0;)
        residue = (multiply(residue, word, prime) + limbs[l] % prime) % prime;
    return residue;
}

static bool row_is_right(const contest *c, uint64_t row, uint64_t prime, const uint64_t *x,
                         uint64_t expected)
{
    uint64_t n = c->graph->n, sum = 0;
    const uint64_t *limbs = c->result + row * n * c->n_limbs;
    for (uint64_t j = 0; j < n; j++, limbs += c->n_limbs)
        sum = (sum + multiply(residue_of(limbs, c->n_limbs, prime), x[j], prime)) % prime;
    return sum == expected;
}

/* C x = A (A (... x)) modulo a random prime, x random, or ones for the total. */
static void verify(const contest *c)
{
    uint64_t n = c->graph->n, n_wrong = 0, state = (uint64_t)(now_seconds() * 1e9), total = 0;
    uint64_t prime = random_prime(&state), *x = need_memory(n * sizeof *x);
    uint64_t *y = need_memory(n * sizeof *y);
    for (uint64_t i = 0; i < n; i++)
        y[i] = x[i] = c->is_total ? 1 : random_next(&state) % prime;
    plain_vector(c, prime, y);
    for (uint64_t i = 0; c->is_total && i < n; i++)
        total = (total + y[i]) % prime;
    if (c->is_total)
        n_wrong = residue_of(c->result, c->n_limbs, prime) != total;
    for (uint64_t i = 0; !c->is_total && i < c->n_starts; i++)
        n_wrong += !row_is_right(c, i, prime, x, y[c->starts ? c->starts[i] : i]);
    free(x);
    free(y);
    if (n_wrong > 0)
        report_failure("sweep", c->name, "it differs from plain sums modulo a random prime");
}

/* ---- GraphBLAS ------------------------------------------------------------------------------- */

/* Entries whose words are not the lowest of ours; and those that wrapped. */
static uint64_t compare(const contest *c, const peer_power *peer, void *state, uint64_t *n_wrapped)
{
    uint64_t n = c->graph->n, n_wrong = 0, sum = 0, *words = need_memory(n * sizeof *words);
    *n_wrapped = 0;
    for (uint64_t i = 0; i < c->n_starts; i++) {
        peer->row(state, i, 1, words);
        for (uint64_t j = 0; j < n; j++) {
            const uint64_t *entry = c->is_total ? NULL : c->result + (i * n + j) * c->n_limbs;
            sum += words[j];
            n_wrong += entry && words[j] != entry[0];
            for (uint32_t l = 1; entry && l < c->n_limbs; l++)
                if (entry[l]) {
                    ++*n_wrapped;
                    break;
                }
        }
    }
    free(words);
    return n_wrong + (c->is_total && sum != c->result[0]);
}

static void compete(contest *c, const peer_power *peer, void *state)
{
    char who[64], note[128];
    uint64_t n_wrapped;
    for (int r = 0; r < 3 * c->options->n_runs && r < BENCH_MAX_RUNS; r++) {
        run_ours(c);
        wait_for_quiet();
        double start = now_seconds();
        if (!peer->run(state))
            report_failure("sweep", "GraphBLAS", "the computation failed");
        times_add(&c->theirs, now_seconds() - start);
    }
    if (compare(c, peer, state, &n_wrapped) > 0)
        report_failure("sweep", "GraphBLAS", "its words are not the lowest of ours");
    double ratio = times_median(&c->theirs) / times_median(&c->ours);
    snprintf(who, sizeof who, "%s, GraphBLAS %s", c->name, peer->describe());
    if (c->is_total)
        snprintf(note, sizeof note, "%.1fx ours; words modulo 2^64, not added up", ratio);
    else
        snprintf(note, sizeof note, "%.1fx ours; %.1f%% of entries wrapped", ratio,
                 100.0 * (double)n_wrapped / (double)(c->graph->n * c->n_starts));
    report_row("sweep", who, &c->theirs, note);
    report_set("sweep", c->name, "peer_over_ours", ratio);
}

static void run_contest(contest *c, const char *name)
{
    char note[64];
    c->name = name;
    c->ours.n = c->theirs.n = 0;
    report_progress("sweep", name);
    bound(c);
    c->n_limbs = (uint32_t)(c->bits[c->length] / 64) + 1;
    uint64_t bytes = c->is_total ? MAX_LIMBS * sizeof *c->result
                                 : c->n_starts * c->graph->n * c->n_limbs * sizeof *c->result;
    c->result = memset(need_memory(bytes), 0xff, bytes);
    run_ours(c); /* warms up */
    c->ours.n = 0;
    verify(c);
    bool is_power = !c->is_total && !c->starts;
    peer_setup setup = {
        .graph = &c->arcs, .length = (unsigned)c->length, .n_threads = c->options->n_threads};
    const peer_sweep *peer = peer_load(c->options, "peer_graphblas.so", "peer_sweep_table");
    void *state = peer ? peer->prepare(&setup, is_power ? 0 : c->n_starts, c->starts) : NULL;
    if (state) {
        compete(c, &peer->power, state);
        peer->power.release(state);
    } else {
        printf("  GraphBLAS is not installed: apt install libgraphblas-dev\n");
    }
    while (c->ours.n < c->options->n_runs)
        run_ours(c);
    snprintf(note, sizeof note, "exact, entries of the power below 2^%.1f", c->bits[c->length]);
    report_row("sweep", name, &c->ours, note);
    free(c->result);
}

/* ---- Bandwidth ------------------------------------------------------------------------------- */

/* Bytes a second read and written while memory is copied. */
static double copy_once(int n_parts, size_t bytes, const char *from, char *to)
{
    double start = now_seconds();
#pragma omp parallel for num_threads(n_parts)
    for (int p = 0; p < n_parts; p++) {
        size_t first = bytes / (size_t)n_parts * (size_t)p;
        memcpy(to + first, from + first, bytes / (size_t)n_parts);
    }
    return 2.0 * (double)bytes / (now_seconds() - start);
}

/* Bytes a second of all steps: indices once, the block read and written once. */
static double sweep_once(const contest *c, pci_sweep *sweep)
{
    double seconds = 0, bytes = 0;
    double arc_bytes = (double)pci_graph_n_arcs(c->graph) * sizeof(uint32_t) +
                       (double)c->graph->n * sizeof(uint64_t);
    pci_sweep_clear(sweep);
    for (uint32_t v = 0; v < N_SOURCES; v++)
        for (uint64_t i = 0; i < (c->starts ? 1 : c->graph->n); i++)
            pci_sweep_add(sweep, v, c->starts ? c->starts[v] : i, 1);
    for (uint64_t l = 0; l < c->length; l++) {
        bytes += arc_bytes + (double)pci_sweep_now_bytes(sweep);
        double start = now_seconds();
        check(c, pci_sweep_step(sweep));
        seconds += now_seconds() - start;
        bytes += (double)pci_sweep_now_bytes(sweep);
    }
    return bytes / seconds;
}

/* Copies and sweeps in turn; vectors begin at the starts, or are all ones. */
static void run_bandwidth(contest *c, const char *name)
{
    const size_t copied = (size_t)256 << 20;
    char *from = pci_alloc(c->context, copied), *to = pci_alloc(c->context, copied);
    bench_times copy = {0}, swept = {0}, part = {0}; /* rates, not seconds */
    pci_sweep *sweep;
    pci_sweep_options how = {.n_vectors = N_SOURCES,
                             .length = c->length,
                             .bits = c->bits,
                             .n_threads = c->options->n_threads};
    check(c, pci_sweep_create(c->context, c->graph, &how, &sweep));
    if (!from || !to)
        bench_die("no memory to copy");
    memset(from, 1, copied);
    copy_once(c->options->n_threads, copied, from, to); /* warms up, as the next */
    sweep_once(c, sweep);
    for (int r = 0; r < c->options->n_runs; r++) {
        times_add(&copy, copy_once(c->options->n_threads, copied, from, to));
        times_add(&swept, sweep_once(c, sweep));
        times_add(&part, swept.seconds[r] / copy.seconds[r]);
    }
    pci_sweep_free(sweep);
    pci_free(c->context, from);
    pci_free(c->context, to);
    printf("  %-13s %u vectors, length %llu: %.1f GB/s, copying %.1f GB/s: a part of %.2f "
           "(%.2f to %.2f)\n",
           name, N_SOURCES, (unsigned long long)c->length, times_median(&swept) * 1e-9,
           times_median(&copy) * 1e-9, times_median(&part), times_least(&part), times_most(&part));
    fflush(stdout);
    report_set("sweep", name, "bytes_per_second", times_median(&swept));
    report_set("sweep", name, "copy_bytes_per_second", times_median(&copy));
    report_set("sweep", name, "part_of_copy", times_median(&part));
}

/* ---- All ------------------------------------------------------------------------------------- */

static void print_head(const contest *c, const char *text)
{
    char head[160];
    snprintf(head, sizeof head, "%s, n = %llu, %llu arcs", text, (unsigned long long)c->graph->n,
             (unsigned long long)pci_graph_n_arcs(c->graph));
    report_head("sweep", head);
}

static void run_all_pairs(const bench_options *options, const workload *work, const char *name)
{
    contest c;
    begin(&c, options);
    make_workload(&c, work);
    c.n_starts = c.graph->n;
    print_head(&c, work->text);
    run_contest(&c, name);
    end(&c);
}

static void run_rmat(const bench_options *options)
{
    contest c;
    uint64_t source[N_SOURCES], state = 1;
    begin(&c, options);
    make_rmat(&c);
    for (int v = 0; v < N_SOURCES; v++)
        source[v] = random_next(&state) % c.graph->n;
    print_head(&c, "R-MAT, symmetrised");
    c.starts = source;
    c.n_starts = N_SOURCES;
    run_contest(&c, "64 sources");
    run_bandwidth(&c, "R-MAT");
    c.starts = NULL;
    c.n_starts = 1;
    c.is_total = true;
    run_contest(&c, "total");
    end(&c);
}

static void run_grid(const bench_options *options)
{
    contest c;
    begin(&c, options);
    make_grid(&c);
    print_head(&c, "grid");
    c.length = 2 * LENGTH;
    for (uint64_t l = 0; l <= c.length; l++)
        c.bits[l] = 2 * (double)l; /* no more than 4 neighbours */
    run_bandwidth(&c, "grid");
    end(&c);
}

void section_sweep(const bench_options *options)
{
    run_all_pairs(options, &workloads[0], "W1 all pairs");
    run_all_pairs(options, &workloads[2], "W3 all pairs");
    run_rmat(options);
    run_grid(options);
}
