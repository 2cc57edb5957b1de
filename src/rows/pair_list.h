/* The largest counts and where they are: a list of at most PC_SUMMARY_PAIRS pairs, ordered by count
 * descending, then from, then to. A count is known by its key, an integer of n_limbs words. */
#ifndef PCI_PAIR_LIST_H
#define PCI_PAIR_LIST_H

#include "src/core/context.h"

typedef struct pci_pair_list {
    uint32_t n_pairs;
    uint32_t n_limbs;
    uint64_t from[PC_SUMMARY_PAIRS];
    uint64_t to[PC_SUMMARY_PAIRS];
    uint64_t *keys; /* [PC_SUMMARY_PAIRS][n_limbs], zero from n_pairs on; memory of the owner's */
} pci_pair_list;

static inline const uint64_t *pci_pair_list_key(const pci_pair_list *list, uint32_t i)
{
    return list->keys + (size_t)i * list->n_limbs;
}

/* The value that a key must exceed to enter the list: the last key of a full list, else zero. Pairs
 * must be offered in order of from and to. */
static inline const uint64_t *pci_pair_list_floor(const pci_pair_list *list)
{
    return pci_pair_list_key(list, PC_SUMMARY_PAIRS - 1);
}

/* Takes the pair in when its key is not zero and it is among the first of the order. */
void pci_pair_list_offer(pci_pair_list *list, const uint64_t *key, uint64_t from, uint64_t to);

#endif
