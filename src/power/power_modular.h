/* Repeated squaring modulo a number. */
#ifndef PCI_POWER_MODULAR_H
#define PCI_POWER_MODULAR_H

#include "src/certify/certify.h"
#include "src/engine/engine.h"

/* A^length modulo plan->modulus, length >= 1, by a run of the engine that has begun: in words[n][n] or, when
 * words is NULL, as the P of the run, whose entries are below the modulus; that needs an engine with
 * reduce_modulo and aggregate, and arcs with multiplicities below the modulus. certificate, of A modulo the
 * same number or NULL, is that of A^length then; every level but the last has been checked by it. */
pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            pci_run *run, pci_certificate *certificate, pc_plan_info *plan,
                            uint64_t *words);

#endif
