/* The engine of a graph in parts: its operations on planes are commands, which all processes perform on the moduli that
 * they share (src/cluster/power_share.h). */
#ifndef PCI_CLUSTER_POWER_ENGINE_H
#define PCI_CLUSTER_POWER_ENGINE_H

#include "pathcount_mpi.h"

#include "src/cluster/member.h"
#include "src/engine/engine.h"

/* A graph in parts as the first process has it; the rest of the library knows base only. */
typedef struct pci_graph_parts {
    pci_parts base;
    pc_context *context; /* that it was allocated in */
    pc_cluster *cluster;
    pci_member *member; /* of the cluster */
    uint32_t number;
} pci_graph_parts;

/* Sets all operations but the sweeps. There are none for blocks, diagonals and words of residues; one run at a time. */
void pci_power_engine_fill(pci_engine *engine);

#endif
