/* Messages about a file from igraph and its parsers, in plain words. */
#ifndef PCI_IGRAPH_WORDS_H
#define PCI_IGRAPH_WORDS_H

enum { PCI_IGRAPH_WORDS_BYTES = 320 };

/* The words for a message about a file of the format of that name ("gml"): the message itself when it
 * is no known one, static storage, or text. */
const char *pci_igraph_words(const char *format, const char *message,
                             char text[PCI_IGRAPH_WORDS_BYTES]);

#endif
