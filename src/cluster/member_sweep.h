/* Operations on sweeps, by the names of commands (member.h): all processes perform them. */
#ifndef PCI_CLUSTER_MEMBER_SWEEP_H
#define PCI_CLUSTER_MEMBER_SWEEP_H

#include "src/cluster/member.h"

/* PC_ERR_MEMORY. */
pc_status pci_member_sweep_create(pci_member *member, const pci_command *command,
                                  const pci_caller *caller);
void pci_member_sweep_free(pci_part_sweep *sweep);
pc_status pci_member_sweep_add(const pci_member *member, const pci_command *command,
                               const pci_caller *caller);

/* PC_ERR_CANCELLED, PC_ERR_MEMORY. */
pc_status pci_member_sweep_step(const pci_member *member, const pci_command *command);

/* The lines of own vertices go to a file, or come from it: SWEEP_SAVE, SWEEP_LOAD. PC_ERR_CREATE, PC_ERR_DATA. */
pc_status pci_member_sweep_copy(const pci_member *member, const pci_command *command,
                                const pci_caller *caller);

/* Entries of own vertices become those of vectors in parts, one after the other. */
void pci_member_sweep_keep(const pci_member *member, const pci_command *command);

/* Vectors go to the first process (member_rows.c). */
void pci_member_sweep_rows(const pci_member *member, const pci_command *command,
                           const pci_caller *caller);

#endif
