/* Names: a set of strings numbered 0, 1, 2, ... by first appearance, found by hashing. */
#ifndef PCI_NAMES_H
#define PCI_NAMES_H

#include "src/core/context.h"

typedef struct pci_name_slot {
    uint32_t hash;
    uint32_t number_plus_1; /* 0: the slot is free */
} pci_name_slot;

/* All zero is the empty set. Name i is text[start[i]] .. text[start[i + 1] - 1]. */
typedef struct pci_names {
    uint64_t n; /* at most 2^32-1 */
    uint64_t n_slots;
    pci_name_slot *slots;
    uint64_t *start;
    char *text;
    uint64_t start_capacity;
    uint64_t text_capacity;
} pci_names;

/* Gives the number of a name, which is added when it is new. PC_ERR_MEMORY or PC_ERR_RANGE (there
 * are 2^32-1 names) without a message, since threads may call this at once, each with its own
 * set; the set is then as before. */
pc_status pci_names_add(pc_context *context, pci_names *names, const char *text, size_t length,
                        uint32_t *number);

/* The set of n texts, all different, text i with number i. PC_ERR_ARGUMENT when one is NULL or is
 * there twice; the message calls them by singular and plural, such as "block" and "blocks".
 * PC_ERR_MEMORY. */
pc_status pci_names_from_texts(pc_context *context, const char *singular, const char *plural,
                               uint64_t n, const char *const *texts, pci_names *names);

/* False when there is no such name. */
bool pci_names_find(const pci_names *names, const char *text, size_t length, uint32_t *number);

/* Name number, not NUL-terminated; length gets its bytes. */
const char *pci_names_text(const pci_names *names, uint64_t number, size_t *length);

void pci_names_free(pc_context *context, pci_names *names);

#endif
