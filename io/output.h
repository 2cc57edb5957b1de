/* A file that appears under its name only when it is complete: it is written as a temporary file in
 * the same folder, which takes the name at the end and is removed on failure. A link is followed; a
 * file that is replaced passes its permissions on. */
#ifndef PCI_OUTPUT_H
#define PCI_OUTPUT_H

#include "src/context.h"

typedef struct pci_output pci_output;

/* PC_ERR_CREATE when there can be no such file, PC_ERR_MEMORY. */
pc_status pci_output_open(pc_context *context, const char *path, pci_output **output);

/* PC_ERR_IO on failure, as the functions below. */
pc_status pci_output_write(pci_output *output, const void *bytes, size_t n_bytes);

/* Writes over what stands at offset, within what was written. */
pc_status pci_output_patch(pci_output *output, uint64_t offset, const void *bytes, size_t n_bytes);

/* Adds all that was written to another output. */
pc_status pci_output_append(pci_output *output, const pci_output *from);

/* Gives the file its name; frees the output, whatever the status. */
pc_status pci_output_commit(pci_output *output);

/* Removes the temporary file; accepts NULL. */
void pci_output_free(pci_output *output);

#endif
