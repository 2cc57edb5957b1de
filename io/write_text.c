/* Text: tables, tab-separated and comma-separated, whose first line and first column are the labels; and
 * a line for each entry that is not 0. In .tsv a tab, line feed, carriage return or backslash within a label is written \t, \n,
 * \r or \\; in .csv a label is quoted where it needs to be. */
#include "io/writer.h"
#include "src/rows/counts.h"

#include <string.h>

size_t pci_escape_tsv(const char *label, size_t length, char *text)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const char *found = memchr(special, label[i], sizeof special - 1);
        if (found)
            text[used++] = '\\';
        text[used++] = found ? letters[found - special] : label[i];
    }
    return used;
}

static bool needs_quotes(const char *label, size_t length)
{
    static const char special[] = "\",\n\r";
    if (length == 0 || label[0] == ' ' || label[length - 1] == ' ')
        return true;
    for (size_t i = 0; i < length; i++)
        if (memchr(special, label[i], sizeof special - 1))
            return true;
    return false;
}

static size_t escape_csv(const char *label, size_t length, char *text)
{
    if (!needs_quotes(label, length)) {
        memcpy(text, label, length);
        return length;
    }
    size_t used = 0;
    text[used++] = '"';
    for (size_t i = 0; i < length; i++) {
        if (label[i] == '"')
            text[used++] = '"';
        text[used++] = label[i];
    }
    text[used++] = '"';
    return used;
}

/* The header line: an empty corner, then the labels. */
static pc_status begin_text(pc_writer *writer)
{
    const char separator[] = {writer->format->separator, 0};
    pc_status status = pci_writer_put_labels(writer, &writer->columns, separator, separator);
    return status == PC_OK ? pci_writer_put(writer, "\n", 1) : status;
}

static size_t entry_bytes(const pc_writer *writer)
{
    return pci_rows_entry_text_bytes(writer->n_limbs, writer->means) + 1;
}

static void make_text(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const char separator = writer->format->separator;
    uint64_t row = chunk->first / writer->n_columns, column = chunk->first % writer->n_columns;
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (column == 0)
            next += pci_writer_label(&writer->rows, chunk->rows->first_row + row, next);
        *next++ = separator;
        next += pci_rows_entry_text(chunk->rows, e, next);
        if (++column == writer->n_columns) {
            *next++ = '\n';
            column = 0;
            row++;
        }
    }
    chunk->n_bytes = (size_t)(next - chunk->bytes);
}

static size_t bare_row(const pc_writer *writer, uint64_t row, char *text)
{
    size_t length = pci_writer_label(&writer->rows, row, text);
    text[length++] = '\n';
    return length;
}

const pci_writer_format pci_format_tsv = {
    .extension = ".tsv",
    .escape = pci_escape_tsv,
    .separator = '\t',
    .begin = begin_text,
    .entry_bytes = entry_bytes,
    .make = make_text,
    .bare_row = bare_row,
};

const pci_writer_format pci_format_csv = {
    .extension = ".csv",
    .escape = escape_csv,
    .separator = ',',
    .begin = begin_text,
    .entry_bytes = entry_bytes,
    .make = make_text,
    .bare_row = bare_row,
};

/* ---- A line for each entry ------------------------------------------------------------------- */

static pc_status begin_pairs(pc_writer *writer)
{
    static const char names[] = "from\tto\t";
    pc_status status = pci_writer_put(writer, names, sizeof names - 1);
    if (status == PC_OK)
        status = pci_writer_put(writer, writer->entry, strlen(writer->entry));
    return status == PC_OK ? pci_writer_put(writer, "\n", 1) : status;
}

static size_t pair_bytes(const pc_writer *writer)
{
    return writer->rows.longest_bytes + writer->columns.longest_bytes + entry_bytes(writer) + 2;
}

static void make_pairs(const pc_writer *writer, pci_writer_chunk *chunk)
{
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        uint64_t row = e / writer->n_columns, column = e % writer->n_columns;
        if (pci_writer_is_zero(chunk->rows, e))
            continue;
        next += pci_writer_label(&writer->rows, chunk->rows->first_row + row, next);
        *next++ = '\t';
        next += pci_writer_label(&writer->columns, column, next);
        *next++ = '\t';
        next += pci_rows_entry_text(chunk->rows, e, next);
        *next++ = '\n';
    }
    chunk->n_bytes = (size_t)(next - chunk->bytes);
}

const pci_writer_format pci_format_pairs = {
    .extension = ".pairs",
    .escape = pci_escape_tsv,
    .begin = begin_pairs,
    .entry_bytes = pair_bytes,
    .make = make_pairs,
};
