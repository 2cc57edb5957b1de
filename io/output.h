/* What writers of this library do to the files of pc_output_open. */
#ifndef PCI_OUTPUT_H
#define PCI_OUTPUT_H

#include "pathcount_io.h"
#include "src/core/context.h"

/* Overwrites bytes at offset, within what was written. PC_ERR_IO. */
pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes);

/* Reads bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_read(const pc_output *output, uint64_t offset, void *bytes, size_t n_bytes);

/* Adds all that was written to another output. */
pc_status pci_output_append(pc_output *output, const pc_output *from);

#endif
