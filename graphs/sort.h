/* Sorting 64-bit keys, with or without a 64-bit companion each. */
#ifndef PCI_SORT_H
#define PCI_SORT_H

#include <stddef.h>
#include <stdint.h>

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
