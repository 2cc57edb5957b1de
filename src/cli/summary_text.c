/* The answer for people: one fact a line, then the largest pairs. */
#include "src/cli/result.h"
#include "src/cli/path_kinds.h"
#include "src/cli/digits.h"
#include "src/cli/load.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
