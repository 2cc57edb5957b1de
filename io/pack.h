/* Packing a file in pieces: each becomes a gzip member or zstd frame of its own. The packed file is
 * their concatenation, as both formats allow. So several threads can pack. */
#ifndef PCI_PACK_H
#define PCI_PACK_H

#include "src/core/context.h"

typedef enum pci_packing { PCI_PACK_NONE = 0, PCI_PACK_GZIP, PCI_PACK_ZSTD } pci_packing;

enum { PCI_PACK_FUNCTIONS = 5 };

/* A way to pack. All zero: none. */
typedef struct pci_packer {
    pci_packing packing;
    void *function[PCI_PACK_FUNCTIONS];
} pci_packer;

/* What a file of that name is written as; NULL when its name does not say so. */
const pc_file_format *pci_written_format(const char *path, pci_packing *packing);

/* Opens the library that packs so. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_packer_open(pc_context *context, pci_packing packing, pci_packer *packer);

/* Bytes that suffice for any n_bytes packed. */
size_t pci_pack_bound(size_t n_bytes);

/* Packs bytes into packed, which has room for pci_pack_bound(n_bytes). PC_ERR_MEMORY when the
 * packer has none; no message is set. Several threads may pack at once. */
pc_status pci_pack(const pci_packer *packer, const void *bytes, size_t n_bytes, void *packed,
                   size_t *n_packed);

#endif
