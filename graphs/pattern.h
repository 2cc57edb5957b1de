/* Patterns of labels, such as A B* (C|D), as deterministic automata. */
#ifndef PCI_PATTERN_H
#define PCI_PATTERN_H

#include "graphs/labels.h"

enum { PCI_MOST_STATES = 4096 };

#define PCI_NO_STATE UINT32_MAX

/* Labels that the pattern does not name are in class 0; any other label has a class of its own. */
typedef struct pci_automaton {
    uint32_t n_states, n_classes;
    uint32_t *class_of; /* [n_labels] */
    uint32_t *next;     /* [n_states][n_classes] or PCI_NO_STATE; a word begins in state 0 */
    uint8_t *accepts;   /* [n_states] */
} pci_automaton;

/* PC_ERR_ARGUMENT, with the position, for a pattern that is none, names a label that is not there, or is too large;
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_pattern_compile(pc_context *context, const char *pattern, const pci_names *labels,
                              pci_automaton *automaton);
void pci_automaton_free(pc_context *context, pci_automaton *automaton);

#endif
