/* Prints a finished count: a fact a line for people, or one JSON object for programs. */
#include "src/cli/summary.h"

#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_DIGITS = 60, /* that a terminal shows */
    END_DIGITS = 8    /* at each end of a longer number */
};

pc_status cli_result_complete(cli_result *result, const pc_plan *plan, const pc_graph *graph,
                              const cli_outputs *outputs, double start_seconds)
{
    result->table = outputs->has_table ? &outputs->table : NULL;
    pc_graph_get_info(graph, &result->info);
    result->plan = *pc_plan_get_info(plan);
    pc_status status = pc_summary_get(outputs->summary, &result->values);
    if (status != PC_OK)
        return status;
    result->total_seconds = cli_now_seconds() - start_seconds;
    cli_twice_measured(&result->plan.seconds, sizeof result->plan.seconds);
    cli_twice_measured(&result->total_seconds, sizeof result->total_seconds);
    cli_twice_measured(&result->read_seconds, sizeof result->read_seconds);
    cli_tell_of_run(&result->plan, result->options->running.explain);
    return PC_OK;
}

static const cli_path_kind *kind_of(const cli_result *result)
{
    return cli_path_kind_of(result->options->query.paths);
}

/* ---- Text ------------------------------------------------------------------------------------ */

void cli_print_fact(const char *name, const char *format, ...)
{
    va_list arguments;
    printf("%-20s  ", name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void cli_print_end(const cli_count_options *options, double total_seconds, const char *read,
                   double read_seconds)
{
    for (size_t i = 0; i < options->output.n; i++)
        cli_print_fact("written to", "%s", options->output.list[i].path);
    cli_print_fact("time", "%.3f s (reading %s %.3f s)", total_seconds, read, read_seconds);
}

void cli_print_pairs(const char *title, const char *number, const pc_labels *rows,
                     const pc_labels *columns, const pc_summary_values *values, cli_number_fn shown,
                     const void *user)
{
    char *cells[3 * (PC_SUMMARY_PAIRS + 1)] = {"from", "to", (char *)number};
    char room[CLI_DIGITS_BYTES];
    uint32_t n = values->n_pairs;
    for (uint32_t i = 0; i < n; i++) {
        const pc_pair *pair = &values->pairs[i];
        cells[3 * i + 3] = cli_label_shown(rows, pair->from);
        cells[3 * i + 4] = cli_label_shown(columns, pair->to);
        cells[3 * i + 5] = cli_need(strdup(shown(user, pair->count, room)));
    }
    printf("\n%s\n", title);
    cli_print_table(cells, n + 1, 3, false);
    for (uint32_t c = 3; c < 3 * n + 3; c++)
        free(cells[c]);
}

/* An integer as it is shown: on a terminal the ends of a long one. A double has the digits that
 * hold. */
static const char *shown_number(const void *user, const char *text, char *shown)
{
    const cli_result *result = user;
    size_t n = strlen(text);
    if (result->plan.arithmetic == PC_FLOAT)
        return cli_shown_digits(cli_digits_of(result->plan.relative_error,
                                              result->options->query.paths != PC_PATHS_MARKOV),
                                text, shown);
    if (n <= MOST_DIGITS || strchr(text, '/') != NULL || !isatty(STDOUT_FILENO))
        return text;
    snprintf(shown, CLI_DIGITS_BYTES, "%.*s...%s (%zu digits)", END_DIGITS, text,
             text + n - END_DIGITS, n);
    return shown;
}

static void print_blocks(const pc_partition *partition)
{
    pc_partition_info info;
    pc_partition_get_info(partition, &info);
    uint64_t n = info.n_blocks, least = UINT64_MAX, most = 0;
    for (uint64_t b = 0; b < n; b++) {
        least = info.sizes[b] < least ? info.sizes[b] : least;
        most = info.sizes[b] > most ? info.sizes[b] : most;
    }
    if (n > 0)
        cli_print_fact("blocks", "%" PRIu64 ", of %" PRIu64 " to %" PRIu64 " vertices", n, least,
                       most);
    else
        cli_print_fact("blocks", "0");
}

/* A sum of residues is reduced once more. */
static void print_sum(const char *name, const char *sum, const cli_result *result)
{
    const pc_plan_info *plan = &result->plan;
    char shown[CLI_DIGITS_BYTES];
    if (plan->arithmetic == PC_MODULAR)
        cli_print_fact(name, "%" PRIu64 " (modulo %" PRIu64 ")",
                       cli_decimal_modulo(sum, plan->modulus), plan->modulus);
    else
        cli_print_fact(name, "%s", shown_number(result, sum, shown));
}

static void print_sums(const cli_result *result)
{
    print_sum(kind_of(result)->total, result->values.total, result);
    const char *closed = result->partition != NULL ? "within blocks" : kind_of(result)->closed;
    if (closed != NULL)
        print_sum(closed, result->values.closed, result);
}

void cli_print_totals(const cli_result *result)
{
    if (result->plan.arithmetic == PC_FLOAT || result->options->blocks.mean)
        return;
    putchar('\n');
    print_sums(result);
}

/* Prints what true counts have: residues have no largest one. */
static void print_largest(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    char shown[CLI_DIGITS_BYTES], bits[32] = "";
    bool has_most = values->n_nonzero > 0 && result->options->query.paths != PC_PATHS_MARKOV;
    char *most = has_most ? cli_label_shown(result->labels, values->largest_row) : NULL;
    cli_print_fact(result->partition != NULL ? "most from one block" : kind_of(result)->most,
                   "%s%s%s", shown_number(result, values->largest_row_sum, shown),
                   has_most ? ", from " : "", has_most ? most : "");
    free(most);
    if (values->largest_bits > 0)
        snprintf(bits, sizeof bits, " (%" PRIu32 " %s)", values->largest_bits,
                 values->largest_bits == 1 ? "bit" : "bits");
    const char *largest = shown_number(result, values->largest, shown);
    if (values->n_pairs == 0) {
        cli_print_fact(kind_of(result)->largest, "%s%s", largest, bits);
        return;
    }
    char *from = cli_label_shown(result->labels, values->largest_from);
    char *to = cli_label_shown(result->labels, values->largest_to);
    cli_print_fact(kind_of(result)->largest, "%s%s, from %s to %s", largest, bits, from, to);
    free(from);
    free(to);
}

void cli_print_summary(const cli_result *result)
{
    const cli_count_options *options = result->options;
    const pc_plan_info *plan = &result->plan;
    uint64_t n = pc_labels_count(result->labels);
    /* The same terminal may have had the line about the graph, on standard error. */
    bool is_told = !options->running.is_quiet && strcmp(result->command, "chain") != 0 &&
                   isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
    if (!is_told) {
        printf("%-20s  ", "graph");
        cli_print_graph(stdout, &options->input, &result->info);
    }
    if (result->partition != NULL)
        print_blocks(result->partition);
    if (options->query.paths == PC_PATHS_SHORTEST)
        cli_print_fact("path length", "%s", kind_of(result)->length);
    else
        cli_print_fact("path length", "%s%" PRIu64 "%s", options->query.up_to ? "1 to " : "",
                       plan->length, kind_of(result)->length);
    if (plan->arithmetic == PC_FLOAT)
        cli_print_fact("digits that hold", "%s", cli_held_digits(plan->relative_error).text);
    print_sums(result);
    if (plan->arithmetic != PC_MODULAR)
        print_largest(result);
    /* A residue or a rounded count may be zero where there are paths. */
    cli_print_fact(plan->arithmetic == PC_EXACT ? "joined pairs" : "nonzero pairs",
                   "%" PRIu64 " of %" PRIu64, result->values.n_nonzero, n * n);
    cli_print_end(options, result->total_seconds, "the graph", result->read_seconds);
    if (plan->arithmetic == PC_MODULAR || result->values.n_pairs == 0)
        return;
    bool is_symmetric = cli_paths_are_symmetric(options->query.paths, !result->info.directed);
    cli_print_pairs(is_symmetric ? "largest pairs, each undirected pair once" : "largest pairs",
                    kind_of(result)->column, result->labels, result->labels, &result->values,
                    shown_number, result);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Numbers that may pass 2^53 are strings. */

json_t *cli_json_pairs(const char *number, const pc_labels *rows, const pc_labels *columns,
                       const pc_summary_values *values)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        const pc_pair *pair = &values->pairs[i];
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:s}", "from", cli_json_label(rows, pair->from), "to",
                             cli_json_label(columns, pair->to), number, pair->count));
    }
    return array;
}

json_t *cli_json_table(const cli_table *table)
{
    json_t *matrix = json_array();
    for (uint64_t i = 0; i < table->n_rows; i++) {
        json_t *row = json_array();
        for (uint64_t j = 0; j < table->n_columns; j++)
            json_array_append_new(row, json_string(*cli_table_cell(table, i, j)));
        json_array_append_new(matrix, row);
    }
    return matrix;
}

static json_t *sum_text(const cli_result *result, const char *sum)
{
    return result->plan.arithmetic == PC_MODULAR
               ? cli_json_integer(cli_decimal_modulo(sum, result->plan.modulus))
               : json_string(sum);
}

/* A count modulo M has sums only: the other members of the exact one are there, null. */
static json_t *counts_object(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    const pc_labels *labels = result->labels;
    bool is_modular = result->plan.arithmetic == PC_MODULAR;
    json_t *largest = NULL, *most = NULL;
    if (!is_modular && values->n_pairs > 0)
        largest =
            json_pack("{s:o, s:o, s:s}", "from", cli_json_label(labels, values->largest_from), "to",
                      cli_json_label(labels, values->largest_to), "count", values->largest);
    if (!is_modular && values->n_nonzero > 0)
        most = cli_json_label(labels, values->largest_row);
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "total_paths", sum_text(result, values->total),
        result->partition != NULL ? "within_blocks" : "closed_paths",
        sum_text(result, values->closed), "bits",
        result->plan.arithmetic == PC_EXACT ? json_integer(values->largest_bits) : json_null(),
        "largest_row_sum", is_modular ? json_null() : json_string(values->largest_row_sum),
        "largest_row", most != NULL ? most : json_null(), "largest_count",
        largest != NULL ? largest : json_null(), "nonzero_pairs", (json_int_t)values->n_nonzero,
        "largest_pairs",
        is_modular ? json_null() : cli_json_pairs("count", labels, labels, values));
}

static json_t *running_object(const cli_result *result)
{
    const pc_plan_info *plan = &result->plan;
    json_t *bound = plan->arithmetic == PC_EXACT ? json_real(plan->bound_bits) : json_null();
    json_t *error =
        plan->arithmetic == PC_FLOAT ? cli_json_error(plan->relative_error) : json_null();
    json_t *seconds = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
                                "read", result->read_seconds, "start", plan->seconds.start, "bound",
                                plan->seconds.bound, "load", plan->seconds.load, "extend",
                                plan->seconds.extend, "product", plan->seconds.product, "step",
                                plan->seconds.step, "collect", plan->seconds.collect, "certify",
                                plan->seconds.certify, "deliver", plan->seconds.deliver, "count",
                                plan->seconds.total, "total", result->total_seconds);
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:o, s:I, s:o}", "engine", plan->engine,
                     "kernel", plan->kernel, "device", plan->device, "engine_reason",
                     cli_json_text(plan->engine_reason), "threads", plan->n_threads, "bound_bits",
                     bound, "relative_error", error, "memory_bytes", (json_int_t)plan->memory_bytes,
                     "seconds", seconds);
}

void cli_print_json(const cli_result *result)
{
    json_t *root = cli_json_head(result->command, result->options, &result->info);
    if (result->partition != NULL) {
        json_t *sizes = json_array();
        pc_partition_info info;
        pc_partition_get_info(result->partition, &info);
        for (uint64_t b = 0; b < info.n_blocks; b++)
            json_array_append_new(sizes, json_integer((json_int_t)info.sizes[b]));
        cli_json_behind(root, json_pack("{s:{s:o, s:I, s:o, s:b}}", "blocks", "spec",
                                        cli_json_text(result->options->blocks.spec), "count",
                                        (json_int_t)info.n_blocks, "sizes", sizes, "mean",
                                        result->options->blocks.mean));
    }
    cli_json_behind(root, counts_object(result));
    if (result->plan.n_classes > 0)
        cli_json_behind(root, json_pack("{s:I, s:I}", "classes", (json_int_t)result->plan.n_classes,
                                        "pieces", (json_int_t)result->plan.n_pieces));
    cli_json_behind(root, running_object(result));
    if (result->table != NULL) {
        json_object_set_new(root, "labels", cli_json_labels(result->labels));
        json_object_set_new(root, "matrix", cli_json_table(result->table));
    }
    cli_json_print(root);
}
