/* Terminals take commands from the characters below U+0020, from U+007F to U+009F, and from those
 * that turn the direction of writing. In UTF-8 the latter two take two or three bytes. Some
 * terminals also take the single bytes 0x80 to 0x9F, which in valid UTF-8 only stand within a
 * character. All of these are written as \xNN.
 *
 * Replaces stdout and stderr by streams whose bytes pass through here, so the guard also covers
 * argp and other libraries. The workers of a batch inherit the guard of standard output, and they
 * write files, so it acts only while that is a terminal. */
#define _GNU_SOURCE /* fopencookie */
#include "src/cli/guard.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- Text ------------------------------------------------------------------------------------ */

enum { ESCAPED_BYTES = 4 }; /* that one byte may become: "\x1b" */

static bool continues(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* Bytes of the character that first begins; 1 where none of several bytes begins. */
static size_t length_of(unsigned char first)
{
    return first >= 0xc2 && first <= 0xdf   ? 2
           : first >= 0xe0 && first <= 0xef ? 3
           : first >= 0xf0 && first <= 0xf4 ? 4
                                            : 1;
}

/* Whether the two bytes begin a character that has a shorter form: such text is not valid UTF-8. */
static bool is_overlong(unsigned char first, unsigned char next)
{
    return (first == 0xe0 && next < 0xa0) || (first == 0xf0 && next < 0x90);
}

/* The bytes of the character that begins text[n], n > 0; 1 for a byte that is not of valid
 * UTF-8. */
static size_t character_bytes(const unsigned char *text, size_t n)
{
    size_t length = length_of(text[0]);
    if (length > n || (length > 1 && is_overlong(text[0], text[1])))
        return 1;
    for (size_t i = 1; i < length; i++)
        if (!continues(text[i]))
            return 1;
    return length;
}

/* U+202A to U+202E and U+2066 to U+2069. */
static bool turns_direction(const unsigned char *text)
{
    return text[0] == 0xe2 && ((text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae) ||
                               (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9));
}

static bool controls_terminal(const unsigned char *text, size_t length)
{
    if (length == 1)
        return (text[0] < ' ' && text[0] != '\n' && text[0] != '\t') ||
               (text[0] >= 0x7f && text[0] < 0xa0);
    if (length == 2)
        return text[0] == 0xc2 && text[1] < 0xa0;
    return length == 3 && turns_direction(text);
}

/* Writes text[n] to escaped, which has room for ESCAPED_BYTES * n + 1 bytes. Tabs and ends of
 * lines stay. Returns the number of bytes written. */
static size_t escape(const char *text, size_t n, char *escaped)
{
    char *to = escaped;
    for (size_t at = 0, length; at < n; at += length) {
        const unsigned char *from = (const unsigned char *)text + at;
        length = character_bytes(from, n - at);
        bool is_escaped = controls_terminal(from, length);
        for (size_t i = 0; i < length; i++)
            if (is_escaped)
                to += sprintf(to, "\\x%02x", from[i]);
            else
                *to++ = (char)from[i];
    }
    return (size_t)(to - escaped);
}

/* How many bytes at the end of text[n] begin a UTF-8 character that is not whole. */
static size_t unfinished_bytes(const char *text, size_t n)
{
    for (size_t back = 1; back <= 3 && back <= n; back++) {
        unsigned char c = (unsigned char)text[n - back];
        if (!continues(c))
            return length_of(c) > back ? back : 0;
    }
    return 0;
}

/* ---- Streams --------------------------------------------------------------------------------- */

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
    char text[MOST_UNFINISHED + PIECE_BYTES], escaped[ESCAPED_BYTES * sizeof text + 1];
    size_t n_text = g->n_rest + n;
    memcpy(text, g->rest, g->n_rest);
    memcpy(text + g->n_rest, bytes, n);
    g->n_rest = unfinished_bytes(text, n_text);
    n_text -= g->n_rest;
    memcpy(g->rest, text + n_text, g->n_rest);
    return write_all(g->fd, escaped, escape(text, n_text, escaped));
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
