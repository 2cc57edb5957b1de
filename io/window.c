/* A part of an input, read block after block. */
#define _GNU_SOURCE /* memrchr */

#include "io/window.h"

#include "graphs/grow.h"

#include <errno.h>
#include <string.h>

enum { WINDOW_BYTES = 1 << 17 };

typedef uint8_t byte_group __attribute__((vector_size(16))); /* compared by one instruction */

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

/* ---- Text in memory -------------------------------------------------------------------------- */

/* Blocks are lent here, too, so that parsers look whether to go on at the same intervals. */
static bool lend(pci_window *w, bool whole_lines)
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

/* ---- Plain files ----------------------------------------------------------------------------- */

/* Room for n_needed bytes, of which n_held are there. Growing takes thrice the room for a while. */
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

/* Reads on behind the n_held bytes of the buffer, as much as has room. */
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

/* What lies in the buffer behind the current block is the begin of the next line. */
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
    return window->input->is_whole ? lend(window, true) : read_lines(window);
}

bool pci_window_bytes(pci_window *window)
{
    return window->input->is_whole ? lend(window, false) : read_bytes(window);
}

pc_status pci_window_fail(const pci_input *input, pc_status status, int error)
{
    errno = error;
    if (status == PC_ERR_MEMORY)
        return pci_fail(input->context, status, "%s: no memory for its lines", input->name);
    if (status == PC_ERR_IO)
        return pci_fail(input->context, status, "%s: cannot be read: %m", input->name);
    return pci_input_fail_changed(input);
}

/* ---- Line ends ------------------------------------------------------------------------------- */

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
