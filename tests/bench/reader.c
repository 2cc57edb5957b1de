/* Sections reader and memory, where each run is a process of its own so that its memory is its own: a file of 5,000,000
 * edges is read; a result of one 64-bit word a count is kept. */
#include "tests/support/calls.h"
#include "pathcount.h"
#include "tests/bench/bench.h"
#include "tests/bench/child.h"
#include "tests/bench/peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a reading process prints on its line. */
typedef struct reading {
    double seconds, peak_bytes, n_vertices, n_edges;
    double csr_bytes; /* ours alone */
    char version[32];
} reading;

typedef struct contestant {
    const char *name, *package;
    const char *arguments[6];
    bench_times times, ours; /* ours: in turn with it */
    reading last;
    bool is_absent;
} contestant;

int child_read_ours(const char *path, int n_threads)
{
    pc_context *context;
    pc_graph *graph;
    pc_graph_info info;
    if (pc_context_create(&context) != PC_OK || pc_context_set_threads(context, n_threads) != PC_OK)
        return 1;
    double start = now_seconds();
    if (pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph) != PC_OK)
        bench_die("%s", pc_context_message(context));
    double seconds = now_seconds() - start;
    pc_graph_get_info(graph, &info);
    double csr_bytes = 8.0 * (double)(info.n_vertices + 1) + 4.0 * (double)info.n_arcs;
    printf("%.6f %llu %llu %llu %.0f %s\n", seconds, (unsigned long long)own_peak_bytes(),
           (unsigned long long)info.n_vertices,
           (unsigned long long)(info.n_edges + info.n_duplicates), csr_bytes, pc_version());
    return 0;
}

int child_read_peer(const char *module, const char *path)
{
    uint64_t n_vertices, n_edges;
    void *library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    const peer_reader *peer = library == NULL ? NULL : dlsym(library, "peer_reader_table");
    if (peer == NULL)
        return 1;
    double start = now_seconds();
    if (!peer->read(path, &n_vertices, &n_edges))
        return 1;
    double seconds = now_seconds() - start;
    printf("%.6f %llu %llu %llu 0 %s\n", seconds, (unsigned long long)own_peak_bytes(),
           (unsigned long long)n_vertices, (unsigned long long)n_edges, peer->describe());
    return 0;
}

static bool read_once(contestant *c, bench_times *times)
{
    char line[128];
    if (c->arguments[0] == NULL || !child_ask(c->arguments, line, sizeof line) ||
        sscanf(line, "%lf %lf %lf %lf %lf %31s", &c->last.seconds, &c->last.peak_bytes,
               &c->last.n_vertices, &c->last.n_edges, &c->last.csr_bytes, c->last.version) != 6)
        return false;
    times_add(times, c->last.seconds);
    return true;
}

static void read_ours(contestant *ours, contestant *peer)
{
    if (!read_once(ours, &peer->ours))
        bench_die("our own reader failed");
    times_add(&ours->times, ours->last.seconds);
}

/* In turn: ours, peer, ours, peer; the peer only once when it is long. */
static void compete(const bench_options *options, contestant *ours, contestant *peer)
{
    while (peer->ours.n < options->n_runs) {
        read_ours(ours, peer);
        if (peer->times.n > 0 && peer->last.seconds > options->slow_seconds)
            continue;
        if (!read_once(peer, &peer->times)) {
            peer->is_absent = true;
            return;
        }
    }
    if (peer->last.n_edges != ours->last.n_edges)
        report_failure("reader", peer->name, "another number of edges");
}

static void print_row(const contestant *c, double ratio)
{
    char note[96];
    if (c->is_absent) {
        printf("  %-36s not installed: apt install %s\n", c->name, c->package);
        return;
    }
    size_t length = (size_t)snprintf(note, sizeof note, "%s, peak %.0f MB", c->last.version,
                                     c->last.peak_bytes * 1e-6);
    if (ratio > 0) {
        snprintf(note + length, sizeof note - length, ", peer:ours %.1fx", ratio);
        report_set("reader", c->name, "peer_over_ours", ratio);
    }
    report_row("reader", c->name, &c->times, note);
    report_set("reader", c->name, "peak_bytes", c->last.peak_bytes);
}

void section_reader(const bench_options *options)
{
    char path[320], module[512], script[512], threads[16];
    snprintf(path, sizeof path, "%s/edges.txt", options->scratch);
    snprintf(module, sizeof module, "%s/peer_igraph.so", options->folder);
    snprintf(script, sizeof script, "%s/python_peer.py", options->folder);
    snprintf(threads, sizeof threads, "%d", options->n_threads);
    contestant ours = {.name = "pathcount",
                       .arguments = {BENCH_SELF, CHILD_READ_OURS, path, threads}};
    contestant peers[] = {
        {.name = "igraph",
         .package = "libigraph-dev",
         .arguments = {BENCH_SELF, CHILD_READ_PEER, module, path}},
        {.name = "NumPy",
         .package = "python3-numpy",
         .arguments = {child_python("numpy"), script, "read", path}},
    };
    report_head("reader", "5,000,000 lines of two random ids below 262,144");
    report_progress("reader", "writing the file");
    reader_file_write(path);
    for (int p = 0; p < 2; p++) {
        report_progress("reader", peers[p].name);
        compete(options, &ours, &peers[p]);
        print_row(&peers[p], times_median(&peers[p].times) / times_median(&peers[p].ours));
    }
    print_row(&ours, 0);
    double limit = 64e6 + 4 * ours.last.csr_bytes;
    printf("  our peak memory, the mapped file included, is %.2f times 64 MB + 4 x CSR (%.0f MB)\n",
           ours.last.peak_bytes / limit, limit * 1e-6);
    report_set("reader", "pathcount", "csr_bytes", ours.last.csr_bytes);
    report_set("reader", "pathcount", "peak_over_limit", ours.last.peak_bytes / limit);
    unlink(path);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

enum { N = 8192, MEAN_DEGREE = 128, LENGTH = 8 }; /* counts of up to 58 bits */

int child_memory(int n_threads)
{
    bench_graph arcs;
    pc_context *context;
    pc_graph *graph;
    pc_counts *counts;
    pc_rows rows;
    graph_make_random(&arcs, N, MEAN_DEGREE, 20250107);
    if (pc_context_create(&context) != PC_OK || pc_context_set_threads(context, n_threads) != PC_OK)
        return 1;
    double start = now_seconds();
    if (graph_from_arrays(context, arcs.n, arcs.n_edges, arcs.from, arcs.to, NULL, NULL, &graph) !=
            PC_OK ||
        pc_count(context, graph, LENGTH, NULL, &counts) != PC_OK)
        bench_die("%s", pc_context_message(context));
    double seconds = now_seconds() - start;
    pc_counts_rows(counts, &rows);
    printf("%.4f %llu %llu %llu\n", seconds, (unsigned long long)own_peak_bytes(),
           (unsigned long long)(rows.n_rows * rows.n_columns * rows.n_limbs * 8),
           (unsigned long long)pc_plan_last(context)->memory_bytes);
    return 0;
}

void section_memory(const bench_options *options)
{
    char threads[16], line[128];
    double seconds, peak, result, forecast;
    snprintf(threads, sizeof threads, "%d", options->n_threads);
    const char *const arguments[] = {BENCH_SELF, CHILD_MEMORY, threads, NULL};
    printf("\nmemory  undirected random, n = %d, mean degree %d, length %d\n", N, MEAN_DEGREE,
           LENGTH);
    report_progress("memory", "pathcount");
    if (!child_ask(arguments, line, sizeof line) ||
        sscanf(line, "%lf %lf %lf %lf", &seconds, &peak, &result, &forecast) != 4) {
        report_failure("memory", "pathcount", "the count failed");
        return;
    }
    printf("  peak %.0f MB (forecast %.0f MB), result %.0f MB: %.2f times; %.3f s\n", peak * 1e-6,
           forecast * 1e-6, result * 1e-6, peak / result, seconds);
    report_set("memory", "pathcount", "peak_bytes", peak);
    report_set("memory", "pathcount", "forecast_bytes", forecast);
    report_set("memory", "pathcount", "result_bytes", result);
    report_set("memory", "pathcount", "peak_over_result", peak / result);
    report_set("memory", "pathcount", "seconds", seconds);
}
