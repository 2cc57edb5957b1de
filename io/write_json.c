/* JSON: {"labels": [...], "rows": [[...], ...]}, a line for each row. Counts are strings, since
 * most readers of JSON turn numbers into doubles. */
#include "io/writer.h"
#include "src/rows/counts.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at the start of text; 0 when there is none (cut off, overlong, a
 * surrogate, above U+10FFFF). */
static size_t utf8_length(const unsigned char *text, size_t n_bytes)
{
    unsigned first = text[0];
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > n_bytes)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (first == 0xE0 && text[1] < 0xA0) || (first == 0xF0 && text[1] < 0x90);
    bool beyond = (first == 0xED && text[1] > 0x9F) || (first == 0xF4 && text[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

static size_t escape_json(const char *label, size_t length, char *text)
{
    size_t used = 0;
    text[used++] = '"';
    for (size_t i = 0, step; i < length; i += step) {
        unsigned char byte = (unsigned char)label[i];
        step = utf8_length((const unsigned char *)label + i, length - i);
        if (step == 0)
            return SIZE_MAX;
        if (byte < 0x20) {
            static const char hex[] = "0123456789abcdef";
            memcpy(text + used, "\\u00", 4);
            text[used + 4] = hex[byte >> 4];
            text[used + 5] = hex[byte & 15];
            used += 6;
            continue;
        }
        if (byte == '"' || byte == '\\')
            text[used++] = '\\';
        memcpy(text + used, label + i, step);
        used += step;
    }
    text[used++] = '"';
    return used;
}

static pc_status put_text(pc_writer *writer, const char *text)
{
    return pci_writer_put(writer, text, strlen(text));
}

static pc_status begin_json(pc_writer *writer)
{
    pc_status status =
        put_text(writer, writer->same_labels ? "{\"labels\": [" : "{\"row_labels\": [");
    if (status == PC_OK)
        status = pci_writer_put_labels(writer, &writer->rows, "", ", ");
    if (status == PC_OK && !writer->same_labels)
        status = put_text(writer, "],\n\"column_labels\": [");
    if (status == PC_OK && !writer->same_labels)
        status = pci_writer_put_labels(writer, &writer->columns, "", ", ");
    return status == PC_OK ? put_text(writer, "],\n\"rows\": [") : status;
}

static pc_status end_json(pc_writer *writer)
{
    return put_text(writer, "\n]}\n");
}

static size_t entry_bytes(const pc_writer *writer)
{
    return pci_rows_entry_text_bytes(writer->n_limbs, writer->means) +
           4; /* two quotes, comma, blank */
}

static void make_json(const pc_writer *writer, pci_writer_chunk *chunk)
{
    uint64_t row = chunk->rows->first_row + chunk->first / writer->n_columns;
    uint64_t column = chunk->first % writer->n_columns;
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (column > 0) {
            *next++ = ',';
            *next++ = ' ';
        } else {
            if (row > 0)
                *next++ = ',';
            *next++ = '\n';
            *next++ = '[';
        }
        *next++ = '"';
        next += pci_rows_entry_text(chunk->rows, e, next);
        *next++ = '"';
        if (++column == writer->n_columns) {
            *next++ = ']';
            column = 0;
            row++;
        }
    }
    chunk->n_bytes = (size_t)(next - chunk->bytes);
}

static size_t bare_row(const pc_writer *writer, uint64_t row, char *text)
{
    (void)writer;
    memcpy(text, row > 0 ? ",\n[]" : "\n[]", row > 0 ? 4 : 3);
    return row > 0 ? 4 : 3;
}

const pci_writer_format pci_format_json = {
    .extension = ".json",
    .escape = escape_json,
    .begin = begin_json,
    .end = end_json,
    .entry_bytes = entry_bytes,
    .make = make_json,
    .bare_row = bare_row,
};
