/* Operations on a power whose moduli the processes share that need the residues of all moduli, row by row. As
 * src/cluster/power_perform.h says of its own, all processes call them. */
#ifndef PCI_CLUSTER_POWER_ROWS_H
#define PCI_CLUSTER_POWER_ROWS_H

#include "src/cluster/power_share.h"

pc_status pci_power_extend(pci_power_share *share, uint32_t n_moduli);
pc_status pci_power_load_words(pci_power_share *share, uint32_t n_moduli, const uint64_t *words);
pc_status pci_power_reduce_modulo(pci_power_share *share, uint64_t modulus);
pc_status pci_power_collect(pci_power_share *share, const pci_power_command *command,
                            const pci_power_caller *caller);
pc_status pci_power_aggregate(pci_power_share *share, const pci_power_command *command,
                              const pci_power_caller *caller);

#endif
