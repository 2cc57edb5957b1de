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

static const char corner[] = "from\\to";

enum { SHORT_DIGITS = 4 };

/* True when a matrix has at most so many rows and columns. */
static bool table_fits(const pc_frame *frame, uint64_t most)
{
    return pc_labels_count(frame->rows) <= most && pc_labels_count(frame->columns) <= most;
}

static char **show_labels(const pc_labels *labels)
{
    uint64_t n = pc_labels_count(labels);
    char **shown = cli_need(calloc(n + 1, sizeof *shown));
    for (uint64_t i = 0; i < n; i++)
        shown[i] = cli_label_shown(labels, i);
    return shown;
}

static void create_table(pc_context *context, const pc_frame *frame, cli_table *table)
{
    *table = (cli_table){.context = context,
                         .check = cli_text_check_for(0),
                         .n_rows = pc_labels_count(frame->rows),
                         .n_columns = pc_labels_count(frame->columns),
                         .row_labels = show_labels(frame->rows),
                         .column_labels = show_labels(frame->columns)};
    table->check.takes_all = true; /* there are few */
    table->cells = cli_need(calloc(table->n_rows * table->n_columns + 1, sizeof *table->cells));
}

static void free_texts(char **texts, uint64_t n)
{
    for (uint64_t i = 0; texts != NULL && i < n; i++)
        free(texts[i]);
    free(texts);
}

static void free_table(cli_table *table)
{
    free_texts(table->row_labels, table->n_rows);
    free_texts(table->column_labels, table->n_columns);
    free_texts(table->cells, table->n_rows * table->n_columns);
}

static pc_status add_to_table(cli_table *table, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        char none[1];
        size_t length = 0;
        pc_rows_text(rows, e, none, sizeof none, &length); /* asks for the length only */
        char *text = cli_need(malloc(length + CLI_DIGITS_BYTES));
        table->cells[rows->first_row * table->n_columns + e] = text;
        pc_status status = pc_rows_text(rows, e, text, length + 1, NULL);
        if (status == PC_OK && !cli_text_check_holds(&table->check, e, rows, e, text))
            status = cli_text_check_fail(table->context, text);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

void cli_table_shape(cli_table *table, int most_digits)
{
    uint64_t n = table->n_columns, n_cells = table->n_rows * n;
    for (uint64_t column = 0; column < n; column++) {
        int n_digits = 0;
        bool is_scientific = false;
        for (uint64_t e = column; e < n_cells; e += n) {
            int n_here = cli_significant_digits(table->cells[e]);
            n_digits = n_here > n_digits ? n_here : n_digits;
            is_scientific = is_scientific || strchr(table->cells[e], 'e') != NULL;
        }
        bool is_cut = most_digits > 0 && n_digits > most_digits;
        cli_digits wanted = {.n = is_cut ? most_digits : n_digits};
        for (uint64_t e = column; e < n_cells && (is_cut || is_scientific); e += n)
            cli_set_digits(wanted, table->cells[e]);
    }
}

static int widest(const char *first, char *const *texts, uint64_t n_texts, uint64_t stride)
{
    int width = cli_text_width(first);
    for (uint64_t i = 0; i < n_texts; i++) {
        int other = cli_text_width(texts[i * stride]);
        width = other > width ? other : width;
    }
    return width;
}

static int label_width(const cli_table *table)
{
    return widest(corner, table->row_labels, table->n_rows, 1);
}

static int column_width(const cli_table *table, uint64_t column)
{
    return 2 + widest(table->column_labels[column], table->cells + column, table->n_rows,
                      table->n_columns);
}

/* The columns of a terminal that the table takes. */
static uint64_t table_width(const cli_table *table)
{
    uint64_t width = (uint64_t)label_width(table);
    for (uint64_t column = 0; column < table->n_columns; column++)
        width += (uint64_t)column_width(table, column);
    return width;
}

void cli_table_print(const cli_table *table)
{
    uint64_t n = table->n_columns;
    int widths[CLI_TABLE_MOST], first_width = label_width(table);
    cli_print_left(stdout, corner, first_width);
    for (uint64_t column = 0; column < n; column++) {
        widths[column] = column_width(table, column);
        cli_print_right(stdout, table->column_labels[column], widths[column]);
    }
    putchar('\n');
    for (uint64_t row = 0; row < table->n_rows; row++) {
        cli_print_left(stdout, table->row_labels[row], first_width);
        for (uint64_t column = 0; column < n; column++)
            cli_print_right(stdout, table->cells[row * n + column], widths[column]);
        putchar('\n');
    }
}

/* ---- Outputs --------------------------------------------------------------------------------- */

pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context,
                              const cli_count_options *options, const pc_frame *frame)
{
    bool is_asked = options->output.form == CLI_FORM_TABLE;
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
    create_table(context, frame, &outputs->table);
    return PC_OK;
}

bool cli_outputs_show_table(cli_outputs *outputs, const cli_count_options *options)
{
    bool is_asked = options->output.form == CLI_FORM_TABLE;
    unsigned width = UINT_MAX, height;
    if (!outputs->has_table || (options->output.n > 0 && !is_asked))
        return false;
    cli_terminal_size(STDOUT_FILENO, &width, &height);
    bool is_short = !options->blocks.mean && table_width(&outputs->table) > width;
    if (is_short)
        cli_table_shape(&outputs->table, SHORT_DIGITS);
    bool fits = is_asked || table_width(&outputs->table) <= width;
    if (!options->running.is_quiet && (is_short || !fits))
        fprintf(stderr, "the table is wider than this terminal: %s; -o FILE has all\n",
                fits ? "counts have four digits" : "a summary instead (--table)");
    return fits;
}

/* The name of a file that never gets it: what goes to standard output is whole, and read back,
 * before. */
static const char *unused_name(char name[PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    snprintf(name, PATH_MAX, "%s/.pathcount-output-%d",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp", (int)getpid());
    return name;
}

pc_status cli_file_open(cli_file *file, pc_context *context, const cli_output *output,
                        const pc_frame *frame, cli_read_back *read_back)
{
    char name[PATH_MAX];
    pc_frame framed = *frame;
    *file = (cli_file){.context = context, .output = output, .read_back = read_back};
    if (output->as[0] != '\0')
        framed.format = strchr(output->as, '.') + 1;
    cli_signals_defer();
    return pc_writer_open(context, cli_output_is_stream(output) ? unused_name(name) : output->path,
                          &framed, &file->writer);
}

pc_status cli_outputs_open_file(cli_outputs *outputs, pc_context *context, const cli_output *output,
                                const pc_frame *frame, cli_read_back *read_back)
{
    return cli_file_open(&outputs->files[outputs->n_files++], context, output, frame, read_back);
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

/* A failure to write is reported at the end of the program. */
static pc_status print_file(const cli_file *file, int descriptor)
{
    char piece[1 << 16], sentence[256];
    off_t at = 0;
    ssize_t n;
    while ((n = TEMP_FAILURE_RETRY(pread(descriptor, piece, sizeof piece, at))) > 0 &&
           fwrite(piece, 1, (size_t)n, stdout) == (size_t)n)
        at += n;
    if (n >= 0)
        return PC_OK;
    snprintf(sentence, sizeof sentence, "what goes to standard output cannot be read back: %s",
             strerror(errno));
    return pc_context_fail(file->context, PC_ERR_IO, sentence);
}

static void tell_labels(const cli_file *file)
{
    const char *path = pc_writer_labels_path(file->writer);
    if (path == NULL)
        return;
    if (cli_output_is_stream(file->output))
        fputs("standard output: has no labels of rows and columns; -o FILE writes them to a file "
              "beside it\n",
              stderr);
    else
        fprintf(stderr, "%s: the labels of rows and columns, a line each\n", path);
}

pc_status cli_file_commit(cli_file *file, bool is_quiet, int descriptor)
{
    pc_writer *writer = file->writer;
    if (!is_quiet)
        tell_labels(file);
    file->writer = NULL;
    if (!cli_output_is_stream(file->output))
        return pc_writer_commit(writer);
    pc_status status = print_file(file, descriptor);
    pc_writer_free(writer);
    return status;
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
    if (outputs->has_table)
        free_table(&outputs->table);
    pc_reduction_free(outputs->summary);
}
