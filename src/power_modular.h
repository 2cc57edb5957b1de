/* Repeated squaring modulo a number. */
#ifndef PCI_POWER_MODULAR_H
#define PCI_POWER_MODULAR_H

#include "src/plan.h"

/* words[n][n] = A^length modulo plan->modulus, length >= 1. Each level is certified by the one
 * before it, so that any length can be. */
pc_status pci_power_modular(pc_context *context, const pc_graph *graph,
                            const pci_schedule *schedule, pc_plan *plan, uint64_t *words);

/* Rounds of a check modulo this number, at least as many as asked, that let an error pass with a
 * probability below 2^-80; 0 when none are asked for. */
int pci_modular_rounds(uint64_t modulus, int asked);

#endif
