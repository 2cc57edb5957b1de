/* SHA-256 of files. */
#ifndef CLI_BATCH_DIGEST_H
#define CLI_BATCH_DIGEST_H

#include "src/cli/file_mark.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_DIGEST_SIZE = 65 }; /* 64 hexadecimal digits and NUL */

/* The digest of a file's bytes; false, with errno, when it cannot be read: also EISDIR for a folder
 * and ENOTSUP for what else is no regular file. */
bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE]);

/* The same, with a mark that is no longer that of the file when its bytes are no longer these. */
bool cli_digest_marked(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark);

/* One digest of the texts of several. */
void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE]);

#endif
