/* Repeated squaring modulo a number. */
#ifndef PCI_POWER_MODULAR_H
#define PCI_POWER_MODULAR_H

#include "src/certify/certify.h"
#include "src/engine/engine.h"

/* words[n][n] = A^length modulo plan->modulus, length >= 1, by an engine. certificate, of A modulo the
 * same number or NULL, is that of A^length then; every level but the last has been checked by it. */
pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            const pci_moduli *moduli, pci_certificate *certificate,
                            pc_plan_info *plan, uint64_t *words);

#endif
