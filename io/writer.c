/* Writers from opening to commit. The name of a file chooses its format and packing. Labels are escaped
 * once, before anything is counted, so that a label that the format cannot have is refused early. */
#include "io/writer.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ESCAPE = 6, MAX_QUOTES = 2, PIECE_BYTES = 1 << 21 };

static const pci_writer_format *const formats[] = {
    &pci_format_tsv, &pci_format_csv, &pci_format_mtx, &pci_format_npy, &pci_format_json,
};

/* The format and the packing that a file name asks for. */
static pc_status choose_format(pc_context *context, const char *path,
                               const pci_writer_format **format, pci_packing *packing)
{
    size_t length;
    *packing = pci_packing_of(path, &length);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (pci_ends_with(path, length, formats[f]->extension)) {
            *format = formats[f];
            return PC_OK;
        }
    }
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "cannot tell the format of '%s': its name must end in .tsv, .csv, .mtx, .npy "
                    "or .json, and then .gz or .zst if it is to be packed",
                    path);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Bytes of all labels and of the longest, final NULs included. */
static void measure_labels(const pc_labels *labels, size_t *total, size_t *longest)
{
    char none[1];
    *total = *longest = 1;
    for (uint64_t i = 0; i < pc_labels_count(labels); i++) {
        size_t bytes = pc_labels_text(labels, i, none, sizeof none) + 1;
        *total += bytes;
        *longest = bytes > *longest ? bytes : *longest;
    }
}

/* Escapes all labels into the table, which has room; raw has room for the longest. */
static pc_status escape_labels(const pc_writer *writer, const pc_labels *labels, char *raw,
                               size_t raw_bytes, pci_writer_labels *made)
{
    uint64_t end = 0;
    for (uint64_t i = 0; i < made->n; i++) {
        size_t length = pc_labels_text(labels, i, raw, raw_bytes);
        size_t bytes = writer->format->escape(raw, length, made->text + end);
        if (bytes == SIZE_MAX)
            return pci_fail(writer->context, PC_ERR_DATA,
                            "label number %" PRIu64 " is not UTF-8 text, which %s needs: write "
                            "another format",
                            i + 1, writer->format->extension);
        made->start[i] = end;
        made->longest_bytes = bytes > made->longest_bytes ? bytes : made->longest_bytes;
        end += bytes;
    }
    made->start[made->n] = end;
    return PC_OK;
}

pc_status pci_writer_labels_make(const pc_writer *writer, const pc_labels *labels,
                                 pci_writer_labels *made)
{
    pc_context *context = writer->context;
    size_t total, longest;
    measure_labels(labels, &total, &longest);
    *made = (pci_writer_labels){.n = pc_labels_count(labels)};
    size_t bytes = MAX_ESCAPE * total + MAX_QUOTES * made->n;
    char *raw = pci_alloc(context, longest);
    made->text = pci_alloc(context, bytes);
    made->start = pci_alloc_zero(context, made->n + 1, sizeof *made->start);
    pc_status status = raw && made->text && made->start
                           ? escape_labels(writer, labels, raw, longest, made)
                           : pci_fail_memory(context, "the labels", bytes);
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

pc_status pci_writer_put_labels(pc_writer *writer, const pci_writer_labels *labels,
                                const char *before, const char *between)
{
    size_t room = PIECE_BYTES + labels->longest_bytes + strlen(before) + strlen(between), used = 0;
    pc_status status = PC_OK;
    char *text = pci_alloc(writer->context, room);
    if (!text)
        return pci_fail_memory(writer->context, "the labels", room);
    for (uint64_t i = 0; i < labels->n && status == PC_OK; i++) {
        const char *separator = i == 0 ? before : between;
        size_t separator_length = strlen(separator);
        memcpy(text + used, separator, separator_length);
        used += separator_length;
        used += pci_writer_label(labels, i, text + used);
        if (used >= PIECE_BYTES) {
            status = pci_writer_put(writer, text, used);
            used = 0;
        }
    }
    if (status == PC_OK)
        status = pci_writer_put(writer, text, used);
    pci_free(writer->context, text);
    return status;
}

/* ---- From opening to commit ------------------------------------------------------------------ */

static pc_status make_labels(pc_writer *writer, const pc_frame *frame)
{
    pc_status status = pci_writer_labels_make(writer, frame->rows, &writer->rows);
    if (writer->same_labels)
        writer->columns = writer->rows;
    else if (status == PC_OK)
        status = pci_writer_labels_make(writer, frame->columns, &writer->columns);
    return status;
}

static pc_status copy_about(pc_writer *writer, const char *about)
{
    size_t bytes = about ? strlen(about) + 1 : 0;
    if (!about)
        return PC_OK;
    writer->about = pci_alloc(writer->context, bytes);
    if (!writer->about)
        return pci_fail_memory(writer->context, "the writer", bytes);
    memcpy(writer->about, about, bytes);
    return PC_OK;
}

pc_status pc_writer_open(pc_context *context, const char *path, const pc_frame *frame,
                         pc_writer **writer)
{
    if (!context || !path || !frame || !frame->rows || !frame->columns || !writer)
        return pci_fail_null(context, "path, frame, its rows or columns, or writer");
    const pci_writer_format *format = NULL;
    pci_packing packing = PCI_PACK_NONE;
    pc_status status = choose_format(context, path, &format, &packing);
    if (status != PC_OK)
        return status;
    size_t path_bytes = strlen(path) + 1;
    pc_writer *made = pci_alloc_zero(context, 1, sizeof *made + path_bytes);
    if (!made)
        return pci_fail_memory(context, "the writer", sizeof *made);
    made->context = context;
    made->format = format;
    made->packing = packing;
    made->n_rows = pc_labels_count(frame->rows);
    made->n_columns = pc_labels_count(frame->columns);
    made->same_labels = frame->rows == frame->columns;
    made->n_limbs = frame->n_limbs;
    made->symmetric = frame->symmetric;
    made->means = frame->means;
    memcpy(made->path, path, path_bytes);
    status = copy_about(made, frame->about);
    if (status == PC_OK && format->escape)
        status = make_labels(made, frame);
    if (status == PC_OK)
        status = pc_output_open(context, path, &made->output);
    if (status == PC_OK)
        status = format->begin(made);
    if (status == PC_OK)
        *writer = made;
    else
        pc_writer_free(made);
    return status;
}

pc_status pc_writer_commit(pc_writer *writer)
{
    if (!writer)
        return PC_ERR_ARGUMENT;
    pc_status status = pci_writer_check(writer);
    if (status == PC_OK && writer->next_row != writer->n_rows)
        status = pci_fail(writer->context, PC_ERR_ARGUMENT,
                          "'%s' is not finished: rows %" PRIu64 " to %" PRIu64 " were never added",
                          writer->path, writer->next_row, writer->n_rows - 1);
    if (status == PC_OK && writer->format->end)
        status = writer->format->end(writer);
    if (status == PC_OK) {
        status = pc_output_commit(writer->output);
        writer->output = NULL;
    }
    pc_writer_free(writer);
    return status;
}

void pc_writer_free(pc_writer *writer)
{
    if (!writer)
        return;
    pc_context *context = writer->context;
    pc_output_free(writer->output);
    pci_writer_labels_free(context, &writer->rows);
    if (!writer->same_labels)
        pci_writer_labels_free(context, &writer->columns);
    pci_free(context, writer->about);
    pci_free(context, writer);
}
