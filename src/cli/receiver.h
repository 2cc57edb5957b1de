/* Who takes the rows of a result: summary, table, file and pictures, each its own way. */
#ifndef CLI_RECEIVER_H
#define CLI_RECEIVER_H

#include "src/cli/look/look.h"
#include "pathcount_io.h"
#include "src/cli/table.h"

/* All zero at first. */
typedef struct cli_receiver {
    pc_reduction *summary;
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

/* What rows are to be added to, at most CLI_RECEIVER_REDUCTIONS: returns how many. The summary, the
 * first of them, is one of counts; the others show them, perhaps as means. */
enum { CLI_RECEIVER_REDUCTIONS = 1 + CLI_LOOK_REDUCTIONS };
uint32_t cli_receiver_reductions(const cli_receiver *receiver, pc_reduction **reductions);

/* Whether table, file or pictures want the rows as well. */
bool cli_receiver_wants_rows(const cli_receiver *receiver);

/* Gives rows, as they are shown, to all that is not a reduction. */
pc_status cli_receiver_take(cli_receiver *receiver, const pc_rows *shown);

/* Finishes the file; PC_ERR_CANCELLED when a signal came in the meantime. */
pc_status cli_receiver_commit(cli_receiver *receiver);

/* A file that was not finished leaves nothing behind. */
void cli_receiver_free(cli_receiver *receiver);

#endif
