/* Prints a product as text: a line for each fact, then the largest entries. */
#include "src/cli/chain_result.h"
#include "src/cli/outputs.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIMILARITY_BYTES = 16 }; /* "0.3333", and to spare */

/* The largest entries as shown. */
typedef struct entry_labels {
    char *row[PC_SUMMARY_PAIRS], *column[PC_SUMMARY_PAIRS], *number[PC_SUMMARY_PAIRS];
    char *most; /* of the row with the largest sum; NULL: all is 0 */
} entry_labels;

/* A number as shown, to be free()d; NULL when out of memory. */
static char *number_shown(const char *text, bool is_similarity)
{
    if (!is_similarity)
        return strdup(text);
    char *shown = malloc(SIMILARITY_BYTES);
    if (shown != NULL)
        snprintf(shown, SIMILARITY_BYTES, "%.4f", strtod(text, NULL));
    return shown;
}

pc_status cli_chain_print_table(FILE *out, cli_table *table, bool is_similarity)
{
    for (uint64_t e = 0; e < table->n_rows * table->n_columns; e++) {
        char *shown = number_shown(table->cells[e], is_similarity);
        if (shown == NULL)
            return PC_ERR_MEMORY;
        free(table->cells[e]);
        table->cells[e] = shown;
    }
    cli_table_print(out, table);
    return PC_OK;
}

static void free_labels(entry_labels *labels)
{
    for (int i = 0; i < PC_SUMMARY_PAIRS; i++) {
        free(labels->row[i]);
        free(labels->column[i]);
        free(labels->number[i]);
    }
    free(labels->most);
}

static pc_status make_labels(const cli_chain_result *result, entry_labels *labels)
{
    bool has_most = result->values.n_nonzero > 0;
    *labels = (entry_labels){0};
    if (has_most)
        labels->most = cli_label_shown(result->info.rows, result->values.largest_row);
    if (has_most && labels->most == NULL)
        return PC_ERR_MEMORY;
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        labels->row[i] = cli_label_shown(result->info.rows, result->values.pairs[i].from);
        labels->column[i] = cli_label_shown(result->info.columns, result->values.pairs[i].to);
        labels->number[i] = number_shown(result->values.pairs[i].count, result->options->pathsim);
        if (labels->row[i] == NULL || labels->column[i] == NULL || labels->number[i] == NULL) {
            free_labels(labels);
            return PC_ERR_MEMORY;
        }
    }
    return PC_OK;
}

static int max_width(int width, const char *text)
{
    int other = cli_text_width(text);
    return other > width ? other : width;
}

static void print_largest(FILE *out, const cli_chain_result *result, const entry_labels *labels)
{
    const pc_summary_values *values = &result->values;
    const char *what = result->options->pathsim ? "similarity" : "ways";
    int row_width = (int)strlen("from"), column_width = (int)strlen("to");
    int number_width = (int)strlen(what);
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        row_width = max_width(row_width, labels->row[i]);
        column_width = max_width(column_width, labels->column[i]);
        number_width = max_width(number_width, labels->number[i]);
    }
    fprintf(out, "\n%s%s\n", result->options->pathsim ? "most similar pairs" : "largest entries",
            result->is_symmetric ? ", each pair once" : "");
    fprintf(out, "  %*s  %*s  %*s\n", row_width, "from", column_width, "to", number_width, what);
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        cli_print_right(out, labels->row[i], 2 + row_width);
        cli_print_right(out, labels->column[i], 2 + column_width);
        cli_print_right(out, labels->number[i], 2 + number_width);
        fputc('\n', out);
    }
}

static void print_counts(FILE *out, const cli_chain_result *result, const entry_labels *labels)
{
    const pc_summary_values *values = &result->values;
    bool is_similarity = result->options->pathsim;
    double n_rows = (double)result->info.n_rows, n_columns = (double)result->info.n_columns;
    if (!is_similarity) {
        fprintf(out, "all ways              %s\n", values->total);
        fprintf(out, "most from one row     %s%s%s\n", values->largest_row_sum,
                labels->most != NULL ? ", from " : "", labels->most != NULL ? labels->most : "");
        fprintf(out, "largest entry         %s (%" PRIu32 " %s)\n", values->largest,
                values->largest_bits, values->largest_bits == 1 ? "bit" : "bits");
    }
    fprintf(out, "%-20s  %" PRIu64 " of %.0f\n", is_similarity ? "similar pairs" : "joined pairs",
            values->n_nonzero, n_rows * n_columns - (is_similarity ? n_rows : 0));
}

pc_status cli_chain_print_summary(FILE *out, const cli_chain_result *result)
{
    entry_labels labels;
    pc_status status = make_labels(result, &labels);
    if (status != PC_OK)
        return status;
    fprintf(out, "product               %s\n", result->options->product);
    fprintf(out, "rows, columns         %" PRIu64 ", %" PRIu64 "\n", result->info.n_rows,
            result->info.n_columns);
    print_counts(out, result, &labels);
    cli_print_outputs(out, &result->options->count);
    fprintf(out, "time                  %.3f s (reading the files %.3f s)\n", result->total_seconds,
            result->read_seconds);
    if (result->values.n_pairs > 0)
        print_largest(out, result, &labels);
    free_labels(&labels);
    return PC_OK;
}
