/* Lines are made in one piece of memory that is written whenever it is full. */
#include "src/cli/batch/stream_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_DIGITS = 20 };

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

/* Two digits at a time, from the last one on. */
static void put_word(cli_lines *lines, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[WORD_DIGITS];
    size_t at = WORD_DIGITS;
    for (; value >= 100; value /= 100)
        memcpy(digits + (at -= 2), pairs + 2 * (value % 100), 2);
    if (value >= 10)
        memcpy(digits + (at -= 2), pairs + 2 * value, 2);
    else
        digits[--at] = (char)('0' + value);
    put_bytes(lines, digits + at, WORD_DIGITS - at);
}

/* A count of more than one word. */
static bool put_wide(cli_lines *lines, const pc_rows *rows, uint64_t e)
{
    size_t n_bytes;
    if (pc_rows_text(rows, e, lines->wide, lines->wide_bytes, &n_bytes) != PC_OK) {
        char *grown = realloc(lines->wide, n_bytes + 1);
        if (grown == NULL)
            return false;
        lines->wide = grown;
        lines->wide_bytes = n_bytes + 1;
        pc_rows_text(rows, e, lines->wide, lines->wide_bytes, &n_bytes);
    }
    put_bytes(lines, lines->wide, n_bytes);
    return true;
}

bool cli_lines_rows(cli_lines *lines, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        if (rows->n_limbs == 1)
            put_word(lines, rows->limbs[e]);
        else if (!put_wide(lines, rows, e))
            return false;
        put_bytes(lines, (e + 1) % rows->n_columns == 0 ? "\n" : "\t", 1);
    }
    return true;
}
