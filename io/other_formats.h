/* Formats that are no edge list. A file in one of them is named and refused, instead of being read
 * as wrong edges. Formats are recognised by the first lines of the file, or by its name. */
#ifndef PCI_OTHER_FORMATS_H
#define PCI_OTHER_FORMATS_H

#include "io/input.h"

/* The first whole lines of a file. */
typedef struct pci_head {
    const char *begin, *end;
    bool is_whole; /* there are no more */
} pci_head;

/* The next line from *at on, without its end and the blanks around it; *at moves to the line after
 * it. False at the end of the head. */
bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end);

/* The next line that is neither blank nor a comment. */
bool pci_head_data_line(const pci_head *head, const char **at, const char **begin,
                        const char **end);

/* PC_ERR_DATA when the text from begin on is in a format of igraph, by its first words or by the
 * name of its file. */
pc_status pci_refuse_igraph_formats(const pci_input *input, const char *begin);

/* Returns what the file looks like and what to do, as the end of the sentence "this looks like
 * ...", and sets *where. NULL when it may be an edge list. The formats of igraph have been refused
 * before. */
const char *pci_other_format_find(const pci_head *head, const char **where);

#endif
