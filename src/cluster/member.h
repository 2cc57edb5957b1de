/* A process of a cluster, and what all of them do together.
 *
 * The first process runs the program: it plans, and asks for products and sweeps of graphs that lie in parts. It
 * announces each operation as a command, and then every process, itself included, performs it on its own parts. The
 * others do nothing else (pci_member_serve). Only vectors of all vertices go to or come from the first process; lines
 * that a step needs travel between their owner and where they are needed. */
#ifndef PCI_CLUSTER_MEMBER_H
#define PCI_CLUSTER_MEMBER_H

#include "src/cluster/power.h"
#include "src/cluster/read.h"
#include "src/cluster/slices.h"
#include "src/engine/sweep.h"

enum { PCI_MOST_PARTS = 16, PCI_MOST_PART_SWEEPS = 16 };

typedef struct pci_part_sweep {
    pci_graph_part *part;
    pci_sweep *sweep;
    pc_graph *whole;     /* processes share the vectors of a sweep; NULL: its vertices */
    uint32_t n_vectors;  /* of this process */
    uint64_t n_vertices; /* the same, of the sweep */
} pci_part_sweep;

typedef struct pci_member {
    pci_processes all;
    pc_context *context; /* of the first process: that of the call */
    pci_graph_part *part[PCI_MOST_PARTS];
    pci_part_sweep sweep[PCI_MOST_PART_SWEEPS];
    pci_slices slices;
    pc_process_count count;
    uint64_t first_held_bytes; /* when the cluster began */
    pci_power_share *power;    /* in progress; NULL: none */
} pci_member;

/* Sets all but the context. member must stay where it is. */
void pci_member_begin(MPI_Comm comm, pci_member *member);

/* Announces a command and performs it: the first process only. The statuses of the parts' functions, and a message. */
pc_status pci_member_call(pci_member *member, const pci_command *command, const pci_caller *caller);

/* Performs the commands that are announced, up to PCI_END: all other processes. */
void pci_member_serve(pci_member *member);

#endif
