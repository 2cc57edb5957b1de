/* Powers whose moduli the processes share. Process r of P squares the planes of moduli r, r + P, r + 2 P ... of the
 * list, alone, with a run of the CPU engine; so it holds the graph whole. Every process has at least one modulus:
 * where a level needs fewer than P, it has P.
 *
 * Operations that need the residues of all moduli go row by row: they extend the base, reduce modulo a number, or make
 * integers, aggregates and dot products. Rows are divided among the processes, a block of them at a time. Each
 * process gets the residues of its rows from the others, and sends back what becomes residues again. */
#ifndef PCI_CLUSTER_POWER_H
#define PCI_CLUSTER_POWER_H

#include "src/cluster/command.h"
#include "src/engine/engine.h"

typedef struct pci_power_share pci_power_share;

/* Performs an operation PCI_POWER_... in all processes, which get the same status. *share is made by BEGIN, from the parts
 * of a graph, and NULL again after END. */
pc_status pci_power_perform(const pci_graph_part *part, pc_context *context,
                            const pci_command *command, const pci_caller *caller,
                            pci_power_share **share);

/* Every process needs a modulus: PC_ERR_RANGE where there are more processes. */
pc_status pci_power_check(pc_context *context, int n_processes);

/* The memory and time of the process with the most planes (pci_engine). */
pc_status pci_power_forecast(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                             pci_forecast *forecast);

#endif
