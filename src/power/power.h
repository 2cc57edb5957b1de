/* Repeated squaring, perhaps of a power that was swept. */
#ifndef PCI_POWER_H
#define PCI_POWER_H

#include "src/engine/engine.h"

/* Carries out the levels of plan on run of engine, which then holds A^length, or the factor of which the last
 * level is the diagonal, with the moduli of that level; notes the times in
 * plan. *words are those of a swept first level, which are freed, and the pointer cleared, when they are
 * loaded. */
pc_status pci_power(pc_context *context, const pci_engine *engine, pci_run *run, uint64_t **words,
                    pc_plan_info *plan);

#endif
