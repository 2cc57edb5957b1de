/* Compares the files that processes have opened under one name. Machines may have copies, one of which is old. */
#ifndef PCI_CLUSTER_SAME_FILE_H
#define PCI_CLUSTER_SAME_FILE_H

#include "io/input.h"
#include "src/cluster/part.h"

/* Called by all processes, each with the file that it opened. seed is random, and the same in all. PC_ERR_DATA in all
 * processes, with a message, when one of them has another file than the first process has. */
pc_status pci_same_file(const pci_processes *all, const pci_input *input, uint64_t seed);

#endif
