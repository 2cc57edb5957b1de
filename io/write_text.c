/* Matrices as text.
 *
 * Tables, .tsv and .csv: the first line and the first column are the labels. Labels in .tsv have
 * \t, \n, \r and \\ for a tab, line feed, carriage return and backslash; labels in .csv are quoted
 * where they need to be. JSON is a table as well: {"labels": [...], "rows": [[...], ...]}, a line
 * for each row. There counts are strings, since most readers of JSON turn numbers into doubles.
 *
 * A line for each entry that is not 0, .pairs and .mtx: .pairs names the vertices. Matrix Market
 * (.mtx) has their numbers, and of an undirected graph only the lower triangle. */
#include "io/sample.h"
#include "io/writer.h"
#include "src/core/number.h"
#include "src/rows/counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SIZES_BYTES = 80, MAX_ABOUT = 300, AROUND_ENTRY = 4 /* quotes, separators, line ends */ };

/* ---- Labels ---------------------------------------------------------------------------------- */

static size_t escape_csv(const char *label, size_t length, char *text)
{
    size_t used = 0;
    bool quotes = length == 0 || label[0] == ' ' || label[length - 1] == ' ';
    for (size_t i = 0; i < length && !quotes; i++)
        quotes = memchr("\",\n\r", label[i], 4) != NULL;
    if (quotes)
        text[used++] = '"';
    for (size_t i = 0; i < length; i++) {
        if (label[i] == '"')
            text[used++] = '"';
        text[used++] = label[i];
    }
    if (quotes)
        text[used++] = '"';
    return used;
}

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
    static const char hex[] = "0123456789abcdef";
    size_t used = 0;
    text[used++] = '"';
    for (size_t i = 0, step; i < length; i += step) {
        unsigned char byte = (unsigned char)label[i];
        step = utf8_length((const unsigned char *)label + i, length - i);
        if (step == 0)
            return SIZE_MAX;
        if (byte < 0x20) {
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

/* ---- Heads and ends -------------------------------------------------------------------------- */

/* Writes all labels, with a text before the first one and one between them. */
static void put_labels(pc_writer *writer, const pci_writer_labels *labels, const char *before,
                       const char *between)
{
    for (uint64_t i = 0; i < labels->n && writer->file.status == PC_OK; i++) {
        pci_file_put_text(&writer->file, i == 0 ? before : between);
        pci_file_put(&writer->file, labels->text + labels->start[i],
                     labels->start[i + 1] - labels->start[i]);
        pci_file_advance(&writer->file);
    }
}

/* The header line: an empty corner, then the labels. */
static pc_status begin_table(pc_writer *writer)
{
    const char separator[] = {writer->format->separator, 0};
    put_labels(writer, &writer->columns, separator, separator);
    pci_file_put(&writer->file, "\n", 1);
    return writer->file.status;
}

static pc_status begin_json(pc_writer *writer)
{
    pci_file *file = &writer->file;
    pci_file_put_text(file, writer->same_labels ? "{\"labels\": [" : "{\"row_labels\": [");
    put_labels(writer, &writer->rows, "", ", ");
    if (!writer->same_labels) {
        pci_file_put_text(file, "],\n\"column_labels\": [");
        put_labels(writer, &writer->columns, "", ", ");
    }
    pci_file_put_text(file, "],\n\"rows\": [");
    return file->status;
}

static pc_status end_json(pc_writer *writer)
{
    pci_file_put_text(&writer->file, "\n]}\n");
    return writer->file.status;
}

static pc_status begin_pairs(pc_writer *writer)
{
    const char *entry = writer->frame->entry;
    pci_file_put_text(&writer->file, "from\tto\t");
    pci_file_put_text(&writer->file, entry ? entry : "paths");
    pci_file_put(&writer->file, "\n", 1);
    return writer->file.status;
}

/* The line of sizes has the same length for any number of entries, which is known last. A plain
 * file is patched at the end. A packed one gets the line at the end, and behind it the entries,
 * which were packed apart. */
static size_t make_sizes(const pc_writer *writer, char text[SIZES_BYTES])
{
    return (size_t)snprintf(text, SIZES_BYTES, "%" PRIu64 " %" PRIu64 " %20" PRIu64 "\n",
                            writer->n_rows, writer->n_columns, writer->n_written);
}

static pc_status begin_mtx(pc_writer *writer)
{
    const pc_frame *frame = writer->frame;
    pci_file *file = &writer->file;
    char text[PCI_HEAD_COMMENT_BYTES + SIZES_BYTES];
    bool are_integers = writer->n_limbs && !writer->means;
    pci_file_put_text(file, "%%MatrixMarket matrix coordinate ");
    pci_file_put_text(file, are_integers ? "integer" : "real");
    pci_file_put_text(file, writer->symmetric ? " symmetric\n" : " general\n");
    if (are_integers) {
        pci_head_comment_text(&(pci_head_comment){.weights = true}, text);
        pci_file_put_text(file, "% ");
        pci_file_put_text(file, text);
        pci_file_put(file, "\n", 1);
    }
    if (frame->about && *frame->about) { /* one line, or it would end the comment */
        size_t length = strcspn(frame->about, "\n");
        pci_file_put_text(file, "% ");
        pci_file_put(file, frame->about, length < MAX_ABOUT ? length : MAX_ABOUT);
        pci_file_put(file, "\n", 1);
    }
    if (writer->has_labels)
        pci_labels_put(file, frame->rows, writer->same_labels ? "% label" : "% row");
    if (writer->has_labels && !writer->same_labels)
        pci_labels_put(file, frame->columns, "% column");
    if (file->status == PC_OK && file->packer.packing != PCI_PACK_NONE)
        return pci_file_open(writer->context, writer->path, file->packer.packing, &writer->apart);
    writer->patch_at = file->n_put;
    pci_file_put(file, text, make_sizes(writer, text));
    return file->status;
}

static pc_status end_mtx(pc_writer *writer)
{
    pci_file *file = &writer->file;
    char sizes[SIZES_BYTES];
    size_t n_bytes = make_sizes(writer, sizes);
    if (writer->apart.output)
        pci_file_put(file, sizes, n_bytes);
    pc_status status = pci_file_flush(file);
    if (status == PC_OK && !writer->apart.output)
        return pci_output_patch(file->output, writer->patch_at, sizes, n_bytes);
    if (status == PC_OK)
        status = pci_file_flush(&writer->apart);
    return status == PC_OK ? pci_output_append(file->output, writer->apart.output) : status;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static size_t entry_bytes(const pc_writer *writer)
{
    size_t place_bytes = writer->format == &pci_format_mtx ? 2 * PCI_U64_TEXT_BYTES
                         : writer->format == &pci_format_pairs
                             ? writer->rows.longest_bytes + writer->columns.longest_bytes
                             : 0;
    return place_bytes + pci_rows_entry_text_bytes(writer->n_limbs, writer->means) + AROUND_ENTRY;
}

/* Copies a label; returns its length. */
static size_t put_label(const pci_writer_labels *labels, uint64_t index, char *text)
{
    uint64_t start = labels->start[index];
    size_t length = labels->start[index + 1] - start;
    memcpy(text, labels->text + start, length);
    return length;
}

static size_t begin_row(const pc_writer *writer, uint64_t row, char *text)
{
    if (writer->format != &pci_format_json)
        return put_label(&writer->rows, row, text);
    memcpy(text, row > 0 ? ",\n[" : "\n[", row > 0 ? 3 : 2);
    return row > 0 ? 3 : 2;
}

static size_t bare_row(const pc_writer *writer, uint64_t row, char *text)
{
    size_t length = begin_row(writer, row, text);
    text[length++] = writer->format == &pci_format_json ? ']' : '\n';
    return length;
}

static void make_table(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const bool is_json = writer->format == &pci_format_json;
    const char separator = writer->format->separator;
    uint64_t row = chunk->rows->first_row + chunk->first / writer->n_columns;
    uint64_t column = chunk->first % writer->n_columns;
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (column == 0)
            next += begin_row(writer, row, next);
        if (!is_json || column > 0) /* the label of a row stands before its first entry */
            *next++ = separator;
        if (is_json && column > 0)
            *next++ = ' ';
        if (is_json)
            *next++ = '"';
        next += pci_rows_entry_text(chunk->rows, e, next);
        if (is_json)
            *next++ = '"';
        if (++column == writer->n_columns) {
            *next++ = is_json ? ']' : '\n';
            column = 0;
            row++;
        }
    }
    chunk->n_bytes = (size_t)(next - chunk->bytes);
}

static void make_lines(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const pc_rows *rows = chunk->rows;
    const bool is_mtx = writer->format == &pci_format_mtx;
    const char separator = writer->format->separator;
    uint64_t row = rows->first_row + chunk->first / writer->n_columns;
    uint64_t column = chunk->first % writer->n_columns;
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (!pci_writer_is_zero(rows, e) && !(is_mtx && writer->symmetric && column > row)) {
            next +=
                is_mtx ? pci_number_u64_text(row + 1, next) : put_label(&writer->rows, row, next);
            *next++ = separator;
            next += is_mtx ? pci_number_u64_text(column + 1, next)
                           : put_label(&writer->columns, column, next);
            *next++ = separator;
            next += is_mtx && writer->means
                        ? pci_number_double_text(pci_mean_double(rows, e), 0, next)
                        : pci_rows_entry_text(rows, e, next);
            *next++ = '\n';
            chunk->n_written++;
        }
        if (++column == writer->n_columns) {
            column = 0;
            row++;
        }
    }
    chunk->n_bytes = (size_t)(next - chunk->bytes);
}

const pci_writer_format pci_format_tsv = {
    .extension = ".tsv",
    .escape = pci_escape_tsv,
    .separator = '\t',
    .begin = begin_table,
    .entry_bytes = entry_bytes,
    .make = make_table,
    .bare_row = bare_row,
};

const pci_writer_format pci_format_csv = {
    .extension = ".csv",
    .escape = escape_csv,
    .separator = ',',
    .begin = begin_table,
    .entry_bytes = entry_bytes,
    .make = make_table,
    .bare_row = bare_row,
};

const pci_writer_format pci_format_json = {
    .extension = ".json",
    .escape = escape_json,
    .separator = ',',
    .begin = begin_json,
    .end = end_json,
    .entry_bytes = entry_bytes,
    .make = make_table,
    .bare_row = bare_row,
};

const pci_writer_format pci_format_pairs = {
    .extension = ".pairs",
    .escape = pci_escape_tsv,
    .separator = '\t',
    .begin = begin_pairs,
    .entry_bytes = entry_bytes,
    .make = make_lines,
};

const pci_writer_format pci_format_mtx = {
    .extension = ".mtx",
    .first_index = 1,
    .separator = ' ',
    .finite_means = true, /* which are doubles there, since it knows no fractions */
    .begin = begin_mtx,
    .end = end_mtx,
    .entry_bytes = entry_bytes,
    .make = make_lines,
};
