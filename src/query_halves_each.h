/* Single entries of every length by halves: x_l = A^l e_u of a vertex u and y_l of v tell that
 * A^(2 l)[u][v] = <x_l, y_l> and A^(2 l - 1)[u][v] = <x_(l-1), y_l>. The vectors take half as many
 * steps and are half as wide. */
#ifndef PCI_QUERY_HALVES_EACH_H
#define PCI_QUERY_HALVES_EACH_H

#include "src/query_entries.h"

/* Answers a query with each or up_to that pci_query_has_halves(); by whole lengths where there is
 * no memory for two steps of the vectors. As the functions in src/query.h. */
pc_status pci_query_halves_each(const pci_query_entries *asked, pc_plan *plan);

#endif
