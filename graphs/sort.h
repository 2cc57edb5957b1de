/* Arrays: those that grow by doubling, and 64-bit keys that are sorted, with or without a 64-bit companion each. */
#ifndef PCI_SORT_H
#define PCI_SORT_H

#include "src/core/context.h"

/* Returns items with room for at least n_needed items of item_bytes: the same array when *capacity
 * is enough, else a larger one, to which the first n_used items are copied; the old one is freed.
 * NULL when there is no memory; items is then as before. */
void *pci_grow(pc_context *context, void *items, uint64_t *capacity, uint64_t n_used,
               uint64_t n_needed, size_t item_bytes);

/* Keys and their companions; companion is NULL when there are none. */
typedef struct pci_sort_items {
    uint64_t *key;
    uint64_t *companion;
} pci_sort_items;

/* Sorts n items by key, ascending; equal keys keep their order. differing has every bit set in
 * which two keys may differ; fewer bits take less time. spare has room for n items too (with
 * companions if items has them), and holds nothing of use afterwards. */
void pci_sort(pci_sort_items items, pci_sort_items spare, size_t n, uint64_t differing);

/* The bits in which n keys differ. */
uint64_t pci_differing_bits(const uint64_t *key, size_t n);

#endif
