/* Everything that is printed about a finished count, as text or JSON. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "src/cli/count_options.h"
#include "src/cli/outputs.h"

#include <stdio.h>

/* Everything a finished count has to say, and the ways to print it on stdout. */
typedef struct cli_result {
    const char *command; /* its name */
    const cli_count_options *options;
    const pc_partition *partition; /* NULL: counts are between vertices */
    const pc_labels *labels;       /* of rows and columns */
    pc_graph_info info;
    pc_plan_info plan; /* with measured times */
    pc_summary_values values;
    const cli_table *table; /* NULL when the graph is too large for one */
    double read_seconds;
    double total_seconds; /* reading and writing included */
} cli_result;

/* Fills in all but command, options, partition, labels and read_seconds, of a count of graph on context that
 * began at start_seconds; with --explain its times are printed. */
pc_status cli_result_complete(cli_result *result, const pc_plan *plan, const pc_graph *graph,
                              const cli_outputs *outputs, double start_seconds);

/* Two lines below a table: the sum of all counts, and that of the diagonal. Of doubles and means nothing. */
void cli_print_totals(FILE *out, const cli_result *result);

/* PC_ERR_MEMORY when there is no memory for labels; then nothing was printed. */
pc_status cli_print_summary(FILE *out, const cli_result *result);

/* The answer as one JSON object; PC_ERR_MEMORY as above. */
pc_status cli_print_json(FILE *out, const cli_result *result);

#endif
