/* Recognising formats by the first lines of a file: the tests behind the table in formats.c. A text
 * that may be an edge list is not taken for anything else. */
#ifndef PCI_RECOGNISE_H
#define PCI_RECOGNISE_H

#include "io/sample.h"

/* Returns whether the head is of the format, or of that kind; *where is the line that says so. */
bool pci_is_graphml(const pci_head *head, const char **where);
bool pci_is_gexf(const pci_head *head, const char **where);
bool pci_is_html(const pci_head *head, const char **where);
bool pci_is_xml(const pci_head *head, const char **where);
bool pci_is_gml(const pci_head *head, const char **where);
bool pci_is_dl(const pci_head *head, const char **where);
bool pci_is_json(const pci_head *head, const char **where);
bool pci_is_mermaid(const pci_head *head, const char **where);
bool pci_is_printed_matrix(const pci_head *head, const char **where);
bool pci_is_newick(const pci_head *head, const char **where);
bool pci_is_dot(const pci_head *head, const char **where);
bool pci_is_triples(const pci_head *head, const char **where);
bool pci_is_dimacs(const pci_head *head, const char **where);
bool pci_is_metis(const pci_head *head, const char **where);
bool pci_is_tgf(const pci_head *head, const char **where);

/* Binary files. */
bool pci_is_numpy_archive(const pci_head *head, const char **where);
bool pci_is_serialized(const pci_head *head, const char **where);
bool pci_is_excel(const pci_head *head, const char **where);
bool pci_is_pickle(const pci_head *head, const char **where);
bool pci_is_tar(const pci_head *head, const char **where);

#endif
