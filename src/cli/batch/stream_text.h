/* Rows of counts as lines on standard output, fast: many millions of them come. */
#ifndef CLI_BATCH_STREAM_TEXT_H
#define CLI_BATCH_STREAM_TEXT_H

#include "pathcount.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_LINES_BYTES = 1 << 16 };

/* All zero at first. */
typedef struct cli_lines {
    char text[CLI_LINES_BYTES]; /* not written yet */
    size_t n_bytes;
    bool has_failed; /* standard output takes no more; errno said why */
} cli_lines;

void cli_lines_text(cli_lines *lines, const char *text);

/* A line a row, tabs between counts; false when one has no text, for want of memory. */
bool cli_lines_rows(cli_lines *lines, const pc_rows *rows);

/* Writes what is left; false, with errno, when standard output took not all since the beginning. */
bool cli_lines_flush(cli_lines *lines);

#endif
