/* Replaces stdout and stderr by streams whose bytes pass through here, so the guard also covers
 * argp and other libraries. The workers of a batch inherit the guard of standard output, and they
 * write files, so it acts only while that is a terminal. */
#define _GNU_SOURCE /* fopencookie */
#include "src/cli/guard.h"

#include "src/cli/shown.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BYTES = 1024, MOST_UNFINISHED = 3 };

typedef struct guard {
    int fd;
    FILE *below;                /* NULL: there is no guard */
    char rest[MOST_UNFINISHED]; /* of a character that comes in two writes */
    size_t n_rest;
} guard;

static guard output = {.fd = STDOUT_FILENO}, errors = {.fd = STDERR_FILENO};

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool write_piece(guard *g, const char *bytes, size_t n)
{
    char text[MOST_UNFINISHED + PIECE_BYTES], shown[CLI_SHOWN_GROWTH * sizeof text + 1];
    size_t n_text = g->n_rest + n;
    memcpy(text, g->rest, g->n_rest);
    memcpy(text + g->n_rest, bytes, n);
    g->n_rest = cli_unfinished_bytes(text, n_text);
    n_text -= g->n_rest;
    memcpy(g->rest, text + n_text, g->n_rest);
    return write_all(g->fd, shown, cli_show_text(text, n_text, shown));
}

static ssize_t write_guarded(void *cookie, const char *bytes, size_t n)
{
    guard *g = cookie;
    bool is_written = true;
    if (g == &output && !isatty(g->fd))
        return write_all(g->fd, bytes, n) ? (ssize_t)n : 0;
    for (size_t at = 0; at < n && is_written; at += PIECE_BYTES)
        is_written = write_piece(g, bytes + at, n - at < PIECE_BYTES ? n - at : PIECE_BYTES);
    return is_written ? (ssize_t)n : 0;
}

static bool put_in_place(guard *g, FILE **stream, int buffering)
{
    FILE *made = fopencookie(g, "w", (cookie_io_functions_t){.write = write_guarded});
    if (made == NULL)
        return false;
    setvbuf(made, NULL, buffering, 0);
    g->below = *stream;
    *stream = made;
    return true;
}

bool cli_guard_streams(void)
{
    return put_in_place(&errors, &stderr, _IONBF) &&
           (!isatty(STDOUT_FILENO) || put_in_place(&output, &stdout, _IOLBF));
}

FILE *cli_guard_below(FILE *stream)
{
    const guard *g = stream == stderr ? &errors : &output;
    fflush(stream);
    return g->below != NULL ? g->below : stream;
}
