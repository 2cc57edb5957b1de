/* Lines are made in one piece of memory that is written whenever it is full. */
#include "src/cli/batch/stream_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void put_out(cli_lines *lines)
{
    if (!lines->has_failed && fwrite(lines->text, 1, lines->n_bytes, stdout) != lines->n_bytes)
        lines->has_failed = true;
    lines->n_bytes = 0;
}

bool cli_lines_flush(cli_lines *lines)
{
    put_out(lines);
    if (!lines->has_failed && fflush(stdout) != 0)
        lines->has_failed = true;
    return !lines->has_failed;
}

static void put_bytes(cli_lines *lines, const char *bytes, size_t n_bytes)
{
    while (n_bytes > 0) {
        size_t n_room = CLI_LINES_BYTES - lines->n_bytes;
        size_t n = n_bytes < n_room ? n_bytes : n_room;
        memcpy(lines->text + lines->n_bytes, bytes, n);
        lines->n_bytes += n;
        bytes += n;
        n_bytes -= n;
        if (lines->n_bytes == CLI_LINES_BYTES)
            put_out(lines);
    }
}

void cli_lines_text(cli_lines *lines, const char *text)
{
    put_bytes(lines, text, strlen(text));
}

/* The widest counts there are, of 11,000 bits, have a twentieth of a piece. */
static bool put_count(cli_lines *lines, const pc_rows *rows, uint64_t e)
{
    size_t n_bytes, n_room = CLI_LINES_BYTES - lines->n_bytes;
    pc_status status = pc_rows_text(rows, e, lines->text + lines->n_bytes, n_room, &n_bytes);
    if (status == PC_ERR_RANGE) {
        put_out(lines);
        status = pc_rows_text(rows, e, lines->text, CLI_LINES_BYTES, &n_bytes);
    }
    lines->n_bytes += status == PC_OK ? n_bytes : 0;
    return status == PC_OK;
}

bool cli_lines_rows(cli_lines *lines, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        if (!put_count(lines, rows, e))
            return false;
        put_bytes(lines, (e + 1) % rows->n_columns == 0 ? "\n" : "\t", 1);
    }
    return true;
}
