/* Section command: whole runs of the command, from the start of its process to the end: a tiny graph beside
 * `true`, one vertex of a graph of ten million arcs beside its total, text to a pipe, packed text, and a stream of small
 * graphs beside networkx on some of them. The answer is compared with that of one thread, with the text before packing or
 * with networkx, before anything is timed. */
#include "tests/bench/bench.h"
#include "tests/bench/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_BYTES = 1200, N_RUNS_OF_SMALL = 30, N_GRAPHS = 4000000, N_PEER_GRAPHS = 20000 };

/* $P is the command, $T the number of threads, $F the folder of peers, $Y a python3, and the folder is one for files. Each
 * edge of a small graph is there or not, the toss of a coin: six of them are a character of graph6. */
static const char *const models[] = {
    "printf '0 1\n1 2\n' > tiny.txt",
    "\"$P\" generate erdos-renyi --vertices 131072 --edges 5000000 -q -o large.mtx",
    "\"$P\" generate erdos-renyi --vertices 4096 --edges 65536 -q -o middle.mtx",
    "LC_ALL=C awk 'BEGIN { srand(1); for (g = 0; g < 4000000; g++) { line = \"I\"; "
    "for (c = 0; c < 7; c++) line = line sprintf(\"%c\", 63 + int(64 * rand())); "
    "print line sprintf(\"%c\", 63 + 8 * int(8 * rand())) } }' > graphs.g6"};

typedef struct command_row {
    const char *name;
    const char *check; /* ends well when the answer is right */
    const char *run;
    const char *peer_name, *peer; /* another command in turn with it; NULL: none */
    const char *size;             /* prints the bytes of text; NULL: they say nothing */
    int n_graphs, n_peer_graphs;  /* 0: the row is not of many graphs */
    bool is_small;
} command_row;

#define FROM_ONE "\"$P\" large.mtx --length 16 --from 1 -q --threads "
#define LINES    "\"$P\" middle.mtx --length 8 $(seq -f '--from %.0f' 1 1000) -q --threads "
#define PACKED   "\"$P\" middle.mtx --length 4 -q --no-sync --threads \"$T\" -o "
#define STREAM   "cat graphs.g6 | \"$P\" batch - --length 8 --total --threads \"$T\" -q > out"
#define NETWORKX "\"$Y\" \"$F/stream_peer.py\" graphs.g6 8 20000 one"

static const command_row rows[] = {
    {"start, a graph of 3 vertices", "test $(\"$P\" tiny.txt --length 2 --total -q) = 6",
     "\"$P\" tiny.txt --length 2 --total -q > out", "true", "/bin/true", .is_small = true},
    {"one vertex, 10 million arcs, k = 16",
     FROM_ONE "1 > one && " FROM_ONE "\"$T\" | cmp - one && rm one", FROM_ONE "\"$T\" > out",
     "its total", "\"$P\" large.mtx --length 16 --total -q --threads \"$T\" > out", .size = NULL},
    {"lines of 1000 vertices to a pipe", LINES "1 > one && " LINES "\"$T\" | cmp - one && rm one",
     LINES "\"$T\" | cat > /dev/null", .size = LINES "\"$T\" | wc -c"},
    {"matrix of 4096 vertices, .csv.gz",
     PACKED "x.csv > out && " PACKED "x.csv.gz > out && gzip -dc x.csv.gz | cmp - x.csv",
     PACKED "x.csv.gz > out", "not packed", PACKED "x.csv > out", .size = "wc -c < x.csv"},
    {"4,000,000 graphs of 10 vertices, k = 8",
     STREAM " && test $(wc -l < out) = 4000000 && { test -z \"$Y\" || { " NETWORKX
            " > x.csv && head -n 20000 out | cmp - one; }; }",
     STREAM, "networkx, 20,000 of them", NETWORKX " > x.csv", .n_graphs = N_GRAPHS,
     .n_peer_graphs = N_PEER_GRAPHS},
};

/* That has all that stream_peer.py imports; NULL: none. */
static const char *find_networkx(void)
{
    return child_python("scipy") != NULL ? child_python("networkx") : NULL;
}

/* Runs a script in the folder; the one line that it prints goes to line. */
static bool run_script(const bench_options *options, const char *text, char *line, size_t size)
{
    char script[2 * SCRIPT_BYTES];
    const char *python = find_networkx();
    snprintf(script, sizeof script,
             "cd '%s' && F='%s' && P=\"$F/../pathcount\" T=%d Y='%s' && export P T && { %s; }",
             options->scratch, options->folder, options->n_threads, python != NULL ? python : "",
             text);
    const char *const arguments[] = {"sh", "-c", script, NULL};
    return child_ask(arguments, line, size);
}

static double time_script(const bench_options *options, const char *name, const char *text)
{
    char line[64], script[SCRIPT_BYTES];
    snprintf(script, sizeof script, "%s && echo done", text);
    double start = now_seconds();
    if (!run_script(options, script, line, sizeof line) || strcmp(line, "done") != 0)
        bench_die("%s failed", name);
    return now_seconds() - start;
}

static void run_row(const bench_options *options, const command_row *row)
{
    bench_times ours = {0}, theirs = {0};
    char line[64], check[SCRIPT_BYTES], note[64] = "";
    int n_runs = row->is_small ? N_RUNS_OF_SMALL : options->n_runs;
    bool has_peer = row->peer != NULL && (row->n_peer_graphs == 0 || find_networkx() != NULL);
    report_progress("command", row->name);
    snprintf(check, sizeof check, "%s && echo right", row->check);
    if (!run_script(options, check, line, sizeof line) || strcmp(line, "right") != 0)
        report_failure("command", row->name, "another answer");
    double bytes = row->size != NULL && run_script(options, row->size, line, sizeof line)
                       ? strtod(line, NULL)
                       : 0;
    for (int r = 0; r < n_runs; r++) {
        times_add(&ours, time_script(options, row->name, row->run));
        if (has_peer && (r == 0 || times_median(&theirs) < options->slow_seconds))
            times_add(&theirs, time_script(options, row->peer_name, row->peer));
    }
    double seconds = times_median(&ours), ratio = seconds / times_median(&theirs);
    if (bytes > 0)
        snprintf(note, sizeof note, "%.0f MB/s of text; ", 1e-6 * bytes / seconds);
    if (bytes > 0)
        report_set("command", row->name, "bytes_per_second", bytes / seconds);
    if (row->n_graphs > 0) {
        snprintf(note, sizeof note, "%.0f graphs a second; ", row->n_graphs / seconds);
        report_set("command", row->name, "graphs_per_second", row->n_graphs / seconds);
        ratio = ratio * row->n_peer_graphs / row->n_graphs; /* of a graph */
    }
    if (has_peer)
        snprintf(note + strlen(note), sizeof note - strlen(note), "%.4fx of the other's", ratio);
    report_row("command", row->name, &ours, note);
    if (has_peer)
        report_row("command", row->peer_name, &theirs, "");
}

void section_command(const bench_options *options)
{
    report_head("command", "whole runs, a shell's start included");
    report_progress("command", "making graphs");
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        time_script(options, "generate", models[m]);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        run_row(options, &rows[r]);
    time_script(options, "rm",
                "rm -f tiny.txt large.mtx middle.mtx graphs.g6 out one x.csv x.csv.gz");
}
