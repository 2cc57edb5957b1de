/* Clock, medians, the figures in one JSON tree, arguments of options, and the two ways a benchmark gives up. */
#include "tests/bench/bench.h"

#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Times ----------------------------------------------------------------------------------- */

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void times_add(bench_times *times, double seconds)
{
    if (times->n < BENCH_MAX_RUNS)
        times->seconds[times->n++] = seconds;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The value that part of the runs are not above: 0 the least, 0.5 the median, 1 the most. */
static double times_quantile(const bench_times *times, double part)
{
    double sorted[BENCH_MAX_RUNS];
    if (times->n == 0)
        return 0;
    memcpy(sorted, times->seconds, (size_t)times->n * sizeof *sorted);
    qsort(sorted, (size_t)times->n, sizeof *sorted, compare_doubles);
    double place = part * (times->n - 1);
    int below = (int)place;
    int above = below + 1 < times->n ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double times_median(const bench_times *times)
{
    return times_quantile(times, 0.5);
}

double times_least(const bench_times *times)
{
    return times_quantile(times, 0);
}

double times_most(const bench_times *times)
{
    return times_quantile(times, 1);
}

void wait_for_quiet(void)
{
    usleep(60000);
}

/* ---- The report ------------------------------------------------------------------------------ */

static json_t *tree = NULL;
static bool has_failure = false;

static json_t *place(const char *section, const char *name)
{
    if (tree == NULL)
        tree = json_object();
    json_t *at = tree;
    const char *const path[] = {section, name};
    for (int p = 0; p < 2; p++) {
        if (json_object_get(at, path[p]) == NULL)
            json_object_set_new(at, path[p], json_object());
        at = json_object_get(at, path[p]);
    }
    return at;
}

void report_set(const char *section, const char *name, const char *key, double value)
{
    json_object_set_new(place(section, name), key, json_real(value));
}

void report_set_text(const char *section, const char *name, const char *key, const char *text)
{
    json_object_set_new(place(section, name), key, json_string(text));
}

void report_set_times(const char *section, const char *name, const bench_times *times)
{
    json_t *runs = json_array();
    for (int r = 0; r < times->n; r++)
        json_array_append_new(runs, json_real(times->seconds[r]));
    json_object_set_new(place(section, name), "runs_seconds", runs);
    report_set(section, name, "median_seconds", times_median(times));
}

double report_get(const char *section, const char *name, const char *key)
{
    const json_t *value =
        json_object_get(json_object_get(json_object_get(tree, section), name), key);
    return json_is_real(value) ? json_real_value(value) : NAN;
}

void report_head(const char *section, const char *text)
{
    printf("\n%s  %s\n  %-38s %9s %9s %9s %5s\n", section, text, "", "median s", "least", "most",
           "runs");
    fflush(stdout); /* before what goes to stderr */
}

void report_row(const char *section, const char *name, const bench_times *times, const char *note)
{
    printf("  %-38s %9.5f %9.5f %9.5f %5d  %s\n", name, times_median(times), times_least(times),
           times_most(times), times->n, note);
    fflush(stdout);
    report_set_times(section, name, times);
}

void report_save(const char *path)
{
    if (json_dump_file(tree, path, JSON_INDENT(2)) != 0)
        bench_die("cannot write %s", path);
}

void report_failure(const char *section, const char *name, const char *what)
{
    fprintf(stderr, "bench: %s: %s: %s\n", section, name, what);
    has_failure = true;
}

bool report_has_failure(void)
{
    return has_failure;
}

void report_progress(const char *section, const char *name)
{
    fprintf(stderr, "  ... %s: %s\n", section, name);
}

/* ---- Memory, options, peers ------------------------------------------------------------------ */

void *need_memory(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (memory == NULL)
        bench_die("out of memory: %zu bytes", bytes);
    return memory;
}

void bench_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

long parse_number(const char *text, long least, long most, struct argp_state *state)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        argp_error(state, "'%s' is not a number from %ld to %ld", text, least, most);
    return value;
}

size_t parse_list(char *list, size_t most, const char **parts, struct argp_state *state)
{
    size_t n = 0;
    for (char *part = strsep(&list, ","); part != NULL; part = strsep(&list, ",")) {
        if (*part == '\0')
            argp_error(state, "a list has an empty name in it");
        if (n == most)
            argp_error(state, "a list has more than %zu names", most);
        parts[n++] = part;
    }
    return n;
}

const void *peer_load(const bench_options *options, const char *module, const char *symbol)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", options->folder, module);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library == NULL ? NULL : dlsym(library, symbol);
}
