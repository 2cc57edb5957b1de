/* Input files: opening and loading them, reading them part by part, and messages about a place in the text. */
#define _GNU_SOURCE /* memrchr */
#include "io/input.h"

#include "graphs/sort.h"
#include "src/core/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BEGIN_BYTES = 1 << 18,         /* of a text that are read when it is opened */
    BYTES_BETWEEN_LOOKS = 1 << 24, /* at whether to go on */
    WINDOW_BYTES = 1 << 17
};

pci_input pci_input_from_text(pc_context *context, const char *name, const char *text,
                              size_t n_bytes)
{
    return (pci_input){.context = context,
                       .name = name,
                       .text = text,
                       .n_bytes = n_bytes,
                       .n_all = n_bytes,
                       .is_whole = true,
                       .file = -1};
}

/* The text is whole: the file is needed no more. */
static void close_file(pci_input *input)
{
    pci_unpacker_close(input->unpacker);
    input->unpacker = NULL;
    if (input->owns_file)
        close(input->file);
    input->owns_file = false;
    input->file = -1;
    input->is_whole = true;
}

void pci_input_close(pci_input *input)
{
    close_file(input);
    pci_free(input->context, input->memory);
    *input = pci_input_from_text(input->context, input->name, "", 0);
}

/* ---- Files that may change ------------------------------------------------------------------- */

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

pc_status pci_input_fail_read(const pci_input *input, pc_status status, int error)
{
    errno = error;
    if (status == PC_ERR_MEMORY)
        return pci_fail(input->context, status, "%s: no memory for its lines", input->name);
    if (status == PC_ERR_IO)
        return pci_fail(input->context, status, "%s: cannot be read: %m", input->name);
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
        return pci_input_fail_read(input, PC_ERR_IO, errno);
    bool same = (uint64_t)now.st_size == input->n_all &&
                now.st_mtim.tv_sec == input->modified.tv_sec &&
                now.st_mtim.tv_nsec == input->modified.tv_nsec;
    return same ? PC_OK : pci_input_fail_read(input, PC_ERR_DATA, 0);
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Makes room in memory for n_needed bytes of text; those that there are stay. */
static pc_status reserve(pci_input *input, uint64_t n_needed, uint64_t available)
{
    uint64_t n_used = input->memory ? input->n_bytes : 0;
    char *memory = n_needed <= available ? pci_grow(input->context, input->memory, &input->capacity,
                                                    n_used, n_needed, 1)
                                         : NULL;
    if (!memory)
        return pci_fail(input->context, PC_ERR_MEMORY,
                        "%s: no memory for its text (more than %zu bytes)", input->name,
                        input->n_bytes);
    if (n_used < input->n_bytes) /* the caller keeps the text */
        memcpy(memory, input->text, input->n_bytes);
    input->text = input->memory = memory;
    return PC_OK;
}

/* Closes a file whose whole text is read, so that many small files need no descriptors. */
static pc_status finish_reading(pci_input *input)
{
    pc_status status = pci_input_check(input);
    if (status == PC_OK && input->n_bytes == input->n_all)
        close_file(input);
    return status;
}

/* Refuses a NUL byte at once: no reader of lines accepts one, so unpacking on would be in vain. */
static pc_status refuse_nul(const pci_input *input, size_t first)
{
    const char *nul = memchr(input->text + first, 0, input->n_bytes - first);
    if (!nul || input->any_bytes)
        return PC_OK;
    return pci_input_fail(input, nul, "a NUL byte: this is not a text file");
}

/* Unpacks until the text has n_wanted bytes, or to its end, where the check sum is compared. */
static pc_status unpack(pci_input *input, uint64_t n_wanted)
{
    uint64_t available = pci_memory_available(input->context);
    while (input->n_bytes < n_wanted) {
        const char *block;
        size_t n_before = input->n_bytes, n_bytes;
        pc_status status = pci_unpacker_next(input->unpacker, &block, &n_bytes);
        if (status == PC_OK && n_bytes == 0)
            status = pci_unpacker_check(input->unpacker, input->text, input->n_bytes);
        else if (status == PC_OK)
            status = reserve(input, n_before + n_bytes, available);
        if (status != PC_OK)
            return status;
        if (n_bytes == 0) {
            input->n_all = input->n_bytes;
            close_file(input);
            return PC_OK;
        }
        memcpy(input->memory + n_before, block, n_bytes);
        input->n_bytes += n_bytes;
        status = pci_progress(input->context, "read", 0);
        if (status == PC_OK && n_before >= BEGIN_BYTES)
            status = refuse_nul(input, n_before);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

pc_status pci_input_unpack(pci_input *input)
{
    if (!input->unpacker)
        return PC_OK;
    pc_status status = refuse_nul(input, 0);
    return status ? status : unpack(input, UINT64_MAX);
}

pc_status pci_input_load(pci_input *input)
{
    if (input->is_whole || input->unpacker)
        return pci_input_unpack(input);
    pc_status status = reserve(input, input->n_all, pci_memory_available(input->context));
    while (status == PC_OK && input->n_bytes < input->n_all) {
        uint64_t n_left = input->n_all - input->n_bytes;
        size_t n_bytes = n_left < BYTES_BETWEEN_LOOKS ? n_left : BYTES_BETWEEN_LOOKS;
        status = pci_input_read(input, input->n_bytes, input->memory + input->n_bytes, n_bytes);
        if (status)
            return pci_input_fail_read(input, status, errno);
        input->n_bytes += n_bytes;
        status = pci_progress(input->context, "read", 0);
    }
    return status ? status : finish_reading(input);
}

pc_status pci_input_begin_lines(pci_input *input)
{
    if (memchr(input->text, '\n', input->n_bytes))
        return PC_OK;
    const char *first = memchr(input->text, '\r', input->n_bytes);
    bool ends_lines = first && !memchr(input->text, 0, input->n_bytes);
    if (input->is_whole && !ends_lines)
        return PC_OK;
    if (pci_input_declines(input))
        return PC_ERR_DATA;
    pc_status status = input->unpacker ? unpack(input, UINT64_MAX) : pci_input_load(input);
    if (status || !ends_lines || memchr(input->text, '\n', input->n_bytes))
        return status;
    status = reserve(input, input->n_bytes, UINT64_MAX);
    for (size_t i = 0; i < input->n_bytes && status == PC_OK; i++)
        input->memory[i] = input->memory[i] == '\r' ? '\n' : input->memory[i];
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Reads the begin of a file. A plain one is regular, read from its start, not packed, and of the size that it states:
 * files of /proc state size 0 and have content. */
static pc_status begin_reading(pci_input *input)
{
    struct stat about;
    pc_status status;
    if (fstat(input->file, &about) != 0)
        return pci_input_fail_read(input, PC_ERR_IO, errno);
    if (S_ISDIR(about.st_mode))
        return pci_fail(input->context, PC_ERR_NO_INPUT, "%s: is a folder: name a file in it",
                        input->name);
    if (S_ISREG(about.st_mode) && about.st_size > 0 && lseek(input->file, 0, SEEK_CUR) == 0) {
        input->n_all = (uint64_t)about.st_size;
        input->modified = about.st_mtim;
        size_t n_bytes = input->n_all < BEGIN_BYTES ? input->n_all : BEGIN_BYTES;
        if ((status = reserve(input, n_bytes, UINT64_MAX)) != PC_OK)
            return status;
        if (pci_input_read(input, 0, input->memory, n_bytes) == PC_OK &&
            !pci_is_packed(input->memory, n_bytes)) {
            input->n_bytes = n_bytes;
            if (n_bytes < input->n_all) /* a hint, so not checked */
                posix_fadvise(input->file, 0, 0, POSIX_FADV_WILLNEED);
            return finish_reading(input);
        }
    }
    input->n_all = 0;
    status = pci_unpacker_open(input->context, input->name, input->file, "", 0, &input->unpacker);
    return status ? status : unpack(input, BEGIN_BYTES);
}

pc_status pci_input_open(pc_context *context, const char *path, pci_input *input)
{
    bool is_standard = strcmp(path, "-") == 0;
    pc_status status = pci_variables_check(context);
    if (status)
        return status;
    pci_input made = pci_input_from_text(context, is_standard ? "standard input" : path, "", 0);
    made.file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (made.file < 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    made.owns_file = !is_standard;
    made.path = is_standard ? NULL : path;
    made.is_whole = false;
    status = begin_reading(&made);
    if (status)
        pci_input_close(&made);
    else
        *input = made;
    return status;
}

pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user)
{
    if (!context || !path || !use)
        return pci_fail_null(context, "path or use");
    pci_input input;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    input.any_bytes = true;
    status = pci_input_load(&input);
    if (status == PC_OK)
        status = use(user, input.text, input.n_bytes);
    pci_input_close(&input);
    return status;
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

/* A block of text in memory. It is as short as a block of a file, so that parsers check for cancellation as often. */
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

/* Reads behind the n_held bytes of the buffer, as much as it has room for, but for a line of
 * that length at least one byte. A growing buffer takes three times the room for a moment. */
static bool fill(pci_window *w, uint64_t *n_held)
{
    pc_context *context = w->input->context;
    uint64_t n_needed = *n_held < WINDOW_BYTES ? WINDOW_BYTES : *n_held + 1;
    if (!w->buffer || n_needed > w->capacity) {
        bool fits = n_needed <= WINDOW_BYTES || n_needed <= pci_memory_available(context) / 3;
        char *buffer =
            fits ? pci_grow(context, w->buffer, &w->capacity, *n_held, n_needed, 1) : NULL;
        w->status = buffer ? PC_OK : PC_ERR_MEMORY;
        w->buffer = buffer ? buffer : w->buffer;
    }
    uint64_t n_left = w->to - w->next, n_room = w->capacity - *n_held;
    size_t n_bytes = n_left < n_room ? n_left : n_room;
    if (w->status == PC_OK)
        w->status = pci_input_read(w->input, w->next, w->buffer + *n_held, n_bytes);
    w->error = errno;
    if (w->status)
        return false;
    w->next += n_bytes;
    *n_held += n_bytes;
    return true;
}

bool pci_window_bytes(pci_window *w)
{
    uint64_t n_held = 0;
    if (w->input->is_whole)
        return borrow_block(w, false);
    w->offset = w->next;
    if (w->next == w->to || !fill(w, &n_held))
        return false;
    w->begin = w->buffer;
    w->end = w->buffer + n_held;
    return true;
}

/* The bytes in the buffer behind the current block are the begin of the next line. */
bool pci_window_lines(pci_window *w)
{
    if (w->input->is_whole)
        return borrow_block(w, true);
    uint64_t n_used = (uint64_t)(w->end - w->begin), n_held = w->next - w->offset - n_used;
    const char *line_end = NULL;
    if (n_held > 0)
        memmove(w->buffer, w->end, n_held);
    w->offset += n_used;
    w->begin = w->end = w->buffer;
    while (!line_end && w->next < w->to) {
        uint64_t n_before = n_held;
        if (!fill(w, &n_held))
            return false;
        line_end = memrchr(w->buffer + n_before, '\n', n_held - n_before);
    }
    w->begin = w->end = w->buffer;
    if (n_held > 0)
        w->end = w->next == w->to ? w->buffer + n_held : line_end + 1;
    return n_held > 0;
}

/* ---- Line ends ------------------------------------------------------------------------------- */

typedef uint8_t byte_group __attribute__((vector_size(16))); /* compared by one instruction */

/* Each byte of counts is a counter, which holds up to 255. */
uint64_t pci_count_line_ends(const char *begin, const char *end)
{
    uint64_t n_line_ends = 0;
    while (end - begin >= (ptrdiff_t)sizeof(byte_group)) {
        byte_group counts = {0}, group;
        for (int g = 0; g < UINT8_MAX && end - begin >= (ptrdiff_t)sizeof group; g++) {
            memcpy(&group, begin, sizeof group);
            counts -= (byte_group)(group == '\n'); /* a byte is -1 where there is a line end */
            begin += sizeof group;
        }
        for (size_t i = 0; i < sizeof counts; i++)
            n_line_ends += counts[i];
    }
    for (; begin < end; begin++)
        n_line_ends += *begin == '\n';
    return n_line_ends;
}

/* ---- Messages -------------------------------------------------------------------------------- */

pc_status pci_input_fail_at(const pci_input *input, uint64_t offset, const char *format, ...)
{
    char sentence[1024];
    uint64_t line = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    pc_status status = pci_input_check(input);
    if (status)
        return status;
    if (offset <= input->n_bytes) {
        line += pci_count_line_ends(input->text, input->text + offset);
    } else { /* lines are counted as far as they can be read */
        pci_window window = pci_window_on(input);
        pci_window_move(&window, 0, offset);
        while (pci_window_bytes(&window))
            line += pci_count_line_ends(window.begin, window.end);
        pci_window_close(&window);
    }
    return pci_fail(input->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", input->name, line, sentence);
}

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
