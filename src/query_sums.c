/* Sums over all vertices. */
#include "src/query.h"

pc_status pci_query_sums(const pci_query_job *job, pc_plan *plan)
{
    return pci_query_sweeps(job, plan);
}
