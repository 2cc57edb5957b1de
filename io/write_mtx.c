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

/* The header, of the same length for any number of entries; about has no line feed that would end
 * its comment. */
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
        "%s%s%s%s%.*s%s"
        "%" PRIu64 " %" PRIu64 " %20" PRIu64 "\n",
        are_integers ? "integer" : "real", writer->symmetric ? "symmetric" : "general",
        are_integers ? "% " : "", are_integers ? comment : "", are_integers ? "\n" : "",
        *about ? "% " : "", length < MAX_ABOUT ? length : MAX_ABOUT, about, *about ? "\n" : "",
        writer->n_rows, writer->n_columns, writer->n_written);
}

static pc_status begin_mtx(pc_writer *writer)
{
    char header[HEADER_BYTES];
    if (pci_packed_output_packs(&writer->file))
        return PC_OK;
    return pci_writer_put(writer, header, make_header(writer, header));
}

static pc_status end_packed(pc_writer *writer, const char *header, size_t header_bytes)
{
    pci_packed_output *file = &writer->file;
    pc_status status = pci_packed_output_finish(file);
    if (status != PC_OK)
        return status;
    pc_output *entries = file->output;
    status = pc_output_open(writer->context, writer->path, &file->output);
    if (status != PC_OK)
        return status;
    status = pci_packed_output_write(file, header, header_bytes);
    if (status == PC_OK)
        status = pci_packed_output_finish(file);
    if (status == PC_OK)
        status = pci_output_append(file->output, entries);
    pc_output_free(entries);
    return status;
}

static pc_status end_mtx(pc_writer *writer)
{
    char header[HEADER_BYTES];
    size_t header_bytes = make_header(writer, header);
    if (pci_packed_output_packs(&writer->file))
        return end_packed(writer, header, header_bytes);
    return pci_output_patch(writer->file.output, 0, header, header_bytes);
}

static size_t entry_bytes(const pc_writer *writer)
{
    return 2 * (PCI_U64_TEXT_BYTES + 1) +
           pci_rows_entry_text_bytes(writer->n_limbs, writer->means) + 1;
}

static bool is_zero(const pc_rows *rows, uint64_t e)
{
    return rows->limbs ? pci_number_trim(pci_rows_entry(rows, e), rows->n_limbs) == 0
                       : rows->values[e] == 0;
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
        if (!is_zero(rows, e) && !(writer->symmetric && column > row)) {
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
    .begin = begin_mtx,
    .end = end_mtx,
    .check = check_mtx,
    .entry_bytes = entry_bytes,
    .make = make_mtx,
};
