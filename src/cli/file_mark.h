/* Whether a file is still what it was. */
#ifndef CLI_FILE_MARK_H
#define CLI_FILE_MARK_H

#include <stdbool.h>
#include <sys/stat.h>

/* What changes when somebody writes to a file or puts another one in its place. */
typedef struct cli_file_mark {
    struct stat info;
    bool is_there; /* false: info has no meaning */
} cli_file_mark;

cli_file_mark cli_file_mark_of(const char *path);

/* The mark of an open file, once the file is so old that every later change also changes the mark.
 * This takes up to 10 ms when the file was just written, or 2 s where times are whole seconds. */
cli_file_mark cli_file_mark_settled(int file);

bool cli_file_mark_equal(const cli_file_mark *one, const cli_file_mark *other);

#endif
