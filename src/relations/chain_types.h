/* Types of the positions of a chain. Position 0 is the rows of the first factor, position f + 1 the columns of factor f
 * and the rows of the next one. Only positions of one type have vertices in common. */
#ifndef PCI_CHAIN_TYPES_H
#define PCI_CHAIN_TYPES_H

#include "src/relations/chain.h"

/* All zero at first. */
typedef struct pci_chain_types {
    uint32_t n_types;
    uint8_t type[PCI_MAX_FACTORS + 1];       /* of a position */
    uint64_t n_of_type[PCI_MAX_FACTORS + 1]; /* vertices */
    /* The vertices that the rows (2 f) and the columns (2 f + 1) of factor f are. */
    uint32_t *number[2 * PCI_MAX_FACTORS];
} pci_chain_types;

/* Finds the types by name, or by label where names is NULL. All are different unless is_simple. PC_ERR_DATA when two
 * positions have some labels in common, but not all; PC_ERR_ARGUMENT, PC_ERR_MEMORY. The caller frees the types also after
 * a failure. */
pc_status pci_chain_types_create(const pc_chain *chain, bool is_simple, const char *const *names,
                                 pci_chain_types *types);
void pci_chain_types_free(pc_context *context, pci_chain_types *types);

#endif
