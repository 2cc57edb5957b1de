/* Who takes the rows of a result: summary, table, file and pictures, each its own way. */
#ifndef CLI_RECEIVER_H
#define CLI_RECEIVER_H

#include "src/cli/look/look.h"
#include "src/cli/table.h"

/* All zero at first. */
typedef struct cli_receiver {
    pc_summary *summary;
    bool has_table; /* the matrix is small enough for one */
    cli_table table;
    pc_writer *writer; /* NULL: no file */
    cli_look *look;    /* NULL: no pictures */
} cli_receiver;

/* An empty summary, and a table if it fits. */
pc_status cli_receiver_prepare(cli_receiver *receiver, pc_context *context, const pc_frame *frame);

/* From here on signals wait until the file (or each picture) is whole or gone. */
pc_status cli_receiver_open_file(cli_receiver *receiver, pc_context *context, const char *path,
                                 const pc_frame *frame);

/* frame NULL: of a query, of which only growth can be drawn. */
pc_status cli_receiver_open_look(cli_receiver *receiver, pc_context *context,
                                 const cli_look_options *options, const pc_frame *frame,
                                 const char *title, const char *about);

/* Rows as the summary is to count them, and as all others are to show them. */
pc_status cli_receiver_take(cli_receiver *receiver, const pc_rows *counted, const pc_rows *shown);

/* Finishes the file; PC_ERR_CANCELLED when a signal came in the meantime. */
pc_status cli_receiver_commit(cli_receiver *receiver);

/* A file that was not finished leaves nothing behind. */
void cli_receiver_free(cli_receiver *receiver);

#endif
