/* Feeds summary, table, files and pictures in one pass over the rows of a result. Then prints the count: a fact a line
 * for people, or one JSON object for programs. */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "src/cli/outputs.h"

#include "tool.h"
#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { SHORT_DIGITS = 4 };

/* True when a matrix has at most so many rows and columns. */
static bool table_fits(const pc_frame *frame, uint64_t most)
{
    return pc_labels_count(frame->rows) <= most && pc_labels_count(frame->columns) <= most;
}

static uint64_t n_cells(const cli_table *table)
{
    return (table->n_rows + 1) * (table->n_columns + 1);
}

static pc_status add_to_table(cli_table *table, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        char none[1];
        size_t length = 0;
        pc_rows_text(rows, e, none, sizeof none, &length); /* asks for the length only */
        char *text = cli_need(malloc(length + CLI_DIGITS_BYTES));
        *cli_table_cell(table, rows->first_row + e / rows->n_columns, e % rows->n_columns) = text;
        pc_status status = pc_rows_text(rows, e, text, length + 1, NULL);
        if (status == PC_OK && !cli_text_check_holds(&table->check, e, rows, e, text))
            status = cli_text_check_fail(table->context, text);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

/* Gives the numbers of a column one shape where one of them has an exponent or more than
 * most_digits significant digits (0: any number): an exponent and as many digits as the longest
 * one has, at most most_digits. */
static void shape_table(cli_table *table, int most_digits)
{
    for (uint64_t column = 0; column < table->n_columns; column++) {
        int n_digits = 0;
        bool is_scientific = false;
        for (uint64_t row = 0; row < table->n_rows; row++) {
            const char *text = *cli_table_cell(table, row, column);
            int n_here = cli_significant_digits(text);
            n_digits = n_here > n_digits ? n_here : n_digits;
            is_scientific = is_scientific || strchr(text, 'e') != NULL;
        }
        bool is_cut = most_digits > 0 && n_digits > most_digits;
        cli_digits wanted = {.n = is_cut ? most_digits : n_digits};
        for (uint64_t row = 0; row < table->n_rows && (is_cut || is_scientific); row++)
            cli_set_digits(wanted, *cli_table_cell(table, row, column));
    }
}

void cli_outputs_print_table(const cli_table *table)
{
    cli_print_table(table->cells, table->n_rows + 1, table->n_columns + 1, true);
}

/* ---- Outputs --------------------------------------------------------------------------------- */

pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context,
                              const cli_count_options *options, const pc_frame *frame)
{
    bool is_asked = options->output.form == CLI_FORM_TABLE;
    cli_table *table = &outputs->table;
    outputs->is_quiet = options->running.is_quiet;
    if (is_asked && !table_fits(frame, CLI_TABLE_MOST))
        return pc_context_fail(
            context, PC_ERR_ARGUMENT,
            "--table is for at most 1024 rows and columns: leave it out, or write "
            "the matrix (-o FILE)");
    pc_status status = pc_summary_create(context, frame, PC_SUMMARY_PAIRS, &outputs->summary);
    if (status != PC_OK || options->output.form == CLI_FORM_SUMMARY ||
        (!is_asked && !table_fits(frame, CLI_TABLE_VERTICES)))
        return status;
    outputs->has_table = true;
    *table = (cli_table){.context = context,
                         .check = cli_text_check_for(0),
                         .n_rows = pc_labels_count(frame->rows),
                         .n_columns = pc_labels_count(frame->columns)};
    table->check.takes_all = true; /* there are few */
    table->cells = cli_need(calloc(n_cells(table), sizeof *table->cells));
    table->cells[0] = cli_need(strdup("from\\to"));
    for (uint64_t column = 0; column < table->n_columns; column++)
        *cli_table_cell(table, (uint64_t)-1, column) = cli_label_shown(frame->columns, column);
    for (uint64_t row = 0; row < table->n_rows; row++)
        *cli_table_cell(table, row, (uint64_t)-1) = cli_label_shown(frame->rows, row);
    return PC_OK;
}

bool cli_outputs_show_table(cli_outputs *outputs, const cli_count_options *options,
                            const pc_plan_info *plan)
{
    cli_table *table = &outputs->table;
    bool is_asked = options->output.form == CLI_FORM_TABLE;
    unsigned width = UINT_MAX, height;
    if (!outputs->has_table || (options->output.n > 0 && !is_asked))
        return false;
    if (plan != NULL && plan->arithmetic == PC_FLOAT)
        shape_table(table, cli_digits_of(plan->relative_error, true).n);
    cli_terminal_size(STDOUT_FILENO, &width, &height);
    uint64_t n_rows = table->n_rows + 1, n_columns = table->n_columns + 1;
    bool is_short =
        !options->blocks.mean && cli_table_width(table->cells, n_rows, n_columns) > width;
    if (is_short)
        shape_table(table, SHORT_DIGITS);
    bool fits = is_asked || cli_table_width(table->cells, n_rows, n_columns) <= width;
    if (!options->running.is_quiet && (is_short || !fits))
        fprintf(stderr, "the table is wider than this terminal: %s; -o FILE has all\n",
                fits ? "counts have four digits" : "a summary instead (--table)");
    return fits;
}

pc_status cli_file_open(cli_file *file, pc_context *context, const cli_output *output,
                        const pc_frame *frame, cli_read_back *read_back)
{
    const char *path = output->path, *folder = getenv("TMPDIR");
    char name[PATH_MAX];
    pc_frame framed = *frame;
    *file = (cli_file){.context = context, .output = output, .read_back = read_back};
    if (output->as[0] != '\0')
        framed.format = strchr(output->as, '.') + 1;
    if (cli_output_is_stream(
            output)) { /* this file never gets its name: it is printed when whole */
        path = name;
        snprintf(name, PATH_MAX, "%s/.pathcount-output-%d",
                 folder != NULL && folder[0] != '\0' ? folder : "/tmp", (int)getpid());
    }
    cli_signals_defer();
    return pc_writer_open(context, path, &framed, &file->writer);
}

uint32_t cli_outputs_reductions(const cli_outputs *outputs, pc_reduction **reductions)
{
    reductions[0] = outputs->summary;
    return 1 + cli_look_reductions(outputs->look, reductions + 1);
}

bool cli_outputs_wants_rows(const cli_outputs *outputs)
{
    return outputs->has_table || outputs->n_files > 0;
}

pc_status cli_outputs_take(cli_outputs *outputs, const pc_rows *shown)
{
    pc_status status = PC_OK;
    if (outputs->has_table)
        status = add_to_table(&outputs->table, shown);
    for (size_t i = 0; i < outputs->n_files && status == PC_OK; i++) {
        cli_read_back_note(outputs->files[i].read_back, 0, shown);
        status = pc_writer_add(outputs->files[i].writer, shown);
    }
    return status;
}

pc_status cli_file_finish(cli_file *file, int *descriptor)
{
    if (cli_signals_pending() != 0)
        return PC_ERR_CANCELLED;
    pc_status status = pc_writer_finish(file->writer, descriptor);
    return status == PC_OK ? cli_read_back_check(file->read_back, *descriptor) : status;
}

/* A failure to write to standard output is reported at the end of the program. */
pc_status cli_file_commit(cli_file *file, bool is_quiet, int descriptor)
{
    pc_writer *writer = file->writer;
    const char *labels = is_quiet ? NULL : pc_writer_labels_path(writer);
    bool is_stream = cli_output_is_stream(file->output);
    char piece[1 << 16], sentence[256];
    off_t at = 0;
    ssize_t n;
    if (labels != NULL && is_stream)
        fputs("standard output: has no labels of rows and columns; -o FILE writes them to a file "
              "beside it\n",
              stderr);
    else if (labels != NULL)
        fprintf(stderr, "%s: the labels of rows and columns, a line each\n", labels);
    file->writer = NULL;
    if (!is_stream)
        return pc_writer_commit(writer);
    while ((n = TEMP_FAILURE_RETRY(pread(descriptor, piece, sizeof piece, at))) > 0 &&
           fwrite(piece, 1, (size_t)n, stdout) == (size_t)n)
        at += n;
    snprintf(sentence, sizeof sentence, "what goes to standard output cannot be read back: %s",
             strerror(errno));
    pc_writer_free(writer);
    return n >= 0 ? PC_OK : pc_context_fail(file->context, PC_ERR_IO, sentence);
}

pc_status cli_outputs_commit(cli_outputs *outputs)
{
    int descriptors[CLI_MOST_OUTPUTS];
    pc_status status = PC_OK;
    for (size_t i = 0; i < outputs->n_files && status == PC_OK; i++)
        status = cli_file_finish(&outputs->files[i], &descriptors[i]);
    for (size_t i = 0; i < outputs->n_files && status == PC_OK; i++)
        status = cli_file_commit(&outputs->files[i], outputs->is_quiet, descriptors[i]);
    return status;
}

void cli_file_free(cli_file *file)
{
    pc_writer_free(file->writer);
    cli_read_back_free(file->read_back);
    *file = (cli_file){0};
}

void cli_outputs_free(cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n_files; i++)
        cli_file_free(&outputs->files[i]);
    cli_look_free(outputs->look);
    for (uint64_t i = 0; outputs->has_table && i < n_cells(&outputs->table); i++)
        free(outputs->table.cells[i]);
    free(outputs->table.cells);
    pc_reduction_free(outputs->summary);
}

/* ---- A finished count ------------------------------------------------------------------------ */

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
