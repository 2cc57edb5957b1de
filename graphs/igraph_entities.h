/* Entities in the strings of GML, such as &#227; and &atilde; for a letter. igraph knows five of them. */
#ifndef PCI_IGRAPH_ENTITIES_H
#define PCI_IGRAPH_ENTITIES_H

#include "graphs/igraph_scan.h"

/* Replaces numbers and the names of Latin-1 by UTF-8 in a copy that takes the place of the text. The five
 * that igraph knows stay, and so do those that nobody knows. The copy is initialised and may hold the
 * text already. PC_ERR_MEMORY. */
pc_status pci_igraph_decode_entities(pci_igraph_text *text, igraph_vector_char_t *copy);

#endif
