/* The largest counts and where they are: at most n_most pairs, ordered by count descending, then
 * from, then to. A count is known by its key, an integer of n_key_words words, the last of which
 * weighs most. */
#ifndef PCI_LARGEST_H
#define PCI_LARGEST_H

#include "src/core/context.h"

typedef struct pci_largest {
    uint64_t n_most, n;
    uint32_t n_key_words;
    uint64_t *entries; /* [n_most][n_key_words + 2]: key, from, to; a heap, the least of them first.
                          One more, of zeros, follows */
} pci_largest;

/* n_most > 0. Memory is touched only as pairs come. PC_ERR_MEMORY without a message. */
pc_status pci_largest_init(pc_context *context, uint32_t n_key_words, uint64_t n_most,
                           pci_largest *largest);
void pci_largest_free(pc_context *context, pci_largest *largest);

/* The key that a pair must exceed to be taken in: that of the least pair, or zero while there is
 * room. Valid until the next offer. A pair with this very key is taken in if its place is before
 * that of the least pair. */
const uint64_t *pci_largest_floor(const pci_largest *largest);

/* Takes a pair in when its key is not zero and it is among the first n_most. */
void pci_largest_offer(pci_largest *largest, const uint64_t *key, uint64_t from, uint64_t to);

/* Takes the pairs of another list in, and makes that one empty. */
void pci_largest_merge(pci_largest *into, pci_largest *from);

/* Puts the pairs in order, for pci_largest_get; others may be offered later. */
void pci_largest_sort(pci_largest *largest);

/* Key, from and to of pair i < n, the largest first. */
const uint64_t *pci_largest_get(const pci_largest *largest, uint64_t i);

#endif
