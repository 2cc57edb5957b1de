/* Files of other kinds that an edge list's reader could take for edges without a sign. */
#ifndef PCI_LOOK_ALIKE_H
#define PCI_LOOK_ALIKE_H

#include <stdbool.h>
#include <stddef.h>

/* The first whole lines of a file. */
typedef struct pci_head {
    const char *begin, *end;
    bool is_whole; /* there are no more */
} pci_head;

/* The next line from *at on, without its end, blanks before and blanks behind it; *at moves behind its
 * end. false at the end of the head. */
bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end);

/* The next line that is neither blank nor a comment. */
bool pci_head_data_line(const pci_head *head, const char **at, const char **begin,
                        const char **end);

/* What the file looks like and what to do, as the rest of the sentence "this looks like ...", and where;
 * NULL when it may well be an edge list. */
const char *pci_look_alike_find(const pci_head *head, const char **where);

#endif
