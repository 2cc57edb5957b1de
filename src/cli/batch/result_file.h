/* A result that is printed on standard output, as a file that is whole or not there. */
#ifndef CLI_BATCH_RESULT_FILE_H
#define CLI_BATCH_RESULT_FILE_H

#include <stdbool.h>

#define CLI_RESULT_PICTURE ".png" /* after the name of a result: its picture */

enum { CLI_TEMPORARY_NAME_SIZE = 40 };

typedef struct cli_result_file {
    const char *folder, *name;
    char temporary[CLI_TEMPORARY_NAME_SIZE]; /* in the folder; "": nothing is open */
} cli_result_file;

/* From here on standard output goes to a temporary file in the folder, as those of the library are
 * called. False, with errno. */
bool cli_result_begin(cli_result_file *result, const char *folder, const char *name);

/* Gives it its name; false, with errno, when something of it could not be written: then it is gone.
 * Standard output goes nowhere afterwards, here and below. */
bool cli_result_commit(cli_result_file *result);

/* Drops what was printed; nothing to do when nothing is open. */
void cli_result_drop(cli_result_file *result);

/* Standard output goes nowhere. */
bool cli_result_ignore(void);

/* Removes a result and its picture, if they are there. */
void cli_result_remove(const char *folder, const char *name);

/* Removes what processes that were killed have left in the folder: all temporary files. */
void cli_results_clean(const char *folder);

#endif
