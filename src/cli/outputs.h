/* The outputs of a matrix: summary, table, files and pictures; and what is printed when they are done. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "src/cli/count_options.h"
#include "src/cli/verify/verify.h"
#include "src/cli/verify/residues.h"

#include "tool.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- Tables ---------------------------------------------------------------------------------- */

#define CLI_TABLE_VERTICES 32   /* rows and columns, at most, unless a table is asked for */
#define CLI_TABLE_MOST     1024 /* then */

/* A small matrix as a table of text. */
typedef struct cli_table {
    pc_context *context;
    cli_text_check check;
    uint64_t n_rows, n_columns;
    char **cells; /* [n_rows + 1][n_columns + 1]: the first row and column have labels as they are
                   * shown, the others decimal text, with room for CLI_DIGITS_BYTES */
} cli_table;

/* The place of a number; the label of a row has column -1, that of a column row -1. */
static inline char **cli_table_cell(const cli_table *table, uint64_t row, uint64_t column)
{
    return &table->cells[(row + 1) * (table->n_columns + 1) + column + 1];
}

/* Prints labels as header row and first column, and right-aligned columns. */
void cli_outputs_print_table(const cli_table *table);

/* ---- Outputs --------------------------------------------------------------------------------- */

/* A file that the matrix is written to. */
typedef struct cli_file {
    pc_context *context;
    const cli_output *output;
    pc_writer *writer;        /* NULL: it is done */
    cli_read_back *read_back; /* of the file, before it gets its name; NULL: it is not read back */
} cli_file;

/* Opens a file; read_back, which may be NULL, belongs to it then. Signals wait from then on
 * until all files are whole or gone. The caller frees the file also after a failure. */
pc_status cli_file_open(cli_file *file, pc_context *context, const cli_output *output,
                        const pc_frame *frame, cli_read_back *read_back);

/* Completes a file, which is right then, without giving it its name; *descriptor is open for
 * reading. PC_ERR_CANCELLED when a signal came in the meantime. */
pc_status cli_file_finish(cli_file *file, int *descriptor);

/* Gives it its name, or writes it to standard output. */
pc_status cli_file_commit(cli_file *file, bool is_quiet, int descriptor);
void cli_file_free(cli_file *file);

/* All zero at first. */
typedef struct cli_outputs {
    pc_reduction *summary;
    bool has_table; /* the matrix is small enough for one */
    cli_table table;
    size_t n_files;
    cli_file files[CLI_MOST_OUTPUTS];
    bool is_quiet;  /* nothing is said of files of labels */
    cli_look *look; /* NULL: no pictures */
} cli_outputs;

/* An empty summary, and a table if the form has one. PC_ERR_ARGUMENT for too large a table. */
pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context,
                              const cli_count_options *options, const pc_frame *frame);

/* True when the answer is the table. The counts of a table that is wider than the terminal are
 * shortened; means are not, and then the answer is the summary. A note says so. Doubles of plan, which
 * may be NULL, have the digits that hold. */
bool cli_outputs_show_table(cli_outputs *outputs, const cli_count_options *options,
                            const pc_plan_info *plan);

enum { CLI_OUTPUTS_REDUCTIONS = 1 + CLI_LOOK_REDUCTIONS };

/* Lists what rows are to be added to; returns how many there are. The summary, the first of
 * them, is one of counts; the others show counts, perhaps as means. */
uint32_t cli_outputs_reductions(const cli_outputs *outputs, pc_reduction **reductions);

/* True when table or file want the rows as well. */
bool cli_outputs_wants_rows(const cli_outputs *outputs);

/* Gives rows, as they are shown, to all that is not a reduction. PC_ERR_CERTIFY, with a message,
 * when the text of a count does not hold. */
pc_status cli_outputs_take(cli_outputs *outputs, const pc_rows *shown);

/* Finishes all files and gives them their names, or writes them to standard output;
 * PC_ERR_CANCELLED when a signal came in the meantime. */
pc_status cli_outputs_commit(cli_outputs *outputs);

/* A file that was not finished leaves nothing behind. */
void cli_outputs_free(cli_outputs *outputs);

/* ---- A finished count, as text or JSON on standard output ------------------------------------- */

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
