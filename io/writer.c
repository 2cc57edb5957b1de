/* Writers of matrices: the name of a file chooses its format and packing; labels are escaped once; row blocks are cut into
 * chunks of entries, pieces that several threads make. */
#include "io/writer.h"

#include "graphs/graph.h"
#include "graphs/sort.h"
#include "src/core/number.h"
#include "src/rows/counts.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_NAMED = 64,
    CHUNK_BYTES = 1 << 21,
    GATHERED_CHUNKS = 2, /* of a thread */
    ROW_EXTRA_BYTES = 8,
    MAX_ESCAPE = 6,
    MAX_QUOTES = 2
};

static const pci_writer_format *const formats[] = {
    &pci_format_tsv, &pci_format_csv, &pci_format_pairs, &pci_format_mtx,
    &pci_format_npy, &pci_format_npz, &pci_format_json,
};

/* Labels are escaped once, before anything is counted: one that the format cannot have is refused
 * early. */
static pc_status escape_labels(const pc_writer *writer, const pc_labels *labels,
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

/* ---- Opening --------------------------------------------------------------------------------- */

/* The format and the packing that a file name, or the frame, asks for. */
static pc_status choose_format(pc_context *context, const char *path, const char *named,
                               const pci_writer_format **format, pci_packing *packing)
{
    char endings[PCI_FILE_FORMAT_BYTES], name[MAX_NAMED];
    snprintf(name, sizeof name, "x.%s", named ? named : "");
    const pc_file_format *wanted = pci_written_format(named ? name : path, packing);
    for (size_t f = 0; wanted && f < sizeof formats / sizeof *formats; f++) {
        const char *extension = formats[f]->extension;
        if (strncmp(wanted->ending, extension, strlen(extension)) == 0) {
            *format = formats[f];
            return PC_OK;
        }
    }
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "cannot tell the format of '%s': its name must end in %s, and then .gz or "
                    ".zst if it is to be packed (not .npz)",
                    named ? named : path, pci_file_format_list(false, endings));
}

/* Returns true when the labels are the numbers of the rows, or columns, in the format. */
static bool are_implied(const pci_writer_format *format, const pc_labels *labels)
{
    pci_labels range = pci_labels_range(format->first_index, labels->n);
    return !format->escape && pci_labels_equal(labels, &range);
}

/* Escapes the labels where the format wants it, and notes whether they are to be written. A file of other labels is
 * replaced even where the labels are implied. */
static pc_status make_labels(pc_writer *writer)
{
    const pci_writer_format *format = writer->format;
    const pc_frame *frame = writer->frame;
    if (format->labels_apart &&
        !(writer->labels_path = pci_labels_path(writer->context, writer->path)))
        return PC_ERR_MEMORY;
    writer->has_labels = !are_implied(format, frame->rows) ||
                         !are_implied(format, frame->columns) ||
                         (writer->labels_path && access(writer->labels_path, F_OK) == 0);
    pc_status status = format->escape ? escape_labels(writer, frame->rows, &writer->rows) : PC_OK;
    if (writer->same_labels)
        writer->columns = writer->rows;
    else if (status == PC_OK && format->escape)
        status = escape_labels(writer, frame->columns, &writer->columns);
    return status;
}

/* Writes what stands before the rows, and the file of labels beside one that has no place for them. */
static pc_status write_head(pc_writer *writer)
{
    pci_file *file = &writer->labels;
    pc_status status = writer->format->begin(writer);
    if (status || !writer->labels_path || !writer->has_labels)
        return status;
    if ((status = pci_file_open(writer->context, writer->labels_path, PCI_PACK_NONE, file)))
        return status;
    pci_labels_put(file, writer->frame->rows, NULL);
    if (!writer->same_labels)
        pci_labels_put(file, writer->frame->columns, NULL);
    return pci_file_flush(file);
}

pc_status pc_writer_open(pc_context *context, const char *path, const pc_frame *frame,
                         pc_writer **writer)
{
    if (!context || !path || !frame || !frame->rows || !frame->columns || !writer)
        return pci_fail_null(context, "path, frame, its rows or columns, or writer");
    const pci_writer_format *format = NULL;
    pci_packing packing = PCI_PACK_NONE;
    pc_status status = choose_format(context, path, frame->format, &format, &packing);
    if (status != PC_OK)
        return status;
    size_t path_bytes = strlen(path) + 1;
    pc_writer *made = pci_alloc_zero(context, 1, sizeof *made + path_bytes);
    if (!made)
        return pci_fail_memory(context, "the writer", sizeof *made);
    *made = (pc_writer){.context = context,
                        .format = format,
                        .frame = frame,
                        .n_matrices = frame->n_matrices,
                        .n_rows_each = pc_labels_count(frame->rows),
                        .n_columns = pc_labels_count(frame->columns),
                        .same_labels = frame->rows == frame->columns,
                        .n_limbs = frame->n_limbs,
                        .symmetric = frame->symmetric,
                        .means = frame->means};
    memcpy(made->path, path, path_bytes);
    if (frame->n_matrices > 0 && !format->has_stacks)
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "'%s' is to hold several matrices, which only .npy can", path);
    else if (__builtin_mul_overflow(frame->n_matrices ? frame->n_matrices : 1, made->n_rows_each,
                                    &made->n_rows))
        status = pci_fail(context, PC_ERR_RANGE, "'%s' is to have 2^64 rows or more", path);
    if (status || (status = make_labels(made)) ||
        (status = pci_file_open(context, made->path, packing, &made->file)) ||
        (status = write_head(made))) {
        pc_writer_free(made);
        return status;
    }
    made->frame = NULL;
    *writer = made;
    return PC_OK;
}

/* ---- Row blocks ------------------------------------------------------------------------------ */

/* Fails after an earlier failure: a writer that failed can only be freed. */
static pc_status check_writer(const pc_writer *writer)
{
    if (writer->failed == PC_OK)
        return PC_OK;
    return pci_fail(writer->context, writer->failed, "writing '%s' has failed before",
                    writer->path);
}

/* Fails when a double, or a mean, of the rows is infinite and the format cannot have that. */
static pc_status check_doubles(const pc_writer *writer, const pc_rows *rows)
{
    const pci_writer_format *format = writer->format;
    bool are_checked =
        writer->means ? format->finite_means : !writer->n_limbs && format->finite_doubles;
    uint64_t n_entries = are_checked ? rows->n_rows * rows->n_columns : 0;
    for (uint64_t e = 0; e < n_entries; e++)
        if (isinf(pci_writer_double(rows, e)))
            return pci_fail(writer->context, PC_ERR_RANGE,
                            "a %s is too large for a double, which is what %s holds: write "
                            ".tsv, .csv%s or .json",
                            writer->means ? "mean" : "count", format->extension,
                            writer->means ? "" : ", .mtx");
    return PC_OK;
}

/* The file that entries go to. */
static pci_file *entries_of(pc_writer *writer)
{
    return writer->apart.output ? &writer->apart : &writer->file;
}

/* Makes a chunk of the entries from writer->first on. */
static void make_chunk(void *user, pc_piece *piece)
{
    pc_writer *writer = user;
    pci_writer_chunk chunk = {.rows = writer->block,
                              .first = writer->first + piece->first,
                              .end = writer->first + piece->end,
                              .bytes = piece->room};
    writer->format->make(writer, &chunk);
    piece->n_bytes = chunk.n_bytes;
#pragma omp atomic
    writer->n_written += chunk.n_written;
}

/* Writes a chunk. Thread 0 is the caller's, and calls the progress callback. */
static pc_status put_chunk(void *user, const pc_piece *piece)
{
    pc_writer *writer = user;
    pci_file *file = entries_of(writer);
    pci_file_put(file, piece->text, piece->n_bytes);
    pc_status status = file->status;
    if (status == PC_OK && omp_get_thread_num() == 0) {
        double n_rows = (double)(writer->first + piece->end) / (double)writer->n_columns;
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
    pci_file *file = entries_of(writer);
    if (is_packed)
        part_entries = chunk_entries * GATHERED_CHUNKS * (uint64_t)pci_n_threads(writer->context);
    writer->block = rows;
    pc_pieces pieces = {.piece_items = chunk_entries,
                        .piece_bytes =
                            chunk_entries * entry_bytes +
                            n_row_starts * (writer->rows.longest_bytes + ROW_EXTRA_BYTES),
                        .make = make_chunk,
                        .put = put_chunk,
                        .user = writer};
    pc_status status = PC_OK;
    for (writer->first = 0; writer->first < n_entries && status == PC_OK;
         writer->first += part_entries) {
        uint64_t left = n_entries - writer->first;
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

pc_status pc_writer_add(pc_writer *writer, const pc_rows *rows)
{
    if (!writer || !pci_rows_are_whole(rows))
        return pci_fail_null(writer ? writer->context : NULL, "rows or what they hold");
    pc_status status = check_writer(writer);
    if (status != PC_OK)
        return status;
    if (rows->n_columns != writer->n_columns || rows->n_limbs != writer->n_limbs ||
        pci_rows_are_means(rows) != writer->means)
        return pci_fail(writer->context, PC_ERR_ARGUMENT,
                        "rows of another matrix than planned added to '%s'", writer->path);
    if (rows->first_row != writer->next_row || rows->n_rows > writer->n_rows - writer->next_row)
        return pci_fail(writer->context, PC_ERR_ARGUMENT,
                        "rows from %" PRIu64 " on added to '%s', which needs row %" PRIu64 " next",
                        rows->first_row, writer->path, writer->next_row);
    if ((status = check_doubles(writer, rows)) != PC_OK)
        return status;
    if (rows->n_rows > 0 && rows->n_columns > 0)
        status = write_chunks(writer, rows);
    else if (writer->n_columns == 0 && writer->format->bare_row)
        status = write_bare_rows(writer, rows);
    writer->failed = status;
    if (status == PC_OK)
        writer->next_row += rows->n_rows;
    return status;
}

/* ---- The end --------------------------------------------------------------------------------- */

pc_status pc_writer_finish(pc_writer *writer, int *descriptor)
{
    if (!writer || !descriptor)
        return pci_fail_null(writer ? writer->context : NULL, "descriptor");
    pc_status status = check_writer(writer);
    if (status == PC_OK && writer->next_row != writer->n_rows)
        status = pci_fail(writer->context, PC_ERR_ARGUMENT,
                          "'%s' is not finished: rows %" PRIu64 " to %" PRIu64 " were never added",
                          writer->path, writer->next_row, writer->n_rows - 1);
    if (status == PC_OK && writer->format->end && !writer->is_finished)
        status = writer->format->end(writer);
    if (status == PC_OK)
        status = pci_file_flush(&writer->file);
    writer->is_finished = status == PC_OK;
    writer->failed = status;
    if (status == PC_OK)
        *descriptor = pc_output_descriptor(writer->file.output);
    return status;
}

pc_status pc_writer_commit(pc_writer *writer)
{
    int descriptor;
    if (!writer)
        return PC_ERR_ARGUMENT;
    pc_status status = pc_writer_finish(writer, &descriptor);
    if (status == PC_OK && writer->labels.output)
        status = pci_file_commit(&writer->labels);
    if (status == PC_OK)
        status = pci_file_commit(&writer->file);
    pc_writer_free(writer);
    return status;
}

const char *pc_writer_labels_path(const pc_writer *writer)
{
    return writer && writer->has_labels ? writer->labels_path : NULL;
}

void pc_writer_free(pc_writer *writer)
{
    if (!writer)
        return;
    pc_context *context = writer->context;
    pci_file_free(&writer->file);
    pci_file_free(&writer->apart);
    pci_file_free(&writer->labels);
    for (int side = 0; side < (writer->same_labels ? 1 : 2); side++) {
        pci_free(context, (side == 0 ? &writer->rows : &writer->columns)->text);
        pci_free(context, (side == 0 ? &writer->rows : &writer->columns)->start);
    }
    pci_free(context, writer->row_entries);
    pci_free(context, writer->labels_path);
    pci_free(context, writer);
}
