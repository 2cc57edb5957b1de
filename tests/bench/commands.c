/* Section command: whole runs of the command, from the start of its process to the end: a tiny graph beside
 * `true`, one vertex of a graph of ten million arcs beside its total, text to a pipe, and packed text. The
 * answer is compared with that of one thread, or with the text before packing, before anything is timed. */
#include "tests/bench/child.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_BYTES = 1200, N_MODELS = 3, N_RUNS_OF_SMALL = 30 };

/* $P is the command, $T the number of threads, and the folder is one for files. */
static const char *const models[N_MODELS] = {
    "printf '0 1\n1 2\n' > tiny.txt",
    "\"$P\" generate erdos-renyi --vertices 131072 --edges 5000000 -q -o large.mtx",
    "\"$P\" generate erdos-renyi --vertices 4096 --edges 65536 -q -o middle.mtx"};

typedef struct command_row {
    const char *name;
    const char *check; /* ends well when the answer is right */
    const char *run;
    const char *peer_name, *peer; /* another command in turn with it; NULL: none */
    const char *size;             /* prints the bytes of text; NULL: they say nothing */
    bool is_small;
} command_row;

#define FROM_ONE "\"$P\" large.mtx --length 16 --from 1 -q --threads "
#define LINES    "\"$P\" middle.mtx --length 8 $(seq -f '--from %.0f' 1 1000) -q --threads "
#define PACKED   "\"$P\" middle.mtx --length 4 -q --no-sync --threads \"$T\" -o "

static const command_row rows[] = {
    {"start, a graph of 3 vertices", "test $(\"$P\" tiny.txt --length 2 --total -q) = 6",
     "\"$P\" tiny.txt --length 2 --total -q > out", "true", "/bin/true", NULL, true},
    {"one vertex, 10 million arcs, k = 16",
     FROM_ONE "1 > one && " FROM_ONE "\"$T\" | cmp - one && rm one", FROM_ONE "\"$T\" > out",
     "its total", "\"$P\" large.mtx --length 16 --total -q --threads \"$T\" > out", NULL, false},
    {"lines of 1000 vertices to a pipe", LINES "1 > one && " LINES "\"$T\" | cmp - one && rm one",
     LINES "\"$T\" | cat > /dev/null", NULL, NULL, LINES "\"$T\" | wc -c", false},
    {"matrix of 4096 vertices, .csv.gz",
     PACKED "x.csv > out && " PACKED "x.csv.gz > out && gzip -dc x.csv.gz | cmp - x.csv",
     PACKED "x.csv.gz > out", "not packed", PACKED "x.csv > out", "wc -c < x.csv", false},
};

/* Runs a script in the folder; the one line that it prints goes to line. */
static bool run_script(const bench_options *options, const char *text, char *line, size_t size)
{
    char script[2 * SCRIPT_BYTES];
    snprintf(script, sizeof script, "cd '%s' && P='%s/../pathcount' T=%d && export P T && { %s; }",
             options->scratch, options->folder, options->n_threads, text);
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

static void print_times(const char *name, const bench_times *times, double bytes, double ratio)
{
    printf("  %-38s %9.4f %9.4f %9.4f %5d", name, times_median(times), times_least(times),
           times_most(times), times->n);
    if (bytes > 0)
        printf(" %9.0f", 1e-6 * bytes / times_median(times));
    else
        printf(" %9s", "");
    if (ratio > 0)
        printf(" %8.2fx", ratio);
    printf("\n");
    fflush(stdout);
}

static void run_row(const bench_options *options, const command_row *row)
{
    bench_times ours = {0}, theirs = {0};
    char line[64], check[SCRIPT_BYTES];
    double bytes = 0;
    int n_runs = row->is_small ? N_RUNS_OF_SMALL : options->n_runs;
    report_progress("command", row->name);
    snprintf(check, sizeof check, "%s && echo right", row->check);
    if (!run_script(options, check, line, sizeof line) || strcmp(line, "right") != 0)
        report_failure("command", row->name, "another answer");
    if (row->size != NULL && run_script(options, row->size, line, sizeof line))
        bytes = strtod(line, NULL);
    for (int r = 0; r < n_runs; r++) {
        times_add(&ours, time_script(options, row->name, row->run));
        if (row->peer != NULL)
            times_add(&theirs, time_script(options, row->peer_name, row->peer));
    }
    report_set_times("command", row->name, &ours);
    if (bytes > 0)
        report_set("command", row->name, "bytes_per_second", bytes / times_median(&ours));
    double ratio = row->peer != NULL ? times_median(&ours) / times_median(&theirs) : 0;
    print_times(row->name, &ours, bytes, ratio);
    if (row->peer != NULL)
        print_times(row->peer_name, &theirs, 0, 0);
}

void section_command(const bench_options *options)
{
    printf("\ncommand  whole runs, a shell's start included\n");
    printf("  %-38s %9s %9s %9s %5s %9s %9s\n", "", "median s", "least", "most", "runs",
           "MB/s text", "of other");
    report_progress("command", "making graphs");
    for (int m = 0; m < N_MODELS; m++)
        time_script(options, "generate", models[m]);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        run_row(options, &rows[r]);
    time_script(options, "rm", "rm -f tiny.txt large.mtx middle.mtx out one x.csv x.csv.gz");
}
