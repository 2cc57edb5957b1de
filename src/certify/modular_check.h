/* Certificates of the rows of A^length modulo M: C x = A (A (... x)) modulo M for random x. A wrong
 * row passes a round once in q, the least prime factor of M, so small q take more rounds. */
#ifndef PCI_MODULAR_CHECK_H
#define PCI_MODULAR_CHECK_H

#include "graphs/graph.h"

typedef struct pci_modular_check pci_modular_check;

/* n_rounds >= 1 are asked for; more are made where M wants more. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_modular_check_create(pc_context *context, const pc_graph *graph, uint64_t length,
                                   uint64_t modulus, int n_rounds, pci_modular_check **check);
void pci_modular_check_free(pci_modular_check *check); /* accepts NULL */

/* PC_ERR_CERTIFY when a row is not what it must be. */
pc_status pci_modular_check_rows(const pci_modular_check *check, const pc_rows *rows);

#endif
