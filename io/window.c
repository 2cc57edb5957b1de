/* An input part by part: reading a plain file that may change meanwhile, windows, and messages
 * about a place in the text, which name its line. */
#define _GNU_SOURCE /* memrchr */
#include "io/input.h"

#include "graphs/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW_BYTES = 1 << 17 };

/* ---- Plain files ----------------------------------------------------------------------------- */

pc_status pci_input_fail_read(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_IO, "%s: cannot be read: %m", input->name);
}

pc_status pci_input_fail_changed(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: changed while it was read: run again when it is complete", input->name);
}

/* Renaming or removing the file changes neither its size nor the time of its last change. */
pc_status pci_input_check(const pci_input *input)
{
    struct stat now;
    if (input->file < 0 || input->unpacker)
        return PC_OK;
    if (fstat(input->file, &now) != 0)
        return pci_input_fail_read(input);
    bool same = (uint64_t)now.st_size == input->n_all &&
                now.st_mtim.tv_sec == input->modified.tv_sec &&
                now.st_mtim.tv_nsec == input->modified.tv_nsec;
    return same ? PC_OK : pci_input_fail_changed(input);
}

pc_status pci_input_read(const pci_input *input, uint64_t offset, char *to, size_t n_bytes)
{
    while (n_bytes > 0) {
        ssize_t n_read = pread(input->file, to, n_bytes, (off_t)offset);
        if (n_read == 0)
            return PC_ERR_DATA;
        if (n_read < 0 && errno != EINTR)
            return PC_ERR_IO;
        if (n_read < 0)
            continue;
        offset += (uint64_t)n_read;
        to += n_read;
        n_bytes -= (size_t)n_read;
    }
    return PC_OK;
}

/* ---- Windows --------------------------------------------------------------------------------- */

pci_window pci_window_on(const pci_input *input)
{
    return (pci_window){.input = input};
}

void pci_window_close(pci_window *window)
{
    pci_free(window->input->context, window->buffer);
    window->buffer = NULL;
}

void pci_window_move(pci_window *window, uint64_t from, uint64_t to)
{
    window->offset = window->next = from;
    window->to = to;
    window->begin = window->end = window->buffer;
    window->status = PC_OK;
}

/* A block of text in memory. It is as short as a block of a file, so that parsers check for
 * cancellation as often. */
static bool borrow_block(pci_window *w, bool whole_lines)
{
    uint64_t n_left = w->to - w->next, n_bytes = n_left < WINDOW_BYTES ? n_left : WINDOW_BYTES;
    w->offset = w->next;
    w->begin = w->input->text + w->next;
    w->end = w->begin + n_bytes;
    if (whole_lines && n_bytes < n_left) {
        const char *line_end = memchr(w->end - 1, '\n', n_left - n_bytes + 1);
        w->end = line_end ? line_end + 1 : w->begin + n_left;
    }
    w->next += (uint64_t)(w->end - w->begin);
    return n_left > 0;
}

/* Makes room for n_needed bytes, of which n_held are there. A growing buffer takes three times the
 * room for a moment. */
static bool reserve(pci_window *w, uint64_t n_held, uint64_t n_needed)
{
    pc_context *context = w->input->context;
    if (w->buffer && n_needed <= w->capacity)
        return true;
    bool fits = n_needed <= WINDOW_BYTES || n_needed <= pci_memory_available(context) / 3;
    char *buffer = fits ? pci_grow(context, w->buffer, &w->capacity, n_held, n_needed, 1) : NULL;
    if (!buffer) {
        w->status = PC_ERR_MEMORY;
        return false;
    }
    w->buffer = buffer;
    return true;
}

/* Reads behind the n_held bytes of the buffer, as much as it has room for. */
static bool fill(pci_window *w, uint64_t *n_held)
{
    uint64_t n_left = w->to - w->next, n_room = w->capacity - *n_held;
    size_t n_bytes = n_left < n_room ? n_left : n_room;
    w->status = pci_input_read(w->input, w->next, w->buffer + *n_held, n_bytes);
    w->error = errno;
    if (w->status)
        return false;
    w->next += n_bytes;
    *n_held += n_bytes;
    return true;
}

static bool read_bytes(pci_window *w)
{
    uint64_t n_held = 0;
    w->offset = w->next;
    if (w->next == w->to || !reserve(w, 0, WINDOW_BYTES) || !fill(w, &n_held))
        return false;
    w->begin = w->buffer;
    w->end = w->buffer + n_held;
    return true;
}

/* The bytes in the buffer behind the current block are the begin of the next line. */
static bool read_lines(pci_window *w)
{
    uint64_t n_used = (uint64_t)(w->end - w->begin), n_held = w->next - w->offset - n_used;
    const char *line_end = NULL;
    if (n_held > 0)
        memmove(w->buffer, w->end, n_held);
    w->offset += n_used;
    w->begin = w->end = w->buffer;
    while (!line_end && w->next < w->to) {
        uint64_t n_before = n_held;
        if (!reserve(w, n_held, n_held < WINDOW_BYTES ? WINDOW_BYTES : n_held + 1) ||
            !fill(w, &n_held))
            return false;
        line_end = memrchr(w->buffer + n_before, '\n', n_held - n_before);
    }
    w->begin = w->end = w->buffer;
    if (n_held > 0)
        w->end = w->next == w->to ? w->buffer + n_held : line_end + 1;
    return n_held > 0;
}

bool pci_window_lines(pci_window *window)
{
    return window->input->is_whole ? borrow_block(window, true) : read_lines(window);
}

bool pci_window_bytes(pci_window *window)
{
    return window->input->is_whole ? borrow_block(window, false) : read_bytes(window);
}

pc_status pci_window_fail(const pci_input *input, pc_status status, int error)
{
    errno = error;
    if (status == PC_ERR_MEMORY)
        return pci_fail(input->context, status, "%s: no memory for its lines", input->name);
    if (status == PC_ERR_IO)
        return pci_input_fail_read(input);
    return pci_input_fail_changed(input);
}

/* ---- Line ends ------------------------------------------------------------------------------- */

typedef uint8_t byte_group __attribute__((vector_size(16))); /* compared by one instruction */

/* Line ends among n_groups (at most 255) groups of bytes: each byte of counts is a counter. */
static uint64_t count_in_groups(const char *at, size_t n_groups)
{
    byte_group counts = {0};
    uint64_t n_line_ends = 0;
    for (size_t g = 0; g < n_groups; g++) {
        byte_group group;
        memcpy(&group, at + g * sizeof group, sizeof group);
        counts -= (byte_group)(group == '\n'); /* a byte is -1 where there is a line end */
    }
    for (size_t i = 0; i < sizeof counts; i++)
        n_line_ends += counts[i];
    return n_line_ends;
}

uint64_t pci_count_line_ends(const char *begin, const char *end)
{
    uint64_t n_line_ends = 0;
    while (end - begin >= (ptrdiff_t)sizeof(byte_group)) {
        size_t n_groups = (size_t)(end - begin) / sizeof(byte_group);
        n_groups = n_groups < UINT8_MAX ? n_groups : UINT8_MAX;
        n_line_ends += count_in_groups(begin, n_groups);
        begin += n_groups * sizeof(byte_group);
    }
    for (; begin < end; begin++)
        n_line_ends += *begin == '\n';
    return n_line_ends;
}

uint64_t pci_line_ends_before(const pci_input *input, uint64_t offset)
{
    if (offset <= input->n_bytes)
        return pci_count_line_ends(input->text, input->text + offset);
    uint64_t n_line_ends = 0;
    pci_window window = pci_window_on(input);
    pci_window_move(&window, 0, offset);
    while (pci_window_bytes(&window))
        n_line_ends += pci_count_line_ends(window.begin, window.end);
    pci_window_close(&window);
    return n_line_ends;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static pc_status fail_at(const pci_input *input, uint64_t offset, const char *format,
                         va_list arguments)
{
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    pc_status status = pci_input_check(input);
    if (status)
        return status;
    uint64_t line = 1 + pci_line_ends_before(input, offset);
    return pci_fail(input->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", input->name, line, sentence);
}

pc_status pci_input_fail_at(const pci_input *input, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pc_status status = fail_at(input, offset, format, arguments);
    va_end(arguments);
    return status;
}

pc_status pci_input_fail(const pci_input *input, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pc_status status = fail_at(input, (uint64_t)(at - input->text), format, arguments);
    va_end(arguments);
    return status;
}

/* ---- Vertices that are stated ---------------------------------------------------------------- */

uint64_t pci_most_stated_vertices(uint64_t max_vertices, uint64_t n_bytes)
{
    return max_vertices > 0 ? max_vertices : PC_STATED_VERTICES + n_bytes;
}

pc_status pci_input_check_stated(const pci_input *input, uint64_t offset, uint64_t n_vertices,
                                 const pc_graph_options *options)
{
    uint64_t most = pci_most_stated_vertices(options ? options->max_vertices : 0, input->n_all);
    if (n_vertices <= most)
        return PC_OK;
    return pci_input_fail_at(input, offset,
                             "%" PRIu64 " vertices: a file of %" PRIu64 " bytes may state %" PRIu64
                             " (--max-vertices N allows more)",
                             n_vertices, input->n_all, most);
}
