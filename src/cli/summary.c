/* Prints a finished count: a fact a line for people, or one JSON object for programs. */
#include "src/cli/summary.h"

#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/plan.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "src/cli/twice.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Text ------------------------------------------------------------------------------------ */

/* The answer for people: one fact a line, then the largest pairs. */

enum {
    MOST_DIGITS = 60, /* that a terminal shows */
    END_DIGITS = 8    /* at each end of a longer number */
};

/* Labels of the pairs as shown; at index n_pairs those of the largest count. */
typedef struct pair_labels {
    char *from[PC_SUMMARY_PAIRS + 1];
    char *to[PC_SUMMARY_PAIRS + 1];
    char *most; /* of the vertex from which most paths start */
} pair_labels;

static void free_labels(pair_labels *labels)
{
    for (uint32_t i = 0; i <= PC_SUMMARY_PAIRS; i++) {
        free(labels->from[i]);
        free(labels->to[i]);
    }
    free(labels->most);
}

static pc_status make_labels(const cli_result *result, pair_labels *labels)
{
    const pc_summary_values *values = &result->values;
    *labels = (pair_labels){0};
    if (pc_labels_count(result->labels) == 0)
        return PC_OK;
    labels->most = cli_label_shown(result->labels, values->largest_row);
    for (uint32_t i = 0; i <= values->n_pairs; i++) {
        bool is_pair = i < values->n_pairs;
        uint64_t from = is_pair ? values->pairs[i].from : values->largest_from;
        uint64_t to = is_pair ? values->pairs[i].to : values->largest_to;
        labels->from[i] = cli_label_shown(result->labels, from);
        labels->to[i] = cli_label_shown(result->labels, to);
        if (labels->from[i] == NULL || labels->to[i] == NULL || labels->most == NULL) {
            free_labels(labels);
            return PC_ERR_MEMORY;
        }
    }
    return PC_OK;
}

static const cli_path_kind *kind_of(const cli_result *result)
{
    return cli_path_kind_of(result->options->query.paths);
}

static void print_blocks(FILE *out, const pc_partition *partition)
{
    pc_partition_info info;
    pc_partition_get_info(partition, &info);
    uint64_t n = info.n_blocks, least = UINT64_MAX, most = 0;
    for (uint64_t b = 0; b < n; b++) {
        least = info.sizes[b] < least ? info.sizes[b] : least;
        most = info.sizes[b] > most ? info.sizes[b] : most;
    }
    fprintf(out, "blocks                %" PRIu64, n);
    if (n > 0)
        fprintf(out, ", of %" PRIu64 " to %" PRIu64 " vertices", least, most);
    fputc('\n', out);
}

/* Whether the same terminal has had the line about the graph, on standard error. */
static bool is_told(const cli_result *result)
{
    return !result->options->running.is_quiet && strcmp(result->command, "chain") != 0 &&
           isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

static void print_facts(FILE *out, const cli_result *result)
{
    if (!is_told(result)) {
        fputs("graph                 ", out);
        cli_print_graph(out, &result->options->input, &result->info);
    }
    if (result->partition != NULL)
        print_blocks(out, result->partition);
    fprintf(out, "path length           %s%" PRIu64 "%s\n",
            result->options->query.up_to ? "1 to " : "", result->plan.length,
            kind_of(result)->length);
}

/* An integer as it is shown: on a terminal the ends of a long one. */
static const char *shown_integer(const char *text, char *shown)
{
    size_t n = strlen(text);
    if (n <= MOST_DIGITS || strchr(text, '/') != NULL || !isatty(STDOUT_FILENO))
        return text;
    snprintf(shown, CLI_DIGITS_BYTES, "%.*s...%s (%zu digits)", END_DIGITS, text,
             text + n - END_DIGITS, n);
    return shown;
}

/* The text of a number as it is shown; shown has CLI_DIGITS_BYTES. */
static const char *shown_number(const cli_result *result, const char *text, char *shown)
{
    if (result->plan.arithmetic != PC_FLOAT)
        return shown_integer(text, shown);
    cli_digits digits =
        cli_digits_of(result->plan.relative_error, result->options->query.paths != PC_PATHS_MARKOV);
    return cli_shown_digits(digits, text, shown);
}

/* A sum of residues, reduced once more; any other sum as it is. */
static void print_sum(FILE *out, const char *name, const char *sum, const cli_result *result)
{
    const pc_plan_info *plan = &result->plan;
    char shown[CLI_DIGITS_BYTES];
    if (plan->arithmetic == PC_MODULAR)
        fprintf(out, "%-20s  %" PRIu64 " (modulo %" PRIu64 ")\n", name,
                cli_decimal_modulo(sum, plan->modulus), plan->modulus);
    else
        fprintf(out, "%-20s  %s\n", name, shown_number(result, sum, shown));
}

static void print_sums(FILE *out, const cli_result *result)
{
    print_sum(out, kind_of(result)->total, result->values.total, result);
    print_sum(out, result->partition != NULL ? "within blocks" : kind_of(result)->closed,
              result->values.closed, result);
}

void cli_print_totals(FILE *out, const cli_result *result)
{
    if (result->plan.arithmetic == PC_FLOAT || result->options->blocks.mean)
        return;
    fputc('\n', out);
    print_sums(out, result);
}

/* What only true counts have: residues have no largest one. */
static void print_largest(FILE *out, const cli_result *result, const pair_labels *labels)
{
    const pc_summary_values *values = &result->values;
    char shown[CLI_DIGITS_BYTES];
    bool has_most = values->n_nonzero > 0 && result->options->query.paths != PC_PATHS_MARKOV;
    fprintf(out, "%-20s  %s%s%s\n",
            result->partition != NULL ? "most from one block" : kind_of(result)->most,
            shown_number(result, values->largest_row_sum, shown), has_most ? ", from " : "",
            has_most ? labels->most : "");
    fprintf(out, "%-20s  %s", kind_of(result)->largest,
            shown_number(result, values->largest, shown));
    if (values->largest_bits > 0)
        fprintf(out, " (%" PRIu32 " %s)", values->largest_bits,
                values->largest_bits == 1 ? "bit" : "bits");
    if (values->n_pairs > 0)
        fprintf(out, ", from %s to %s", labels->from[values->n_pairs], labels->to[values->n_pairs]);
    fputc('\n', out);
}

static int max_width(int width, const char *text)
{
    int other = cli_text_width(text);
    return other > width ? other : width;
}

static void print_pairs(FILE *out, const cli_result *result, const pair_labels *labels)
{
    const pc_summary_values *values = &result->values;
    int from_width = (int)strlen("from"), to_width = (int)strlen("to");
    const char *column = kind_of(result)->column;
    int count_width = (int)strlen(column);
    char shown[CLI_DIGITS_BYTES];
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        from_width = max_width(from_width, labels->from[i]);
        to_width = max_width(to_width, labels->to[i]);
        count_width = max_width(count_width, shown_number(result, values->pairs[i].count, shown));
    }
    bool is_symmetric =
        cli_paths_are_symmetric(result->options->query.paths, !result->info.directed);
    fprintf(out, "\nlargest pairs%s\n", is_symmetric ? ", each undirected pair once" : "");
    fprintf(out, "  %*s  %*s  %*s\n", from_width, "from", to_width, "to", count_width, column);
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        cli_print_right(out, labels->from[i], 2 + from_width);
        cli_print_right(out, labels->to[i], 2 + to_width);
        cli_print_right(out, shown_number(result, values->pairs[i].count, shown), 2 + count_width);
        fputc('\n', out);
    }
}

pc_status cli_print_summary(FILE *out, const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    const pc_plan_info *plan = &result->plan;
    uint64_t n = pc_labels_count(result->labels);
    bool has_largest = plan->arithmetic != PC_MODULAR;
    pair_labels labels;
    pc_status status = make_labels(result, &labels);
    if (status != PC_OK)
        return status;

    print_facts(out, result);
    if (plan->arithmetic == PC_FLOAT) {
        fprintf(out, "%-20s  ", "digits that hold");
        cli_print_digits(out, plan->relative_error);
        fputc('\n', out);
    }
    print_sums(out, result);
    if (has_largest)
        print_largest(out, result, &labels);
    /* A residue or a rounded count may be zero where there are paths. */
    fprintf(out, "%-20s  %" PRIu64 " of %" PRIu64 "\n",
            plan->arithmetic == PC_EXACT ? "joined pairs" : "nonzero pairs", values->n_nonzero,
            n * n);
    cli_print_outputs(out, result->options);
    fprintf(out, "time                  %.3f s (reading the graph %.3f s)\n", result->total_seconds,
            result->read_seconds);
    if (has_largest && values->n_pairs > 0)
        print_pairs(out, result, &labels);
    free_labels(&labels);
    return PC_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The answer for programs: one JSON object. Numbers that may pass 2^53 are strings. */

/* Each function gives NULL when out of memory, which json_pack passes on. */

static json_t *pair_object(const pc_labels *labels, uint64_t from, uint64_t to, const char *count)
{
    return json_pack("{s:o, s:o, s:s}", "from", cli_json_label(labels, from), "to",
                     cli_json_label(labels, to), "count", count);
}

static json_t *pairs_array(const cli_result *result)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        const pc_pair *pair = &result->values.pairs[i];
        json_t *object = pair_object(result->labels, pair->from, pair->to, pair->count);
        if (json_array_append_new(array, object) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static const char *diagonal_name(const cli_result *result)
{
    return result->partition != NULL ? "within_blocks" : "closed_paths";
}

/* What a count modulo M has: sums, reduced. The keys of the exact one are there, null. */
static json_t *modular_counts(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    uint64_t modulus = result->plan.modulus;
    return json_pack("{s:o, s:o, s:n, s:n, s:n, s:n, s:I, s:n}", "total_paths",
                     cli_json_integer(cli_decimal_modulo(values->total, modulus)),
                     diagonal_name(result),
                     cli_json_integer(cli_decimal_modulo(values->closed, modulus)), "bits",
                     "largest_row_sum", "largest_row", "largest_count", "nonzero_pairs",
                     (json_int_t)values->n_nonzero, "largest_pairs");
}

static json_t *counts_object(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    if (result->plan.arithmetic == PC_MODULAR)
        return modular_counts(result);
    json_t *bits =
        result->plan.arithmetic == PC_EXACT ? json_integer(values->largest_bits) : json_null();
    json_t *largest = values->n_pairs > 0 ? pair_object(result->labels, values->largest_from,
                                                        values->largest_to, values->largest)
                                          : json_null();
    json_t *most =
        values->n_nonzero > 0 ? cli_json_label(result->labels, values->largest_row) : json_null();
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:I, s:o}", "total_paths", values->total,
                     diagonal_name(result), values->closed, "bits", bits, "largest_row_sum",
                     values->largest_row_sum, "largest_row", most, "largest_count", largest,
                     "nonzero_pairs", (json_int_t)values->n_nonzero, "largest_pairs",
                     pairs_array(result));
}

static json_t *running_object(const pc_plan_info *plan)
{
    json_t *bound = plan->arithmetic == PC_EXACT ? json_real(plan->bound_bits) : json_null();
    json_t *error =
        plan->arithmetic == PC_FLOAT ? cli_json_error(plan->relative_error) : json_null();
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:o, s:I}", "engine", plan->engine, "kernel",
                     plan->kernel, "device", plan->device, "engine_reason",
                     cli_json_text(plan->engine_reason), "threads", plan->n_threads, "bound_bits",
                     bound, "relative_error", error, "memory_bytes",
                     (json_int_t)plan->memory_bytes);
}

static json_t *seconds_object(const cli_result *result)
{
    const pc_plan_info *plan = &result->plan;
    return json_pack("{s:{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}}", "seconds",
                     "read", result->read_seconds, "start", plan->seconds.start, "bound",
                     plan->seconds.bound, "load", plan->seconds.load, "extend",
                     plan->seconds.extend, "product", plan->seconds.product, "step",
                     plan->seconds.step, "collect", plan->seconds.collect, "certify",
                     plan->seconds.certify, "deliver", plan->seconds.deliver, "count",
                     plan->seconds.total, "total", result->total_seconds);
}

static json_t *matrix_row(const cli_table *table, uint64_t row)
{
    json_t *array = json_array();
    for (uint64_t column = 0; column < table->n_columns; column++)
        json_array_append_new(array, json_string(table->cells[row * table->n_columns + column]));
    return array;
}

/* {"labels": [...], "matrix": [[...]]}; empty without a table. */
static json_t *matrix_object(const cli_result *result)
{
    const cli_table *table = result->table;
    if (table == NULL)
        return json_object();
    json_t *labels = json_array();
    json_t *matrix = json_array();
    for (uint64_t row = 0; row < table->n_rows; row++) {
        json_array_append_new(labels, cli_json_label(result->labels, row));
        json_array_append_new(matrix, matrix_row(table, row));
    }
    return json_pack("{s:o, s:o}", "labels", labels, "matrix", matrix);
}

/* {"blocks": {...}}; empty where counts are between vertices. */
static json_t *blocks_object(const cli_result *result)
{
    if (result->partition == NULL)
        return json_object();
    pc_partition_info info;
    pc_partition_get_info(result->partition, &info);
    uint64_t n = info.n_blocks;
    json_t *sizes = json_array();
    for (uint64_t b = 0; b < n; b++)
        json_array_append_new(sizes, json_integer((json_int_t)info.sizes[b]));
    return json_pack("{s:{s:o, s:I, s:o, s:b}}", "blocks", "spec",
                     cli_json_text(result->options->blocks.spec), "count", (json_int_t)n, "sizes",
                     sizes, "mean", result->options->blocks.mean);
}

static json_t *answer_object(const cli_result *result)
{
    json_t *root = cli_json_head(result->command, result->options, &result->info);
    root = cli_json_behind(root, blocks_object(result));
    root = cli_json_behind(root, counts_object(result));
    root = cli_json_behind(root, running_object(&result->plan));
    root = cli_json_behind(root, seconds_object(result));
    return cli_json_behind(root, matrix_object(result));
}

pc_status cli_print_json(FILE *out, const cli_result *result)
{
    return cli_json_print(out, answer_object(result));
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Gathers what is printed about a finished count. */

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
    cli_warn_of_recomputation(&result->plan);
    cli_twice_measured(&result->plan.seconds, sizeof result->plan.seconds);
    cli_twice_measured(&result->total_seconds, sizeof result->total_seconds);
    cli_twice_measured(&result->read_seconds, sizeof result->read_seconds);
    if (result->options->running.explain)
        cli_explain_times(stderr, &result->plan);
    return PC_OK;
}
