/* The engine of a graph in parts: its operations on planes are commands, which all processes perform on the moduli that
 * they share (src/cluster/power_share.h). */
#ifndef PCI_CLUSTER_POWER_ENGINE_H
#define PCI_CLUSTER_POWER_ENGINE_H

#include "src/engine/engine.h"

/* Sets all operations but the sweeps. There are none for blocks, diagonals and words of residues; one run at a time. */
void pci_power_engine_fill(pci_engine *engine);

#endif
