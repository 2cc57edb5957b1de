/* Repeated squaring modulo a number. */
#ifndef PCI_POWER_MODULAR_H
#define PCI_POWER_MODULAR_H

#include "src/engine/engine.h"

/* words[n][n] = A^length modulo plan->modulus, length >= 1, by an engine. Each level is certified
 * by the one before it, in n_rounds rounds or more, so that any length can be. */
pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            const pci_moduli *moduli, int n_rounds, pc_plan_info *plan,
                            uint64_t *words);

#endif
