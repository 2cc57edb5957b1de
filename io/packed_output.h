/* The file that a writer writes to, packed or not. What is to be packed is gathered and cut into slices of
 * the same size, each of which becomes a member or frame of its own. So several threads pack, and the bytes
 * of the file depend neither on their number nor on the pieces in which the text came. */
#ifndef PCI_PACKED_OUTPUT_H
#define PCI_PACKED_OUTPUT_H

#include "io/output.h"
#include "io/pack.h"

/* All zero: not open. */
typedef struct pci_packed_output {
    pc_context *context;
    pc_output *output;
    const char *path; /* for messages */
    pci_packer packer;
    char *text; /* [room_bytes] gathered */
    size_t n_bytes, room_bytes;
} pci_packed_output;

/* path must outlive it. As pc_output_open, and PC_ERR_ENGINE. */
pc_status pci_packed_output_open(pc_context *context, const char *path, pci_packing packing,
                                 pci_packed_output *made);
void pci_packed_output_free(pci_packed_output *to);

static inline bool pci_packed_output_packs(const pci_packed_output *to)
{
    return to->packer.packing != PCI_PACK_NONE;
}

/* Adds bytes. PC_ERR_IO, PC_ERR_MEMORY. */
pc_status pci_packed_output_write(pci_packed_output *to, const void *bytes, size_t n_bytes);

/* Packs and writes what was gathered when that is work for all threads. Not within a parallel
 * region. */
pc_status pci_packed_output_advance(pci_packed_output *to);

/* Packs and writes all that was gathered. */
pc_status pci_packed_output_finish(pci_packed_output *to);

#endif
