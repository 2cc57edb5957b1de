/* Entities of XML and GML, such as &amp; and &#227;, which become UTF-8. */
#ifndef PCI_ENTITIES_H
#define PCI_ENTITIES_H

#include "io/collect.h"

/* The texts that had entities. All zero before the first. */
typedef struct pci_entities {
    char *bytes; /* as many as the input has: no text grows */
    size_t n_used;
} pci_entities;

/* Replaces a text of the input that has entities by one without. An entity of a name that has no meaning stays, and
 * *unknown points to the first one in the input; NULL: there is none. with_latin1: names of letters, &atilde;, have a
 * meaning as in HTML. PC_ERR_MEMORY. */
pc_status pci_entities_decode(const pci_input *input, pci_entities *entities, bool with_latin1,
                              pci_word *text, const char **unknown);
void pci_entities_free(const pci_input *input, pci_entities *entities);

#endif
