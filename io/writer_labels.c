/* Labels of a matrix to be written: escaped once, before anything is counted, so that a label that
 * the format cannot have is refused early. */
#include "io/writer.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ESCAPE = 6, MAX_QUOTES = 2, PIECE_BYTES = 1 << 21 };

/* Bytes of all labels and of the longest, final NULs included. */
static void measure_labels(const pc_labels *labels, uint64_t n, size_t *total, size_t *longest)
{
    char none[1];
    *total = *longest = 1;
    for (uint64_t vertex = 0; vertex < n; vertex++) {
        size_t bytes = pc_labels_text(labels, vertex, none, sizeof none) + 1;
        *total += bytes;
        *longest = bytes > *longest ? bytes : *longest;
    }
}

/* Escapes all labels into the table, which has room; raw has room for the longest. */
static pc_status escape_labels(pc_writer *writer, const pc_labels *labels, char *raw,
                               size_t raw_bytes)
{
    uint64_t end = 0;
    for (uint64_t vertex = 0; vertex < writer->n; vertex++) {
        size_t length = pc_labels_text(labels, vertex, raw, raw_bytes);
        size_t bytes = writer->format->escape(raw, length, writer->labels + end);
        if (bytes == SIZE_MAX)
            return pci_fail(writer->context, PC_ERR_DATA,
                            "the label of vertex %" PRIu64 " is not UTF-8 text, which %s needs: "
                            "write another format",
                            vertex, writer->format->extension);
        writer->label_start[vertex] = end;
        writer->label_bytes = bytes > writer->label_bytes ? bytes : writer->label_bytes;
        end += bytes;
    }
    writer->label_start[writer->n] = end;
    return PC_OK;
}

pc_status pci_writer_make_labels(pc_writer *writer, const pc_labels *labels)
{
    pc_context *context = writer->context;
    size_t total, longest;
    measure_labels(labels, writer->n, &total, &longest);
    size_t bytes = MAX_ESCAPE * total + MAX_QUOTES * writer->n;
    char *raw = pci_alloc(context, longest);
    writer->labels = pci_alloc(context, bytes);
    writer->label_start = pci_alloc_zero(context, writer->n + 1, sizeof(uint64_t));
    pc_status status = raw && writer->labels && writer->label_start
                           ? escape_labels(writer, labels, raw, longest)
                           : pci_fail_memory(context, "the labels", bytes);
    pci_free(context, raw);
    return status;
}

size_t pci_writer_label(const pc_writer *writer, uint64_t vertex, char *text)
{
    uint64_t start = writer->label_start[vertex];
    size_t length = writer->label_start[vertex + 1] - start;
    memcpy(text, writer->labels + start, length);
    return length;
}

pc_status pci_writer_put_labels(pc_writer *writer, const char *before, const char *between)
{
    size_t room = PIECE_BYTES + writer->label_bytes + strlen(before) + strlen(between), used = 0;
    pc_status status = PC_OK;
    char *text = pci_alloc(writer->context, room);
    if (!text)
        return pci_fail_memory(writer->context, "the labels", room);
    for (uint64_t vertex = 0; vertex < writer->n && status == PC_OK; vertex++) {
        const char *separator = vertex == 0 ? before : between;
        size_t separator_length = strlen(separator);
        memcpy(text + used, separator, separator_length);
        used += separator_length;
        used += pci_writer_label(writer, vertex, text + used);
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
