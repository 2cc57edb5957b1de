/* Feeds summary, table, files and pictures in one pass over the rows of a result. */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "src/cli/outputs.h"

#include "tool.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"

#include <errno.h>
#include <limits.h>
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
