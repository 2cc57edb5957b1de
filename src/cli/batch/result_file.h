/* A result that is printed on standard output, as a file that is whole or not there. */
#ifndef CLI_BATCH_RESULT_FILE_H
#define CLI_BATCH_RESULT_FILE_H

#include "pathcount.h"

#include <stdbool.h>

#define CLI_RESULT_PICTURE ".png" /* after the name of a result: its picture */

typedef struct cli_result_file {
    pc_context *context; /* for messages; NULL: nothing is open */
    pc_output *output;
    const char *path;
} cli_result_file;

/* From here on standard output goes to a file that is to be path. Whatever the status, the file is to
 * be committed or dropped; what went wrong is told by cli_result_message until then. */
pc_status cli_result_begin(cli_result_file *result, const char *path, bool no_sync);

/* Gives the file its name when all that was printed is written. */
pc_status cli_result_commit(cli_result_file *result);

const char *cli_result_message(const cli_result_file *result);

/* Drops what was printed and not committed; standard output goes nowhere afterwards. Nothing to do
 * when nothing was begun. */
void cli_result_drop(cli_result_file *result);

/* Discards standard output and what is in its buffer, so that it does not get into a later result.
 * False, with errno. */
bool cli_result_ignore(void);

/* Removes a result and its picture, if they are there. */
void cli_result_remove(const char *folder, const char *name);

/* Removes the temporary files that processes left in the folder when they were killed. */
void cli_results_clean(const char *folder);

#endif
