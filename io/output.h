/* Files that are complete or do not exist: what writers of this library do with the outputs of
 * pc_output_open, and the temporary files below them. */
#ifndef PCI_OUTPUT_H
#define PCI_OUTPUT_H

#include "tool.h"
#include "src/core/context.h"

#include <sys/types.h>

/* Overwrites n_bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes);

/* Reads bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_read(const pc_output *output, uint64_t offset, void *bytes, size_t n_bytes);

/* Adds all that was written to another output. PC_ERR_IO. */
pc_status pci_output_append(pc_output *output, const pc_output *from);

/* ---- Temporary files ------------------------------------------------------------------------- */

enum { PCI_TEMPORARY_NAME_BYTES = 40 };

/* A file that only its owner may read and write. It has no name where the file system allows
 * that, so that nothing of it remains when the process ends in any way. Elsewhere its name says
 * that it is temporary, and a lock says that its writer is running. */
typedef struct pci_temporary {
    int file;                            /* descriptor */
    char name[PCI_TEMPORARY_NAME_BYTES]; /* in the folder; "": it has none */
    mode_t default_mode; /* the permissions that a new file in the folder gets from umask and ACL */
} pci_temporary;

/* Creates a file in the folder, a descriptor. False with errno. */
bool pci_temporary_create(int folder, pci_temporary *temporary);

/* Gives the file the name target in the folder, and replaces the file that has it. The descriptor
 * stays open. False with errno. */
bool pci_temporary_rename(int folder, pci_temporary *temporary, const char *target);

/* Closes the file, which is removed when it was not renamed. */
void pci_temporary_free(int folder, pci_temporary *temporary);

#endif
