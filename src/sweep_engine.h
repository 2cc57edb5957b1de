/* Where exact sweeps go: to the processors, or to the device of an engine that has sweeps. */
#ifndef PCI_SWEEP_ENGINE_H
#define PCI_SWEEP_ENGINE_H

#include "src/cost.h"
#include "src/engine.h"

/* *engine has sweeps. work is what is to be swept, and a graph of n_arcs goes to the device first.
 * cpu_because is why it must be the processors; NULL: whichever suits. Notes engine, device and
 * reason in plan. PC_ERR_ENGINE when a device is asked for and cannot be had. */
pc_status pci_sweep_engine(pc_context *context, const char *cpu_because, const pci_work *work,
                           uint64_t n_arcs, const pci_engine **engine, pc_plan *plan);

#endif
