/* Graph formats that this library does not read itself, so that their files are refused and not taken
 * for edge lists. */
#ifndef PCI_FOREIGN_H
#define PCI_FOREIGN_H

#include "io/input.h"

/* PC_ERR_DATA for a text that is clearly in a format of igraph, or whose file name says so. The
 * text begins at begin. */
pc_status pci_foreign_refuse(const pci_input *input, const char *begin);

#endif
