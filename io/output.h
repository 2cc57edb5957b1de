/* Files that are complete or do not exist: what writers of this library do with the outputs of
 * pc_output_open, and files with a buffer above them. */
#ifndef PCI_OUTPUT_H
#define PCI_OUTPUT_H

#include "tool.h"
#include "src/core/context.h"

/* Overwrites n_bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes);

/* Reads bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_read(const pc_output *output, uint64_t offset, void *bytes, size_t n_bytes);

/* Adds all that was written to another output. PC_ERR_IO. */
pc_status pci_output_append(pc_output *output, const pc_output *from);

/* ---- Files with a buffer --------------------------------------------------------------------- */

/* Files that are written through a buffer, packed or not. Text that is packed is cut into slices
 * of the same size, each of which becomes a gzip member or zstd frame of its own; the file is
 * their concatenation, as both formats allow. So several threads pack, and the bytes of the file
 * depend neither on their number nor on the pieces in which the text came. */

typedef enum pci_packing { PCI_PACK_NONE = 0, PCI_PACK_GZIP, PCI_PACK_ZSTD } pci_packing;

enum { PCI_PACK_FUNCTIONS = 5 };

/* A way to pack. All zero: none. */
typedef struct pci_packer {
    pci_packing packing;
    void *function[PCI_PACK_FUNCTIONS];
} pci_packer;

/* Returns the format that the name of a file asks for; NULL when it asks for none. */
const pc_file_format *pci_written_format(const char *path, pci_packing *packing);

/* A file that is written. After the first failure, whose message is set, the functions below do
 * nothing more, so only the last of several calls has to be looked at. All zero: not open. */
typedef struct pci_file {
    pc_context *context;
    pc_output *output;
    const char *path; /* for messages */
    pci_packer packer;
    pc_status status; /* PC_ERR_IO, PC_ERR_MEMORY; PC_OK: nothing has failed */
    uint64_t n_put;   /* bytes that were put so far, before packing */
    char *text;       /* the buffer: bytes that are not written yet */
    uint64_t n_bytes, room_bytes;
} pci_file;

/* path must outlive the file. PC_ERR_ENGINE, and the errors of pc_output_open. */
pc_status pci_file_open(pc_context *context, const char *path, pci_packing packing, pci_file *file);
void pci_file_free(pci_file *file);

/* Adds bytes, a text, the decimal digits of a number. Many bytes that are not packed are written
 * at once. */
void pci_file_put(pci_file *file, const void *bytes, size_t n_bytes);
void pci_file_put_text(pci_file *file, const char *text);
void pci_file_put_number(pci_file *file, uint64_t number);

/* Writes the buffer when it has enough for one write, or for packing by all threads. Not to be
 * called within a parallel region. */
pc_status pci_file_advance(pci_file *file);

/* Writes the whole buffer. */
pc_status pci_file_flush(pci_file *file);

/* Writes the whole buffer and gives the file its name. The file is free()d whatever the status. */
pc_status pci_file_commit(pci_file *file);

#endif
