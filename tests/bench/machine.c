/* The heading: on what machine, from what sources, when. */
#include "tests/bench/child.h"
#include "tests/bench/peak.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void find_cpu_model(char *model, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(model, size, "unknown");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(model, size, "%s", strchr(line, ':') + 2);
            break;
        }
    fclose(file);
}

static void find_commit(char *commit, size_t size)
{
    const char *const arguments[] = {"sh", "-c", "git describe --always --dirty 2>/dev/null", NULL};
    if (!child_ask(arguments, commit, size))
        snprintf(commit, size, "unknown");
}

static void describe(const char *what, const char *text)
{
    printf("%-10s %s\n", what, text);
    report_set_text("run", "machine", what, text);
}

/* Figures taken beside other work mean little: the reader must know. */
static void warn_when_busy(void)
{
    double load[1];
    if (getloadavg(load, 1) != 1 || load[0] < 0.5)
        return;
    printf("%-10s %.1f: other programs were running, figures will be off\n", "load", load[0]);
    report_set("run", "machine", "load", load[0]);
}

/* The peaks at the start; each section measures them again next to what it compares. */
static void print_peaks(int n_threads)
{
    for (const peak_loop *loop = peak_loops; loop->kernel != NULL; loop++) {
        double peak = peak_of_kernel(loop->kernel, n_threads);
        if (peak == 0)
            continue;
        printf("%-10s %.2f TOPS with %d threads (%s)\n", "peak", peak * 1e-12, n_threads,
               loop->text);
        report_set("run", "peak_ops_per_second", loop->kernel, peak);
    }
}

void machine_describe(const bench_options *options)
{
    char text[256];
    find_cpu_model(text, sizeof text);
    describe("CPU", text);
    snprintf(text, sizeof text, "%ld processors, %d threads used", sysconf(_SC_NPROCESSORS_ONLN),
             options->n_threads);
    describe("cores", text);
    describe("compiler", COMPILER);
    find_commit(text, sizeof text);
    describe("commit", text);
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    describe("date", text);
    warn_when_busy();
    print_peaks(options->n_threads);
    fflush(stdout);
}
