/* A stream of text, one graph in each line. A chunk is what can be read at once, about a MiB at
 * most. An incomplete line at its end is kept for the next chunk. Files, pipes and packed streams
 * are read the same way, and only the chunk is in memory. */
#define _GNU_SOURCE /* F_GETPIPE_SZ */

#include "src/streams/stream.h"

#include "graphs/sort.h"
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK_BYTES = 1 << 20,
    PIPE_BYTES = 1 << 20, /* so that the writer of a pipe continues while a chunk is counted */
    WAIT_FOREVER = -1
};

typedef struct lines {
    pci_stream_source base;
    pc_context *context;
    const char *name;
    int file;
    uint64_t max_vertices; /* that a line may state; 0: the default */
    uint64_t file_bytes;   /* 0: a pipe or the like */
    uint64_t n_read;
    pci_unpacker *unpacker; /* NULL: not packed */
    bool at_end;            /* of the file: everything has been read */
    bool is_over;           /* nothing counts any more after this chunk */
    char *text;             /* the chunk, then the begin of the next one */
    uint64_t text_capacity, n_bytes;
    size_t n_used; /* bytes of the chunk */
    size_t *line;  /* [n_lines + 1]: where in the text the graphs' lines begin; each but one that is
                      missing ends with '\n' */
    uint64_t line_capacity, n_lines;
    uint64_t first_number; /* of the first line of the chunk, from 1 */
    uint64_t next_number;  /* of the line after the chunk */
    uint64_t first_blank;  /* number of the first blank line since the last graph; 0: none */
    pc_status failed;      /* of reading further, reported after all whole lines; and why */
    char failure[PCI_MESSAGE_SIZE];
} lines;

/* ---- Reading --------------------------------------------------------------------------------- */

static pc_status tell_progress(const lines *l)
{
    uint64_t n_read = l->unpacker ? pci_unpacker_n_read(l->unpacker) : l->n_read;
    double share = l->file_bytes > 0 ? (double)n_read / (double)l->file_bytes : 0;
    return pci_progress(l->context, "read", fmin(share, 1)); /* files may grow */
}

/* Waits until there is something to read, or the end; *ready says which. A signal may mean that the
 * callback wants to stop. */
static pc_status wait_for_bytes(const lines *l, int milliseconds, bool *ready)
{
    struct pollfd file = {.fd = l->file, .events = POLLIN};
    int n_ready = poll(&file, 1, milliseconds);
    *ready = n_ready > 0;
    if (n_ready >= 0)
        return PC_OK;
    if (errno == EINTR)
        return tell_progress(l);
    return pci_fail(l->context, PC_ERR_IO, "%s: cannot be read: %m", l->name);
}

/* Appends what one read gives, up to n_most bytes in all; at the end of the file sets at_end. */
static pc_status read_plain(lines *l, uint64_t n_most)
{
    ssize_t n_read = read(l->file, l->text + l->n_bytes, n_most - l->n_bytes);
    if (n_read < 0 && (errno == EINTR || errno == EAGAIN))
        return tell_progress(l);
    if (n_read < 0)
        return pci_fail(l->context, PC_ERR_IO, "%s: cannot be read: %m", l->name);
    l->at_end = n_read == 0;
    l->n_bytes += (uint64_t)n_read;
    l->n_read += (uint64_t)n_read;
    return PC_OK;
}

/* Makes room for so many bytes and a line end. A growing buffer takes three times the room for a
 * moment. */
static pc_status reserve_text(lines *l, uint64_t n_bytes)
{
    uint64_t needed = n_bytes + 1;
    if (needed <= l->text_capacity)
        return PC_OK;
    bool fits = needed <= 2 * CHUNK_BYTES || needed <= pci_memory_available(l->context) / 3;
    char *text =
        fits ? pci_grow(l->context, l->text, &l->text_capacity, l->n_bytes, needed, 1) : NULL;
    if (!text)
        return pci_fail(l->context, PC_ERR_MEMORY,
                        "%s:%" PRIu64 ": no memory for this line (more than %" PRIu64 " bytes)",
                        l->name, l->next_number, l->n_bytes);
    l->text = text;
    return PC_OK;
}

static pc_status read_packed(lines *l)
{
    const char *block;
    size_t n_bytes;
    pc_status status = pci_unpacker_next(l->unpacker, &block, &n_bytes);
    if (status == PC_OK && n_bytes > 0)
        status = reserve_text(l, l->n_bytes + n_bytes);
    if (status)
        return status;
    memcpy(l->text + l->n_bytes, block, n_bytes);
    l->n_bytes += n_bytes;
    l->at_end = n_bytes == 0;
    return l->at_end ? pci_unpacker_check(l->unpacker, NULL, 0) : PC_OK;
}

/* Reads once; *more tells whether there was anything to read. */
static pc_status read_more(lines *l, int milliseconds, bool *more)
{
    uint64_t n_most = l->n_bytes < CHUNK_BYTES ? CHUNK_BYTES : 2 * l->n_bytes;
    pc_status status = PC_OK;
    *more = true;
    if (l->unpacker)
        return read_packed(l);
    if ((status = wait_for_bytes(l, milliseconds, more)) || !*more)
        return status;
    status = reserve_text(l, n_most);
    return status ? status : read_plain(l, n_most);
}

/* Reads until there is a whole line, and then as long as more can be read at once, up to about the
 * size of a chunk. */
static pc_status fill(lines *l)
{
    bool has_line = memchr(l->text, '\n', l->n_bytes), more = true;
    pc_status status = l->failed ? pci_fail(l->context, l->failed, "%s", l->failure) : PC_OK;
    while (status == PC_OK && !l->at_end && !(has_line && (!more || l->n_bytes >= CHUNK_BYTES))) {
        uint64_t n_before = l->n_bytes;
        status = read_more(l, has_line ? 0 : WAIT_FOREVER, &more);
        has_line = has_line || memchr(l->text + n_before, '\n', l->n_bytes - n_before);
    }
    if (status != PC_OK && status != PC_ERR_CANCELLED && has_line && !l->failed) {
        l->failed = status; /* whole lines that were read before a failure are delivered first */
        l->at_end = false;  /* the failure takes the place of the end */
        strcpy(l->failure, l->context->message);
        status = PC_OK;
    }
    return status ? status : tell_progress(l);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static pc_status add_line(lines *l, size_t begin, size_t end)
{
    size_t *line = pci_grow(l->context, l->line, &l->line_capacity, l->n_lines ? l->n_lines + 1 : 0,
                            l->n_lines + 2, sizeof *line);
    if (!line)
        return pci_fail_memory(l->context, "the lines of a stream",
                               (l->n_lines + 2) * sizeof *line);
    l->line = line;
    line[l->n_lines] = begin;
    line[++l->n_lines] = end;
    return PC_OK;
}

/* Adds the line from begin to its '\n' at end to the chunk. A blank line is left out. It is a flaw
 * when another line follows. */
static pc_status take_line(lines *l, size_t begin, size_t end)
{
    uint64_t number = l->next_number++;
    if (pci_graph6_is_blank(l->text + begin, end - begin)) {
        l->first_blank = l->first_blank ? l->first_blank : number;
        return PC_OK;
    }
    if (!l->first_blank)
        return add_line(l, begin, end + 1);
    size_t blank =
        l->n_lines > 0 ? l->line[l->n_lines] : begin; /* no bytes, as decoding will find */
    l->first_number = l->first_blank - l->n_lines;
    l->is_over = true;
    return add_line(l, blank, blank + 1);
}

/* The whole lines that were read become the chunk. */
static pc_status take_lines(lines *l)
{
    pc_status status = PC_OK;
    size_t begin = 0;
    if (l->at_end && l->n_bytes > 0 && l->text[l->n_bytes - 1] != '\n')
        l->text[l->n_bytes++] = '\n'; /* there is room for it */
    while (status == PC_OK && !l->is_over && begin < l->n_bytes) {
        const char *end = memchr(l->text + begin, '\n', l->n_bytes - begin);
        if (!end)
            break;
        status = take_line(l, begin, (size_t)(end - l->text));
        begin = (size_t)(end - l->text) + 1;
    }
    l->n_used = begin;
    return status;
}

static pc_status next_chunk(pci_stream_source *source, size_t *n_graphs)
{
    lines *l = (lines *)source;
    pc_status status = PC_OK;
    l->n_lines = 0;
    while (status == PC_OK && l->n_lines == 0 && !l->is_over) {
        l->n_bytes -= l->n_used;
        if (l->n_used > 0)
            memmove(l->text, l->text + l->n_used, l->n_bytes);
        l->n_used = 0;
        l->first_number = l->next_number;
        status = fill(l);
        bool is_last = l->at_end;
        if (status == PC_OK)
            status = take_lines(l);
        l->is_over = l->is_over || is_last;
    }
    if (status == PC_OK)
        *n_graphs = l->n_lines;
    return status;
}

static pc_status decode_line(const pci_stream_source *source, size_t i, bool keep_repeats,
                             pci_listed *graph, const char **flaw)
{
    const lines *l = (const lines *)source;
    size_t n_bytes = l->line[i + 1] - l->line[i] - 1;
    pc_status status = pci_graph6_decode(l->text + l->line[i], n_bytes, keep_repeats, graph, flaw);
    if (status || graph->n_vertices <= pci_most_stated_vertices(l->max_vertices, n_bytes))
        return status;
    *flaw = "more vertices than a line of its length may state (--max-vertices N allows more)";
    return PC_ERR_DATA;
}

static pc_status fail_line(pci_stream_source *source, size_t i, const char *flaw)
{
    const lines *l = (const lines *)source;
    return pci_fail(l->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", l->name, l->first_number + i,
                    flaw);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void close_lines(pci_stream_source *source)
{
    lines *l = (lines *)source;
    pci_unpacker_close(l->unpacker);
    if (l->file != STDIN_FILENO)
        close(l->file);
    pci_free(l->context, l->text);
    pci_free(l->context, l->line);
    pci_free(l->context, l);
}

/* Reads the first bytes, as few as show whether the file is packed. */
static pc_status open_packing(lines *l)
{
    bool ready;
    pc_status status = reserve_text(l, CHUNK_BYTES);
    while (status == PC_OK && !l->at_end && pci_may_be_packed(l->text, l->n_bytes)) {
        status = wait_for_bytes(l, WAIT_FOREVER, &ready);
        if (status == PC_OK && ready)
            status = read_plain(l, PCI_MAGIC_BYTES);
    }
    if (status || !pci_is_packed(l->text, l->n_bytes))
        return status;
    status = pci_unpacker_open(l->context, l->name, l->file, l->text, l->n_bytes, &l->unpacker);
    l->n_bytes = 0;
    l->at_end = false;
    return status;
}

pc_status pci_stream_lines_open(pc_context *context, const char *name, int file,
                                uint64_t max_vertices, pci_stream_source **source)
{
    static const pci_stream_kind kind = {close_lines, next_chunk, decode_line, fail_line};
    struct stat about;
    lines *l = pci_alloc_zero(context, 1, sizeof *l);
    if (!l) {
        if (file != STDIN_FILENO)
            close(file);
        return pci_fail_memory(context, "a stream", sizeof *l);
    }
    *l = (lines){.base.kind = &kind,
                 .context = context,
                 .name = name,
                 .file = file,
                 .max_vertices = max_vertices,
                 .next_number = 1};
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        l->file_bytes = (uint64_t)about.st_size;
    int pipe_bytes = fcntl(file, F_GETPIPE_SZ); /* -1: it is no pipe */
    if (pipe_bytes >= 0 && pipe_bytes < PIPE_BYTES)
        fcntl(file, F_SETPIPE_SZ, PIPE_BYTES); /* where it cannot, it is only slower */
    pc_status status = open_packing(l);
    if (status)
        close_lines(&l->base);
    else
        *source = &l->base;
    return status;
}
