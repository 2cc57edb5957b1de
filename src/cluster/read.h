/* Reads a serialized graph (io/serialized.h) in parts: each process its own rows. */
#ifndef PCI_CLUSTER_READ_H
#define PCI_CLUSTER_READ_H

#include "io/serialized.h"
#include "src/cluster/part.h"

/* What is read; the same in all processes. */
typedef struct pci_part_file {
    const char *path;
    pci_serialized head;
    bool takes_weights;
    uint64_t seed;         /* of hashes of arcs, random */
    const uint64_t *first; /* [n processes + 1] ranges */
} pci_part_file;

/* What was found, in all processes. */
typedef struct pci_part_facts {
    bool
        is_canonical; /* columns ascend strictly within rows and no weight is 0; else there is no part */
    uint64_t n_loops, max_weight;
} pci_part_facts;

/* The part of each process. Errors as those of pc_graph_read, the same in all processes. */
pc_status pci_part_read(const pci_processes *all, pc_context *context, const pci_part_file *file,
                        pci_part_facts *facts, pci_graph_part **part);

#endif
