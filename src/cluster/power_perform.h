/* Operations on a power whose moduli the processes share.
 *
 * All functions are called by all processes; caller is NULL in all but the first. Statuses are the same in all. */
#ifndef PCI_CLUSTER_POWER_PERFORM_H
#define PCI_CLUSTER_POWER_PERFORM_H

#include "src/cluster/power_share.h"

/* *share is made by BEGIN, from the parts of a graph, and NULL again after END. */
pc_status pci_power_perform(const pci_graph_part *part, pc_context *context,
                            const pci_power_command *command, const pci_power_caller *caller,
                            pci_power_share **share);

#endif
