/* Deciding between the readings of a text. */
#ifndef PCI_DECIDE_H
#define PCI_DECIDE_H

#include "io/readings.h"

#define PCI_KIND(kind) (1u << PCI_##kind)
#define PCI_EDGE_KINDS                                                                             \
    (PCI_KIND(EDGES) | PCI_KIND(EDGES_HEADER) | PCI_KIND(EDGES_SIZES) | PCI_KIND(EDGES_BETWEEN) |  \
     PCI_KIND(EDGES_BEHIND) | PCI_KIND(EDGES_ARROWS) | PCI_KIND(EDGES_LOOSE))
#define PCI_MATRIX_KINDS (PCI_KIND(MATRIX) | PCI_KIND(MATRIX_NAMES))
#define PCI_LIST_KINDS   (PCI_KIND(LISTS) | PCI_KIND(LISTS_DEGREES) | PCI_KIND(LISTS_LINES))
#define PCI_ANY_KIND     (~0u)

/* Returns whether a reading is of one of these kinds. */
static inline bool pci_is_of(const pci_reading *reading, unsigned kinds)
{
    return kinds >> reading->kind & 1;
}

/* Holds a text and the options that say how it is read. */
typedef struct pci_reading_question {
    const pci_input *input;
    const char *begin;
    bool is_relation;
    const pc_graph_options *options;
} pci_reading_question;

/* The first lines and the readings that are left when rules were applied. hash[i] is that of reading i; none are made
 * where one is left. */
typedef struct pci_decision {
    pci_sample sample;
    pci_found found;
    uint64_t hash[PCI_MOST_FOUND];
    bool asks;
} pci_decision;

/* Takes the first lines, finds the readings that options allow, and applies the rules. The sample is freed by the caller
 * where the status is PC_OK. PC_ERR_DATA, PC_ERR_MEMORY. */
pc_status pci_decide(const pci_reading_question *q, const pci_asked *asked, pci_decision *d);

/* Makes hash[i]. PC_ERR_MEMORY. */
pc_status pci_decision_hash(const pci_reading_question *q, pci_decision *d, uint32_t i);

#endif
