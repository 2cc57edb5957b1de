/* Section sweep: exact vectors through a sparse graph that no cache holds, 64 sources and the total,
 * beside GraphBLAS's chain of products, whose words wrap. */
#include "src/bound.h"
#include "src/sweep.h"
#include "tests/bench/peers.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 18, EDGES_A_VERTEX = 16, LENGTH = 8, MAX_VECTORS = 64, MAX_LIMBS = 4 };

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

typedef struct contest {
    const bench_options *options;
    const char *name;
    pc_context *context;
    pc_graph *graph;
    bench_graph arcs; /* for peers */
    double bits[LENGTH + 1];
    uint32_t n_vectors, n_panel;
    uint64_t source[MAX_VECTORS];
    bool is_total;            /* one vector of ones; else ones at the sources */
    uint64_t *result;         /* [n_vectors][n][MAX_LIMBS] of the first run */
    bench_times ours, limits; /* limits: of bits, part of ours */
    double bytes;             /* the least that a run moves */
} contest;

static void check(const contest *c, pc_status status)
{
    if (status != PC_OK)
        bench_die("sweep: %s: %s", pc_status_text(status), pc_context_message(c->context));
}

/* ---- The graph ------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* R-MAT (Chakrabarti, Zhan, Faloutsos 2004): a quarter of the matrix for each bit of an end, with
 * chances 0.57, 0.19, 0.19 and 0.05. */
static void pick_edge(uint64_t *state, uint64_t *from, uint64_t *to)
{
    *from = *to = 0;
    for (int bit = 0; bit < SCALE; bit++) {
        double x = (double)(random_next(state) >> 11) * 0x1p-53;
        *from = *from * 2 + (x >= 0.76);
        *to = *to * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95);
    }
}

/* Vertices are shuffled, so that hubs lie anywhere; loops are dropped, edges given again too. */
static void make_graph(contest *c)
{
    uint64_t n = UINT64_C(1) << SCALE, n_picked = n * EDGES_A_VERTEX, n_edges = 0;
    uint64_t state = 20250105, *number = need_memory(n * sizeof *number);
    uint64_t *from = need_memory(n_picked * sizeof *from), *to = need_memory(n_picked * sizeof *to);
    for (uint64_t v = 0; v < n; v++)
        number[v] = v;
    for (uint64_t v = n - 1; v > 0; v--) {
        uint64_t other = random_next(&state) % (v + 1), kept = number[v];
        number[v] = number[other];
        number[other] = kept;
    }
    for (uint64_t e = 0; e < n_picked; e++) {
        uint64_t u, v;
        pick_edge(&state, &u, &v);
        if (u == v)
            continue;
        from[n_edges] = number[u];
        to[n_edges++] = number[v];
    }
    check(c, pc_graph_from_arrays(c->context, n, n_edges, from, to, NULL, NULL, &c->graph));
    free(number);
    free(from);
    free(to);
}

static void list_arcs(contest *c)
{
    uint64_t n_arcs = pci_graph_n_arcs(c->graph);
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

/* ---- Ours ------------------------------------------------------------------------------------ */

/* Limits of entries, or of row sums: those of A^e are no more than the limit of the entries of A^(e+1),
 * where no row of an undirected graph leads nowhere. */
static void bound(contest *c)
{
    uint64_t lengths[LENGTH + 1];
    for (uint64_t s = 0; s <= LENGTH; s++)
        lengths[s] = s + c->is_total;
    check(c, pci_bound(c->context, c->graph, NULL, LENGTH + 1, lengths, 1e4, c->bits));
    if (c->is_total) /* of A^1 the limit of an entry is 1, as is each of the ones */
        for (uint64_t s = 1; s <= LENGTH; s++)
            c->bits[s] = c->bits[s] > c->bits[s - 1] ? c->bits[s] : c->bits[s - 1];
}

static double arc_bytes(const contest *c)
{
    return (double)pci_graph_n_arcs(c->graph) * sizeof(uint32_t) +
           (double)c->graph->n * sizeof(uint64_t);
}

/* Puts the entries of a panel to where those of all vectors are kept. */
static void keep_result(contest *c, pci_sweep *sweep, uint32_t first)
{
    size_t vector_words = c->graph->n * MAX_LIMBS;
    check(c, pci_sweep_rows(sweep, c->n_panel, MAX_LIMBS, false, c->result + first * vector_words));
}

static void start_panel(const contest *c, pci_sweep *sweep, uint32_t first)
{
    pci_sweep_clear(sweep);
    for (uint32_t v = 0; !c->is_total && v < c->n_panel; v++)
        pci_sweep_add(sweep, v, c->source[first + v], 1);
    for (uint64_t i = 0; c->is_total && i < c->graph->n; i++)
        pci_sweep_add(sweep, 0, i, 1);
}

/* From the graph to the vectors, limits included; keeping the result is not timed. */
static double run_ours(contest *c, bool keeps)
{
    pci_sweep *sweep;
    double start = now_seconds(), keeping = 0;
    bound(c);
    times_add(&c->limits, now_seconds() - start);
    pci_sweep_options how = {c->n_panel, LENGTH, c->bits, c->options->n_threads};
    check(c, pci_sweep_create(c->context, c->graph, &how, &sweep));
    c->bytes = 0;
    for (uint32_t first = 0; first < c->n_vectors; first += c->n_panel) {
        start_panel(c, sweep, first);
        for (int s = 0; s < LENGTH; s++) {
            c->bytes += arc_bytes(c) + (double)pci_sweep_now_bytes(sweep);
            check(c, pci_sweep_step(sweep));
            c->bytes += (double)pci_sweep_now_bytes(sweep);
        }
        double before = now_seconds();
        if (keeps)
            keep_result(c, sweep, first);
        keeping += now_seconds() - before;
    }
    pci_sweep_free(sweep);
    return now_seconds() - start - keeping;
}

/* ---- Verified -------------------------------------------------------------------------------- */

/* Vector v modulo PRIME by sums of single words. */
static void plain_vector(const contest *c, uint32_t v, uint64_t *x)
{
    uint64_t n = c->graph->n, *y = need_memory(n * sizeof *y);
    for (uint64_t i = 0; i < n; i++)
        x[i] = c->is_total || i == c->source[v];
    for (int s = 0; s < LENGTH; s++) {
        for (uint64_t i = 0; i < n; i++) {
            uint64_t sum = 0;
            for (uint64_t a = c->graph->row_start[i]; a < c->graph->row_start[i + 1]; a++) {
                sum += x[c->graph->column[a]];
                sum -= sum >= PRIME ? PRIME : 0;
            }
            y[i] = sum;
        }
        memcpy(x, y, n * sizeof *x);
    }
    free(y);
}

static uint64_t residue_of(const uint64_t *limbs)
{
    unsigned __int128 residue = 0;
    for (int l = MAX_LIMBS; l-- > 0;) {
        residue = ((residue << 32) + (limbs[l] >> 32)) % PRIME;
        residue = ((residue << 32) + (uint32_t)limbs[l]) % PRIME;
    }
    return (uint64_t)residue;
}

/* The first and the last vector, every entry, modulo a prime. */
static void verify(const contest *c)
{
    uint64_t n = c->graph->n, n_wrong = 0, *x = need_memory(n * sizeof *x);
    for (uint32_t v = 0; v<c->n_vectors; v += c->n_vectors> 1 ? c->n_vectors - 1 : 1) {
        plain_vector(c, v, x);
        for (uint64_t i = 0; i < n; i++)
            n_wrong += residue_of(c->result + (v * c->graph->n + i) * MAX_LIMBS) != x[i];
    }
    free(x);
    if (n_wrong > 0)
        report_failure("sweep", c->name, "it differs from plain sums modulo 2^61 - 1");
}

/* ---- In turn --------------------------------------------------------------------------------- */

/* Bytes a second read and written while memory is copied. */
static double copy_rate(const bench_options *options)
{
    const size_t bytes = (size_t)256 << 20;
    const int n_parts = options->n_threads;
    char *from = memset(need_memory(bytes), 1, bytes), *to = memset(need_memory(bytes), 0, bytes);
    bench_times times = {0};
    for (int r = 0; r < 9; r++) {
        double start = now_seconds();
#pragma omp parallel for num_threads(n_parts)
        for (int p = 0; p < n_parts; p++) {
            size_t first = bytes / (size_t)n_parts * (size_t)p;
            memcpy(to + first, from + first, bytes / (size_t)n_parts);
        }
        times_add(&times, now_seconds() - start);
    }
    free(from);
    free(to);
    return 2.0 * (double)bytes / times_median(&times);
}

static void print_row(const contest *c, const char *who, const bench_times *times, const char *rest)
{
    double additions =
        (double)pci_graph_n_arcs(c->graph) * LENGTH * c->n_vectors / times_median(times);
    printf("  %-12s %-28s %9.4f %9.4f %9.4f %8.2f  %s\n", c->name, who, times_median(times),
           times_least(times), times_most(times), additions * 1e-9, rest);
    fflush(stdout);
}

static void compete(contest *c, const peer_sweep *peer, void *state)
{
    bench_times theirs = {0};
    char who[64], rest[96];
    uint64_t n_wrong = 0, n_wrapped = 0;
    for (int r = 0; r < c->options->n_runs; r++) {
        times_add(&c->ours, run_ours(c, false));
        double start = now_seconds();
        if (!peer->run(state))
            report_failure("sweep", "GraphBLAS", "the computation failed");
        times_add(&theirs, now_seconds() - start);
    }
    for (uint64_t i = 0; i < c->graph->n; i++)
        for (uint32_t v = 0; v < c->n_vectors; v++) {
            const uint64_t *entry = c->result + (v * c->graph->n + i) * MAX_LIMBS;
            n_wrong += peer->entry(state, v, i) != entry[0];
            n_wrapped += entry[1] > 0;
        }
    if (n_wrong > 0)
        report_failure("sweep", "GraphBLAS", "its words are not the lowest of ours");
    double ratio = times_median(&theirs) / times_median(&c->ours);
    snprintf(who, sizeof who, "GraphBLAS %s", peer->describe());
    snprintf(rest, sizeof rest, "%.1fx ours; %.1f%% of entries wrapped", ratio,
             100.0 * (double)n_wrapped / (double)(c->graph->n * c->n_vectors));
    print_row(c, who, &theirs, rest);
    report_set_times("sweep", who, &theirs);
    report_set("sweep", c->name, "peer_over_ours", ratio);
}

static void visit_peer(contest *c)
{
    const peer_sweep *peer = peer_load(c->options, "peer_graphblas.so", "peer_sweep_table");
    peer_setup setup = {.graph = &c->arcs, .length = LENGTH, .n_threads = c->options->n_threads};
    report_progress("sweep", "GraphBLAS");
    void *state = peer ? peer->prepare(&setup, c->n_vectors, c->is_total ? NULL : c->source) : NULL;
    if (state == NULL) {
        printf("  GraphBLAS is not installed: apt install libgraphblas-dev\n");
        for (int r = 0; r < c->options->n_runs; r++)
            times_add(&c->ours, run_ours(c, false));
        return;
    }
    compete(c, peer, state);
    peer->release(state);
}

static void run_contest(contest *c, const char *name, uint32_t n_vectors, uint32_t n_panel,
                        double bytes_per_second)
{
    char rest[96];
    c->name = name;
    c->is_total = n_vectors == 1;
    c->n_vectors = n_vectors;
    c->n_panel = n_panel;
    c->ours.n = c->limits.n = 0;
    c->result = need_memory(c->graph->n * n_vectors * MAX_LIMBS * sizeof *c->result);
    run_ours(c, true); /* warms up too */
    verify(c);
    visit_peer(c);
    double rate = c->bytes / times_median(&c->ours);
    snprintf(rest, sizeof rest, "exact, below 2^%.1f; limits %.4f s; >= %.1f GB/s, copying %.1f",
             c->bits[LENGTH], times_median(&c->limits), rate * 1e-9, bytes_per_second * 1e-9);
    print_row(c, "pathcount", &c->ours, rest);
    report_set_times("sweep", name, &c->ours);
    report_set("sweep", name, "limits_seconds", times_median(&c->limits));
    report_set("sweep", name, "bytes_per_second", rate);
    report_set("sweep", name, "copy_bytes_per_second", bytes_per_second);
    free(c->result);
}

void section_sweep(const bench_options *options)
{
    contest c = {.options = options};
    report_progress("sweep", "R-MAT");
    if (pc_context_create(&c.context) != PC_OK)
        bench_die("no context");
    check(&c, pc_context_set_threads(c.context, options->n_threads));
    make_graph(&c);
    list_arcs(&c);
    uint64_t state = 1;
    for (int v = 0; v < MAX_VECTORS; v++)
        c.source[v] = random_next(&state) % c.graph->n;
    double rate = copy_rate(options);
    printf("\nsweep  R-MAT, n = %llu, %llu arcs; length %d\n", (unsigned long long)c.graph->n,
           (unsigned long long)c.arcs.n_arcs, LENGTH);
    printf("  %-12s %-28s %9s %9s %9s %8s\n", "", "", "median s", "least", "most", "Garcs/s");
    run_contest(&c, "64 by 16", 64, PCI_SWEEP_VECTORS, rate);
    run_contest(&c, "64 by 32", 64, 2 * PCI_SWEEP_VECTORS, rate);
    run_contest(&c, "total", 1, 1, rate);
    graph_free(&c.arcs);
    pc_graph_free(c.graph);
    pc_context_free(c.context);
}
