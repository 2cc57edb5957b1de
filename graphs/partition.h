/* The partition: which block each vertex belongs to, and the vertices of each block in order. */
#ifndef PCI_PARTITION_H
#define PCI_PARTITION_H

#include "graphs/graph.h"

struct pc_partition {
    pc_context *context;
    uint64_t n;        /* vertices */
    uint64_t n_blocks; /* at most n; 0 only when n is 0 */
    uint32_t *block;   /* [n] below n_blocks */
    uint64_t *start;   /* [n_blocks + 1]: vertices of block b are vertex[start[b]] .. */
    uint32_t *vertex;  /* [n]: ascending within a block */
    uint64_t *size;    /* [n_blocks]: start[b + 1] - start[b], at least 1 */
    uint64_t max_size; /* of a block */
    pci_labels labels;
    uint64_t checksum; /* of all of it */
};

/* PC_ERR_CERTIFY when the partition has changed since it was made. */
pc_status pci_partition_check(pc_context *context, const pc_partition *partition);

/* Makes blocks of size consecutive vertices, the last one smaller when size does not divide n. PC_ERR_ARGUMENT when size
 * is 0, PC_ERR_DATA when two blocks would get the same label. */
pc_status pci_partition_consecutive(pc_context *context, const pc_graph *graph, uint64_t size,
                                    pc_partition **partition);

/* Makes a block of each connected component, arcs taken both ways. */
pc_status pci_partition_components(pc_context *context, const pc_graph *graph,
                                   pc_partition **partition);

/* Components by union-find: no recursion, and one word for each vertex, before[v], which is an earlier vertex of the
 * component of v; the first one has its own number. pci_join makes those of two vertices one. */
uint32_t pci_first_joined(uint32_t *before, uint32_t v);
void pci_join(uint32_t *before, uint32_t u, uint32_t v);

/* A partition from block[n] (taken over, freed on failure, as is labels) and labels of the blocks.
 * Every block must have a vertex. PC_ERR_MEMORY. */
pc_status pci_partition_make(pc_context *context, uint64_t n, uint32_t *block, pci_labels *labels,
                             pc_partition **partition);

#endif
