/* Labels of two objects side by side: copied, compared, matched. What counts is their text, whether
 * they are kept as integers or as names. */
#ifndef PCI_LABEL_MATCH_H
#define PCI_LABEL_MATCH_H

#include "graphs/labels.h"

#define PCI_NO_PARTNER UINT32_MAX

/* The labels that keep[label] is not 0 for, all of them when keep is NULL, in their order. */
pc_status pci_labels_select(pc_context *context, const pci_labels *labels,
                            const unsigned char *keep, pci_labels *selected);

/* The same texts in the same order. */
bool pci_labels_equal(const pci_labels *a, const pci_labels *b);

/* partner[i] = the number in to of label i of from, or PCI_NO_PARTNER. */
void pci_labels_match(const pci_labels *from, const pci_labels *to, uint32_t *partner);

#endif
