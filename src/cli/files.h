/* Files that a command line names, digests of files, and marks that change with a file. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "src/cli/options.h"

#include <stdbool.h>
#include <sys/stat.h>

/* ---- Marks of files -------------------------------------------------------------------------- */

/* A mark changes when somebody writes to the file or puts another one in its place. */
typedef struct cli_file_mark {
    struct stat info;
    bool is_there; /* false: info has no meaning */
} cli_file_mark;

cli_file_mark cli_file_mark_of(const char *path);

bool cli_file_mark_equal(const cli_file_mark *one, const cli_file_mark *other);

/* ---- Digests of files ------------------------------------------------------------------------ */

enum { CLI_DIGEST_SIZE = 65 }; /* 64 hexadecimal digits of SHA-256 and NUL */

/* Makes the digest of the bytes of a file. mark, unless NULL, gets a mark that differs as soon
 * as the bytes do. False, with errno, when the file cannot be read: EISDIR for a folder, ENOTSUP
 * for any other file that is not regular. */
bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark);

/* The same of an open file, which is read from its begin. */
bool cli_digest_open_file(int file, char digest[CLI_DIGEST_SIZE]);

/* Makes one digest of n texts. */
void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE]);

/* ---- Files of a command line ----------------------------------------------------------------- */

/* Tells of a file while the command line is parsed. what: the option or argument that names it.
 * A file of labels beside it, which that format may have, is added. path may be NULL, which is
 * no file, or "-". */
void cli_file_is_written(const struct argp_state *state, const char *what, const char *path,
                         pc_format format);
void cli_file_is_read(const struct argp_state *state, const char *what, const char *path);

/* The same of graphs: GRAPH, and one whose name says the format. */
void cli_graph_is_read(const struct argp_state *state, const cli_input_options *input);
void cli_graph_is_written(const struct argp_state *state, const char *what, const char *path);

/* A usage error when two names are those of one file that is written, by any links. Forgets the
 * files. */
void cli_named_files_check(cli_parse *parse);

#endif
