/* Matrix Market, coordinate format. Entries that are zero are left out; of an undirected graph only
 * the lower triangle is written. The size line has the number of entries, which is known last. In a
 * plain file it is overwritten at the end. A packed file is joined at the end from the header and
 * the entries. */
#include "io/head_comment.h"
#include "io/writer.h"
#include "src/rows/counts.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_BYTES = 512, MAX_ABOUT = 300 };

/* The lines before the labels; about has no line feed that would end its comment. */
static size_t make_header(const pc_writer *writer, char text[HEADER_BYTES])
{
    const char *about = writer->about ? writer->about : "";
    char comment[PCI_HEAD_COMMENT_BYTES];
    int length = (int)strcspn(about, "\n");
    bool are_integers = writer->n_limbs && !writer->means;
    pci_head_comment_text(&(pci_head_comment){.weights = true}, comment);
    return (size_t)snprintf(
        text, HEADER_BYTES,
        "%%%%MatrixMarket matrix coordinate %s %s\n"
        "%s%s%s%s%.*s%s",
        are_integers ? "integer" : "real", writer->symmetric ? "symmetric" : "general",
        are_integers ? "% " : "", are_integers ? comment : "", are_integers ? "\n" : "",
        *about ? "% " : "", length < MAX_ABOUT ? length : MAX_ABOUT, about, *about ? "\n" : "");
}

/* Of the same length for any number of entries. */
static size_t make_sizes(const pc_writer *writer, char text[HEADER_BYTES])
{
    return (size_t)snprintf(text, HEADER_BYTES, "%" PRIu64 " %" PRIu64 " %20" PRIu64 "\n",
                            writer->n_rows, writer->n_columns, writer->n_written);
}

/* Writes what stands before the line of sizes, and counts its bytes. */
static pc_status put(pc_writer *writer, const char *text, size_t n_bytes)
{
    writer->patch_at += n_bytes;
    return pci_packed_output_write(&writer->file, text, n_bytes);
}

static pc_status put_labels(pc_writer *writer, const pci_writer_labels *labels, const char *before)
{
    char *text = NULL;
    size_t n_bytes;
    pc_status status = pci_writer_label_lines(writer, labels, before, &text, &n_bytes);
    if (status == PC_OK)
        status = put(writer, text, n_bytes);
    pci_free(writer->context, text);
    return status;
}

/* All that stands before the entries. */
static pc_status put_head(pc_writer *writer)
{
    char text[HEADER_BYTES];
    writer->patch_at = 0;
    pc_status status = put(writer, text, make_header(writer, text));
    if (status == PC_OK && writer->has_labels)
        status = put_labels(writer, &writer->rows, writer->same_labels ? "% label" : "% row");
    if (status == PC_OK && writer->has_labels && !writer->same_labels)
        status = put_labels(writer, &writer->columns, "% column");
    return status == PC_OK ? pci_packed_output_write(&writer->file, text, make_sizes(writer, text))
                           : status;
}

static pc_status begin_mtx(pc_writer *writer)
{
    return pci_packed_output_packs(&writer->file) ? PC_OK : put_head(writer);
}

static pc_status end_packed(pc_writer *writer)
{
    pci_packed_output *file = &writer->file;
    pc_status status = pci_packed_output_finish(file);
    if (status != PC_OK)
        return status;
    pc_output *entries = file->output;
    status = pc_output_open(writer->context, writer->path, &file->output);
    if (status != PC_OK)
        return status;
    status = put_head(writer);
    if (status == PC_OK)
        status = pci_packed_output_finish(file);
    if (status == PC_OK)
        status = pci_output_append(file->output, entries);
    pc_output_free(entries);
    return status;
}

static pc_status end_mtx(pc_writer *writer)
{
    char sizes[HEADER_BYTES];
    if (pci_packed_output_packs(&writer->file))
        return end_packed(writer);
    return pci_output_patch(writer->file.output, writer->patch_at, sizes,
                            make_sizes(writer, sizes));
}

static size_t entry_bytes(const pc_writer *writer)
{
    return 2 * (PCI_U64_TEXT_BYTES + 1) +
           pci_rows_entry_text_bytes(writer->n_limbs, writer->means) + 1;
}

/* Matrix Market knows no fractions. */
static size_t entry_text(const pc_rows *rows, uint64_t e, char *text)
{
    return pci_rows_are_means(rows) ? pci_number_double_text(pci_mean_double(rows, e), 0, text)
                                    : pci_rows_entry_text(rows, e, text);
}

static pc_status check_mtx(const pc_writer *writer, const pc_rows *rows)
{
    uint64_t n_entries = writer->means ? rows->n_rows * rows->n_columns : 0;
    for (uint64_t e = 0; e < n_entries; e++)
        if (isinf(pci_mean_double(rows, e)))
            return pci_fail(writer->context, PC_ERR_RANGE,
                            "a mean is too large for a double, which is what .mtx holds: write "
                            ".tsv, .csv or .json");
    return PC_OK;
}

static void make_mtx(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const pc_rows *rows = chunk->rows;
    uint64_t row = rows->first_row + chunk->first / writer->n_columns,
             column = chunk->first % writer->n_columns;
    char *next = chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (!pci_writer_is_zero(rows, e) && !(writer->symmetric && column > row)) {
            next += pci_number_u64_text(row + 1, next);
            *next++ = ' ';
            next += pci_number_u64_text(column + 1, next);
            *next++ = ' ';
            next += entry_text(rows, e, next);
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

const pci_writer_format pci_format_mtx = {
    .extension = ".mtx",
    .escape = pci_escape_tsv,
    .has_indices = true,
    .first_index = 1,
    .begin = begin_mtx,
    .end = end_mtx,
    .check = check_mtx,
    .entry_bytes = entry_bytes,
    .make = make_mtx,
};
