/* The relative error of doubles, proved before anything is computed. */
#ifndef PCI_ROUNDING_H
#define PCI_ROUNDING_H

#include "src/plan/plan.h"

/* Notes in the plan the relative error of every number of the answer, and of the sums over them in
 * a summary; 0 of integers. PC_ERR_MEMORY. */
pc_status pci_relative_error(const pci_question *question, pci_plan *plan);

#endif
