/* The files of jobs: SHA-256 digests of what is read and written, and the result that a job prints, which
 * is a whole file or none. */
#ifndef CLI_BATCH_JOB_FILES_H
#define CLI_BATCH_JOB_FILES_H

#include "pathcount.h"
#include "src/cli/file_mark.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Digests --------------------------------------------------------------------------------- */

enum { CLI_DIGEST_SIZE = 65 }; /* 64 hexadecimal digits and NUL */

/* The digest of the bytes of a file. mark, unless NULL, gets a mark that differs as soon as the bytes
 * do. False, with errno, when the file cannot be read: EISDIR for a folder, ENOTSUP for any other file
 * that is not regular. */
bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark);

/* One digest of n texts. */
void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE]);

/* ---- Results --------------------------------------------------------------------------------- */

#define CLI_RESULT_PICTURE ".png" /* after the name of a result: its picture */

typedef struct cli_result_file {
    pc_context *context; /* for messages; NULL: nothing is open */
    pc_output *output;
    const char *path;
} cli_result_file;

/* Redirects standard output to a file that is to be path. Whatever the status, the file must be
 * committed or dropped; until then cli_result_message says what went wrong. */
pc_status cli_result_begin(cli_result_file *result, const char *path, bool no_sync);

/* Gives the file its name when all that was printed is written. */
pc_status cli_result_commit(cli_result_file *result);

const char *cli_result_message(const cli_result_file *result);

/* Drops what was printed and not committed, and discards later output. Does nothing when nothing was
 * begun. */
void cli_result_drop(cli_result_file *result);

/* Discards standard output and the content of its buffer, so that it does not get into a later result.
 * False, with errno. */
bool cli_result_ignore(void);

/* Removes a result and its picture, if they exist. */
void cli_result_remove(const char *folder, const char *name);

/* Removes the temporary files that killed processes left in the folder. */
void cli_results_clean(const char *folder);

#endif
