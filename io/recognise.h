/* Recognising formats by the first lines of a file: the tests behind the table in formats.c. A text
 * that may be an edge list is not taken for anything else. */
#ifndef PCI_RECOGNISE_H
#define PCI_RECOGNISE_H

#include "io/input.h"

/* The first whole lines of a file. */
typedef struct pci_head {
    const char *begin, *end;
    bool is_whole; /* there are no more */
} pci_head;

/* The first whole lines from begin on, at most 64 kB; none when the first one is longer. */
pci_head pci_head_of(const pci_input *input, const char *begin);

/* The next line from *at on, without its end and the blanks around it; *at moves to the line after
 * it. False at the end of the head. */
bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end);

/* The next line that is neither blank nor a comment. */
bool pci_head_data_line(const pci_head *head, const char **at, const char **begin,
                        const char **end);

/* Whether the head is of the format, or of that kind; *where is the line that says so. */
bool pci_is_graphml(const pci_head *head, const char **where);
bool pci_is_gexf(const pci_head *head, const char **where);
bool pci_is_html(const pci_head *head, const char **where);
bool pci_is_xml(const pci_head *head, const char **where);
bool pci_is_gml(const pci_head *head, const char **where);
bool pci_is_dl(const pci_head *head, const char **where);
bool pci_is_json(const pci_head *head, const char **where);
bool pci_is_newick(const pci_head *head, const char **where);
bool pci_is_tuples(const pci_head *head, const char **where);
bool pci_is_dot(const pci_head *head, const char **where);
bool pci_is_triples(const pci_head *head, const char **where);
bool pci_is_dimacs(const pci_head *head, const char **where);
bool pci_is_adjacency_list(const pci_head *head, const char **where);
bool pci_is_metis(const pci_head *head, const char **where);
bool pci_is_matrix(const pci_head *head, const char **where);
bool pci_is_tgf(const pci_head *head, const char **where);

/* Binary files. */
bool pci_is_numpy_archive(const pci_head *head, const char **where);
bool pci_is_serialized(const pci_head *head, const char **where);
bool pci_is_excel(const pci_head *head, const char **where);
bool pci_is_pickle(const pci_head *head, const char **where);
bool pci_is_tar(const pci_head *head, const char **where);

#endif
