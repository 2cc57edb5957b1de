/* What the project wants to reach, and whether this run did. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>

typedef struct goal {
    const char *text;
    const char *section, *name, *key; /* where the figure is kept */
    double limit;
    bool at_most; /* else at least */
} goal;

/* Seconds that follow from FLINT 3.6 were measured on four Zen 5 cores: W1 0.55, W2 1.7, W3 8.2,
 * W4 6.1. They say something on such a machine only. */
static const goal goals[] = {
    {"W1: times faster than Debian's FLINT", "W1", "FLINT", "peer_over_ours", 40, false},
    {"W2: times faster than Debian's FLINT", "W2", "FLINT", "peer_over_ours", 75, false},
    {"W3: times faster than Debian's FLINT", "W3", "FLINT", "peer_over_ours", 40, false},
    {"W4: times faster than Debian's FLINT", "W4", "FLINT", "peer_over_ours", 40, false},
    {"W1: seconds, 1/10 of FLINT 3.6 on 4 Zen 5 cores", "W1", "pathcount", "median_seconds", 0.055,
     true},
    {"W2: seconds, 1/7 of FLINT 3.6 on 4 Zen 5 cores", "W2", "pathcount", "median_seconds", 0.243,
     true},
    {"W3: seconds, 1/10 of FLINT 3.6 on 4 Zen 5 cores", "W3", "pathcount", "median_seconds", 0.82,
     true},
    {"W4: seconds, 1/10 of FLINT 3.6 on 4 Zen 5 cores", "W4", "pathcount", "median_seconds", 0.61,
     true},
    {"W2: times faster than NumPy float64", "W2", "NumPy", "peer_over_ours", 4, false},
    {"W1: times faster than float64 squarings", "W1", "OpenBLAS", "peer_over_ours", 1, false},
    {"W2: times faster than float64 squarings", "W2", "OpenBLAS", "peer_over_ours", 1, false},
    {"W3: times faster than float64 squarings", "W3", "OpenBLAS", "peer_over_ours", 1, false},
    {"int8 product, n = 4096: times as fast as oneDNN", "product 4096", "pathcount",
     "peer_over_ours", 1, false},
    {"int8 product, n = 4096: part of the VNNI peak", "product 4096", "avx512vnni full",
     "part_of_peak", 0.8, false},
    {"reduced product, n = 2048: part of the full one", "reduced 2048", "directed", "ratio", 0.275,
     true},
    {"reduced product, n = 8192: part of the full one", "reduced 8192", "directed", "ratio", 0.275,
     true},
    {"all pairs of W1: times faster than GraphBLAS", "sweep", "W1 all pairs", "peer_over_ours", 9,
     false},
    {"all pairs of W3: times faster than GraphBLAS", "sweep", "W3 all pairs", "peer_over_ours", 6.5,
     false},
    {"64 sources of R-MAT: times faster than GraphBLAS", "sweep", "64 sources", "peer_over_ours", 6,
     false},
    {"total of R-MAT: times faster than GraphBLAS", "sweep", "total", "peer_over_ours", 3, false},
    {"sweep through a grid: part of copying's bytes/s", "sweep", "grid", "part_of_copy", 0.5,
     false},
    {"W1: part of the time in CRT and base extension", "W1", "pathcount", "part_in_crt", 0.25,
     true},
    {"W2: part of the time in CRT and base extension", "W2", "pathcount", "part_in_crt", 0.25,
     true},
    {"W3: part of the time in CRT and base extension", "W3", "pathcount", "part_in_crt", 0.25,
     true},
    {"W4: part of the time in CRT and base extension", "W4", "pathcount", "part_in_crt", 0.25,
     true},
    {"memory: peak over the size of the result", "memory", "pathcount", "peak_over_result", 2.5,
     true},
    {"reader: times faster than igraph", "reader", "igraph", "peer_over_ours", 60, false},
    {"reader: peak over 64 MB + 4 times the CSR", "reader", "pathcount", "peak_over_limit", 1,
     true},
    {"stream: graphs of 10 vertices a second, 4 cores", "command",
     "4,000,000 graphs of 10 vertices, k = 8", "graphs_per_second", 1e6, false},
};

static void print_goal(const goal *goal, double value)
{
    bool met = goal->at_most ? value <= goal->limit : value >= goal->limit;
    printf("%-52s %s %7.4g %10.4g  %s\n", goal->text, goal->at_most ? "<=" : ">=", goal->limit,
           value, met ? "met" : "NOT MET");
    report_set("goals", goal->text, "wanted", goal->limit);
    report_set("goals", goal->text, "measured", value);
    report_set_text("goals", goal->text, "met", met ? "yes" : "no");
}

void goals_print(void)
{
    int n_unknown = 0;
    printf("\n%-52s %10s %10s\n", "goal", "wanted", "measured");
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        double value = report_get(goals[g].section, goals[g].name, goals[g].key);
        if (isnan(value))
            n_unknown++;
        else
            print_goal(&goals[g], value);
    }
    if (n_unknown > 0)
        printf("%d goals were not measured: their sections or peers were left out\n", n_unknown);
}
