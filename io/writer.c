/* Writers from opening to commit: the name of a file chooses its format and packing. */
#include "io/writer_chunks.h"

#include "graphs/file_format.h"
#include "io/labels_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMED = 64 };

static const pci_writer_format *const formats[] = {
    &pci_format_tsv, &pci_format_csv, &pci_format_pairs, &pci_format_mtx,
    &pci_format_npy, &pci_format_npz, &pci_format_json,
};

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

/* Escapes the labels where the format wants it. A file of other labels is replaced even where the
 * labels are implied. */
static pc_status make_labels(pc_writer *writer, const pc_frame *frame)
{
    const pci_writer_format *format = writer->format;
    if (format->labels_apart &&
        !(writer->labels_path = pci_labels_path(writer->context, writer->path)))
        return PC_ERR_MEMORY;
    writer->has_labels = !are_implied(format, frame->rows) ||
                         !are_implied(format, frame->columns) ||
                         (writer->labels_path && access(writer->labels_path, F_OK) == 0);
    if (!format->escape)
        return PC_OK;
    pc_status status = pci_writer_labels_make(writer, frame->rows, &writer->rows);
    if (writer->same_labels)
        writer->columns = writer->rows;
    else if (status == PC_OK)
        status = pci_writer_labels_make(writer, frame->columns, &writer->columns);
    return status;
}

/* The file of labels beside one that has no place for them. */
static pc_status write_labels(pc_writer *writer, const pc_frame *frame)
{
    if (!writer->labels_path || !writer->has_labels)
        return PC_OK;
    pc_status status =
        pci_file_open(writer->context, writer->labels_path, PCI_PACK_NONE, &writer->labels);
    if (status != PC_OK)
        return status;
    pci_labels_put(&writer->labels, frame->rows, NULL);
    if (!writer->same_labels)
        pci_labels_put(&writer->labels, frame->columns, NULL);
    return pci_file_flush(&writer->labels);
}

static pc_status stack_rows(pc_writer *writer)
{
    if (writer->n_matrices == 0)
        return PC_OK;
    if (!writer->format->has_stacks)
        return pci_fail(writer->context, PC_ERR_ARGUMENT,
                        "'%s' is to hold several matrices, which only .npy can", writer->path);
    return __builtin_mul_overflow(writer->n_matrices, writer->n_rows_each, &writer->n_rows)
               ? pci_fail(writer->context, PC_ERR_RANGE, "'%s' is to have 2^64 rows or more",
                          writer->path)
               : PC_OK;
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
    made->context = context;
    made->format = format;
    made->n_matrices = frame->n_matrices;
    made->n_rows = made->n_rows_each = pc_labels_count(frame->rows);
    made->n_columns = pc_labels_count(frame->columns);
    made->same_labels = frame->rows == frame->columns;
    made->n_limbs = frame->n_limbs;
    made->symmetric = frame->symmetric;
    made->means = frame->means;
    memcpy(made->path, path, path_bytes);
    if ((status = stack_rows(made)) || (status = make_labels(made, frame)) ||
        (status = pci_file_open(context, made->path, packing, &made->file)) ||
        (status = format->begin(made, frame)) || (status = write_labels(made, frame)))
        pc_writer_free(made);
    else
        *writer = made;
    return status;
}

static pc_status finish(pc_writer *writer)
{
    pc_status status = pci_writer_check(writer);
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
    return status;
}

pc_status pc_writer_finish(pc_writer *writer, int *descriptor)
{
    if (!writer || !descriptor)
        return pci_fail_null(writer ? writer->context : NULL, "descriptor");
    pc_status status = finish(writer);
    if (status == PC_OK)
        *descriptor = pc_output_descriptor(writer->file.output);
    return status;
}

pc_status pc_writer_commit(pc_writer *writer)
{
    if (!writer)
        return PC_ERR_ARGUMENT;
    pc_status status = finish(writer);
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
    pci_writer_labels_free(context, &writer->rows);
    if (!writer->same_labels)
        pci_writer_labels_free(context, &writer->columns);
    pci_free(context, writer->row_entries);
    pci_free(context, writer->labels_path);
    pci_free(context, writer);
}
