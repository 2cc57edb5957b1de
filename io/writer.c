/* Writers from opening to commit: the name of a file chooses its format and packing. */
#include "io/writer.h"

#include "graphs/file_format.h"

#include <inttypes.h>
#include <string.h>

static const pci_writer_format *const formats[] = {
    &pci_format_tsv, &pci_format_csv, &pci_format_mtx, &pci_format_npy, &pci_format_json,
};

/* The format and the packing that a file name asks for. */
static pc_status choose_format(pc_context *context, const char *path,
                               const pci_writer_format **format, pci_packing *packing)
{
    size_t length;
    char endings[PCI_FILE_FORMAT_BYTES];
    *packing = pci_packing_of(path, &length);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (pci_ends_with(path, length, formats[f]->extension)) {
            *format = formats[f];
            return PC_OK;
        }
    }
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "cannot tell the format of '%s': its name must end in %s, and then .gz or "
                    ".zst if it is to be packed",
                    path, pci_file_format_list(false, endings));
}

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
        status = pci_packed_output_open(context, made->path, packing, &made->file);
    if (status == PC_OK)
        status = format->begin(made);
    if (status == PC_OK)
        *writer = made;
    else
        pc_writer_free(made);
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
    if (status == PC_OK && !writer->is_finished)
        status = pci_packed_output_finish(&writer->file);
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
    if (status == PC_OK) {
        status = pc_output_commit(writer->file.output);
        writer->file.output = NULL;
    }
    pc_writer_free(writer);
    return status;
}

void pc_writer_free(pc_writer *writer)
{
    if (!writer)
        return;
    pc_context *context = writer->context;
    pci_packed_output_free(&writer->file);
    pci_writer_labels_free(context, &writer->rows);
    if (!writer->same_labels)
        pci_writer_labels_free(context, &writer->columns);
    pci_free(context, writer->about);
    pci_free(context, writer);
}
