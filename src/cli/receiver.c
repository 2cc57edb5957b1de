/* All that is made of the rows of a result, in one pass over them. */
#include "src/cli/receiver.h"

#include "src/cli/signals.h"

pc_status cli_receiver_prepare(cli_receiver *receiver, pc_context *context, const pc_frame *frame)
{
    pc_status status = pc_summary_create(context, frame, PC_SUMMARY_PAIRS, &receiver->summary);
    if (status != PC_OK || !cli_table_fits(frame))
        return status;
    receiver->has_table = true;
    return cli_table_create(frame, &receiver->table);
}

pc_status cli_receiver_open_file(cli_receiver *receiver, pc_context *context, const char *path,
                                 const pc_frame *frame)
{
    cli_signals_defer();
    return pc_writer_open(context, path, frame, &receiver->writer);
}

pc_status cli_receiver_open_look(cli_receiver *receiver, pc_context *context,
                                 const cli_look_options *options, const pc_frame *frame,
                                 const char *title, const char *about)
{
    if (options->n_plots > 0)
        cli_signals_defer();
    return cli_look_create(context, options, frame, title, about, &receiver->look);
}

uint32_t cli_receiver_reductions(const cli_receiver *receiver, pc_reduction **reductions)
{
    reductions[0] = receiver->summary;
    return 1 + cli_look_reductions(receiver->look, reductions + 1);
}

bool cli_receiver_wants_rows(const cli_receiver *receiver)
{
    return receiver->has_table || receiver->writer != NULL || cli_look_wants_rows(receiver->look);
}

pc_status cli_receiver_take(cli_receiver *receiver, const pc_rows *shown)
{
    pc_status status = PC_OK;
    if (receiver->has_table)
        status = cli_table_add(&receiver->table, shown);
    if (status == PC_OK && receiver->writer != NULL)
        status = pc_writer_add(receiver->writer, shown);
    return status == PC_OK ? cli_look_add(receiver->look, shown) : status;
}

pc_status cli_receiver_commit(cli_receiver *receiver)
{
    pc_writer *writer = receiver->writer;
    if (writer == NULL)
        return PC_OK;
    if (cli_signals_pending() != 0)
        return PC_ERR_CANCELLED;
    receiver->writer = NULL;
    return pc_writer_commit(writer);
}

void cli_receiver_free(cli_receiver *receiver)
{
    pc_writer_free(receiver->writer);
    cli_look_free(receiver->look);
    if (receiver->has_table)
        cli_table_free(&receiver->table);
    pc_reduction_free(receiver->summary);
}
