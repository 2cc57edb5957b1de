/* What is made of the rows of a result: summary, table, file and pictures. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "pathcount_io.h"
#include "src/cli/look/look.h"
#include "src/cli/table.h"
#include "src/cli/verify/read_back.h"

/* All zero at first. */
typedef struct cli_outputs {
    pc_reduction *summary;
    bool has_table; /* the matrix is small enough for one */
    cli_table table;
    pc_writer *writer;        /* NULL: no file */
    cli_read_back *read_back; /* of the file, before it gets its name; NULL: it is not read back */
    cli_look *look;           /* NULL: no pictures */
} cli_outputs;

/* An empty summary, and a table if it fits. */
pc_status cli_outputs_prepare(cli_outputs *outputs, pc_context *context, const pc_frame *frame);

/* From here on signals wait until the file (or each picture) is whole or gone. */
pc_status cli_outputs_open_file(cli_outputs *outputs, pc_context *context, const char *path,
                                const pc_frame *frame);

/* frame NULL: of a query, of which only growth can be drawn. */
pc_status cli_outputs_open_look(cli_outputs *outputs, pc_context *context,
                                const cli_look_options *options, const pc_frame *frame,
                                const char *title, const char *about);

/* What rows are to be added to, at most CLI_OUTPUTS_REDUCTIONS: returns how many. The summary, the
 * first of them, is one of counts; the others show them, perhaps as means. */
enum { CLI_OUTPUTS_REDUCTIONS = 1 + CLI_LOOK_REDUCTIONS };
uint32_t cli_outputs_reductions(const cli_outputs *outputs, pc_reduction **reductions);

/* Whether table, file or pictures want the rows as well. */
bool cli_outputs_wants_rows(const cli_outputs *outputs);

/* Gives rows, as they are shown, to all that is not a reduction. */
pc_status cli_outputs_take(cli_outputs *outputs, const pc_rows *shown);

/* Finishes the file; PC_ERR_CANCELLED when a signal came in the meantime. */
pc_status cli_outputs_commit(cli_outputs *outputs);

/* A file that was not finished leaves nothing behind. */
void cli_outputs_free(cli_outputs *outputs);

#endif
