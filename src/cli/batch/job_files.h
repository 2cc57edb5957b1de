/* The files of jobs: SHA-256 digests of what they read and write, and the removal of results. */
#ifndef CLI_BATCH_JOB_FILES_H
#define CLI_BATCH_JOB_FILES_H

#include "src/cli/file_mark.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_DIGEST_SIZE = 65 }; /* 64 hexadecimal digits and NUL */

/* The digest of the bytes of a file. mark, unless NULL, gets a mark that differs as soon as the bytes
 * do. False, with errno, when the file cannot be read: EISDIR for a folder, ENOTSUP for any other file
 * that is not regular. */
bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark);

/* One digest of n texts. */
void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE]);

#define CLI_RESULT_PICTURE ".png" /* after the name of a result: its picture */

/* Removes a result and its picture, if they exist. */
void cli_result_remove(const char *folder, const char *name);

/* Removes the temporary files that killed processes left in the folder. */
void cli_results_clean(const char *folder);

#endif
