/* What answering a query takes, guessed from the size and the degrees of the graph alone: no pass
 * over its arcs, and no limit, is wanted before it is known that one pays. */
#ifndef PCI_QUERY_COST_H
#define PCI_QUERY_COST_H

#include "src/plan/cost.h"
#include "src/plan/request.h"

/* What vectors that answer it take, limits and certificate included. */
void pci_query_sweep_work(const pci_request *request, pci_work *work);

/* About how long the processors take to square as often as the query wants. */
double pci_query_guess_matrix_seconds(const pci_request *request);

/* About how long the recurrence of a number takes, and its term; INFINITY when it takes too many operations. */
double pci_query_guess_recurrence_seconds(const pci_request *request);

/* The same of a whole power as a polynomial of A, with its certificate. */
double pci_query_guess_polynomial_seconds(const pci_request *request);

/* How many matrices a query takes that is read off matrices; shorter ones take less time. */
double pci_query_n_matrices(const pc_query *query);

#endif
