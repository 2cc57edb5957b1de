/* All that is made of the rows of a result, in one pass over them. */
#include "src/cli/outputs.h"

#include "src/cli/signals.h"

pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context, const pc_frame *frame)
{
    pc_status status = pc_summary_create(context, frame, PC_SUMMARY_PAIRS, &outputs->summary);
    if (status != PC_OK || !cli_table_fits(frame))
        return status;
    outputs->has_table = true;
    return cli_table_create(context, frame, &outputs->table);
}

pc_status cli_outputs_open_file(cli_outputs *outputs, pc_context *context, const char *path,
                                const pc_frame *frame)
{
    cli_signals_defer();
    return pc_writer_open(context, path, frame, &outputs->writer);
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
    return outputs->has_table || outputs->writer != NULL || cli_look_wants_rows(outputs->look);
}

static pc_status take_for_file(cli_outputs *outputs, const pc_rows *shown)
{
    cli_read_back_note(outputs->read_back, shown);
    return pc_writer_add(outputs->writer, shown);
}

pc_status cli_outputs_take(cli_outputs *outputs, const pc_rows *shown)
{
    pc_status status = PC_OK;
    if (outputs->has_table)
        status = cli_table_add(&outputs->table, shown);
    if (status == PC_OK && outputs->writer != NULL)
        status = take_for_file(outputs, shown);
    return status == PC_OK ? cli_look_add(outputs->look, shown) : status;
}

pc_status cli_outputs_commit(cli_outputs *outputs)
{
    pc_writer *writer = outputs->writer;
    if (writer == NULL)
        return PC_OK;
    if (cli_signals_pending() != 0)
        return PC_ERR_CANCELLED;
    int descriptor = -1;
    pc_status status = pc_writer_finish(writer, &descriptor);
    if (status == PC_OK)
        status = cli_read_back_check(outputs->read_back, descriptor);
    if (status != PC_OK)
        return status;
    outputs->writer = NULL;
    return pc_writer_commit(writer);
}

void cli_outputs_free(cli_outputs *outputs)
{
    pc_writer_free(outputs->writer);
    cli_read_back_free(outputs->read_back);
    cli_look_free(outputs->look);
    if (outputs->has_table)
        cli_table_free(&outputs->table);
    pc_reduction_free(outputs->summary);
}
