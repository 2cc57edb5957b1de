/* Section memory: the most memory of a process that keeps a result of one 64-bit word a count. */
#include "tests/support/calls.h"
#include "pathcount.h"
#include "tests/bench/child.h"
#include "tests/bench/children.h"
#include "tests/bench/report.h"
#include "tests/bench/workloads.h"

#include <stdio.h>

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
    const char *const arguments[] = {SELF, CHILD_MEMORY, threads, NULL};
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
