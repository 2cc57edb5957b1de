/* All that is made of the rows of a result, in one pass over them. */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "src/cli/outputs.h"

#include "src/cli/json_text.h"
#include "src/cli/signals.h"
#include "src/cli/terminal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context,
                              const cli_count_options *options, const pc_frame *frame)
{
    bool is_asked = options->output.form == CLI_FORM_TABLE;
    if (is_asked && !cli_table_fits(frame, CLI_TABLE_MOST))
        return pc_context_fail(
            context, PC_ERR_ARGUMENT,
            "--table is for at most 1024 rows and columns: leave it out, or write "
            "the matrix (-o FILE)");
    pc_status status = pc_summary_create(context, frame, PC_SUMMARY_PAIRS, &outputs->summary);
    if (status != PC_OK || options->output.form == CLI_FORM_SUMMARY ||
        (!is_asked && !cli_table_fits(frame, CLI_TABLE_VERTICES)))
        return status;
    outputs->has_table = true;
    return cli_table_create(context, frame, &outputs->table);
}

bool cli_outputs_show_table(cli_outputs *outputs, const cli_count_options *options)
{
    bool is_asked = options->output.form == CLI_FORM_TABLE;
    unsigned width = cli_terminal_width(STDOUT_FILENO, UINT_MAX);
    if (!outputs->has_table || (options->output.n > 0 && !is_asked))
        return false;
    bool is_short = !options->blocks.mean && cli_table_shorten(&outputs->table, width);
    bool fits = is_asked || cli_table_width(&outputs->table) <= width;
    if (!options->running.is_quiet && (is_short || !fits))
        fprintf(stderr, "the table is wider than this terminal: %s; -o FILE has all\n",
                fits ? "counts have four digits" : "a summary instead (--table)");
    return fits;
}

/* The name of a file that never gets it: what goes to standard output is whole, and read back, before. */
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

pc_status cli_outputs_open_look(cli_outputs *outputs, pc_context *context,
                                const cli_look_options *options, const pc_frame *frame,
                                const char *title, const char *about)
{
    if (options->n_plots > 0)
        cli_signals_defer();
    return cli_look_create(context, options, frame, title, about, &outputs->look);
}

uint32_t cli_outputs_reductions(const cli_outputs *outputs, pc_reduction **reductions)
{
    reductions[0] = outputs->summary;
    return 1 + cli_look_reductions(outputs->look, reductions + 1);
}

bool cli_outputs_wants_rows(const cli_outputs *outputs)
{
    return outputs->has_table || outputs->n_files > 0 || cli_look_wants_rows(outputs->look);
}

static pc_status take_for_file(const cli_file *file, const pc_rows *shown)
{
    cli_read_back_note(file->read_back, 0, shown);
    return pc_writer_add(file->writer, shown);
}

pc_status cli_outputs_take(cli_outputs *outputs, const pc_rows *shown)
{
    pc_status status = PC_OK;
    if (outputs->has_table)
        status = cli_table_add(&outputs->table, shown);
    for (size_t i = 0; i < outputs->n_files && status == PC_OK; i++)
        status = take_for_file(&outputs->files[i], shown);
    return status == PC_OK ? cli_look_add(outputs->look, shown) : status;
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

void cli_print_outputs(FILE *out, const cli_count_options *options)
{
    for (size_t i = 0; i < options->output.n; i++)
        fprintf(out, "written to            %s\n", options->output.list[i].path);
}

json_t *cli_json_outputs(const cli_count_options *options)
{
    json_t *paths = options->output.n > 1 ? json_array() : NULL;
    if (options->output.n < 2)
        return options->output.n == 1 ? cli_json_text(options->output.list[0].path) : json_null();
    for (size_t i = 0; i < options->output.n; i++)
        json_array_append_new(paths, cli_json_text(options->output.list[i].path));
    return paths;
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
        cli_table_free(&outputs->table);
    pc_reduction_free(outputs->summary);
}
