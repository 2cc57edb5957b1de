/* Section stream: graphs of 10 vertices in graph6 through a pipe into the command, all their
 * paths of length 8, a number a line; beside networkx on some of them, whose numbers must be the
 * same. */
#include "tests/bench/child.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 400

enum {
    N_GRAPHS = 4000000,
    N_PEER_GRAPHS = 20000,
    LENGTH = 8,
    N_VERTICES = 10,
    N_PAIRS = N_VERTICES * (N_VERTICES - 1) / 2,
    LINE_BYTES = 1 + (N_PAIRS + 5) / 6 + 1
};

typedef struct files {
    char graphs[PATH_BYTES], ours[PATH_BYTES], theirs[PATH_BYTES], command[PATH_BYTES],
        script[PATH_BYTES];
} files;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Each edge is there or not, the toss of a coin: six of them are a character. */
static void write_graphs(const char *path)
{
    char line[LINE_BYTES];
    uint64_t state = 1;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        bench_die("cannot write %s", path);
    line[0] = 63 + N_VERTICES;
    line[LINE_BYTES - 1] = '\n';
    for (int g = 0; g < N_GRAPHS; g++) {
        uint64_t bits = next_random(&state) << (64 - N_PAIRS);
        for (int c = 1; c < LINE_BYTES - 1; c++, bits <<= 6)
            line[c] = (char)(63 + (bits >> 58));
        fwrite(line, 1, LINE_BYTES, file);
    }
    if (fclose(file) != 0)
        bench_die("cannot write %s", path);
}

static void count_ours(const bench_options *options, const files *f, bench_times *times)
{
    char script[4 * PATH_BYTES], line[16];
    snprintf(script, sizeof script,
             "cat '%s' | '%s' batch - --length %d --total --threads %d --quiet > '%s' && echo done",
             f->graphs, f->command, LENGTH, options->n_threads, f->ours);
    const char *const arguments[] = {"sh", "-c", script, NULL};
    double start = now_seconds();
    if (!child_ask(arguments, line, sizeof line) || strcmp(line, "done") != 0)
        bench_die("%s batch failed", f->command);
    times_add(times, now_seconds() - start);
}

/* False when it is not installed. */
static bool count_theirs(const files *f, bench_times *times, char *version)
{
    char length[16], n_graphs[16], line[128];
    double seconds;
    const char *const arguments[] = {
        child_python("networkx"), f->script, f->graphs, length, n_graphs, f->theirs, NULL};
    snprintf(length, sizeof length, "%d", LENGTH);
    snprintf(n_graphs, sizeof n_graphs, "%d", N_PEER_GRAPHS);
    if (arguments[0] == NULL || !child_ask(arguments, line, sizeof line) ||
        sscanf(line, "%lf %63s", &seconds, version) != 2)
        return false;
    times_add(times, seconds);
    return true;
}

/* Whether there is a line of ours for each graph, the first ones as theirs. */
static bool agree(const files *f, bool has_theirs)
{
    char our_line[64], their_line[64];
    FILE *ours = fopen(f->ours, "r"), *theirs = has_theirs ? fopen(f->theirs, "r") : NULL;
    int n_ours = 0, n_theirs = 0;
    bool same = ours != NULL && (theirs != NULL) == has_theirs;
    while (same && fgets(our_line, sizeof our_line, ours) != NULL) {
        n_ours++;
        if (theirs != NULL && fgets(their_line, sizeof their_line, theirs) != NULL) {
            n_theirs++;
            same = strcmp(our_line, their_line) == 0;
        }
    }
    if (ours != NULL)
        fclose(ours);
    if (theirs != NULL)
        fclose(theirs);
    return same && n_ours == N_GRAPHS && n_theirs == (has_theirs ? N_PEER_GRAPHS : 0);
}

static double print_row(const char *name, const bench_times *times, int n_graphs)
{
    double rate = n_graphs / times_median(times);
    printf("  %-36s %9.4f %9.4f %9.4f %5d %12.0f\n", name, times_median(times), times_least(times),
           times_most(times), times->n, rate);
    report_set_times("stream", name, times);
    report_set("stream", name, "graphs_per_second", rate);
    return rate;
}

static void name_files(const bench_options *options, files *f)
{
    snprintf(f->graphs, sizeof f->graphs, "%s/graphs.g6", options->scratch);
    snprintf(f->ours, sizeof f->ours, "%s/ours.txt", options->scratch);
    snprintf(f->theirs, sizeof f->theirs, "%s/theirs.txt", options->scratch);
    snprintf(f->command, sizeof f->command, "%s/../pathcount", options->folder);
    snprintf(f->script, sizeof f->script, "%s/stream_peer.py", options->folder);
}

void section_stream(const bench_options *options)
{
    files f;
    bench_times ours = {0}, first = {0}, theirs = {0};
    char version[64], name[100];
    name_files(options, &f);
    printf("\nstream  %d graphs of %d vertices (graph6) through a pipe: total of length %d\n",
           N_GRAPHS, N_VERTICES, LENGTH);
    printf("  %-36s %9s %9s %9s %5s %12s\n", "", "median s", "least", "most", "runs", "graphs/s");
    report_progress("stream", "writing the file");
    write_graphs(f.graphs);
    report_progress("stream", "networkx");
    bool has_theirs = count_theirs(&f, &theirs, version);
    count_ours(options, &f, &first);
    if (!agree(&f, has_theirs))
        report_failure("stream", "pathcount", "other totals than networkx, or not one a graph");
    for (int run = 0; run < options->n_runs; run++) {
        report_progress("stream", "pathcount");
        count_ours(options, &f, &ours);
        if (run > 0 && has_theirs && times_median(&theirs) < options->slow_seconds)
            count_theirs(&f, &theirs, version);
    }
    double rate = print_row("pathcount", &ours, N_GRAPHS);
    if (has_theirs) {
        snprintf(name, sizeof name, "networkx %s", version);
        double peer_rate = print_row(name, &theirs, N_PEER_GRAPHS);
        printf("  pathcount counts %.0f times as many graphs a second\n", rate / peer_rate);
        report_set("stream", "pathcount", "ours_over_peer", rate / peer_rate);
    } else {
        printf("  %-36s not installed: apt install python3-networkx python3-scipy\n", "networkx");
    }
    unlink(f.graphs);
    unlink(f.ours);
    unlink(f.theirs);
    unlink(f.theirs);
}
