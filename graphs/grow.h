/* Arrays that grow by doubling. */
#ifndef PCI_GROW_H
#define PCI_GROW_H

#include "src/core/context.h"

/* Returns items with room for at least n_needed items of item_bytes: the same array when *capacity
 * is enough, else a larger one, to which the first n_used items are copied; the old one is freed.
 * NULL when there is no memory; items is then as before. */
void *pci_grow(pc_context *context, void *items, uint64_t *capacity, uint64_t n_used,
               uint64_t n_needed, size_t item_bytes);

#endif
