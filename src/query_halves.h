/* Single entries of powers of an undirected graph by halves: with a + b = k, A^k[u][v] is <A^a e_u,
 * A^b e_v>. The vectors take half the steps, are half as wide, and long have few entries. */
#ifndef PCI_QUERY_HALVES_H
#define PCI_QUERY_HALVES_H

#include "src/query.h"

/* Whether the query can be answered so: exact counts of all paths, of pairs or closed ones,
 * of lengths from 2 on, in an undirected graph. */
bool pci_query_has_halves(const pci_query_job *job);

/* Answers it, by whole lengths where halves do not pay or do not fit in memory. As the functions in
 * src/query.h. */
pc_status pci_query_halves(const pci_query_job *job, pc_plan *plan);

#endif
