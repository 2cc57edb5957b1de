/* Labels and row blocks to bytes. A row block is cut into chunks of entries, pieces that several
 * threads make. */
#include "io/writer_chunks.h"

#include "graphs/sort.h"
#include "src/core/number.h"
#include "src/rows/counts.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    CHUNK_BYTES = 1 << 21,
    GATHERED_CHUNKS = 2, /* of a thread */
    ROW_EXTRA_BYTES = 8,
    MAX_ESCAPE = 6,
    MAX_QUOTES = 2
};

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Labels are escaped once, before anything is counted: one that the format cannot have is refused
 * early. */
pc_status pci_writer_labels_make(const pc_writer *writer, const pc_labels *labels,
                                 pci_writer_labels *made)
{
    pc_context *context = writer->context;
    uint64_t n = pc_labels_count(labels), end = 0, capacity = 0;
    size_t raw_bytes = pc_labels_longest(labels) + 1, most = MAX_ESCAPE * raw_bytes + MAX_QUOTES;
    char *raw = pci_alloc(context, raw_bytes);
    *made = (pci_writer_labels){.n = n, .start = pci_alloc_zero(context, n + 1, sizeof end)};
    pc_status status = raw && made->start ? PC_OK : pci_fail_memory(context, "the labels", 8 * n);
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        char *text = pci_grow(context, made->text, &capacity, end, end + most, 1);
        if (!text) {
            status = pci_fail_memory(context, "the labels", end + most);
            break;
        }
        made->text = text;
        size_t length = pc_labels_text(labels, i, raw, raw_bytes);
        size_t bytes = writer->format->escape(raw, length, text + end);
        if (bytes == SIZE_MAX) {
            status = pci_fail(context, PC_ERR_DATA,
                              "label number %" PRIu64 " is not UTF-8 text, which %s needs: write "
                              "another format",
                              i + 1, writer->format->extension);
            break;
        }
        made->longest_bytes = bytes > made->longest_bytes ? bytes : made->longest_bytes;
        made->start[i + 1] = end += bytes;
    }
    pci_free(context, raw);
    return status;
}

void pci_writer_labels_free(pc_context *context, pci_writer_labels *labels)
{
    pci_free(context, labels->text);
    pci_free(context, labels->start);
}

size_t pci_writer_label(const pci_writer_labels *labels, uint64_t index, char *text)
{
    uint64_t start = labels->start[index];
    size_t length = labels->start[index + 1] - start;
    memcpy(text, labels->text + start, length);
    return length;
}

void pci_writer_put_labels(pc_writer *writer, const pci_writer_labels *labels, const char *before,
                           const char *between)
{
    for (uint64_t i = 0; i < labels->n && writer->file.status == PC_OK; i++) {
        pci_file_put_text(&writer->file, i == 0 ? before : between);
        pci_file_put(&writer->file, labels->text + labels->start[i],
                     labels->start[i + 1] - labels->start[i]);
        pci_file_advance(&writer->file);
    }
}

/* ---- Entries --------------------------------------------------------------------------------- */

bool pci_writer_is_zero(const pc_rows *rows, uint64_t e)
{
    return rows->limbs ? pci_number_trim(pci_rows_entry(rows, e), rows->n_limbs) == 0
                       : rows->values[e] == 0;
}

double pci_writer_double(const pc_rows *rows, uint64_t e)
{
    return pci_rows_are_means(rows) ? pci_mean_double(rows, e)
                                    : pci_number_scale(rows->values[e], rows->exponent);
}

pc_status pci_writer_check_doubles(const pc_writer *writer, const pc_rows *rows)
{
    bool are_doubles = writer->means || !writer->n_limbs;
    uint64_t n_entries = are_doubles ? rows->n_rows * rows->n_columns : 0;
    for (uint64_t e = 0; e < n_entries; e++)
        if (isinf(pci_writer_double(rows, e)))
            return pci_fail(writer->context, PC_ERR_RANGE,
                            "a %s is too large for a double, which is what %s holds: write "
                            ".tsv, .csv%s or .json",
                            writer->means ? "mean" : "count", writer->format->extension,
                            writer->means ? "" : ", .mtx");
    return PC_OK;
}

/* ---- Row blocks ------------------------------------------------------------------------------ */

static pc_status check_rows(const pc_writer *writer, const pc_rows *rows)
{
    if (rows->n_columns != writer->n_columns || rows->n_limbs != writer->n_limbs ||
        pci_rows_are_means(rows) != writer->means)
        return pci_fail(writer->context, PC_ERR_ARGUMENT,
                        "rows of another matrix than planned added to '%s'", writer->path);
    if (rows->first_row != writer->next_row || rows->n_rows > writer->n_rows - writer->next_row)
        return pci_fail(writer->context, PC_ERR_ARGUMENT,
                        "rows from %" PRIu64 " on added to '%s', which needs row %" PRIu64 " next",
                        rows->first_row, writer->path, writer->next_row);
    return writer->format->check ? writer->format->check(writer, rows) : PC_OK;
}

/* Entries of a row block on their way to the file. */
typedef struct part {
    pc_writer *writer;
    const pc_rows *rows;
    uint64_t first; /* entry */
} part;

static void make_chunk(void *user, pc_piece *piece)
{
    const part *p = user;
    pc_writer *writer = p->writer;
    pci_writer_chunk chunk = {.rows = p->rows,
                              .first = p->first + piece->first,
                              .end = p->first + piece->end,
                              .bytes = piece->room};
    writer->format->make(writer, &chunk);
    piece->n_bytes = chunk.n_bytes;
#pragma omp atomic
    writer->n_written += chunk.n_written;
}

/* Writes a chunk. Thread 0 is the caller's, and calls the progress callback. */
static pc_status put_chunk(void *user, const pc_piece *piece)
{
    const part *p = user;
    pc_writer *writer = p->writer;
    pci_file *file = pci_writer_entries(writer);
    pci_file_put(file, piece->text, piece->n_bytes);
    pc_status status = file->status;
    if (status == PC_OK && omp_get_thread_num() == 0) {
        double n_rows = (double)(p->first + piece->end) / (double)writer->n_columns;
        double done = (double)writer->next_row + n_rows;
        status = pci_progress(writer->context, "write", done / (double)writer->n_rows);
    }
    return status;
}

/* Text that is packed is gathered first: not that of too many chunks. */
static pc_status write_chunks(pc_writer *writer, const pc_rows *rows)
{
    size_t entry_bytes = writer->format->entry_bytes(writer);
    uint64_t n_entries = rows->n_rows * rows->n_columns;
    uint64_t chunk_entries = CHUNK_BYTES / entry_bytes ? CHUNK_BYTES / entry_bytes : 1;
    chunk_entries = chunk_entries < n_entries ? chunk_entries : n_entries;
    uint64_t n_row_starts = chunk_entries / rows->n_columns + 2;
    uint64_t part_entries = n_entries;
    bool is_packed = writer->file.packer.packing != PCI_PACK_NONE;
    pci_file *file = pci_writer_entries(writer);
    if (is_packed)
        part_entries = chunk_entries * GATHERED_CHUNKS * (uint64_t)pci_n_threads(writer->context);
    part part = {writer, rows, 0};
    pc_pieces pieces = {.piece_items = chunk_entries,
                        .piece_bytes =
                            chunk_entries * entry_bytes +
                            n_row_starts * (writer->rows.longest_bytes + ROW_EXTRA_BYTES),
                        .make = make_chunk,
                        .put = put_chunk,
                        .user = &part};
    pc_status status = PC_OK;
    for (; part.first < n_entries && status == PC_OK; part.first += part_entries) {
        uint64_t left = n_entries - part.first;
        pieces.n_items = left < part_entries ? left : part_entries;
        status = pc_pieces_put(writer->context, &pieces);
        if (status == PC_OK)
            status = is_packed ? pci_file_advance(file) : pci_file_flush(file);
    }
    return status;
}

/* The rows of a matrix without columns have no entries to make chunks of. */
static pc_status write_bare_rows(pc_writer *writer, const pc_rows *rows)
{
    size_t bytes = writer->rows.longest_bytes + ROW_EXTRA_BYTES;
    char *text = pci_alloc(writer->context, bytes);
    if (!text)
        return pci_fail_memory(writer->context, "writing", bytes);
    for (uint64_t row = 0; row < rows->n_rows; row++)
        pci_file_put(&writer->file, text,
                     writer->format->bare_row(writer, rows->first_row + row, text));
    pci_free(writer->context, text);
    return pci_file_advance(&writer->file);
}

pc_status pci_writer_check(const pc_writer *writer)
{
    if (writer->failed == PC_OK)
        return PC_OK;
    return pci_fail(writer->context, writer->failed, "writing '%s' has failed before",
                    writer->path);
}

pc_status pc_writer_add(pc_writer *writer, const pc_rows *rows)
{
    if (!writer || !pci_rows_are_whole(rows))
        return pci_fail_null(writer ? writer->context : NULL, "rows or what they hold");
    pc_status status = pci_writer_check(writer);
    if (status == PC_OK)
        status = check_rows(writer, rows);
    if (status != PC_OK)
        return status;
    if (rows->n_rows > 0 && rows->n_columns > 0) {
        status = write_chunks(writer, rows);
        writer->failed = status;
    } else if (writer->n_columns == 0 && writer->format->bare_row) {
        status = write_bare_rows(writer, rows);
        writer->failed = status;
    }
    if (status == PC_OK)
        writer->next_row += rows->n_rows;
    return status;
}
