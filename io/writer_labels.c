/* Labels of a matrix to be written: escaped once, before anything is counted, so that a label that
 * the format cannot have is refused early. */
#include "io/writer.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ESCAPE = 6, MAX_QUOTES = 2, PIECE_BYTES = 1 << 21 };

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
