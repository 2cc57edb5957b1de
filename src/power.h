/* Repeated squaring. */
#ifndef PCI_POWER_H
#define PCI_POWER_H

#include "src/plan.h"

/* Carries out the levels of plan on run, which then holds A^length; notes the times in plan. */
pc_status pci_power(pc_context *context, const pci_schedule *schedule, pci_run *run, pc_plan *plan);

#endif
