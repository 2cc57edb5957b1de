/* Arrays that grow by doubling. */
#ifndef PCI_GROW_H
#define PCI_GROW_H

#include "src/core/context.h"

/* items, with room for at least n_needed items of item_bytes: the same array when *capacity is
 * enough, else a larger one with the first n_used items copied, and the old one freed. NULL when
 * there is no memory; items is then as before. */
void *pci_grow(pc_context *context, void *items, uint64_t *capacity, uint64_t n_used,
               uint64_t n_needed, size_t item_bytes);

#endif
