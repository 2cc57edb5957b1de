/* Which way answers a query soonest: vectors through the graph, or the whole matrix. */
#ifndef PCI_QUERY_CHOICE_H
#define PCI_QUERY_CHOICE_H

#include "src/cost.h"
#include "src/query.h"

/* What vectors that answer it take, limits and certificate included. */
void pci_query_sweep_work(const pci_query_job *job, pci_work *work);

/* PC_METHOD_SWEEP, also where nothing can answer it, or the method by which the whole matrix is
 * best made. The alternatives that were weighed are noted in *weighed. A whole matrix is planned
 * only where it might pay. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_query_choose(const pci_query_job *job, pc_method *method, pc_plan *weighed);

#endif
