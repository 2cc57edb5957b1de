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

/* The packing that the ending of a file name stands for; *length becomes that of the name before
 * it. */
pci_packing pci_packing_of(const char *path, size_t *length);

/* Whether the first length bytes of a name end so, with at least one byte before the end. */
bool pci_ends_with(const char *path, size_t length, const char *end);

/* Opens the library that packs so. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_packer_open(pc_context *context, pci_packing packing, pci_packer *packer);

/* Bytes that suffice for any n_bytes packed. */
size_t pci_pack_bound(size_t n_bytes);

/* Packs bytes into packed, which has room for pci_pack_bound(n_bytes). PC_ERR_MEMORY when the
 * packer has none; no message is set. Several threads may pack at once. */
pc_status pci_pack(const pci_packer *packer, const void *bytes, size_t n_bytes, void *packed,
                   size_t *n_packed);

#endif
