/* Everything that is printed about a finished count, as text or JSON on standard output. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "src/cli/count_options.h"
#include "src/cli/outputs.h"

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

/* Fills in all but command, options, partition, labels and read_seconds, of a count of graph on
 * context that began at start_seconds; with --explain its times are printed. */
pc_status cli_result_complete(cli_result *result, const pc_plan *plan, const pc_graph *graph,
                              const cli_outputs *outputs, double start_seconds);

/* Two lines below a table: the sum of all counts, and that of the diagonal. Doubles and means
 * have none. */
void cli_print_totals(const cli_result *result);

/* A line for each fact, then the largest pairs; the same as one JSON object. */
void cli_print_summary(const cli_result *result);
void cli_print_json(const cli_result *result);

/* ---- Parts that products of relations have, too ---------------------------------------------- */

/* Prints a line of a summary: a name, then what the format makes. */
void cli_print_fact(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the lines about outputs and times; read: what reading them took, "the graph". */
void cli_print_end(const cli_count_options *options, double total_seconds, const char *read,
                   double read_seconds);

/* The text of a number as it is shown: text itself, or made in shown[CLI_DIGITS_BYTES]. */
typedef const char *(*cli_number_fn)(const void *user, const char *text, char *shown);

/* Prints the largest pairs as a table below a title; number is the head of its last column. */
void cli_print_pairs(const char *title, const char *number, const pc_labels *rows,
                     const pc_labels *columns, const pc_summary_values *values, cli_number_fn shown,
                     const void *user);

/* The largest pairs as an array of objects, in which the number has that name, and a table as an
 * array of arrays. */
json_t *cli_json_pairs(const char *number, const pc_labels *rows, const pc_labels *columns,
                       const pc_summary_values *values);
json_t *cli_json_table(const cli_table *table);

#endif
